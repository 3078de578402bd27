// Additional tools of an orchestrator's model, to give tasks to workers. Workers never get these.
import type * as Zod from 'zod';
import { requireToolField, createToolError, createTool } from '../../../core/agents/tools/tool.ts';
import type { Tool } from '../../../core/agents/tools/tool.ts';
import type { Task } from '../task.ts';
import { markTaskCancelled, isOver } from '../transitions.ts';
import { createTask } from './create-tasks.ts';
import type { SessionPlay } from './session.ts';
import { listWorkerAgents } from './workers.ts';

const MOST_AT_ONCE = 10;
/** Maximum number of temporary workers per task. */
const MOST_SPAWNED = 3;

const createDelegationSchema = (z: typeof Zod) => ({
  instruction: z
    .string()
    .trim()
    .min(1)
    .max(20_000)
    .describe('all that the worker has to know: it sees nothing else'),
  worker: z.string().optional().describe('who is to do it; without it, whoever fits best'),
  needs: z.array(z.string()).max(20).optional().describe('capabilities that it takes'),
  budget: z.int().positive().optional().describe('tokens that it may use up'),
});
type DelegatedPart = Zod.infer<Zod.ZodObject<ReturnType<typeof createDelegationSchema>>> & {
  spawned?: Task['spawned'];
};

interface OrchestratorContext {
  playing: SessionPlay;
  /** The orchestrator's own task. */
  task: Task;
  limits: { depth: number; children: number };
  /** The orchestrator's own timeout, in milliseconds. */
  timeout: number;
  /** Tasks given so far, how many of them to temporary workers, and their tokens in total. */
  given: { tokens: number; parts: number; spawned: number };
}

/** Creates the tools: `delegate` a task, `parallel` for several, `spawn` for a temporary worker. */
export async function delegateTools(task: Omit<OrchestratorContext, 'given'>): Promise<Tool[]> {
  const orchestrating = { ...task, given: { tokens: 0, parts: 0, spawned: 0 } };
  const z = await import('zod');
  const made: Task[] = [];
  const limit = orchestrating.timeout;
  const delegate = createTool(
    z,
    {
      name: 'delegate',
      kind: 'sub_agent',
      limit,
      description: 'Has a worker do a task, and gives you the result.',
    },
    z.strictObject(createDelegationSchema(z)),
    (part, signal) => runDelegatedTask(orchestrating, made, part, signal),
  );
  const parallel = createTool(
    z,
    {
      name: 'parallel',
      kind: 'sub_agent',
      limit,
      description:
        'Has workers do several tasks at once, which must not depend on each other, and gives you all results.',
    },
    z.strictObject({
      tasks: z
        .array(z.strictObject(createDelegationSchema(z)))
        .min(1)
        .max(MOST_AT_ONCE),
    }),
    async ({ tasks }, signal) => {
      checkCount(orchestrating, tasks.length);
      const done = await Promise.allSettled(
        tasks.map((part) => runDelegatedTask(orchestrating, made, part, signal)),
      );
      return {
        tasks: done.map((one) => (one.status === 'fulfilled' ? one.value : { error: String(one.reason) })),
      };
    },
  );
  return [delegate, parallel, spawnTool(z, orchestrating, made)];
}

function spawnTool(z: typeof Zod, orchestrating: OrchestratorContext, made: Task[]): Tool {
  const { playing, task, timeout: limit } = orchestrating;
  const find = (id: string): Task => {
    const found = made.find((one) => one.id === id);
    if (found) return found;
    throw createToolError(
      `You have no task ${id}. You have: ${made.map((one) => one.id).join(', ') || 'none'}.`,
    );
  };
  const { instruction, budget } = createDelegationSchema(z);
  return createTool(
    z,
    {
      name: 'spawn',
      kind: 'sub_agent',
      limit,
      description: `Starts a temporary worker with a prompt of its own for one task, and returns its result (spawn; at most ${MOST_SPAWNED}). Lists the tasks that you have given away (list_children), or ends one of them (terminate).`,
    },
    z.strictObject({
      operation: z.enum(['spawn', 'list_children', 'terminate']).default('spawn'),
      prompt: z.string().trim().min(1).max(10_000).optional().describe('who the worker is (spawn)'),
      instruction: instruction.optional(),
      budget,
      id: z.string().optional().describe('the task to end (terminate)'),
    }),
    async (input, signal) => {
      if (input.operation === 'list_children')
        return { tasks: await Promise.all(made.map((one) => readTaskStanding(playing, one))) };
      if (input.operation === 'terminate') {
        const one = find(requireToolField(input, 'id'));
        await cancelDelegatedTask(playing, one);
        return readTaskStanding(playing, one);
      }
      const spawned = { by: task.worker ?? '', prompt: requireToolField(input, 'prompt') };
      if (orchestrating.given.spawned === MOST_SPAWNED)
        throw createToolError(`One task may have at most ${MOST_SPAWNED} temporary workers.`);
      orchestrating.given.spawned++;
      const part = { instruction: requireToolField(input, 'instruction'), budget: input.budget, spawned };
      return runDelegatedTask(orchestrating, made, part, signal);
    },
  );
}

