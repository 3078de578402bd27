import { describe, expect, it } from 'vitest';
import { findPermission, PERMISSIONS } from '../../src/app/permissions.ts';
import { useCases } from '../../src/app/use-cases.ts';
import type { Fields } from '../../src/app/input/fields.ts';
import { specs } from '../../src/cli/specs.ts';

const SHOWN = new Map<string, Fields>([
  ...Object.entries(useCases).map(([name, { fields }]): [string, Fields] => [name, fields]),
  ...specs.map(({ name, fields }): [string, Fields] => [name, fields]),
]);

/** Everything that can be asked for: a command, or one of its actions. */
const actionsOf = (fields: Fields): (string | undefined)[] => {
  const { action } = fields;
  return action?.kind === 'choice' ? [...action.choices] : [undefined];
};

describe('the table of permissions', () => {
  it('has a row for every command and use case, and for each action where these differ', () => {
    for (const [name, fields] of SHOWN)
      for (const action of actionsOf(fields))
        expect(() => findPermission(name, action), `${name} ${action ?? ''}`).not.toThrow();
    const unknown = Object.keys(PERMISSIONS).filter((name) => !SHOWN.has(name));
    expect(unknown).toEqual([]);
  });

  it('names a field that says who speaks', () => {
    for (const [name, fields] of SHOWN)
      for (const action of actionsOf(fields)) {
        const speakers = Object.values(fields).filter(({ speaks }) => speaks);
        if (findPermission(name, action) === 'own') expect(speakers, name).toHaveLength(1);
      }
  });

  it('refuses what it does not know', () => {
    expect(() => findPermission('dance', undefined)).toThrow('No permission is written down for dance');
    expect(() => findPermission('task', 'dance')).toThrow('task dance');
  });
});
