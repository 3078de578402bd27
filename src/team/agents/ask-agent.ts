// Asks a person at a terminal for an agent's settings, question by question.
import { CouncilError } from '../../core/base/errors.ts';
import type { App } from '../../core/app/app.ts';
import { checkInput } from '../../core/app/input/check-input.ts';
import type { Field } from '../../core/app/input/fields.ts';
import { agentsFields } from '../../core/app/input/project.ts';
import type { AgentsInput } from '../../core/app/input/project.ts';

type AgentFieldName = keyof typeof agentsFields;
type AgentAnswers = Partial<Record<AgentFieldName, unknown>>;

const TRIES = 3;

const isLaunched = ({ runner }: AgentAnswers): boolean => runner !== undefined && runner !== 'human';
const isModel = ({ runner }: AgentAnswers): boolean => runner === 'model';
const isCommand = ({ runner }: AgentAnswers): boolean => runner === 'command' || runner === 'acp';

/** The questions in order; `isAsked` selects the agents they apply to. */
const QUESTIONS: readonly {
  name: AgentFieldName;
  words: string;
  isAsked?(answers: AgentAnswers): boolean;
}[] = [
  { name: 'title', words: 'Shown name' },
  { name: 'runner', words: 'Runner' },
  { name: 'command', words: 'Program and arguments', isAsked: isCommand },
  { name: 'provider', words: 'Provider', isAsked: isModel },
  { name: 'model', words: 'Model', isAsked: isLaunched },
  { name: 'role', words: 'Role' },
  { name: 'lifecycle', words: 'Lifecycle' },
  { name: 'ttl', words: 'Time to live', isAsked: ({ lifecycle }) => lifecycle === 'temporary' },
  { name: 'capability', words: 'Capabilities' },
  { name: 'temperature', words: 'Temperature', isAsked: isModel },
  { name: 'max_tokens', words: 'Tokens of an answer', isAsked: isModel },
  { name: 'max_tool_iterations', words: 'Rounds of tools', isAsked: isModel },
  { name: 'enable_thinking', words: 'Thinking', isAsked: isModel },
  { name: 'tools', words: 'Tools', isAsked: isModel },
  { name: 'mcp_servers', words: 'MCP servers', isAsked: isModel },
];

/** True if only the agent was named. */
export const isBare = (input: AgentsInput): boolean =>
  Object.entries(input).every(
    ([name, value]) =>
      name === 'action' ||
      name === 'id' ||
      name === 'lines' ||
      value === undefined ||
      value === false ||
      (Array.isArray(value) && value.length === 0),
  );

/**
 * Returns the input with a person's answers. Enter skips a question; `current` are the present values, and
 * `fixed` is not asked. Throws like `checkInput` after three invalid answers.
 */
export async function askForAgent(
  app: Pick<App, 'note'> & { ask: (question: string) => Promise<string> },
  input: AgentsInput,
  { current = {}, fixed = [] }: { current?: AgentAnswers; fixed?: readonly AgentFieldName[] } = {},
): Promise<AgentsInput> {
  const answers: AgentAnswers = {};
  if (input.id === undefined) answers.id = await askOne(app, 'id', 'Id', undefined);
  for (const { name, words, isAsked } of QUESTIONS) {
    if (fixed.includes(name) || isAsked?.({ ...current, ...answers }) === false) continue;
    const answer = await askOne(app, name, words, current[name]);
    if (answer !== undefined) answers[name] = answer;
  }
  const persona = (await app.ask('Who it is, in a sentence (Enter for nothing new): ')).trim();
  if (persona !== '') answers.persona = { from: '-', bytes: async () => Buffer.from(persona) };
  // Each answer was checked by the field of its name.
  return { ...input, ...answers } as AgentsInput;
}

async function askOne(
  { ask, note }: Pick<App, 'note'> & { ask: (question: string) => Promise<string> },
  name: AgentFieldName,
  words: string,
  current: unknown,
): Promise<unknown> {
  const field: Field = agentsFields[name];
  const now = Array.isArray(current) ? current.join(', ') : (current ?? field.otherwise ?? 'none');
  // Only an id has no current value to keep.
  const holds = name === 'id' ? '' : ` [${String(now)}]`;
  for (let left = TRIES - 1; ; left--) {
    const given = (await ask(`${words} (${field.help})${holds}: `)).trim();
    if (given === '') return undefined;
    try {
      const value = field.kind === 'texts' ? given.split(field.program ? /\s+/ : /[\s,]+/) : given;
      return checkInput({ [name]: field }, { [name]: value }, ANSWERED)[name];
    } catch (error) {
      if (!(error instanceof CouncilError) || left === 0) throw error;
      note(error.message);
    }
  }
}

const ANSWERED = { command: 'agents', env: {}, isOwnCommandLine: false, text: () => undefined };
