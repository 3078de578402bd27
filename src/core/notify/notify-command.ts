// Notifier that runs the notify command of COUNCIL.md.
import { startAwakeTimer, DRAIN_MS, endProgram, startProgram } from '../agents/runners/program.ts';
import { onWriteFailure } from '../agents/runners/streams.ts';
import { notifyRunnable } from '../agents/runnable-trust.ts';
import type { Runnable } from '../agents/runnable-trust.ts';
import { formatPrintableJson } from '../base/terminal.ts';
import type { Notice } from '../council/machine/transition-result.ts';
import { awaited, getSeat } from '../council/state/state.ts';
import type { CouncilState } from '../council/state/state.ts';
import type { Notifier } from './notifier.ts';

const TIMEOUT_MS = 30_000;

/** The notify command of COUNCIL.md, and where it runs. */
interface NotifyCommand {
  command: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Whether the owner has trusted it. Checked each time, as with agents. */
  mayRun(what: Runnable): boolean;
}

/** The JSON document passed to the command on stdin. */
interface NoticeDocument {
  event: Notice['type'];
  name: string;
  conversationId: string;
  topic: string;
  phase: string;
  tour: number;
  participant?: string;
  reason?: string;
  path?: string;
  /** How far the deadline moved, in milliseconds. */
  ms?: number;
  deadline: string;
  /** The people whose turn it is now: nothing else notifies them. */
  people: string[];
}

/** Runs a command for every notice, if it is trusted. */
export const notifyCommand = (settings: NotifyCommand): Notifier => ({
  async notify({ state, notices }, signal) {
    const what = notifyRunnable(settings.command);
    if (!settings.mayRun(what)) return [{ type: 'untrusted', runs: what.runs }];
    const failures = await Promise.all(
      notices.map((notice) =>
        runNotifyCommand(settings, formatPrintableJson(buildNoticeDocument(state, notice)), signal),
      ),
    );
    return failures
      .filter((why) => why !== undefined)
      .map((why) => ({ type: 'warning', message: `The notify command failed (${why}).` }));
  },
});

function buildNoticeDocument(state: CouncilState, notice: Notice): NoticeDocument {
  const common = {
    event: notice.type,
    name: state.name,
    conversationId: state.conversationId,
    topic: state.topic,
    phase: state.currentPhase,
    tour: state.tour,
    deadline: state.timeoutAt,
    people: awaited(state).filter((id) => getSeat(state, id).runner === 'human'),
  };
  switch (notice.type) {
    case 'phase_opened':
      return { ...common, phase: notice.phase, tour: notice.tour };
    case 'absent': {
      const { phase, tour, participant, reason } = notice;
      return { ...common, phase, tour, participant, reason };
    }
    case 'deadline_moved':
      return { ...common, ms: notice.ms, reason: notice.why };
    case 'synthesis_wanted':
      return { ...common, participant: notice.coordinator };
    case 'archived':
      return { ...common, path: notice.path };
  }
}

/**
 * Runs the command once, like an agent: in its own process group, which is ended completely when this returns,
 * when `signal` aborts, or when council is killed. Returns why it failed; undefined on success.
 */
async function runNotifyCommand(
  { command, cwd, env }: NotifyCommand,
  input: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const set = Object.entries(env).filter((one): one is [string, string] => one[1] !== undefined);
  const started = await startProgram(command, { cwd, env: Object.fromEntries(set), signal });
  if ('broken' in started) return started.broken?.reason;
  if (!('child' in started)) return 'it was interrupted';
  const { child, pid } = started;
  const stopping = Promise.withResolvers<'timeout' | 'cancelled' | 'drained'>();
  const timer = startAwakeTimer(TIMEOUT_MS, () => stopping.resolve('timeout'));
  const onAbort = (): void => stopping.resolve('cancelled');
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  // Processes it leaves behind may keep the pipes open forever.
  child.nodeChildProcess.once('exit', () => setTimeout(stopping.resolve, DRAIN_MS, 'drained').unref());
  child.stdout.resume();
  child.stderr.resume();
  let unwritten: string | undefined;
  onWriteFailure(child.stdin, (code) => (unwritten = `the notice could not be written: ${code}`));
  child.stdin.end(input);

  const stop = await Promise.race([child.then(() => null), stopping.promise]);
  timer.end();
  signal.removeEventListener('abort', onAbort);
  if (!(await endProgram(child, pid, stop))) return `process group ${pid} cannot be ended`;
  if (stop === 'timeout') return `it took longer than ${TIMEOUT_MS / 1000} s`;
  if (stop === 'cancelled') return 'it was interrupted';
  const { exitCode, signal: endedBy } = await child;
  if (exitCode === 0) return unwritten;
  return endedBy === undefined ? `exit code ${exitCode}` : `ended by ${endedBy}`;
}
