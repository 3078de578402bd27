import { describe, expect, it } from 'vitest';
import { requireFit } from '../../../src/postgres/store/database.ts';
import { MIGRATIONS } from '../../../src/postgres/store/migrations/tables.ts';

const done = MIGRATIONS.map(({ number, title, beside }) => ({ number, title, beside }));
const later = (beside: string) => [...done, { number: 9000, title: 'a later table', beside }];

describe('council and the tables it finds', () => {
  it('fit as they were made, and where a newer council has only added to them', () => {
    requireFit(done, '0.1.0', 'here');
    requireFit(later('0.1.0'), '0.1.0', 'here');
    requireFit(later('0.9.0'), '0.10.0', 'here');
    requireFit(later('1.0.0'), '1.0.0', 'here');
  });

  it('do not fit where something is missing, or a newer council is needed', () => {
    expect(() => requireFit(done.slice(0, 1), '0.1.0', 'here')).toThrow(
      'here has the tables of an older council: migration 3 (sealed texts, and the functions that guard them) is missing.',
    );
    expect(() => requireFit([], '0.1.0', 'here')).toThrow('migration 1 ');
    for (const beside of ['0.1.1', '0.2.0', '1.0.0'])
      expect(() => requireFit(later(beside), '0.1.0', 'here')).toThrow(
        `here has been through migration 9000 (a later table): council ${beside} or newer is needed, and this is 0.1.0.`,
      );
  });
});
