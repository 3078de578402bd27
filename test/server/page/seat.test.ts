import { NOTHING_READ } from '../../helpers/nothing-read.ts';
import { describe, expect, it } from 'vitest';
import { openBallot } from '../../../src/core/council/state/ballot.ts';
import { readText } from '../../../src/core/council/use/respond.ts';
import { readVerdict } from '../../../src/core/council/use/verdict.ts';
import {
  readAnswerForm,
  splitContribution,
  composeContribution,
  isUntouched,
  EMPTY_ANSWER,
} from '../../../src/server/page/seat/answer.ts';
import type { SeatAnswer } from '../../../src/server/page/seat/answer.ts';
import { HOSTILE } from '../../helpers/hostile-page.ts';
import { dangerIn, elementsIn, fragmentOf, textIn } from '../../helpers/html.ts';
import type { Element } from '../../helpers/html.ts';
import { playedRounds, queueUpTo } from '../../helpers/page-sample.ts';
import type { Round } from '../../helpers/page-sample.ts';
import { seatOf, viewOf } from '../../helpers/seat-page.ts';

const elementsOf = (html: string): Element[] => elementsIn(fragmentOf(html));
const words = (html: string): string => textIn(fragmentOf(html)).replace(/\s+/g, ' ');
const headings = (html: string): string[] =>
  elementsOf(html).flatMap(({ name, text }) => (name === 'h2' ? [text.trim()] : []));
const filled = (over: Partial<SeatAnswer>): SeatAnswer => ({ ...EMPTY_ANSWER, ...over });

/** Our own controls may stand on this page; whatever else runs, loads or styles may not. */
const OWN = new Set([
  '<form>',
  '<input>',
  '<button>',
  '<textarea>',
  'form action',
  'a href /councils/tabs/seat',
]);
const dangers = (html: string): string[] => dangerIn(fragmentOf(html)).filter((what) => !OWN.has(what));

