import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toOneLine } from '../../../../src/core/base/text.ts';
import {
  createAnonymousLabels,
  mapClaimIds,
  mapClaimPrefixes,
  createNameResolver,
} from '../../../../src/core/council/naming/labels.ts';
import { getMask, countUnmaskedNames } from '../../../../src/core/council/naming/mask.ts';
import type { CouncilState } from '../../../../src/core/council/state/state.ts';
import { participant, rulesOf, stateOf, withCoordinator } from '../fixtures.ts';
import { expectLinear } from '../../../helpers/growth.ts';
import { countCases } from '../../../helpers/long.ts';

type Table = Record<string, { title?: string; emoji?: string }>;
/** A council with these participants. */
function seated(table: Table, over: Partial<CouncilState> = {}): CouncilState {
  const seats = Object.entries(table).map(([id, { title = id, emoji = '' }]) => [
    id,
    participant({ title, emoji }),
  ]);
  return stateOf({ participants: Object.fromEntries(seats), ...over }, Object.keys(table));
}
const FOUR: Table = {
  henry: { title: 'Henry', emoji: '🦉' },
  sage: { title: 'Old Sage', emoji: '🦎' },
  'anne-lise': { title: 'Hélène', emoji: '⚖️' },
  xi: { title: '智者', emoji: '👩‍💻' },
};
const LABELS = createAnonymousLabels(stateOf({}, Object.keys(FOUR)));
const [HENRY, SAGE, PLAIN] = ['henry', 'sage', 'anne-lise'].map((id) => LABELS.get(id)!);
const masking = (over: Partial<CouncilState> = {}, brief = 'Which one?') =>
  getMask({ state: seated(FOUR, over), brief, contributions: [] });
const masked = (text: string, over: Partial<CouncilState> = {}, brief?: string) =>
  masking(over, brief)(text).text;

