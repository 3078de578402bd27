// Where participants' names stand in a text, however Unicode spells them.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cleanForTerminal } from '../../../../src/core/base/terminal.ts';
import { getNameIndex } from '../../../../src/core/council/naming/names.ts';
import { participant, stateOf } from '../fixtures.ts';
import { countCases } from '../../../helpers/long.ts';

const SEATS = {
  henry: participant({ title: 'Henry', emoji: '🦉' }),
  sage: participant({ title: 'Old Sage', emoji: '⚖️' }),
  'plain-language': participant({ title: 'Hélène', emoji: '☂️' }),
  kim: participant({ title: 'Kiss Me', emoji: '👩‍💻' }),
};
const book = getNameIndex(stateOf({ participants: SEATS }, Object.keys(SEATS)));

const HOW: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => text.normalize('NFD'),
  (text) => text.replaceAll('s', '\u017F').replaceAll(/[kK]/g, '\u212A'),
  (text) => text.replaceAll(' ', '\n  '),
  (text) => text.replaceAll('\uFE0F', ''),
];
/** What is read as the name all the same. */
const DISGUISES: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replace(/(?<=[a-z])(?=[a-z])/gi, '\u00AD'),
  (text) => text.replaceAll(/[!-~]/g, (character) => String.fromCodePoint(character.charCodeAt(0) + 0xfee0)),
  (text) => text.replaceAll('-', '\u2011'),
];
const TEXT = fc
  .array(
    fc.oneof(
      fc.constantFrom('', ' ', ', ', '@', '.1', 'We ', 'ſ', '智者'),
      fc
        .tuple(fc.constantFrom(...book.names.map(({ spelling }) => spelling)), fc.constantFrom(...HOW))
        .map(([name, how]) => how(name)),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));

it('finds everybody in a text who can be read in what a terminal shows of it', () => {
  const odd = fc.constantFrom(
    ...['\r', '\u0007', '\u0085', '\u00AD', '\u200B', '\u200D', '\u202E', '\uFE0F', '\u{E0041}'],
  );
  const texts = fc.tuple(TEXT, fc.array(fc.tuple(fc.nat(40), odd), { maxLength: 6 }));
  const shown = (text: string) => book.findNames(text).flatMap(({ name }) => name.owners);
  fc.assert(
    fc.property(texts, ([plain, marks]) => {
      const text = marks.reduce((all, [at, mark]) => all.slice(0, at) + mark + all.slice(at), plain);
      for (const owner of shown(cleanForTerminal(text))) expect(shown(text)).toContain(owner);
    }),
    { numRuns: countCases(2000) },
  );
});

it('finds a name in every spelling, and where it stands', () => {
  const pairs = fc.tuple(
    fc.constantFrom(...book.names),
    fc.constantFrom(...HOW),
    fc.constantFrom(...DISGUISES),
  );
  fc.assert(
    fc.property(pairs, TEXT, ([name, how, disguise], before) => {
      const words = disguise(how(name.spelling));
      const start = `${before} — `.length;
      const found = book.findNames(`${before} — ${words}, `).at(-1);
      expect(found).toMatchObject({ name, start, end: start + words.length });
    }),
  );
});
