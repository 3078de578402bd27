import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSeat } from '../../../../src/core/agents/seat-notation.ts';
import {
  findPersonas,
  requirePersona,
  TABLES,
  spreadTable,
} from '../../../../src/core/app/seats/personas.ts';
import '../../../helpers/property-seed.ts';

const NOWHERE = { personas: '/nowhere/personas' };
const english = findPersonas(NOWHERE, 'en');

describe('personas', () => {
  it('are the same twelve in both languages, each with a text of its own', () => {
    const french = findPersonas(NOWHERE, 'fr');
    expect(english).toHaveLength(12);
    expect(french.map(({ name }) => name)).toEqual(english.map(({ name }) => name));
    for (const part of ['title', 'emoji', 'description', 'text'] as const)
      for (const list of [english, french]) expect(new Set(list.map((one) => one[part])).size).toBe(12);
    for (const [at, { text, description }] of english.entries()) {
      expect(text).toContain('What convinces you: ');
      expect(french[at]!.text).toContain('Ce qui vous convainc : ');
      expect(description).toMatch(/Moved by /);
    }
  });

  it('that nobody has are refused with those that there are', () => {
    expect(() => requirePersona(english, 'skeptik')).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('Did you mean skeptic?') as string }) as Error,
    );
  });
});

describe('a table', () => {
  it.each(TABLES)('%s seats an odd number of different personas', (name) => {
    const personas = spreadTable(name, ['claude']).map((entry) => parseSeat(entry).persona!);
    for (const persona of personas) expect(requirePersona(english, persona).name).toBe(persona);
    expect(new Set(personas).size).toBe(personas.length);
    expect(personas.length % 2).toBe(1);
  });

  it('gives every program a seat before one gets its second, and no other', () => {
    const some: string[] = ['claude', 'claude:opus', 'codex', 'codex:mini', 'gemini', 'mistral/large'];
    const program = fc.constantFrom(...some);
    const programs = fc.uniqueArray(program, { minLength: 1 });
    fc.assert(
      fc.property(fc.constantFrom(...TABLES), programs, (name, given) => {
        const seats = spreadTable(name, given);
        const asked = seats.map((entry) => entry.replace(/@.*$/, ''));
        expect(asked.every((entry) => given.includes(entry))).toBe(true);
        const kinds = (entries: string[]) => new Set(entries.map((entry) => entry.split(/[:/]/)[0])).size;
        expect(kinds(asked)).toBe(Math.min(kinds(given), asked.length));
        expect(new Set(seats).size).toBe(seats.length);
      }),
    );
  });
});
