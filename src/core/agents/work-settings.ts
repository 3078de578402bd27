// Agent settings about where and how it works: one table for reading, writing, options, JSON and the docs.
import { RISKS } from '../base/config-values.ts';
import { formatExactDuration } from '../base/duration.ts';
import { isId, LABEL_FORM } from '../base/ids.ts';
import type { Fields } from './front-matter-fields.ts';
import { PROVIDER_NAMES } from './providers.ts';

export const AGENT_ROLES = ['orchestrator', 'leader', 'worker'] as const;
export { RISKS };
export const LIFECYCLES = ['permanent', 'temporary'] as const;

/** Well-known names of capabilities; a project may add others. */
export const CAPABILITIES = [
  'web_search',
  'web_fetch',
  'code_read',
  'code_write',
  'code_exec',
  'file_ops',
  'data_analysis',
  'text_gen',
  'summarize',
  'translate',
  'reason',
  'plan',
] as const;

/** One key below `council:`, described so that it is also a command line option. */
type Setting = { help: string; otherwise: string } & (
  | { kind: 'choice'; choices: readonly string[]; standard?: string }
  | { kind: 'number'; min: number; max?: number; standard?: number }
  | { kind: 'decimal'; min: number; max: number }
  | { kind: 'truth'; standard: boolean }
  | { kind: 'duration' }
  | { kind: 'texts'; option: string; placeholder: string; of?: 'labels' }
);

/** The keys as named in the file and in JSON; `standard` is the default, null if there is none. */
export const WORK_SETTINGS = {
  role: {
    kind: 'choice',
    choices: AGENT_ROLES,
    help: 'what it may send to whom: orchestrator, leader or worker',
    otherwise: 'none, it may send anything',
  },
  lifecycle: {
    kind: 'choice',
    choices: LIFECYCLES,
    standard: 'permanent',
    help: 'permanent, or temporary: gone when it leaves or its ttl is over',
    otherwise: 'permanent',
  },
  ttl: {
    kind: 'duration',
    help: 'how long a temporary agent exists, from when its file was written',
    otherwise: 'until it is removed or leaves',
  },
  max_depth: {
    kind: 'number',
    min: 0,
    max: 5,
    help: 'how often a task may be handed on',
    otherwise: "the project's",
  },
  concurrency: {
    kind: 'number',
    min: 1,
    standard: 1,
    help: 'how many tasks it works on at once',
    otherwise: '1',
  },
  rate: { kind: 'number', min: 1, help: 'how many launches a minute at most', otherwise: 'no limit' },
  provider: {
    kind: 'choice',
    choices: PROVIDER_NAMES,
    help: `who serves the model: ${PROVIDER_NAMES.join(', ')}`,
    otherwise: 'what the model says before its slash',
  },
  temperature: {
    kind: 'decimal',
    min: 0,
    max: 2,
    help: 'how freely the model chooses its words',
    otherwise: "the model's",
  },
  max_tokens: {
    kind: 'number',
    min: 256,
    max: 128_000,
    help: 'tokens of one answer of the model',
    otherwise: "the model's",
  },
  max_tool_iterations: {
    kind: 'number',
    min: 1,
    max: 200,
    standard: 50,
    help: 'how often the model may call tools in one task',
    otherwise: '50',
  },
  enable_thinking: {
    kind: 'truth',
    standard: true,
    help: 'whether a model that can think first does so',
    otherwise: 'true',
  },
  mcp_servers: {
    kind: 'texts',
    option: 'mcp-server',
    placeholder: 'name',
    help: 'an MCP server whose tools it gets',
    otherwise: 'none',
  },
  'runs-on': {
    kind: 'texts',
    of: 'labels',
    option: 'runs-on',
    placeholder: 'label',
    help: 'a label that a heartbeat must have to launch it',
    otherwise: 'any heartbeat',
  },
  risk: {
    kind: 'choice',
    choices: RISKS,
    standard: 'low',
    help: 'how risky it is to launch it: low, medium or high',
    otherwise: 'low',
  },
} as const satisfies Record<string, Setting>;

type Table = typeof WORK_SETTINGS;
type ValueOf<S extends Setting> = S extends { kind: 'choice' }
  ? S['choices'][number]
  : S extends { kind: 'truth' }
    ? boolean
    : S extends { kind: 'texts' }
      ? string[]
      : number;

/** The settings of a file, each with its default or null if the file has none. Durations are milliseconds. */
export type WorkSettings = {
  -readonly [Key in keyof Table]: Table[Key] extends { standard: unknown } | { kind: 'texts' }
    ? ValueOf<Table[Key]>
    : ValueOf<Table[Key]> | null;
};

const listSettings = (): [keyof Table, Setting][] =>
  Object.entries(WORK_SETTINGS) as [keyof Table, Setting][];

/** Reads the settings below `council:`. Throws `invalid_agent` with the accepted values. */
export function readWorkSettings(own: Fields): WorkSettings {
  const read = Object.fromEntries(
    listSettings().map(([key, setting]) => [key, readSettingValue(own, key, setting)]),
  );
  // Each value was read as the table says.
  const settings = read as WorkSettings;
  if (settings.ttl !== null && settings.lifecycle !== 'temporary')
    own.refuse('ttl', 'left out, or stand beside lifecycle: temporary');
  return settings;
}

function readSettingValue(own: Fields, key: string, setting: Setting): unknown {
  switch (setting.kind) {
    case 'choice':
      return own.choice(key, setting.choices) ?? getSettingDefault(setting);
    case 'number':
      return own.range(key, { ...setting, whole: true }) ?? getSettingDefault(setting);
    case 'decimal':
      return own.range(key, setting);
    case 'truth':
      return own.truth(key) ?? setting.standard;
    case 'duration':
      return own.duration(key);
    case 'texts':
      return setting.of === 'labels' ? readLabels(own, key) : own.names(key);
  }
}

function readLabels(own: Fields, key: string): string[] {
  const labels = own.names(key);
  if (labels.every(isId)) return labels;
  return own.refuse(key, `a list of labels (${LABEL_FORM})`, 'For example runs-on: [gpu]');
}

const getSettingDefault = (setting: Setting): unknown => ('standard' in setting ? setting.standard : null);

export const pickWorkSettings = (input: { [Key in keyof Table]?: WorkSettings[Key] | undefined }) =>
  Object.fromEntries(
    listSettings().flatMap(([key]) => (input[key] === undefined ? [] : [[key, input[key]]])),
  ) as Partial<WorkSettings>;

/** Returns the settings to write to an agent file: only those that differ from their default. */
export const selectWorkSettings = (settings: Partial<WorkSettings>): Record<string, unknown> =>
  Object.fromEntries(
    listSettings().flatMap(([key, setting]) => {
      const value = settings[key] ?? null;
      if (
        value === null ||
        value === getSettingDefault(setting) ||
        (Array.isArray(value) && value.length === 0)
      )
        return [];
      return [[key, setting.kind === 'duration' ? formatExactDuration(Number(value)) : value]];
    }),
  );
