// Live view of `run` on a terminal, plain lines elsewhere.
import type { Progress } from '../app/app.ts';
import { asLine, plainLines, waitingLines } from '../app/progress.ts';
import type { RunView } from '../app/run.ts';
import type { Steering } from '../app/stop-participant.ts';
import { firstWords } from '../app/first-spoken-line.ts';
import { spokenWords } from '../app/answers.ts';
import { oneLine } from '../base/text.ts';
import type { Cli } from './io.ts';
import { listenToKeys } from './keys.ts';
import { liveRegion } from './live-region.ts';
import { liveView, findKeyOfSeat, findSeatByKey } from './live-view.ts';

/** Where `run` reports. */
export interface Reporter extends RunView {
  onProgress(progress: Progress): void;
  /** Shows an answer as it comes. */
  answer(participant: string, text: string): void;
}

/** Lines of an answer that are shown as it comes; a key shows the whole. */
const FIRST_LINES = 10;

/** Who is at work in lines that change on a terminal, and what has happened in lines above; plain lines on stderr elsewhere. */
export function reporter(cli: Cli): Reporter {
  // A terminal that does not know its width (0 columns) cannot be drawn on.
  if (!cli.live || !process.stderr.isTTY || !process.stdout.columns) return createPlainReporter(cli);
  const answers = new Map<string, string>();
  const shown = new Set<string>();
  let steering: Steering | undefined;
  let isStopping = false;
  const view = liveView(cli, () => ({ order: steering?.order ?? [], keys: keys && steering ? 'yes' : '' }));
  const keys = listenToKeys((key) => {
    const id = findSeatByKey(key, steering?.order ?? []);
    if (key === 's') isStopping = true;
    else if (id === undefined) isStopping = false;
    else if (isStopping) stop(id);
    else cli.note(answers.get(id) ?? `${id} has said nothing that may be seen yet.`);
  });
  const region = liveRegion((columns) => view.lines(columns, Date.now()), {
    stopped: () => keys?.pause(),
    goesOn: () => keys?.goOn(),
  });
  function stop(id: string): void {
    isStopping = false;
    steering
      ?.stop(id)
      .catch((error: unknown) => cli.note(error instanceof Error ? error.message : String(error)));
  }
  const say = createMarkedLines(cli);
  return {
    steer: (given) => void (steering = given),
    async settle() {
      view.clear();
      region.clear();
      keys?.release();
    },
    answer(participant, text) {
      const words = spokenWords(text).trim();
      const lines = words.split('\n');
      const key = findKeyOfSeat(participant, steering?.order ?? []);
      const more =
        lines.length > FIRST_LINES ? [cli.paint('dim', `… all ${lines.length} lines: key ${key}`)] : [];
      answers.set(participant, `${participant}:\n${words}`);
      shown.add(participant);
      cli.note(
        [cli.paint('bold', `${participant}:`), ...lines.slice(0, FIRST_LINES), ...more, ''].join('\n'),
      );
    },
    onProgress(progress) {
      view.take(progress, Date.now());
      for (const { participant, text } of readVisibleTexts(progress))
        answers.set(participant, `${participant}:\n${text.trim()}`);
      // What was shown while the round was blind is not told again when it closes.
      const isShown = ({ participant }: { participant: string }): boolean => shown.delete(participant);
      const told =
        progress.type === 'said'
          ? { ...progress, said: progress.said.filter((one) => !isShown(one)) }
          : progress;
      for (const line of say(told)) cli.note(line);
      if (view.isEmpty()) return;
      keys?.listen();
      region.refresh();
    },
  };
}

/** What has been said, as far as it may be seen. */
function readVisibleTexts(progress: Progress): { participant: string; text: string }[] {
  if (progress.type === 'said') return progress.said;
  const { participant, said } = progress.type === 'recorded' ? progress : {};
  return participant !== undefined && said !== undefined ? [{ participant, text: said }] : [];
}

/** The lines about what has happened, with a mark; nothing that the rows below tell already, and nothing twice. */
function createMarkedLines(cli: Cli): (progress: Progress) => string[] {
  const heard = firstLines();
  let failed = new Set<string>();
  return (progress) => {
    const line = asLine(progress);
    switch (progress.type) {
      case 'launched':
      case 'asked_again':
      case 'paused':
        return [];
      case 'recorded':
        return [`${cli.paint('green', '✔')} ${line}`, ...heard(progress)];
      case 'attempt_failed':
        failed.add(`${progress.participant} failed: ${progress.reason}`);
        return [`${cli.paint('red', '✖')} ${line}`];
      case 'untrusted':
        return [`${cli.paint('yellow', '…')} ${line}`];
      case 'said':
        return heard(progress);
      default:
        // Told when it failed; what its program said is new where that had to wait.
        if (progress.type === 'notice' && progress.notice.type === 'absent') {
          const { participant, phase, reason } = progress.notice;
          const what = `${participant} ${reason}`;
          if (failed.has(what)) return [];
          const before = [...failed].find((one) => what.startsWith(`${one}. `));
          if (before !== undefined)
            return [oneLine(`${participant} was absent from ${phase}${what.slice(before.length)}`, 1000)];
        }
        if (progress.type === 'notice' && progress.notice.type === 'phase_opened') failed = new Set();
        return line === undefined ? [] : [oneLine(line, 1000)];
    }
  };
}

/** The first line of each contribution, once: what was told when it came is not told again when the phase closes. */
function firstLines(): (progress: Progress) => string[] {
  const told = new Set<string>();
  return (progress) =>
    readVisibleTexts(progress).flatMap(({ participant, text }) => {
      if (told.has(`${participant} ${text}`)) return [];
      told.add(`${participant} ${text}`);
      const words = firstWords(text);
      // Some begin with their own name.
      return [words.startsWith(`${participant}: `) ? `  ${words}` : `  ${participant}: ${words}`];
    });
}

function createPlainReporter(cli: Cli): Reporter {
  const tell = plainLines(cli);
  const heard = firstLines();
  const waits = new Set<string>();
  return {
    settle: async () => undefined,
    // Without a terminal the answers stand in the result.
    answer: () => undefined,
    onProgress(progress) {
      // Looked at again and again while it lasts.
      const lasting =
        progress.type === 'paused' || progress.type === 'waiting' ? JSON.stringify(progress) : undefined;
      if (lasting !== undefined && waits.has(lasting)) return;
      if (lasting !== undefined) waits.add(lasting);
      tell(progress);
      if (progress.type === 'waiting') waitingLines(progress).forEach(cli.note);
      for (const said of heard(progress)) cli.note(`${progress.council}: ${said.trim()}`);
    },
  };
}
