import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadWords } from '../../../../src/core/base/words/words.ts';
import { decide } from '../../../../src/core/council/vote/decision.ts';
import type { DecisionInput } from '../../../../src/core/council/vote/decision.ts';
import { formatOriginSentence, formatOutcomeSentence } from '../../../../src/core/council/vote/explain.ts';
import type { Vote } from '../../../../src/core/council/vote/votes.ts';
import type { Decision } from '../../../../src/core/council/state/state.ts';

const NUMBERS = ['P1', 'P2', 'P3', 'P4'];
const sentence = (id: string) => `sentence ${id}`;
const BALLOT = NUMBERS.map((id) => ({ id, position: sentence(id), declared: false }));

/**
 * A seat in short: its blind and its last vote, `P1` for both. `P1>P2` has moved, `P1!P2` named a reason for it, `-` is a word
 * without a position, `?` was not heard. `P1>P2>P1` names every stop. `~P3` approves, `=P1P2` calls them the same.
 */
function seat(by: string, words: string) {
  const [course = '', ...rest] = words.split(' ');
  const stops = course.split(/[>!]/);
  const [first = '?', last = first] = [stops[0], stops.at(-1)];
  const vote = (id: string): Vote => ({
    by,
    position: NUMBERS.includes(id) ? sentence(id) : null,
    kind: id === '?' ? 'absent' : 'spoken',
    agreed: false,
    blocking: rest.includes('blocks'),
    ...(NUMBERS.includes(id) && { number: id }),
    approves: [id, ...rest.filter((one) => one.startsWith('~')).map((one) => one.slice(1))],
    same: rest
      .filter((one) => one.startsWith('='))
      .map((one): [string, string] => [one.slice(1, 3), one.slice(3)]),
  });
  const signs = [...course].filter((sign) => sign === '>' || sign === '!');
  const moves = signs.flatMap((sign, at) =>
    NUMBERS.includes(stops[at]!) && NUMBERS.includes(stops[at + 1]!) && stops[at] !== stops[at + 1]
      ? [
          {
            by,
            from: sentence(stops[at]!),
            to: sentence(stops[at + 1]!),
            tour: at + 2,
            explained: sign === '!',
          },
        ]
      : [],
  );
  return { first: vote(first), last: vote(last), moves };
}

const table = (words: string[], over: Partial<DecisionInput> = {}): DecisionInput => {
  const order = words.map((_, at) => 'abcdefgh'[at]!);
  const seats = words.map((one, at) => seat(order[at]!, one));
  return {
    ...{ rule: 'blind-first', order, quorum: 0, vetoes: [], options: null, ballot: BALLOT },
    votes: seats.map(({ last }) => last),
    blind: seats.map(({ first }) => first),
    moves: seats.flatMap(({ moves }) => moves),
    ...over,
  };
};
const outcome = (words: string[], over: Partial<DecisionInput> = {}) => {
  const { decided, number, reason, how } = decide(table(words, over));
  return `${decided ? number : reason}, ${how}`;
};

