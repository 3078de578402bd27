// The kinds of runners by name: agent programs that council can call, models of providers, commands, people.

/** Agent programs that council knows how to call: the name is all an agent file has to say. */
export const PRESETS = ['claude', 'codex', 'gemini', 'opencode', 'openclaw', 'ollama', 'llm'] as const;
export type PresetName = (typeof PRESETS)[number];

/** Who serves the models of those programs, where that is not the user's choice. */
const SERVED_BY: Partial<Record<RunnerKind, string>> = {
  claude: 'anthropic',
  codex: 'openai',
  gemini: 'google',
  ollama: 'ollama',
};

/**
 * Provider of an agent's model: from its file, the model's prefix, or its program. Null if unknown.
 */
export function findModelProvider(agent: {
  runner: RunnerKind;
  provider: string | null;
  model: string | null;
}): string | null {
  const [, named] = agent.runner === 'model' ? (/^([^/]+)\//.exec(agent.model ?? '') ?? []) : [];
  return agent.provider ?? named ?? SERVED_BY[agent.runner] ?? null;
}

/** How a participant is asked to speak. */
export const RUNNERS = ['human', 'command', ...PRESETS, 'acp', 'model'] as const;
export type RunnerKind = (typeof RUNNERS)[number];

/** What a program gets on stdin. */
export const INPUTS = ['prompt', 'json', 'line'] as const;

/**
 * Whether any persona can be used with this runner: a model plays any part, a script only its own.
 */
export const isModel = (kind: RunnerKind): boolean => kind !== 'human' && kind !== 'command';

/** Whose program gets tools of its own to read files with, where a council allows that: known for these alone. */
const READERS: readonly RunnerKind[] = ['claude', 'codex', 'gemini', 'opencode', 'acp'];
export const canRead = (kind: RunnerKind): boolean => READERS.includes(kind);

/** Whose program can go on with a session that is named. */
const CONTINUERS: readonly RunnerKind[] = ['claude', 'codex', 'gemini', 'opencode'];
export const canContinue = (kind: RunnerKind): boolean => CONTINUERS.includes(kind);
/** Whose figures of a session that goes on are of all its turns. */
const SUMMING: readonly RunnerKind[] = ['claude', 'codex'];
export const sumsSession = (kind: RunnerKind): boolean => SUMMING.includes(kind);
/** Whether each launch is asked anew, or goes on with the program's own session. */
export const SESSIONS = ['new', 'continue'] as const;

export const isPreset = (kind: RunnerKind): kind is PresetName => PRESETS.some((preset) => preset === kind);