describe('the page of a seat', () => {
  it('says first what is asked and until when, with the way to the form', () => {
    const html = seatOf(viewOf(queueUpTo(1), 'ana'));
    expect(headings(html).slice(0, 2)).toEqual(['What is asked now', 'The brief']);
    expect(words(html)).toContain('Where should the job queue live?');
    expect(words(html)).toContain('Phase: CHALLENGE (round 2)');
    expect(words(html)).toContain('(42 min left)');
    expect(elementsOf(html)).toContainEqual(
      expect.objectContaining({ name: 'a', attributes: { class: 'to-form', href: '#answer' } }),
    );
  });

  it('shows what others have found where it is to be judged, as words, and not that nobody said anything', () => {
    const view = { ...viewOf(queueUpTo(1), 'ana'), contributions: [], findings: '### F1 major: twice <b>' };
    const html = seatOf(view);
    expect(headings(html)).toContain('The findings of others that you are to judge');
    expect(words(html)).toContain('F1 major: twice <b>');
    expect(headings(html)).not.toContain('What the others said');
    expect(dangers(html)).toEqual([]);
  });

  it('explains letters once, where they stand for names', () => {
    const seed = { anonymous: true, labelSeed: '0123456789abcdef0123456789abcdef' };
    const text = words(seatOf(viewOf(queueUpTo(1, seed), 'ana')));
    expect(text).toMatch(/The others see you as Participant [A-H]\. In the texts, letters stand for names/);
    expect(text.split('letters stand for names')).toHaveLength(2);
    // It goes with what is asked, once the council is over.
    const now = elementsOf(seatOf(viewOf(queueUpTo(1, seed), 'ana'))).find(
      ({ attributes }) => attributes.id === 'now',
    );
    expect(now!.text).toContain('letters stand for names');
    expect(words(seatOf(viewOf(queueUpTo(1), 'ana')))).not.toContain('letters stand for names');
  });

  it('holds in blind COLLECT the question and the form, and nothing of anybody else', () => {
    const html = seatOf(viewOf(queueUpTo(0), 'ana'));
    expect(headings(html)).toEqual(['What is asked now', 'The brief', 'What you say in COLLECT (round 1)']);
    expect(words(html)).toContain('You answer blind');
    const labels = elementsOf(html).flatMap(({ name, text }) => (name === 'label' ? [text.trim()] : []));
    expect(labels).toEqual(
      expect.arrayContaining(['Your answer', 'Position', 'How sure you are, from 0 to 1']),
    );
    expect(html).not.toMatch(/Henry|Sage|henry|sage/);
  });

  it('votes by number as a group, with approvals in it, once there is a ballot', () => {
    const elements = elementsOf(seatOf(viewOf(queueUpTo(1), 'ana')));
    const legends = elements.flatMap(({ name, text }) => (name === 'legend' ? [text.trim()] : []));
    expect(legends).toEqual(['Vote', 'Approve']);
    const inputs = elements.filter(({ name }) => name === 'input').map(({ attributes }) => attributes);
    expect(inputs.filter(({ type }) => type === 'radio').map(({ value }) => value)).toEqual([
      ...['P1', 'P2', 'P3', 'P4', ''],
    ]);
    expect(inputs.filter(({ name }) => name === 'approve')).toHaveLength(4);
  });

  it('begins with the vote that is held, which would be none if the form were sent without one', () => {
    const checked = (view: ReturnType<typeof viewOf>, over = {}): (string | undefined)[] =>
      elementsOf(seatOf(view, over)).flatMap(({ attributes: { name, value, checked: is } }) =>
        name === 'vote' && is !== undefined ? [value] : [],
      );
    const view = viewOf(queueUpTo(1), 'ana');
    expect(view.vote).toMatch(/^P\d$/);
    expect(checked(view)).toEqual([view.vote]);
    // Sent as it began, it says nothing.
    const began = filled({ lines: { vote: 'P2' } });
    expect(isUntouched(began, 'P2')).toBe(true);
    expect([isUntouched(began, 'P1'), isUntouched({ ...began, text: 'Still.' }, 'P2')]).toEqual([
      false,
      false,
    ]);
    expect([isUntouched(EMPTY_ANSWER, ''), isUntouched(EMPTY_ANSWER, 'P2')]).toEqual([true, false]);
    // What was chosen in the form that was sent stays chosen.
    expect(checked(view, { answer: filled({ lines: { vote: '' } }) })).toEqual(['']);
  });

  it('puts the challenges before everything else that there is to read', () => {
    const html = seatOf(viewOf(queueUpTo(2), 'sage'));
    expect(headings(html)[1]).toBe('Challenges put to you');
    expect(words(html)).toContain('Who is on call in that week?');
  });

  it('has a label for every control, ids once, and headings without a gap', () => {
    for (const rounds of [0, 1, 2]) {
      const elements = elementsOf(seatOf(viewOf(queueUpTo(rounds), 'sage')));
      const ids = elements.flatMap(({ attributes }) => attributes.id ?? []);
      expect(new Set(ids).size).toBe(ids.length);
      const labelled = new Set(elements.flatMap(({ attributes }) => attributes.for ?? []));
      const bare = elements.filter(
        ({ name, attributes: { type, id } }) =>
          (name === 'textarea' ||
            (name === 'input' && !['radio', 'checkbox', 'hidden'].includes(type ?? ''))) &&
          !labelled.has(id ?? ''),
      );
      expect(bare).toEqual([]);
      for (const { attributes } of elements)
        for (const by of [attributes['aria-describedby'], attributes['aria-labelledby']])
          for (const id of by?.split(' ') ?? []) expect(ids).toContain(id);
      const levels = elements.flatMap(({ name }) => (/^h[1-6]$/.test(name) ? [Number(name[1])] : []));
      levels.slice(1).forEach((level, at) => expect(level).toBeLessThanOrEqual(levels[at]! + 1));
    }
  });

  it('says first what was recorded and of which round, where no refresh moves it, and names the round of the form', () => {
    const html = seatOf(viewOf(queueUpTo(1), 'ana'), {
      outcome: { kind: 'sent', phase: 'COLLECT', tour: 1, revision: 5, again: false, read: null, key: 'k' },
    });
    expect(headings(html).slice(0, 2)).toEqual(['Recorded', 'What is asked now']);
    expect(headings(html).at(-1)).toBe('What you say in CHALLENGE (round 2)');
    expect(words(html)).toContain('COLLECT (round 1): your answer is kept');
    const live = elementsOf(html).find(({ attributes }) => 'data-live' in attributes)!;
    expect(live.text).not.toContain('Recorded');
    // The form is that of another round: what was missing in the one before leads nowhere.
    const report = (tour: number) =>
      seatOf(viewOf(queueUpTo(1), 'ana'), {
        outcome: {
          ...{ kind: 'sent', phase: 'COLLECT', tour, revision: 5, again: false, key: 'k' },
          read: { ...NOTHING_READ, missing: ['position'] },
        },
      });
    expect([report(1), report(2)].map((one) => one.includes('<a href="#position">'))).toEqual([false, true]);
  });

  it('has what is recorded in the form, to be mended, where it can be replaced', () => {
    const council = queueUpTo(1);
    const view = { ...viewOf(council, 'ana'), status: 'RESPONDED' as const };
    const answer = filled({ text: 'Because of *locks*.', lines: { vote: 'P2' }, approve: ['P1'] });
    const elements = elementsOf(seatOf(view, { recorded: composeContribution(answer) }));
    expect(elements.find(({ attributes }) => attributes.id === 'text')!.text).toBe(answer.text);
    const checked = elements.filter(({ attributes }) => 'checked' in attributes);
    expect(checked.map(({ attributes }) => attributes.value)).toEqual(['P2', 'P1']);
    expect(elements.find(({ name }) => name === 'form')!.attributes).toMatchObject({ 'data-recorded': '' });
    // What was refused, and what is previewed, stay as they were typed; a round that waits for an answer begins empty.
    const typed = filled({ text: 'Another.' });
    const refused = { kind: 'refused' as const, code: 'different_text' };
    const text = (html: string): string =>
      elementsOf(html).find(({ attributes }) => attributes.id === 'text')!.text;
    expect(text(seatOf(view, { recorded: 'Mine.', answer: typed, outcome: refused }))).toBe('Another.');
    expect(text(seatOf(viewOf(council, 'ana'), { recorded: 'Mine.' }))).toBe('');
  });

  it('shows the form of a contribution in lines of its own', () => {
    const rounds: Round[] = [
      ['COLLECT', { ana: { text: 'One.', position: 'A' }, ben: { text: 'Two.', position: 'B' } }],
      ['CHALLENGE', { ana: { text: '---\nvote: P1\napprove: P2\n---\n\nMine.' }, ben: { text: 'Theirs.' } }],
    ];
    const council = playedRounds({ ana: 'Ana', ben: 'Ben' }, rounds);
    const html = seatOf(viewOf(council, 'ben'));
    expect(elementsOf(html).map(({ name, text }) => (name === 'pre' ? text : ''))).toContain(
      'vote: P1\napprove: P2',
    );
  });

  it('tells who votes for a position and approves it as well that it counts once, and challenges without a puzzle', () => {
    const read = { ...NOTHING_READ, vote: 'P1', approve: ['P1', 'P2'] };
    const told = (over: Partial<typeof NOTHING_READ>) =>
      words(
        seatOf(viewOf(queueUpTo(1), 'ana'), {
          outcome: {
            ...{ kind: 'preview', notes: [], text: { text: 'x', prefix: 'preview-', level: 2, marks: [] } },
            read: { ...read, ...over },
          },
        }),
      );
    expect(told({})).toContain('Your vote already counts as an approval of P1: it is counted once.');
    expect(told({ approve: ['P2'] })).not.toContain('it is counted once');
    const challenge = { target: 'ben.1', quote: 'none' as const };
    const challenges = [challenge, { ...challenge, target: null }] as (typeof NOTHING_READ)['challenges'];
    expect(told({ challenges })).toContain('Challenges to a claim: 1');
    expect(told({ challenges })).toContain('Challenges to no single claim: 1');
    expect(told({ challenges: challenges.slice(0, 1) })).not.toContain('no single claim');
  });

  it('does not say of an empty answer that it is still there', () => {
    const html = seatOf(viewOf(queueUpTo(1), 'ana'), { outcome: { kind: 'refused', code: 'empty_text' } });
    expect(words(html)).toContain('There was nothing in it. Write something first.');
    expect(words(html)).not.toContain('still in the form');
  });

  it('refreshes what others do, and never the form', () => {
    const elements = elementsOf(seatOf(viewOf(queueUpTo(2), 'sage')));
    const live = elements.filter(({ attributes }) => 'data-live' in attributes);
    expect(live).toHaveLength(1);
    expect(live[0]!.text).toContain('What is asked now');
    expect(live[0]!.text).not.toContain('Your answer');
    // A part is replaced alone where every part has a name.
    const regions = elements.filter(({ attributes }) => attributes.id === 'seen');
    expect(regions).toEqual(live);
  });

  it('tells whoever sees more than others so, and says that they may move it on only where they may', () => {
    const view = viewOf(queueUpTo(1), 'ana');
    const sees = 'The other pages of this council show you names';
    const moves = 'You may also manage this council.';
    const member = words(seatOf(view, { seesMore: true }));
    expect([member.includes(sees), member.includes(moves)]).toEqual([true, false]);
    expect(words(seatOf(view, { seesMore: true, decides: true }))).toContain(`${moves} ${sees}`);
    expect(words(seatOf(view))).not.toContain(sees);
  });

  it('speaks French in a French council', () => {
    const html = seatOf(viewOf(queueUpTo(1, { lang: 'fr' }), 'ana'));
    expect(headings(html)[0]).toBe('Ce qui est demandé maintenant');
    expect(words(html)).toContain('C’est à vous.');
    expect(words(html)).toContain('Votre réponse');
    expect(words(html)).not.toMatch(/Your|Send\b|Preview/);
  });

  it('keeps a refused text in the form, with the reason and a link to the field', () => {
    const answer = filled({ text: '\n\nMy <b>text</b> & more', lines: { vote: 'P2' }, approve: ['P1'] });
    const html = seatOf(viewOf(queueUpTo(1), 'ana'), {
      answer,
      outcome: { kind: 'refused', code: 'different_text' },
    });
    const elements = elementsOf(html);
    const field = elements.find(({ attributes }) => attributes.id === 'text')!;
    expect(field.text).toBe(answer.text);
    expect(field.attributes).toMatchObject({
      'aria-invalid': 'true',
      'aria-describedby': 'wrong-text text-help',
    });
    expect(elements.find(({ attributes }) => attributes.id === 'wrong-text')!.text).toContain(
      'with another text',
    );
    const report = elements.find(({ attributes }) => attributes.id === 'report')!;
    expect(report.attributes.role).toBe('alert');
    const checked = elements.filter(({ attributes }) => 'checked' in attributes);
    expect(checked.map(({ attributes }) => `${attributes.name} ${attributes.value}`)).toEqual([
      'vote P2',
      'approve P1',
    ]);
    // From now on this one takes the place of the other.
    expect(elements.filter(({ name }) => name === 'button').map(({ text }) => text.trim())).toContain(
      'Send instead of the earlier answer',
    );
  });

  it('tells what was read, and what is missing with a link to where it goes', async () => {
    const council = queueUpTo(1);
    const text =
      '---\napprove: P1\n---\n\n@sage.2:\n\n> that can be learned in a week\n\nBy whom?\n\n> nobody ever said this at all\n\nNo.';
    const read = await readText(council, { by: 'ana', phase: 'CHALLENGE', tour: 2, text });
    const html = seatOf(viewOf(council, 'ana'), {
      outcome: { kind: 'sent', phase: 'CHALLENGE', tour: 2, revision: 9, again: false, read, key: 'k' },
    });
    expect(words(html)).toContain('CHALLENGE (round 2): your answer is kept word for word (revision 9).');
    expect(words(html)).toContain('Quotes, verified: 1');
    expect(words(html)).toContain('Quotes, not found: 1');
    const links = elementsOf(html).filter(({ attributes }) => attributes.href === '#text');
    expect(links.map(({ text: said }) => said)).toEqual(['quotes in their author’s exact words']);
  });

  it.each(HOSTILE)('is nothing but words wherever it is called %j', (text) => {
    const rounds: Round[] = [
      [
        'COLLECT',
        {
          ana: { text, position: text, blocking: [text] },
          ben: { text: `${text}\n\nSome other words here.`, position: 'other' },
        },
      ],
      ['CHALLENGE', { ana: { text: `@ben.1 ${text}` }, ben: { text: `> ${text}\n\nNo.`, position: text } }],
    ];
    const council = playedRounds({ ana: text, ben: 'Ben' }, rounds, { topic: text });
    for (const [phase, tour] of [
      ['CHALLENGE', 2],
      ['RESOLVE', 3],
    ] as const) {
      const state = { ...council.state, currentPhase: phase, tour };
      const view = viewOf({ ...council, brief: text, state }, 'ana');
      const html = seatOf(view, {
        answer: filled({
          text,
          lines: { vote: text, new: text, same: text, confidence: text },
          blocking: text,
        }),
        outcome: {
          kind: 'preview',
          text: { text, prefix: 'preview-', level: 2, marks: [] },
          read: null,
          notes: [],
        },
      });
      expect(dangers(html)).toEqual([]);
      const controls = elementsOf(html).filter(({ name }) => ['form', 'button', 'textarea'].includes(name));
      expect(controls.filter(({ attributes }) => attributes.id === 'answer')).toHaveLength(1);
      expect(controls.find(({ attributes }) => attributes.id === 'text')!.text).toBe(text);
    }
  });
});