describe('blind-first', () => {
  it.each<[string, string[], string]>([
    ['what all said blind', ['P1', 'P1', 'P1', 'P1'], 'P1, blind-unanimous'],
    ['a blind plurality that still leads', ['P1', 'P1', 'P2', 'P3'], 'P1, blind-kept'],
    [
      'a blind majority against moves that nobody explained',
      ['P1', 'P1>P2', 'P1>P2', 'P2'],
      'P1, blind-stood',
    ],
    ['it also where all hold another position', ['P1>P2', 'P1>P2', 'P1>P2', 'P2'], 'P1, blind-stood'],
    ['what two thirds hold for a reason', ['P1', 'P1!P2', 'P1!P2', 'P2'], 'P2, overturned'],
    ['the blind one below two thirds', ['P1', 'P1', 'P1!P2', 'P2', 'P1!P2', 'P1', 'P3'], 'P1, blind-stood'],
    ['a new position like any other', ['P1!P4', 'P1!P4', 'P1'], 'P4, overturned'],
    ['by the last move into a position', ['P1!P2>P3!P2', 'P1!P3>P2', 'P1', 'P2'], 'P1, blind-stood'],
    ['a return to the blind position as no move', ['P1>P2>P1', 'P1', 'P2'], 'P1, blind-kept'],
    ['a vote without a blind one as it is', ['P1', 'P1', 'P1', '->P2'], 'P1, blind-kept'],
    ['the last votes where none leads blind', ['P1', 'P1', 'P2', 'P2>P1'], 'P1, debate'],
    ['nothing where none has a majority then', ['P1', 'P1', 'P2', 'P2>P3'], 'too_few, undecided'],
    ['nothing where those unheard blind could have led', ['P1', '?', 'P3'], 'tie, undecided'],
    ['who spoke without a position as heard', ['P1', '-', 'P2>P1', 'P1', 'P3'], 'P1, blind-kept'],
    ['the majority of the last votes then', ['P1', '?>P1', 'P2>P1'], 'P1, debate'],
  ])('counts %s', (_, words, expected) => {
    expect(outcome(words)).toBe(expected);
  });

  it('joins what the last votes call the same in both votes, and sees no move in it', () => {
    expect(outcome(['P1', 'P2 =P1P2', 'P3', 'P3>P4'])).toBe('too_few, undecided');
    expect(outcome(['P1 =P1P2', 'P2', 'P2>P1 =P1P2', 'P3'])).toBe('P2, blind-kept');
    // From P2 to P1, which are one: its last move into it came before, and has a reason.
    expect(outcome(['P3!P2>P1 =P1P2', 'P3!P1 =P1P2', 'P3', 'P1 =P1P2', 'P2', 'P3!P2'])).toBe(
      'P2, overturned',
    );
  });

  it('lets quorum, vetoes and who must be heard count as under majority', () => {
    expect(outcome(['P1', 'P1', '?', '?', '?'], { quorum: 0.5 })).toBe('no_quorum, undecided');
    expect(outcome(['P1', 'P1', 'P1 blocks'], { vetoes: ['c'] })).toBe('blocked, undecided');
    expect(outcome(['P1', 'P1', 'P1', '?'], { vetoes: ['d'] })).toBe('unheard, undecided');
  });

  it('counts approvals only where a tie of the last votes is to be settled', () => {
    const tied = ['P1', 'P1 ~P2', 'P2', 'P2'];
    expect(outcome(tied)).toBe('tie, undecided');
    expect(outcome(tied, { tie: 'approvals' })).toBe('P2, debate');
    expect(outcome(['?>P1', 'P1 ~P2', 'P2', 'P2'], { tie: 'approvals' })).toBe('tie, undecided');
    expect(outcome(['P1', 'P1 ~P2', 'P1 ~P2', 'P2 ~P3'], { tie: 'approvals' })).toBe('P1, blind-kept');
  });

  it('leaves out the recused, and blind positions outside the options', () => {
    const recused = table(['P2', 'P1', 'P1']);
    const asRecused = (vote: Vote): Vote => (vote.by === 'a' ? { ...vote, kind: 'recused' } : vote);
    const some = {
      ...recused,
      votes: recused.votes.map(asRecused),
      blind: recused.blind!.map(asRecused),
    };
    expect(decide(some)).toMatchObject({ number: 'P1', denominator: 2, how: 'blind-unanimous' });
    const options = [sentence('P1'), sentence('P2')];
    expect(outcome(['P3>P1', 'P1', 'P1', 'P2'], { options })).toBe('P1, blind-kept');
  });

  it('goes by the last votes where COLLECT was open, and tells nothing where no blind vote is given', () => {
    expect(outcome(['P1', 'P1>P2', 'P2'], { blind: null })).toBe('P2, debate');
    const { blind: _blind, moves: _moves, ...bare } = table(['P1', 'P1', 'P2']);
    expect(decide(bare)).toMatchObject({ number: 'P1' });
    expect(decide(bare)).not.toHaveProperty('how');
  });

  it('compares sentences where there is no ballot, and spells them as they are spelled last', () => {
    const said = (by: string, position: string): Vote => ({
      ...{ by, position, kind: 'spoken', agreed: false, blocking: false },
    });
    const move = { by: 'c', from: 'build', to: 'Buy', tour: 3, explained: false };
    const decision = decide({
      ...{ rule: 'blind-first', order: ['a', 'b', 'c'], quorum: 0, vetoes: [], options: null },
      blind: [said('a', 'build'), said('b', 'buy'), said('c', 'build')],
      votes: [said('a', 'Build.'), said('b', 'Buy'), said('c', 'Buy')],
      moves: [move],
    });
    expect(decision).toMatchObject({ position: 'Build.', how: 'blind-stood', unexplained: ['c'] });
  });

  it('weighs by stated confidence where the council does', () => {
    const input = table(['P1', 'P2', 'P2'], { weighted: true });
    const sure = (vote: Vote): Vote => ({ ...vote, confidence: vote.by === 'a' ? 1 : 0.3 });
    expect(decide({ ...input, blind: input.blind!.map(sure), votes: input.votes.map(sure) })).toMatchObject({
      number: 'P1',
    });
  });
});

