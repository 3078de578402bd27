// The kinds of runners by name: agent programs, models of providers, commands, people.

/** Agent programs that council can call: an agent file needs only the name. */
export const PRESETS = ['claude', 'codex', 'gemini', 'opencode', 'openclaw', 'ollama', 'llm'] as const;
export type PresetName = (typeof PRESETS)[number];

/** Providers of those programs' models, if the user has no choice. */
const SERVED_BY: Partial<Record<RunnerKind, string>> = {
  claude: 'anthropic',
  codex: 'openai',
  gemini: 'google',
  ollama: 'ollama',
};

/**
 * Returns the provider of an agent's model: from its file, the model's prefix, or its program; null if
 * unknown.
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

/** Formats of a program's stdin. */
export const INPUTS = ['prompt', 'json', 'line'] as const;

/** Whether the runner can play any persona: a model can, a script has only its own. */
export const isModel = (kind: RunnerKind): boolean => kind !== 'human' && kind !== 'command';

/** Programs that have file-reading tools of their own, if a council allows reading. */
const READERS: readonly RunnerKind[] = ['claude', 'codex', 'gemini', 'opencode', 'acp'];
export const canRead = (kind: RunnerKind): boolean => READERS.includes(kind);

/** Programs that can resume a session by its id. */
const CONTINUERS: readonly RunnerKind[] = ['claude', 'codex', 'gemini', 'opencode'];
export const canContinue = (kind: RunnerKind): boolean => CONTINUERS.includes(kind);
/** Programs that report usage of a resumed session cumulatively, over all its turns. */
const SUMMING: readonly RunnerKind[] = ['claude', 'codex'];
export const reportsSessionTotal = (kind: RunnerKind): boolean => SUMMING.includes(kind);
/** Whether each launch starts a new session, or resumes the program's own. */
export const SESSIONS = ['new', 'continue'] as const;

export const isPreset = (kind: RunnerKind): kind is PresetName => PRESETS.some((preset) => preset === kind);
