import { describe, expect, it } from 'vitest';
import { FLAGGED, PERMISSIONS } from '../../../src/core/app/permissions.ts';
import { useCases } from '../../../src/program/use-cases.ts';
import type { Fields } from '../../../src/core/app/input/fields.ts';
import { specs } from '../../../src/program/specs.ts';

const SHOWN = new Map<string, Fields>([
  ...Object.entries(useCases).map(([name, { fields }]): [string, Fields] => [name, fields]),
  ...specs.map(({ name, fields }): [string, Fields] => [name, fields]),
]);

describe('the table of permissions', () => {
  it('has a row for every command and use case, and no other', () => {
    expect(Object.keys(PERMISSIONS).sort()).toEqual([...SHOWN.keys()].sort());
  });

  it('says it for each action, where actions differ', () => {
    for (const [name, row] of Object.entries(PERMISSIONS)) {
      if (typeof row === 'string') continue;
      const { action } = SHOWN.get(name)!;
      const actions = action?.kind === 'choice' ? action.choices : FLAGGED[name]!;
      expect(Object.keys(row).sort(), name).toEqual([...actions].sort());
    }
  });

  it('allows as itself only where a field says who speaks', () => {
    for (const [name, row] of Object.entries(PERMISSIONS)) {
      if (row !== 'own' && !Object.values(row).includes('own')) continue;
      const speakers = Object.values(SHOWN.get(name)!).filter(({ speaks }) => speaks);
      expect(speakers, name).toHaveLength(1);
    }
  });
});
