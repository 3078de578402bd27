// Fills the placeholders (`{{name}}`) of a task or plan. Pure.
import { CouncilError } from '../../core/base/errors.ts';

const PLACEHOLDER = /\{\{([A-Za-z_][\w-]*)\}\}/g;

/** Parses `name=value` settings. Throws `usage`. */
export function readSettings(given: readonly string[]): Map<string, string> {
  const pairs = given.map((one): [string, string] => {
    const [, name, value] = /^([A-Za-z_][\w-]*)=([\s\S]*)$/.exec(one) ?? [];
    if (name !== undefined && value !== undefined) return [name, value];
    throw new CouncilError('usage', `--set takes NAME=VALUE, not ${JSON.stringify(one.slice(0, 80))}.`, {
      hint: 'For example: --set language=French',
    });
  });
  return new Map(pairs);
}

/** Replaces each `{{name}}` by its value. Throws `usage` for a placeholder without a value, and for a value without a placeholder. */
export function fillPlaceholders(text: string, values: ReadonlyMap<string, string>, where: string): string {
  const asked = new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name));
  const missing = [...asked].filter((name) => !values.has(name));
  if (missing.length > 0)
    throw new CouncilError(
      'usage',
      `${where} has ${joinPlaceholders(missing)}, but --set gives no value for ${missing.length === 1 ? 'it' : 'them'}.`,
      {
        hint: `Give ${missing.length === 1 ? 'it' : 'each'} a value: ${missing.map((name) => `--set ${name}=…`).join(' ')}`,
      },
    );
  const unused = [...values.keys()].filter((name) => !asked.has(name));
  if (unused.length > 0)
    throw new CouncilError('usage', `${where} has no ${joinPlaceholders(unused)}.`, {
      hint:
        asked.size === 0
          ? 'It has no placeholder at all: leave --set out.'
          : `It has ${joinPlaceholders([...asked])}.`,
    });
  return text.replace(PLACEHOLDER, (_, name: string) => values.get(name) ?? '');
}

const joinPlaceholders = (names: readonly string[]): string => names.map((name) => `{{${name}}}`).join(', ');
