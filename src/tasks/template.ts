// A task or plan as a template: `{{name}}` stands for what was set for that name. Pure.
import { CouncilError } from '../base/errors.ts';

const PLACEHOLDER = /\{\{([A-Za-z_][\w-]*)\}\}/g;

/** What was set, as `name=value`, by its name. Throws `usage`. */
export function readSettings(given: readonly string[]): Map<string, string> {
  const pairs = given.map((one): [string, string] => {
    const [, name, value] = /^([A-Za-z_][\w-]*)=([\s\S]*)$/.exec(one) ?? [];
    if (name !== undefined && value !== undefined) return [name, value];
    throw new CouncilError('usage', `${JSON.stringify(one.slice(0, 80))} sets nothing.`, {
      hint: 'For example: --set language=French',
    });
  });
  return new Map(pairs);
}

/** The text with each value in its places, as it is. Throws `usage` for a name that has no value, and for a value that has no place. */
export function fillPlaceholders(text: string, values: ReadonlyMap<string, string>, where: string): string {
  const asked = new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name));
  const missing = [...asked].filter((name) => !values.has(name));
  if (missing.length > 0)
    throw new CouncilError('usage', `${where} has ${named(missing)}, for which nothing is set.`, {
      hint: `Give ${missing.length === 1 ? 'it' : 'each'} a value: ${missing.map((name) => `--set ${name}=…`).join(' ')}`,
    });
  const unused = [...values.keys()].filter((name) => !asked.has(name));
  if (unused.length > 0)
    throw new CouncilError('usage', `${where} has no ${named(unused)}.`, {
      hint:
        asked.size === 0 ? 'It has no placeholder at all: leave --set out.' : `It has ${named([...asked])}.`,
    });
  return text.replace(PLACEHOLDER, (_, name: string) => values.get(name) ?? '');
}

const named = (names: readonly string[]): string => names.map((name) => `{{${name}}}`).join(', ');