describe('the mask', () => {
  it.each([
    ['henry is right, says HENRY.', `${HENRY} is right, says ${HENRY}.`],
    ['old\n  sage and Sage', `${SAGE} and ${SAGE}`],
    [
      '_Henry_, **henry**, (henry), henry’s, d’Henry',
      `_${HENRY}_, **${HENRY}**, (${HENRY}), ${HENRY}’s, d’${HENRY}`,
    ],
    ['🦉 Henry (henry), 🦉Henry, Henry (henry), 🦉', `${HENRY}, ${HENRY}, ${HENRY}, ${HENRY}`],
    ['HÉLÈNE and He\u0301le\u0300ne', `${PLAIN} and ${PLAIN}`],
    ['⚖️ and ⚖ and ⚠️Hélène', `${PLAIN} and ${PLAIN} and ⚠️${PLAIN}`],
    ['anne-lise rules', `${PLAIN} rules`],
    ['---\nposition: follow henry\n---\n', `---\nposition: follow ${HENRY}\n---\n`],
    ['hen\u00ADry, \u200Bh\u2060enry\u200B’s', `${HENRY}, ${HENRY}’s`],
    ['ＨＥＮＲＹ and 𝐇𝐞𝐧𝐫𝐲', `${HENRY} and ${HENRY}`],
    ['anne\u2011lise, anne–lise', `${PLAIN}, ${PLAIN}`],
    ['old\u200B sage, 🦉 Hen\u200Dry (henry)', `${SAGE}, ${HENRY}`],
    ['hen\rry, h\u0085enry, hen\uFFF9ry', `${HENRY}, ${HENRY}, ${HENRY}`],
    ['hen\uFE0F\uFE0Fry, hen\uFE0F\u200Bry', `${HENRY}, ${HENRY}`],
    ['🦉\uFE0F\uFE0F, 🦉\u200D yes', `${HENRY}, ${HENRY}\u200D yes`],
    ['H\u00E9le\u0300ne', PLAIN],
    ['@hen\u00ADry.1', `@${mapClaimPrefixes(seated(FOUR)).get('henry')!}.1`],
  ])('hides %j', (text, expected) => {
    expect(masked(text)).toBe(expected);
  });

  it('makes addresses into addresses', () => {
    const handle = mapClaimPrefixes(seated(FOUR)).get('sage')!;
    expect(masked('@sage.2 no; sage.2 and @Sage')).toBe(`@${handle}.2 no; ${handle}.2 and @${handle}`);
    expect(createNameResolver(seated(FOUR))(handle)).toBe('sage');
  });

  it('hides the address of a name that is too short for a word, and takes one apostrophe for the other', () => {
    const seats: Table = { al: { title: 'Al' }, neil: { title: 'Jean O’Neil' }, sage: { title: 'Sage' } };
    const state = seated(seats);
    const [al, neil] = ['al', 'neil'].map((id) => createAnonymousLabels(state).get(id)!);
    const handle = mapClaimPrefixes(state).get('al')!;
    const mask = getMask({ state, brief: '', contributions: [] });
    expect(mask("al and Al met Jean O'Neil.").text).toBe(`al and Al met ${neil}.`);
    expect(mask('@al says no to al.1').text).toBe(`@${handle} says no to ${handle}.1`);
    expect(al).not.toBe(neil);
  });

  it.each([
    [{ neil: { title: "Jean O'Neil" } }, "Jean O\u2019Neil, JEAN O'NEIL, Jean O＇Neil"],
    [{ neil: { title: 'Việt Anh' } }, 'Vi\u00EA\u0323t Anh, Vi\u1EB9\u0302t Anh, Vie\u0302\u0323t Anh'],
    [{ neil: { title: 'Dijkstra' } }, 'D\u0133kstra, DIJKSTRA, D\u0132KSTRA'],
    [{ neil: { title: 'Strauß' } }, 'STRAUSS, Strauss, Strauß'],
    [{ neil: { title: 'Anne-Marie' } }, 'Anne\u2011Marie, Anne－Marie, Anne–Marie'],
  ])('hides all ways to write %j', (seats, text) => {
    const state = seated({ ...seats, sage: { title: 'Sage' } });
    const label = createAnonymousLabels(state).get('neil')!;
    expect(getMask({ state, brief: '', contributions: [] })(text).text).toBe(`${label}, ${label}, ${label}`);
  });

  it('tells of a name that two share when it is written in two ways', () => {
    const mask = getMask({
      state: seated({ a: { title: 'Anne-Marie' }, b: { title: 'Anne\u2011Marie' } }),
      brief: '',
      contributions: [],
    });
    expect(mask('Anne–Marie').left).toMatchObject([{ owners: ['a', 'b'] }]);
  });

  it.each(['henrys', 'message', 'unhenry', 'Hélènes', '👩‍⚖️', '🦉\u200D🌫️', 'sàge', 'éhenry'])(
    'leaves %j, which is another word',
    (text) => {
      expect(masking()(text)).toEqual({ text, replaced: [], left: [], places: [] });
    },
  );

  it('puts no label on a label: one pass', () => {
    const state = seated({ henry: { title: 'Participant' }, sage: { title: 'Sage' } });
    expect(getMask({ state, brief: '', contributions: [] })('Participant B and henry').text).toBe(
      `Participant B and ${createAnonymousLabels(state).get('henry')}`,
    );
  });

  it('knows the coordinator as such', () => {
    const state = withCoordinator();
    expect(getMask({ state, brief: '', contributions: [] })('Maman decides').text).toBe(
      'the coordinator decides',
    );
    expect(
      getMask({ state: { ...state, lang: 'fr' }, brief: '', contributions: [] })('Maman tranche').text,
    ).toBe('le coordinateur tranche');
  });

  it.each<[string, Table, string, string]>([
    ['a short id', { a: { title: 'Alpha' }, sage: {} }, 'a word', 'id'],
    ['a short title', { henry: { title: 'Al' }, sage: {} }, 'al dente', 'title'],
    ['a title of two ideographs', FOUR, '智者说', 'title'],
    ['a shared title', { henry: { title: 'Agent' }, sage: { title: 'agent' } }, 'The agent', 'title'],
    ['a shared emoji', { henry: { emoji: '🤖' }, sage: { emoji: '🤖' } }, '🤖', 'emoji'],
    ['an emoji that is a letter or a mark', { henry: { emoji: '*' }, sage: { emoji: 'Q' } }, '* Q', 'emoji'],
    ['an id that is a number', { '2026': { title: 'Later' }, sage: {} }, 'in 2026', 'id'],
    [
      'a title that is another one’s id',
      { henry: { title: 'Sage' }, sage: { title: 'Old' } },
      'sage',
      'title',
    ],
    [
      'a title that looks like a label',
      { henry: { title: 'Participant B' }, sage: {} },
      'Participant B',
      'title',
    ],
  ])('leaves and reports %s', (_, table, text, what) => {
    const {
      text: shown,
      replaced,
      left,
    } = getMask({ state: seated(table), brief: '', contributions: [] })(text);
    expect([shown, replaced]).toEqual([text, []]);
    expect(left.length).toBeGreaterThan(0);
    expect(new Set(left.map((name) => name.kind))).toEqual(new Set([what]));
  });

  it('leaves and reports the spelling that topic, brief or options use themselves', () => {
    const text = 'Follow sage, not Sage or SAGE.';
    for (const [over, brief] of [
      [{ topic: 'On sage' }, ''],
      [{}, 'Grow sage?'],
      [{ rules: rulesOf({ options: ['sage', 'thyme'] }) }, ''],
    ] as const) {
      const result = masking(over, brief)(text);
      expect(result.text).toBe(text);
      expect(countUnmaskedNames(result.left, 'x', 'henry')).toEqual([{ where: 'x', what: 'id', count: 3 }]);
      expect(countUnmaskedNames(result.left, 'x', 'sage')).toEqual([]);
    }
  });

  it.each([
    '`henry.run()` and ``the `sage` ``',
    'Before:\n\n```ts\nconst henry = sage;\n```\n',
    '> ~~~\n> henry\n> ~~~\n',
    '```\nhenry never closes it\n',
    'see src/henry/index.ts, ./sage, ~/henry or /home/sage/notes',
    'in henry.md: and in sage.test.ts, line 3',
    'at https://example.org/henry?by=x#sage and C:\\Users\\henry',
  ])('leaves names in code and paths: %j', (text) => {
    const { text: shown, replaced, left } = masking()(text);
    expect([shown, replaced]).toEqual([text, []]);
    expect(left.length).toBeGreaterThan(0);
  });

  it.each([
    ['`x` henry `y`', `\`x\` ${HENRY} \`y\``],
    ['A stray ` and henry.\n\nAnother ` here.', `A stray \` and ${HENRY}.\n\nAnother \` here.`],
    ['```\ncode\n```\nhenry', `\`\`\`\ncode\n\`\`\`\n${HENRY}`],
    ['Henry/Sage agree, and/or henry.', `${HENRY}/${SAGE} agree, and/or ${HENRY}.`],
    ['I follow henry. And sage.', `I follow ${HENRY}. And ${SAGE}.`],
  ])('hides them in the prose around it: %j', (text, expected) => {
    expect(masked(text)).toBe(expected);
  });

  it('hides the address of a claim in code too, and keeps to the code of the whole text in a stretch of it', () => {
    const handle = mapClaimPrefixes(seated(FOUR)).get('sage')!;
    expect(masked('`@sage.2` holds')).toBe(`\`@${handle}.2\` holds`);
    const text = 'henry\n\n```\nhenry\n```\n';
    const inside = { start: text.indexOf('henry', 5), end: text.length };
    expect(masking()(text, inside).text).toBe('henry\n```\n');
  });

  it('takes no number of the ballot for a name', () => {
    const state = seated({ p1: { title: 'P1' }, p12: { title: 'Rita', emoji: '🦎' }, sage: {} });
    const mask = getMask({ state, brief: '', contributions: [] });
    const handle = mapClaimPrefixes(state).get('p12')!;
    expect(mask('vote: P12\napprove: P1, p12\n\nP12 (p1) is right.').replaced).toEqual([]);
    expect(mask('@p12.1 no, says Rita').text).toBe(
      `@${handle}.1 no, says ${createAnonymousLabels(state).get('p12')}`,
    );
  });

  it('is linear in code, paths and names', async () => {
    const mask = masking();
    await expectLinear('lines', 5000, (n) => mask('`a` henry src/henry ``` sage\n'.repeat(n)));
  });

  it('does nothing where everybody is named', () => {
    const mask = masking({ anonymous: false });
    expect(mask('henry 🦉')).toEqual({ text: 'henry 🦉', replaced: [], left: [], places: [] });
    expect(mask.find('henry')).toEqual([]);
  });

  it('takes linear time', async () => {
    const table = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [
        `agent-${i}`,
        { title: `Title nr ${i} of many`, emoji: String.fromCodePoint(0x1f400 + i) },
      ]),
    );
    const mask = getMask({ state: seated(table), brief: '', contributions: [] });
    for (const piece of ['Title ', `Title${' '.repeat(19)}`, 'agent-3 ', 'A plain word. ', '🐀'])
      await expectLinear(piece, 50_000, (n) => mask(piece.repeat(n / piece.length)));
    await expectLinear('spaces', 125_000, (n) => mask(`Title${' '.repeat(n)}nr`));
  });
});