async function runDelegatedTask(
  orchestrating: OrchestratorContext,
  made: Task[],
  part: DelegatedPart,
  signal: AbortSignal,
): Promise<unknown> {
  const { playing, task, limits } = orchestrating;
  const { tasking } = playing;
  checkCount(orchestrating, 1);
  if (task.depth + 1 > limits.depth)
    throw createToolError(
      `E16: it would be handed on for the ${task.depth + 1}th time, and ${limits.depth} is the most.`,
    );
  const workers = listWorkerAgents(tasking).map(({ id }) => id);
  if (part.worker !== undefined && !workers.includes(part.worker))
    throw createToolError(
      `E41: there is no worker ${part.worker}. There are: ${workers.join(', ') || 'none'}.`,
    );
  const budget = reserveTokenShare(orchestrating, part);
  // Counted before the first await, because a model may call several at once.
  orchestrating.given.parts++;
  const child = await createTask(tasking, {
    text: part.instruction,
    needs: part.needs ?? [],
    depth: task.depth + 1,
    givenBy: `${task.session}/${task.id}`,
    risk: task.risk,
    spawned: part.spawned ?? null,
    ...(part.worker !== undefined && { to: part.worker }),
    ...(budget !== undefined && { budget }),
  });
  made.push(child);
  const stop = (): void => void cancelDelegatedTask(playing, child);
  signal.addEventListener('abort', stop, { once: true });
  // It may have been aborted while the task was being created.
  if (signal.aborted) await cancelDelegatedTask(playing, child);
  try {
    await playing.playOther(child.session);
  } finally {
    signal.removeEventListener('abort', stop);
    // Tokens left of its share are available to others again.
    const left = (await tasking.tasks.read(child.session, child.id))?.budget ?? 0;
    if (budget !== undefined) orchestrating.given.tokens -= left;
  }
  return readTaskStanding(playing, child);
}

/** Reserves tokens for a part: the number requested, or half of the rest. Throws E17. */
function reserveTokenShare(
  { task, given }: OrchestratorContext,
  { budget }: DelegatedPart,
): number | undefined {
  if (task.budget === null) return budget;
  const left = Math.max(0, task.budget - given.tokens);
  const share = budget ?? Math.floor(left / 2);
  if (share > left) throw createToolError(`E17: you have ${left} tokens left, and it would get ${share}.`);
  given.tokens += share;
  return share;
}

/** Cancels a task. The session that runs it stops its worker. */
async function cancelDelegatedTask({ tasking }: SessionPlay, { session, id }: Task): Promise<void> {
  await tasking.tasks.change(session, id, (now) =>
    now && !isOver(now)
      ? markTaskCancelled(now, 'terminated by its orchestrator', tasking.clock.now())
      : undefined,
  );
}

function checkCount({ limits, given }: OrchestratorContext, more: number): void {
  if (given.parts + more > limits.children)
    throw createToolError(
      `${limits.children} tasks is the most that you may give away for one of yours; you have ${given.parts}.`,
    );
}

async function readTaskStanding({ tasking }: SessionPlay, { session, id }: Task): Promise<unknown> {
  const now = await tasking.tasks.read(session, id);
  return now && { id, state: now.state, worker: now.worker, result: now.result, error: now.error };
}