describe('how a decision came about', () => {
  it('is told of other rules by what they make of the blind votes', () => {
    const majority = { rule: 'majority' } as const;
    expect(outcome(['P1', 'P1>P2', 'P1>P2', 'P2'], majority)).toBe('P2, overturned');
    expect(outcome(['P1', 'P1', 'P1>P2', 'P2'], majority)).toBe('tie, undecided');
    expect(outcome(['P1', 'P1', 'P2', 'P2>P1'], majority)).toBe('P1, debate');
    expect(outcome(['P1', 'P1', 'P1', 'P2'], majority)).toBe('P1, blind-kept');
  });

  it('is left out where no position was to be decided', () => {
    expect(outcome(['P1', 'P1'], { rule: 'none' })).toBe('no_rule, undefined');
    expect(outcome(['-', '-'], { rule: 'no-blocking' })).toBe('null, undefined');
  });

  it.each<[string[], Partial<DecisionInput>, string, string]>([
    [['P1'], {}, 'The only vote was blind.', 'La seule voix était à l’aveugle.'],
    [
      ['P1', 'P1'],
      {},
      'Both said so before seeing any other answer.',
      'Les deux l’ont dit avant d’avoir lu l’autre.',
    ],
    [
      ['P1', 'P1', 'P1', 'P1'],
      {},
      'All four said so before seeing any other answer.',
      'Les quatre l’ont dit avant d’avoir lu les autres.',
    ],
    [
      ['P1', 'P1', 'P1', 'P2'],
      {},
      '3 of 4 said so before seeing any other answer.',
      'C’était déjà l’avis de 3 sur 4 avant la lecture des autres réponses.',
    ],
    [
      ['P1', 'P1>P2', 'P1>P3', 'P4'],
      {},
      'The blind majority stands (3 of 4): two moved later and did not say why. Read the minority first.',
      'La majorité à l’aveugle tient (3 sur 4) : deux ont changé ensuite sans dire pourquoi. Lisez d’abord la minorité.',
    ],
    [
      ['P1', 'P1!P2', 'P2', 'P3'],
      {},
      'The blind plurality stands (2 of 4): those who moved for a reason are fewer than two thirds. Read the minority first.',
      'La majorité relative à l’aveugle tient (2 sur 4) : ceux qui ont changé pour une raison sont moins des deux tiers. Lisez d’abord la minorité.',
    ],
    [
      ['P1>P2', 'P1!P2', 'P1!P2', 'P1'],
      {},
      'The blind majority stands (4 of 4): one moved later and did not say why. Read the minority first.',
      'La majorité à l’aveugle tient (4 sur 4) : un participant a changé ensuite sans dire pourquoi. Lisez d’abord la minorité.',
    ],
    [
      ['P1>P2', 'P1>P2', 'P1!P2', 'P2'],
      {},
      'All hold "sentence P2" now, and the blind majority for "sentence P1" stands (3 of 4): two moved later and did not say why. Read the minority first.',
      'Tous défendent maintenant « sentence P2 », et la majorité à l’aveugle pour « sentence P1 » tient (3 sur 4) : deux ont changé ensuite sans dire pourquoi. Lisez d’abord la minorité.',
    ],
    [
      ['P1', 'P1!P2', 'P1!P2', 'P2'],
      {},
      'The blind votes alone would have decided for "sentence P1"; the debate overturned that.',
      'À elles seules, les voix à l’aveugle auraient décidé pour « sentence P1 » ; le débat a renversé ce résultat.',
    ],
    [
      ['P1', 'P1', 'P2', 'P2>P1'],
      {},
      'The blind votes alone would have decided nothing; the debate decided.',
      'À elles seules, les voix à l’aveugle n’auraient rien décidé ; le débat a tranché.',
    ],
    [
      ['P1', 'P1', 'P2>P3', 'P2'],
      {},
      'Nor would the blind votes alone have decided anything.',
      'À elles seules, les voix à l’aveugle n’auraient rien décidé non plus.',
    ],
    [['P1', 'P2'], {}, '', ''],
    [
      ['P1', 'P1', 'P1>P2', 'P2'],
      { rule: 'majority' },
      'The blind votes alone would have decided for "sentence P1".',
      'À elles seules, les voix à l’aveugle auraient décidé pour « sentence P1 ».',
    ],
    [
      ['P1', 'P1', 'P2'],
      { blind: null },
      'No vote was blind: everybody could read the others from the start.',
      'Aucune voix n’était à l’aveugle : chacun pouvait lire les autres dès le début.',
    ],
  ])('is one sentence: %j %j', (words, over, en, fr) => {
    const decision = decide(table(words, over));
    expect(formatOriginSentence(decision, loadWords('en'))).toBe(en);
    expect(formatOriginSentence(decision, loadWords('fr'))).toBe(fr);
  });

  it('stands behind the outcome, which counts the last votes', () => {
    const stood = decide(table(['P1>P2', 'P1>P2', 'P1>P2', 'P2']));
    expect(stood.why).toBe('P1 "sentence P1" has 0 of the last 4 votes.');
    expect(formatOutcomeSentence(stood, loadWords('en'))).toMatch(
      /^Decided \(blind-first\): P1 "sentence P1" has 0 of the last 4 votes\. All hold "sentence P2" now, /,
    );
    expect(
      formatOutcomeSentence(decide(table(['P1', 'P2'], { rule: 'none' })), loadWords('en')),
    ).not.toContain('blind');
  });
});