describe('the names of claims', () => {
  const claim = (id: string) => ({
    id,
    by: id.split('.')[0]!,
    tour: 1,
    start: 0,
    end: 1,
    sha256: '0'.repeat(16),
  });
  const ledger = { claims: [claim('henry.1'), claim('anne-lise.12')], challenges: [], moves: [] };

  it('are the ids, or letters that lead back to them', () => {
    expect([...mapClaimIds(seated(FOUR, { ledger, anonymous: false }))]).toEqual([
      ['henry.1', 'henry.1'],
      ['anne-lise.12', 'anne-lise.12'],
    ]);
    const state = seated(FOUR, { ledger });
    for (const [id, shown] of mapClaimIds(state)) {
      const [name, number] = shown.split('.');
      expect(`${createNameResolver(state)(name!)}.${number}`).toBe(id);
      expect(name).toMatch(/^[a-d]$/);
    }
  });
});

/** Words as people and models write them, names among them. */
const anyName = fc.oneof(
  fc.constantFrom(
    'Al',
    'the',
    'Participant',
    'Data Sage',
    'C++',
    '$&',
    'a.b',
    '(x)',
    '智者',
    'ÉTÉ',
    'été',
    '⚖️',
    '🦉',
    '👩‍💻',
    '👍🏽',
    '*',
    '\\',
    '|',
    'o’neill',
    '_',
    '4o',
    'sage',
  ),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => toOneLine(text).normalize('NFC')),
  fc.stringMatching(/^[a-z]{3,6}$/),
);
const anyId = fc.oneof(
  fc.constantFrom('a', 'al', 'sage', 'sage-2', 'participant', '4o', '2026', 'the'),
  fc.stringMatching(/^[a-z][a-z0-9-]{0,6}$/),
);

