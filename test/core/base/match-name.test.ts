import fc from 'fast-check';
import { describe, it, expect } from 'vitest';
import { findByPart } from '../../../src/core/base/unknown-name.ts';
import { CouncilError } from '../../../src/core/base/errors.ts';

const NAMES = {
  plural: 'councils',
  code: 'unknown_council',
  listNames: (name: string) => [name],
  show: (name: string) => name,
} as const;
const find = (part: string, names: readonly string[]): string | undefined => findByPart(part, names, NAMES);

/** What a part means: the name, nothing, or all that it could mean. */
function findOutcome(part: string, names: readonly string[]): string | undefined | string[] {
  try {
    return find(part, names);
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    return error.details.matching as string[];
  }
}

const id = fc.stringMatching(/^[a-z0-9](?:-?[a-z0-9]){0,12}$/);
const ids = fc.uniqueArray(id, { minLength: 1, maxLength: 8 });
/** A name among others, and a piece of it. */
const piece = fc
  .tuple(ids, fc.nat(), fc.nat(), fc.nat())
  .map(([names, which, from, length]) => {
    const name = names[which % names.length]!;
    const at = from % name.length;
    return { names, name, part: name.slice(at, at + 1 + (length % (name.length - at))) };
  })
  .filter(({ part }) => /[a-z0-9]/.test(part));

describe('findByPart', () => {
  it('takes a beginning, a middle or an end, in capitals, with accents and with blanks for hyphens', () => {
    const names = ['should-we-adopt-it', 'where-do-we-host'];
    for (const part of ['should', 'adopt', 'it', 'Should we', 'ADÓPT', '"adopt it"', ' should-we-adopt-it '])
      expect(find(part, names)).toBe('should-we-adopt-it');
    expect(find('nothing', names)).toBeUndefined();
    expect(find(' - ', names)).toBeUndefined();
  });

  it('lists all that fit where several do', () => {
    const names = ['should-we-adopt-it', 'where-do-we-host'];
    expect(() => find('we', names)).toThrow('2 councils fit "we".');
    expect(findOutcome('we', names)).toEqual(names);
  });

  it('cuts no number', () => {
    const names = ['plan-12', '2026-11-27-plan'];
    for (const part of ['plan-1', '2', '026', '2026-1']) expect(find(part, names)).toBeUndefined();
    expect(find('12', names)).toBe('plan-12');
    expect(find('11-27', names)).toBe('2026-11-27-plan');
  });

  it('means a name that has the part in it, or says that several have', () => {
    fc.assert(
      fc.property(piece, ({ names, part }) => {
        const having = names.filter((name) => name.includes(part.replace(/^-|-$/g, '')));
        const outcome = findOutcome(part, names);
        for (const one of [outcome ?? []].flat()) expect(having).toContain(one);
        if (!/^\d|\d$/.test(part.replace(/^-|-$/g, '')))
          expect(outcome).toEqual(having.length === 1 ? having[0] : having);
      }),
    );
  });

  it('never comes to mean another one because one more is there', () => {
    fc.assert(
      fc.property(piece, id, ({ names, part }, added) => {
        const before = findOutcome(part, names);
        const after = findOutcome(part, [...names, added]);
        if (typeof before === 'string') expect([after].flat()).toContain(before);
        else expect(after === undefined || after === added || Array.isArray(after)).toBe(true);
      }),
    );
  });
});
