// Runs a leased task with a local agent and uploads the result.
import fs from 'node:fs';
import type { Agent } from '../../core/agents/agent.ts';
import type { LineConversation } from '../../core/agents/runners/turn-types.ts';
import { toOneLine } from '../../core/base/text.ts';
import { discard } from '../../core/store/local/disk.ts';
import { readSaid } from '../../team/tasks/parse-worker-output.ts';
import type { SpeakingWorker } from '../../team/tasks/parse-worker-output.ts';
import { createProgressListener, keepPrompt } from '../../team/tasks/use/run-worker.ts';
import type { LentTask } from './server-replies.ts';
import { deliver, keepUntilTaken, describeKeptFile } from './server-contact.ts';
import type { Payload, TaskAtWork, RemoteWorker } from './server-contact.ts';
import { toFailureFields, toUsageFields, runHere } from './run-launch.ts';
import type { LaunchReport } from './run-launch.ts';

/** Runs a task and uploads its result. Progress is reported to the server meanwhile. */
export async function doTask(worker: RemoteWorker, lent: LentTask, agents: readonly Agent[]): Promise<void> {
  const { session, task, lease, runner, text } = lent;
  const atWork = { name: `${session}/${task}`, progress: '', stop: new AbortController() };
  worker.tasks.set(lease, atWork);
  worker.app.note(`${atWork.name}: ${runner} begins: ${toOneLine(text, 80)}`);
  try {
    await uploadTaskResult(worker, lent, await runTaskLocally(worker, lent, { agents, atWork }));
  } finally {
    worker.tasks.delete(lease);
  }
}

async function runTaskLocally(
  worker: RemoteWorker,
  lent: LentTask,
  { agents, atWork }: { agents: readonly Agent[]; atWork: TaskAtWork },
): Promise<LaunchReport> {
  const { session, task, wire, runner, prompt, system } = lent;
  const { app, project, root } = worker;
  // Its lines may name another session than the one in which it is stored.
  const named = /\|(S[a-z0-9]+)\|[^|]*\|[^|]*$/.exec(lent.line)?.[1] ?? session;
  const speaking = { task: { id: task, session: named, exchange: [] }, wire };
  // Agents with `input: line` read the full prompt from a file.
  const hearsLines = agents.some(
    ({ id, input, runner: kind }) => id === runner && input === 'line' && kind === 'command',
  );
  const kept = hearsLines ? keepPrompt(project, prompt) : undefined;
  const onOutput = createProgressListener(speaking, (text) => {
    atWork.progress = text;
    app.note(`${atWork.name}: ${text}`);
  });
  const running = runHere(worker, agents, {
    ...{ runner, ms: lent.leftMs, system, onOutput, stop: atWork.stop.signal },
    input: () => prompt,
    ...(hearsLines && { talk: () => createTaskTalk(lent.line, speaking) }),
    turn: { agent: runner, work: { kind: 'task', task, session, wire } },
    extraEnv: {
      COUNCIL_ROOT: root,
      COUNCIL_AGENT: runner,
      COUNCIL_WIRE_ID: wire,
      COUNCIL_TASK: task,
      COUNCIL_SESSION: session,
      ...(kept !== undefined && { COUNCIL_PROMPT: kept }),
    },
  });
  return running.finally(() => kept !== undefined && discard(kept));
}

/** The agent receives only its request: the server handles its question, and answers with the next launch. */
const createTaskTalk = (first: string, speaking: SpeakingWorker): LineConversation => ({
  first,
  answer(row = '') {
    const { last, problem } = readSaid(row, speaking);
    return Promise.resolve(last || problem ? null : undefined);
  },
});

async function uploadTaskResult(
  worker: RemoteWorker,
  { lease, session, task }: LentTask,
  result: LaunchReport,
): Promise<void> {
  const { app } = worker;
  const who = `${session}/${task}`;
  const kept = result.ok
    ? await keepUntilTaken(worker, { name: lease, who, output: result.output })
    : undefined;
  const payload = buildTaskPayload({ lease, task: who, ...toUsageFields(result) }, result);
  const taken = await deliver(worker, { who, payload, kept });
  if (!taken) return;
  if (taken.became === 'lost')
    return app.note(`${who}: nobody waits for this launch any more.${describeKeptFile(kept)}`);
  if (kept !== undefined) fs.rmSync(kept, { force: true });
  app.note(
    `${who}: ${'note' in taken && taken.note !== undefined ? toOneLine(taken.note, 300) : taken.became}`,
  );
}

/** An answer line counts even if the program failed. Texts of council never contain NUL. */
function buildTaskPayload(common: Record<string, unknown>, result: LaunchReport): Payload {
  const text = result.output.toString('utf8').replaceAll('\0', '\ufffd');
  if (result.ok) return { name: 'record', input: { ...common, text } };
  const brief = result.safeReason ?? 'it failed';
  const said = text === '' ? {} : { text };
  return {
    name: 'fail',
    input: { ...common, ...toFailureFields(result, result.reason ?? 'it failed'), brief, ...said },
  };
}
