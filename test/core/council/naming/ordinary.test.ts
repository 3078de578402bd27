// Names that are words of every text as well are hidden only where somebody is addressed, quoted or signs.
import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAnonymousLabels, mapClaimPrefixes } from '../../../../src/core/council/naming/labels.ts';
import { getMask, ROLE_WORDS } from '../../../../src/core/council/naming/mask.ts';

import type { CouncilState } from '../../../../src/core/council/state/state.ts';
import { participant, stateOf } from '../fixtures.ts';
import { said } from '../../../helpers/view-sample.ts';

const IDS = ['security', 'performance', 'data', 'product', 'daten', 'henry'];
const table = (ids: readonly string[], over: Partial<CouncilState> = {}) =>
  stateOf(
    {
      tour: 2,
      participants: Object.fromEntries(ids.map((id) => [id, participant({ title: id, emoji: '' })])),
      ...over,
    },
    [...ids],
  );
const STATE = table(IDS);
const labels = createAnonymousLabels(STATE);
const label = (id: string) => labels.get(id)!;
const seen = (text: string, first: readonly string[] = [], state = STATE) =>
  getMask({
    state,
    brief: 'Split the shop?',
    contributions: first.map((one) => said('henry', 'COLLECT', one)),
  })(text);

describe('a name that is an ordinary word', () => {
  it.each([
    'Data moves are the risk here: 40 GB of data, no test data, and the product team owns none of it.',
    'Performance is bound by the database. Our data lies in one table; a data split helps performance more than security theatre.',
    'The report says data is missing. Our data says that users leave, and customer data says no.',
    'I am data driven, as data grows.',
    '## Security\n\nRisks:\n\n- product\n- data',
  ])('stays where it is said as a word, and is told of: %j', (text) => {
    const { text: shown, replaced, left } = seen(text);
    expect([shown, replaced]).toEqual([text, []]);
    const times = text.match(/\b(?:data|performance|product|security)\b/gi)!.length;
    expect(left).toHaveLength(times);
  });

  it.each([
    ['Data says that it hurts; as data wrote, no.', 'N says that it hurts; as N wrote, no.'],
    ['**Data** argues otherwise.', '**N** argues otherwise.'],
    ['“Too slow”, says data.', '“Too slow”, says N.'],
    ['Data, you forgot the cost.', 'N, you forgot the cost.'],
    ['I am data.\nWe should go.', 'I am N.\nWe should go.'],
    ['As data, I see no risk.', 'As N, I see no risk.'],
    ['Fine.\n\n— Data', 'Fine.\n\n— N'],
    ['Fine.\n\n*data*', 'Fine.\n\n*N*'],
    ['Signed-off-by: data\n\nFine.', 'Signed-off-by: N\n\nFine.'],
    ['Comme data dit, non.', 'Comme N dit, non.'],
    ['Je suis data.', 'Je suis N.'],
    ['Wie data sagt, nein.', 'Wie N sagt, nein.'],
    ['Como data dice, no.', 'Como N dice, no.'],
    ['dataは反対だと述べた。', 'Nは反対だと述べた。'],
    ['data认为不行。', 'N认为不行。'],
  ])('is hidden where it addresses, speaks or signs: %j', (text, expected) => {
    expect(seen(text).text).toBe(expected.replaceAll('N', label('data')));
  });

  it('is hidden in every address', () => {
    const handle = mapClaimPrefixes(STATE).get('data')!;
    expect(seen('@data no; @Data.1 and data.2 too.').text).toBe(
      `@${handle} no; @${handle}.1 and ${handle}.2 too.`,
    );
  });

  it('is one that topic, brief or options use, or that somebody wrote like one', () => {
    const text = 'Die Daten fehlen.';
    expect(seen(text).text).toBe(`Die ${label('daten')} fehlen.`);
    expect(seen(text, ['Unsere Daten liegen dort.']).text).toBe(text);
    expect(seen(text, [], table(IDS, { topic: 'Wohin mit den Daten?' })).text).toBe(text);
    expect(seen('Daten sagt nein. Daten fehlen.', ['Unsere Daten liegen dort.']).text).toBe(
      `${label('daten')} sagt nein. Daten fehlen.`,
    );
  });

  it('does not become one by what is said later: a quote of what was seen stays a quote', () => {
    const later = { ...said('henry', 'CHALLENGE', 'Unsere Daten liegen dort.'), tour: 2 };
    const mask = getMask({ state: table(IDS, { tour: 3 }), brief: '', contributions: [later] });
    expect(mask('Die Daten fehlen.').text).toBe(`Die ${label('daten')} fehlen.`);
  });

  it('leaves no other name visible, whatever stands around it', () => {
    const pieces = fc.constantFrom(
      'our',
      'says',
      'the',
      'test',
      '—',
      '\n\n',
      ',',
      'I am',
      'no',
      'data',
      'Henry',
      'henry',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (words) => {
        expect(seen(words.join(' ')).text).not.toMatch(/henry/i);
      }),
    );
  });

  it('covers the roles that council ships', () => {
    const shipped = readdirSync('templates/agents', { withFileTypes: true })
      .filter((file) => file.isFile())
      .flatMap(({ name }) => name.replace('.md', '').split('-'));
    expect(shipped.filter((word) => !ROLE_WORDS.has(word))).toEqual([]);
  });
});
