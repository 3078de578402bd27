// The tool "memory": an agent's notes that persist from one task to the next.
import type * as Zod from 'zod';
import { formatIso } from '../../base/clock.ts';
import type { Clock } from '../../base/clock.ts';
import { MEMORY_TYPES } from '../../store/agent-memory.ts';
import type { AgentMemory } from '../../store/agent-memory.ts';
import { requireToolField, createToolError, createTool } from './tool.ts';
import type { Tool } from './tool.ts';

const MAX_CONTENT = 8000;
const MAX_MEMORIES = 10_000;
const DEFAULT_LIMIT = 10;
const OPERATIONS = ['add', 'get', 'list', 'search', 'delete', 'clear_by_type', 'activate_workflow'] as const;

const createMemorySchema = (z: typeof Zod) =>
  z.strictObject({
    operation: z.enum(OPERATIONS),
    type: z.enum(MEMORY_TYPES).optional().describe('of what is added, listed, searched or cleared'),
    content: z.string().trim().min(1).max(MAX_CONTENT).optional().describe('what to add'),
    id: z.int().positive().optional().describe('which one to get or delete'),
    query: z.string().trim().min(1).max(1000).optional().describe('words to search for'),
    workflow: z
      .string()
      .trim()
      .min(1)
      .max(64)
      .optional()
      .describe(
        'the workflow whose memories are used from now on (activate_workflow); leave it out to go back to the memories outside of any workflow',
      ),
    limit: z.int().min(1).max(50).optional().describe(`how many at most; ${DEFAULT_LIMIT} by default`),
  });

type Input = Zod.infer<ReturnType<typeof createMemorySchema>>;

/** `selectMemory(workflow)` returns a workflow's memories; `selectMemory()` those outside of any workflow. */
export async function createMemoryTool(
  selectMemory: (workflow: string | undefined) => AgentMemory,
  clock: Pick<Clock, 'now'>,
): Promise<Tool> {
  const z = await import('zod');
  let memory = selectMemory(undefined);
  return createTool(
    z,
    {
      name: 'memory',
      description: `Keeps facts from one task to the next: ${OPERATIONS.join(', ')}. Types: ${MEMORY_TYPES.join(', ')}. Search before you ask for something that you may have been told; add what a later task will need.`,
    },
    createMemorySchema(z),
    async (input) => {
      const { operation } = input;
      if (operation !== 'activate_workflow')
        return performMemoryOperation(memory, clock, { ...input, operation });
      memory = selectMemory(input.workflow);
      return { workflow: input.workflow ?? null, memories: await memory.count() };
    },
  );
}

async function performMemoryOperation(
  memory: AgentMemory,
  clock: Pick<Clock, 'now'>,
  input: Input & { operation: Exclude<Input['operation'], 'activate_workflow'> },
): Promise<unknown> {
  const { operation, type, limit = DEFAULT_LIMIT } = input;
  const createMissingFault = (id: number) => createToolError(`There is no memory ${id}.`);
  switch (operation) {
    case 'add': {
      const content = requireToolField(input, 'content');
      if ((await memory.count()) >= MAX_MEMORIES)
        throw createToolError(
          `There are ${MAX_MEMORIES} memories, the most there can be: delete some first.`,
        );
      return memory.add({ type: requireToolField(input, 'type'), content, at: formatIso(clock.now()) });
    }
    case 'get': {
      const id = requireToolField(input, 'id');
      const found = await memory.get(id);
      if (!found) throw createMissingFault(id);
      return found;
    }
    case 'list':
      return { memories: await memory.list({ type, limit }) };
    case 'search':
      return { memories: await memory.search(requireToolField(input, 'query'), { type, limit }) };
    case 'delete': {
      const id = requireToolField(input, 'id');
      if (!(await memory.delete(id))) throw createMissingFault(id);
      return { deleted: id };
    }
    case 'clear_by_type':
      return { deleted: await memory.clear(requireToolField(input, 'type')) };
  }
}
