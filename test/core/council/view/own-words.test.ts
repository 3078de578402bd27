import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAnonymousLabels } from '../../../../src/core/council/naming/labels.ts';
import { getMask } from '../../../../src/core/council/naming/mask.ts';
import { maskForReader } from '../../../../src/core/council/view/excerpt.ts';
import { viewFor } from '../../../../src/core/council/view/view.ts';
import { playedTo } from '../../../helpers/debate-sample.ts';
import { councilOf, said, shippedMode } from '../../../helpers/view-sample.ts';
import { expectLinear } from '../../../helpers/growth.ts';
import { countCases } from '../../../helpers/long.ts';

const IDS = ['henry', 'sage', 'nova'];
const council = councilOf({ ids: IDS, anonymous: true, coordinator: 'maman' });
const mask = getMask(council);
const label = (id: string) => createAnonymousLabels(council.state).get(id)!;
const [HENRY, NOVA] = [label('henry'), label('nova')];
const OWN = 'Henry was at the meeting, and nova was not.\n\nI trust Henry. Short Nova.';
const seen = (text: string) => maskForReader([OWN], mask)(text).text;

describe('the texts of others, for the author of words that they quote', () => {
  it.each([
    [
      'a block quote',
      `> ${HENRY} was at the meeting, and ${NOVA} was not.\n\nSo what?`,
      '> Henry was at the meeting, and nova was not.\n\nSo what?',
    ],
    [
      'a quote over several lines',
      `> ${HENRY} was at\n> the meeting, and ${NOVA.replace(' ', '\n> ')} was not.`,
      '> Henry was at\n> the meeting, and nova was not.',
    ],
    [
      'words between quotation marks',
      `You say “${HENRY} was at the meeting” but why?`,
      'You say “Henry was at the meeting” but why?',
    ],
    [
      'straight quotation marks',
      `You say "and ${NOVA} was not", I hear.`,
      'You say "and nova was not", I hear.',
    ],
    ['a whole claim, however short', `> I trust ${HENRY}. Short ${NOVA}.`, '> I trust Henry. Short Nova.'],
    [
      'a quote with an ellipsis',
      `> ${HENRY} was at […] ${NOVA} was not.`,
      '> Henry was at […] nova was not.',
    ],
    [
      'a quote in a list item',
      `- no:\n  > ${HENRY} was at the meeting\n`,
      '- no:\n  > Henry was at the meeting\n',
    ],
    [
      'a quote in a quote',
      `> She said:\n> > ${HENRY} was at the meeting\n\nNo.`,
      '> She said:\n> > Henry was at the meeting\n\nNo.',
    ],
    [
      'one paragraph of several that are quoted',
      `> Something else entirely.\n>\n> I trust ${HENRY}. Short ${NOVA}.`,
      '> Something else entirely.\n>\n> I trust Henry. Short Nova.',
    ],
    [
      'the names themselves, as no reader saw them',
      '> Henry was at the meeting, and nova was not.',
      '> Henry was at the meeting, and nova was not.',
    ],
  ])('fault 17: %s comes back as written', (_, text, back) => {
    expect(seen(text)).toBe(back);
  });

  it.each([
    ['their own words', `Henry says so. ${HENRY} too.`, `${HENRY} says so. ${HENRY} too.`],
    [
      'a quote of somebody else',
      '> Henry was never there at all\n\nHenry!',
      `> ${HENRY} was never there at all\n\n${HENRY}!`,
    ],
    [
      'what stands around a quote',
      `Henry: “${HENRY} was at the meeting”, says nova.`,
      `${HENRY}: “Henry was at the meeting”, says ${NOVA}.`,
    ],
  ])('fault 17: %s stays masked', (_, text, left) => {
    expect(seen(text)).toBe(left);
  });

  it('fault 17: whatever was written and quoted as it was seen, no label tells whose it is', () => {
    const word = fc.constantFrom(
      'Henry',
      'nova',
      'HENRY',
      'Nova',
      'met',
      'the',
      'vendor',
      'in',
      'March',
      'said',
      'nothing',
      '—',
    );
    const sentence = fc
      .array(word, { minLength: 5, maxLength: 14 })
      .map((words) => `Well ${words.join(' ')} again.`);
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 4 }), fc.nat(3), (sentences, at) => {
        const quoted = sentences[at % sentences.length]!;
        const asSeen = mask(quoted).text;
        const back = maskForReader(
          [sentences.join('\n\n')],
          mask,
        )(`> ${asSeen}\n\nNo: “${asSeen}” is wrong.`).text;
        // Where names stand side by side in several spellings, it may be another one of them.
        expect(back.toLowerCase()).toBe(`> ${quoted}\n\nNo: “${quoted}” is wrong.`.toLowerCase());
      }),
      { numRuns: countCases(300) },
    );
  });

  it('fault 17: a reader meets no label in a quote of its own words, in any part of its view', () => {
    const sample = councilOf({
      ids: IDS,
      anonymous: true,
      coordinator: 'maman',
      contributions: [
        said('sage', 'COLLECT', OWN),
        said('henry', 'COLLECT', 'Nothing yet.'),
        said(
          'henry',
          'CHALLENGE',
          `> ${HENRY} was at the meeting, and ${NOVA} was not.\n\nHow would you know?`,
        ),
        said('nova', 'CHALLENGE', `“I trust ${HENRY}. Short ${NOVA}.” is no reason.`),
      ],
    });
    const now = playedTo('RESOLVE', sample);
    const view = viewFor({
      council: now,
      participant: 'sage',
      persona: '',
      houseRules: '',
      mode: shippedMode('debate'),
    });
    const texts = [
      ...view.contributions.flatMap(({ text, claims }) => [text, ...claims.map((claim) => claim.text)]),
      ...view.challenges.flatMap(({ text, claim }) => [text, claim?.text ?? '']),
    ];
    expect(view.challenges.map(({ text }) => text)).toEqual([
      '> Henry was at the meeting, and nova was not.\n\nHow would you know?',
      '“I trust Henry. Short Nova.” is no reason.',
    ]);
    for (const text of texts) expect(text).not.toMatch(/Participant [A-Z]/);
    // Somebody else reads the same quotes with labels only.
    const other = viewFor({
      council: now,
      participant: 'nova',
      persona: '',
      houseRules: '',
      mode: shippedMode('debate'),
    });
    const theirs = other.contributions.map(({ text }) => text).join('\n');
    expect(theirs).toContain(`> ${HENRY} was at the meeting`);
    expect(theirs).not.toMatch(/Henry/);
  });

  it('is linear in what it reads', async () => {
    await expectLinear('quotes', 500, (n) => {
      const own = 'Henry met nova in March. '.repeat(2.5 * n);
      maskForReader([own], mask)('> Henry met nova in March.\n\n“Henry met nova” and so on.\n\n'.repeat(n));
    });
  });
});
