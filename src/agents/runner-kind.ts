/** Agent programs that council knows how to call: the name is all an agent file has to say. */
export const PRESETS = ['claude', 'codex', 'gemini', 'opencode', 'openclaw', 'ollama', 'llm'] as const;
export type PresetName = (typeof PRESETS)[number];

/** How a participant is asked to speak. */
export const RUNNERS = ['human', 'command', ...PRESETS, 'acp', 'model'] as const;
export type RunnerKind = (typeof RUNNERS)[number];

/** Whether somebody else can be asked through the same runner: a model answers anybody, a script plays one part. */
export const isModel = (kind: RunnerKind): boolean => kind !== 'human' && kind !== 'command';

/** Whose program gets tools of its own to read files with, where a council allows that: known for these alone. */
const READERS: readonly RunnerKind[] = ['claude', 'codex', 'gemini', 'opencode', 'acp'];
export const canRead = (kind: RunnerKind): boolean => READERS.includes(kind);

export const isPreset = (kind: RunnerKind): kind is PresetName => PRESETS.some((preset) => preset === kind);