describe('what is filled in at a seat', () => {
  const read = async (answer: SeatAnswer, council = queueUpTo(1)) =>
    readVerdict(
      composeContribution(answer),
      { agree: false, done: false, block: [] },
      openBallot(council.state),
    ).verdict;

  it('is read as it was meant', async () => {
    const answer = filled({
      text: 'Because of the backup.',
      lines: { vote: 'P2', same: 'P2 = P3', confidence: '0.8' },
      approve: ['P1', 'P3'],
      blocking: '- Nobody has measured: locks\nWho pays? "we" #1',
      agreed: true,
      done: true,
    });
    expect(await read(answer)).toMatchObject({
      vote: 'P2',
      same: [['P2', 'P3']],
      confidence: 0.8,
      blocking: ['Nobody has measured: locks', 'Who pays? "we" #1'],
      agreed: true,
      done: true,
    });
    expect((await read(answer)).approve).toEqual(expect.arrayContaining(['P1', 'P3']));
  });

  it.each([
    'Keep it: "now", not later # really',
    '- no\\n yes',
    "it's {a}, [b] & *c*",
    'P2 but not yet: éàü — «oui»',
    "Éviter l'achat (pour l’instant) ; 50 % d’ici mars, peut-être ?",
    'Non',
    'y',
    'Build it -',
    'e5',
    'Kauf ist o.k./günstig!',
    'true',
    '!!js/function x',
  ])('says a position word for word: %j', async (position) => {
    const verdict = await read(filled({ text: 'Why.', lines: { position } }), queueUpTo(0));
    expect(verdict.position).toBe(position);
  });

  it('proposes something new in place of a vote', async () => {
    const verdict = await read(filled({ text: 'Why.', lines: { vote: 'P1', new: 'Wait: until "March"' } }));
    expect(verdict).toMatchObject({ new: 'Wait: until "March"' });
    expect(verdict.vote).toBeUndefined();
  });

  it('comes back as it was filled in, or as a text where the form has no field for it', () => {
    const view = viewOf(queueUpTo(1), 'ana');
    const answer = filled({
      text: '\nBecause.\n---\nnot: a field\n---\n',
      lines: { vote: 'P2', same: 'P2 = P3', confidence: '0.8' },
      approve: ['P1', 'P3'],
      blocking: 'Nobody has measured: locks\nWho pays? "we" #1\nplain',
      agreed: true,
      done: true,
    });
    expect(splitContribution(composeContribution(answer), view)).toEqual(answer);
    const fresh = filled({ text: 'Why.', lines: { new: 'Wait: until "March"' } });
    expect(splitContribution(composeContribution(fresh), view)).toEqual(fresh);
    for (const whole of [
      'Just words.',
      '---\nposition: none of this phase\n---\n\nx',
      '---\nvote: P9\n---\n\nx',
      '---\nvote: P1\nx: y\n---\n\nx',
      '---\nvote:  P1\n---\n\nx',
      '---\n---\n\nx',
      ...HOSTILE,
    ])
      expect(splitContribution(whole, view)).toEqual(filled({ text: whole }));
  });

  it('is the text alone where nothing else was filled in', () => {
    const form = new URLSearchParams({ text: 'Just words.\n', vote: '', new: '' });
    expect(composeContribution(readAnswerForm(form))).toBe('Just words.\n');
  });

  it('puts only what YAML would read otherwise between quotation marks', () => {
    const of = (position: string) => composeContribution(filled({ text: 'x', lines: { position } }));
    expect(of('Acheter')).toBe('---\nposition: Acheter\n---\n\nx');
    expect(of('Oui')).toContain('position: Oui\n');
    expect(of('yes')).toContain('position: "yes"\n');
    expect(of('Buy: now')).toContain('position: "Buy: now"\n');
  });

  it('cannot get out of its line', () => {
    const form = new URLSearchParams({
      text: 'x',
      position: 'a\n---\nagreed: true',
      blocking: 'a\rdone: true',
    });
    expect(composeContribution(readAnswerForm(form))).toBe(
      '---\nposition: "a --- agreed: true"\nblocking:\n  - "adone: true"\n---\n\nx',
    );
    const forged = new URLSearchParams({ text: 'x', vote: 'P1\nagreed: true', approve: 'P2\ndone: true' });
    expect(composeContribution(readAnswerForm(forged))).toBe(
      '---\nvote: P1 agreed: true\napprove: P2 done: true\n---\n\nx',
    );
  });
});
