import { describe, expect, it } from 'vitest';
import { createAnonymousLabels, mapClaimIds } from '../../../../src/core/council/naming/labels.ts';
import {
  makeLetterFinder,
  movePlace,
  replaceLetters,
} from '../../../../src/core/council/naming/reveal-names.ts';
import { stateOf } from '../fixtures.ts';
import type { Claim } from '../../../../src/core/council/state/state.ts';

const base = stateOf({ anonymous: true });
const [first, second] = base.order as [string, string];
const claim = (by: string): Claim => ({ id: `${by}.1`, by, tour: 1, start: 0, end: 1, sha256: '' });
const state = { ...base, ledger: { ...base.ledger, claims: [claim(first), claim(second)] } };
const labels = createAnonymousLabels(state);
const claims = mapClaimIds(state);
const [A, B] = [labels.get(first)!, labels.get(second)!];
const [a1, b1] = [claims.get(`${first}.1`)!, claims.get(`${second}.1`)!];
const letter = (label: string): string => label.replace('Participant ', '');
const shown = (text: string, over = state): string =>
  replaceLetters(
    text,
    makeLetterFinder(over, (id) => `<${id}>`),
  );

describe('letters in the texts of a council that is over', () => {
  it.each([
    [
      `${A} is right, and **${B}**'s point stands.`,
      `<${first}> is right, and **<${second}>**'s point stands.`,
    ],
    [`Participants ${letter(A)} and ${letter(B)} agree`, `<${first}> and <${second}> agree`],
    [`Participants ${letter(A)}, ${letter(B)} agree`, `<${first}>, <${second}> agree`],
    [`${a1} conceded: see @${b1}.`, `${first}.1 conceded: see @${second}.1.`],
    [`As \`${a1}\` says`, `As \`${first}.1\` says`],
  ])('become names: %s', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each([
    `> ${A} said so`,
    `\`${A}\` and \`x ${a1}\``,
    `\`\`\`\n${A} ${a1}\n\`\`\``,
    'Participant Z, Participant AB, a participant A, Participants A/B test, Participant Alpha',
    'z.1, a.99, data.1, x/a.1, www.a.1.example, 1a.1',
  ])('stay where they are quoted, code, or no letters of this table: %s', (text) => {
    expect(shown(text)).toBe(text);
  });

  it('stay where everybody spoke by name', () => {
    expect(shown(`${A} ${a1}`, { ...state, anonymous: false })).toBe(`${A} ${a1}`);
  });
});

it('a place moves with the words that it stands at', () => {
  const text = `${A}: x. ${B}: y.`;
  const found = makeLetterFinder(state, (id) => `<${id}>`)(text);
  const after = shown(text);
  for (const mark of [': x', ': y', 'y.'])
    expect(after.slice(movePlace(text.indexOf(mark), found))).toMatch(new RegExp(`^${mark}`));
  expect(movePlace(0, found)).toBe(0);
  expect(after.slice(0, movePlace(3, found))).toBe(`<${first}>`);
});
