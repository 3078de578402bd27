/** Agent programs that council knows how to call: the name is all an agent file has to say. */
export const PRESETS = ['claude', 'codex', 'gemini', 'opencode', 'openclaw', 'ollama', 'llm'] as const;
export type PresetName = (typeof PRESETS)[number];

/** How a participant is asked to speak. */
export const RUNNERS = ['human', 'command', ...PRESETS, 'acp', 'model'] as const;
export type RunnerKind = (typeof RUNNERS)[number];

export const isPreset = (kind: RunnerKind): kind is PresetName =>
  (PRESETS as readonly RunnerKind[]).includes(kind);