/** Another way to see whether a name stands in a text: no regular expression of the product's. */
function stands(name: string, text: string): boolean {
  const fold = (s: string) => s.normalize('NFC').replaceAll('\uFE0F', '').toLowerCase();
  const [hay, needle] = [fold(text), fold(name).trim()];
  const isWord = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}\p{M}]/u.test(char);
  const chars = [...hay];
  const wanted = [...needle];
  if (needle === '' || !/[^\s\p{M}\p{Cf}]/u.test(needle)) return false;
  return chars.some((_, at) => {
    if (!wanted.every((char, i) => chars[at + i] === char)) return false;
    const [before, after] = [chars[at - 1], chars[at + wanted.length]];
    const startsInside = isWord(wanted[0]) ? isWord(before) : before === '\u200D';
    const endsInside = isWord(wanted.at(-1))
      ? isWord(after)
      : after === '\u200D' || /[\u{1F3FB}-\u{1F3FF}]/u.test(after ?? '');
    return !startsInside && !endsInside;
  });
}

describe('the mask, for any names and texts', () => {
  it('leaves no name of which it does not tell', () => {
    const anyTable = fc.uniqueArray(fc.record({ id: anyId, title: anyName, emoji: anyName }), {
      minLength: 2,
      maxLength: 4,
      selector: ({ id }) => id,
    });
    fc.assert(
      fc.property(
        anyTable,
        fc.array(
          fc.tuple(
            fc.nat(3),
            fc.constantFrom('id', 'title', 'emoji'),
            fc.constantFrom(' ', ', ', '\n', '(', '**', 'x', '-'),
            fc.boolean(),
          ),
          { maxLength: 12 },
        ),
        (table, parts) => {
          const state = seated(Object.fromEntries(table.map(({ id, ...names }) => [id, names])));
          const text = parts
            .map(
              ([who, what, between, upper]) =>
                (upper
                  ? table[who % table.length]![what as 'id'].toUpperCase()
                  : table[who % table.length]![what as 'id']) + between,
            )
            .join('');
          const { text: masked, left } = getMask({ state, brief: '', contributions: [] })(text);
          // A name may stand in a label, or begin in one and end in the text behind it.
          const labels = [...createAnonymousLabels(state).values()];
          const shown = labels.reduce((rest, label) => rest.replaceAll(label, '\n'), masked);
          const told = new Set(left.flatMap(({ spelling }) => spelling.normalize('NFC').toLowerCase()));
          for (const { id, title, emoji } of table) {
            for (const name of [id, title, emoji]) {
              const key = name.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
              const isTold = [...told].some((spelling) => spelling.includes(key));
              if (stands(name, shown))
                expect(isTold, `${JSON.stringify(name)} in ${JSON.stringify(shown)}`).toBe(true);
            }
          }
        },
      ),
      { numRuns: countCases(200) },
    );
  });

  it('changes nothing in texts without names', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { text: shown, replaced } = masking()(text);
        if (replaced.length === 0) expect(shown).toBe(text);
      }),
    );
  });
});