const anyVote = fc.constantFrom('P1', 'P1', 'P2', 'P2', 'P3', '-');
const anyWords = fc
  .record({
    first: fc.oneof({ weight: 6, arbitrary: anyVote }, { weight: 1, arbitrary: fc.constant('?') }),
    later: fc.array(fc.tuple(fc.constantFrom('>', '!', '!'), anyVote), { maxLength: 2 }),
    approves: fc.subarray(NUMBERS.map((id) => `~${id}`)),
  })
  .map(({ first, later, approves }) => [first + later.flat().join(''), ...approves].join(' '));
const anySame = fc.constantFrom('', '', ' =P1P2', ' =P2P3', ' =P1P3');
const anyTable = (words: fc.Arbitrary<string>) =>
  fc
    .record({
      seats: fc.array(words, { minLength: 1, maxLength: 7 }),
      tie: fc.constantFrom(undefined, 'approvals' as const),
      weighted: fc.boolean(),
    })
    .map(({ seats, ...over }) => table(seats, over));

/** The table as it would be had one never been heard. */
const without = (input: DecisionInput, by: string): DecisionInput => {
  const asAbsent = (vote: Vote): Vote =>
    vote.by === by ? { ...seat(by, '?').first, kind: vote.kind === 'recused' ? 'recused' : 'absent' } : vote;
  return {
    ...input,
    votes: input.votes.map(asAbsent),
    blind: input.blind!.map(asAbsent),
    moves: input.moves!.filter((move) => move.by !== by),
  };
};
/** The table as it would be had one come after COLLECT. */
const lateFor = (input: DecisionInput, by: string): DecisionInput => ({
  ...input,
  blind: input.blind!.map((vote) => (vote.by === by ? seat(by, '?').first : vote)),
  moves: input.moves!.filter((move) => move.by !== by || move.tour > 2),
});
const isBlindResult = ({ how }: Decision): boolean => how?.startsWith('blind-') === true;

describe('blind-first, whatever the votes', () => {
  it('does not depend on the order of the seats', () => {
    const words = fc.tuple(anyWords, anySame).map((parts) => parts.join(''));
    fc.assert(
      fc.property(anyTable(words), fc.infiniteStream(fc.nat()), (input, random) => {
        const key = new Map(input.order.map((id) => [id, random.next().value as number]));
        const byKey = (a: string, b: string) => key.get(a)! - key.get(b)!;
        const shuffled = {
          ...input,
          order: input.order.toSorted(byKey),
          votes: input.votes.toSorted((a, b) => byKey(a.by, b.by)),
          blind: input.blind!.toSorted((a, b) => byKey(a.by, b.by)),
          moves: input.moves!.toReversed().toSorted((a, b) => byKey(a.by, b.by)),
        };
        expect(decide(shuffled)).toEqual(decide(input));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['who is never heard', without],
    ['who comes after COLLECT', lateFor],
  ])(
    'by %s nothing undecided is decided, and nothing else instead of a blind plurality but a majority',
    (_, leave) => {
      let lost = 0;
      fc.assert(
        fc.property(anyTable(anyWords), fc.nat(), (input, which) => {
          const by = input.order[which % input.order.length]!;
          const before = decide(input);
          const after = decide(leave(input, by));
          if (!before.decided) expect(after.decided).toBe(false);
          if (!isBlindResult(before) || !after.decided || after.number === before.number) return;
          lost += 1;
          expect(after.votes[after.position!]! * 2).toBeGreaterThan(after.denominator);
        }),
        { numRuns: 5000, seed: 3 },
      );
      expect(lost).toBeGreaterThan(0);
    },
  );

  it('lets an absence decide where it leaves the holders of a position of one mind about what it is the same as', () => {
    const heard = table(['P2', 'P1', 'P1 =P1P2', 'P2']);
    for (const rule of ['blind-first', 'majority'] as const) {
      expect(decide({ ...heard, rule })).toMatchObject({ decided: false, tie: true });
      expect(decide({ ...without(heard, 'b'), rule })).toMatchObject({ decided: true, number: 'P2' });
    }
  });

  it('decides for nothing that nobody ever held', () => {
    fc.assert(
      fc.property(anyTable(anyWords), (input) => {
        const { position, votes, blind } = decide(input);
        if (position !== null) expect({ ...votes, ...blind!.votes }).toHaveProperty([position]);
      }),
    );
  });
});
