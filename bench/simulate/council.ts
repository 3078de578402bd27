import { marksOf } from '../../src/council/vote/outcome.ts';
import { blindVotes, votesOf } from '../../src/council/vote/votes.ts';
import type { Vote } from '../../src/council/vote/votes.ts';
import { lineFor, OPTIONS, remarks, stating, worded } from './choose.ts';
import { privateAnswers } from './model.ts';
import type { Model } from './model.ts';
import { argue, persuaded, pressed } from './persuasion.ts';
import type { Argument, Step } from './persuasion.ts';
import type { Random } from './random.ts';
import { randomOf } from './random.ts';
import { openTable, playPhase } from './table.ts';
import type { Saying, Table } from './table.ts';
import type { Challenge, Decision, Ledger, Move, Verdict } from '../../src/council/state/state.ts';

/** A council that has been played to SYNTHESIZE. */
export interface Played {
  table: Table;
  blind: Vote[];
  final: Vote[];
  /** By the majority rule, as the machine has recorded it. */
  decision: Decision;
}

interface Play {
  model: Model;
  random: Random;
  table: Table;
  /** What everybody holds, and who has said so. */
  held: number[];
  stated: boolean[];
  /** The sentence in which each says it. */
  words: string[];
  /** What the ballot asks for has a stream of its own: the same moves with and without it. */
  choices: Random;
}

/** The same blind answers for every model that differs only in what comes later, so that conditions are compared in pairs. */
export function playCouncil(model: Model, index: number): Played {
  const order = model.families.map((_, i) => `p${i}`);
  const { forceChallenge, advocate, repeat } = model;
  const rules = {
    rule: 'majority' as const,
    options: model.wording === null ? OPTIONS.slice(0, model.options) : null,
    vetoes: [],
    recused: [],
    weighted: false,
  };
  const held = privateAnswers(model, randomOf(index, 1));
  const choices = randomOf(index, 3);
  const play: Play = {
    model,
    choices,
    random: randomOf(index, 2),
    table: openTable(`simulated-${index}`, order, { ...rules, forceChallenge, advocate, repeat }),
    held,
    words: held.map((option, i) => worded(option, i, model, choices)),
    stated: order.map(() => false),
  };
  collect(play);
  while (play.table.state.currentPhase !== 'SYNTHESIZE') {
    const challenged = challenge(play);
    resolve(play, challenged);
  }
  const { table } = play;
  const { decision } = table.state;
  if (!decision) throw new Error('The machine has decided nothing in SYNTHESIZE.');
  const marks = marksOf(table.state);
  return {
    table,
    blind: blindVotes(table, marks),
    decision,
    final: votesOf(table, { ...marks, upTo: table.state.tour - 1 }),
  };
}

function collect(play: Play): void {
  close(
    play,
    speakers(play).map((speaks, i) => (speaks ? say(play, i) : undefined)),
    [],
  );
}

/** Everybody reads the others, and objects to one who holds something else. Some already give way. */
function challenge(play: Play): Argument[] {
  const { model, random, table, held } = play;
  const seen = visible(play);
  const speaks = speakers(play);
  const advocate =
    table.state.advocate?.tour === table.state.tour
      ? table.state.order.indexOf(table.state.advocate.participant)
      : -1;
  const made = argue({ seen, speaks, advocate }, model, random);
  const steps = held.map((_, i) =>
    speaks[i] && i !== advocate ? pressed(i, held[i]!, seen, model, random) : null,
  );
  const { moves, sayings } = applied(play, steps, speaks);
  if (advocate >= 0 && speaks[advocate]) sayings[advocate] = {};
  const first = table.state.ledger.challenges.length + 1;
  const challenges = made.map(({ by, against }, i): Challenge => ({
    ...span(table, by),
    id: `c${first + i}`,
    target: `p${against}.1`,
    against: `p${against}`,
    quote: 'verified',
    status: 'open',
    answer: null,
  }));
  close(play, sayings, moves, [...table.state.ledger.challenges, ...challenges]);
  return made.map((argument, i) => ({ ...argument, id: challenges[i]!.id }));
}

/** Everybody answers what was put to it, and is persuaded or not; after that it may still give way to the others. */
function resolve(play: Play, made: Argument[]): void {
  if (play.table.state.currentPhase !== 'RESOLVE') return;
  const { model, random, table, held } = play;
  const seen = visible(play);
  const speaks = speakers(play);
  const steps = held.map((now, i): Step | null => {
    if (!speaks[i]) return null;
    const moved = persuaded(
      now,
      made.filter(({ against }) => against === i),
      model,
      random,
    );
    return moved ?? pressed(i, now, seen, model, random);
  });
  const { moves, sayings } = applied(play, steps, speaks);
  for (const [i, saying] of sayings.entries())
    if (saying) Object.assign(saying, remarksOf(play, i), verdict(play, i, seen));
  const conceded = new Set(moves.flatMap(({ because }) => because ?? []));
  const challenges = table.state.ledger.challenges.map((one): Challenge => {
    if (one.status !== 'open') return one;
    const answered = one.against !== null && speaks[Number(one.against.slice(1))];
    return { ...one, status: conceded.has(one.id) ? 'conceded' : answered ? 'answered' : 'unanswered' };
  });
  close(play, sayings, moves, challenges);
}

/** Agreement with what two thirds hold, or for the sake of peace; now and then somebody in the minority blocks. */
function verdict(play: Play, i: number, seen: number[]): Partial<Verdict> {
  const { model, random, held, stated } = play;
  const alike = held.filter((other, j) => stated[j] && other === held[i]).length;
  const [agrees, blocks] = [random() < model.acquiesce, random() < model.block];
  const common = seen.find(
    (one) => one >= 0 && seen.filter((other) => other === one).length * 2 > held.length,
  );
  if (alike * 3 >= held.length * 2) return { agreed: true };
  // What one does not hold and agrees to, one can live with.
  if (common !== undefined && agrees) {
    const line = lineFor(play.table, common);
    return { agreed: true, ...(line && { approve: [line.id] }) };
  }
  return alike * 2 <= held.length && blocks ? { blocking: ['not settled'] } : {};
}

/** Carries steps out: positions change, and what the ledger records of it depends on whether a reason was named. */
function applied(
  play: Play,
  steps: (Step | null)[],
  speaks: boolean[],
): { moves: Move[]; sayings: Saying[] } {
  const { held, stated, model, table } = play;
  const moves: Move[] = [];
  const sayings = steps.map((step, i): Saying => {
    if (!speaks[i]) return undefined;
    const before = held[i]!;
    const counts = step !== null && (step.because !== null || model.reasons !== 'required' || !stated[i]);
    if (counts) held[i] = step.to;
    // Who changes its mind votes for what stands there already.
    if (held[i] !== before) play.words[i] = lineFor(table, step!.to)?.position ?? OPTIONS[step!.to]!;
    if (counts && stated[i] && step.to !== before) {
      const { tour, currentPhase: phase } = table.state;
      const facts = { because: step.because, explained: step.because !== null };
      moves.push({ by: `p${i}`, from: OPTIONS[before]!, to: OPTIONS[step.to]!, tour, phase, ...facts });
    }
    return say(play, i);
  });
  return { moves, sayings };
}

function say({ table, words, stated }: Play, i: number): Saying {
  stated[i] = true;
  return stating(table, words[i]!);
}

const remarksOf = ({ table, words, model, choices }: Play, i: number): Saying =>
  remarks(table, words[i]!, model, choices);

function close(play: Play, sayings: Saying[], moves: Move[], challenges: Challenge[] = []): void {
  const before = play.table.state.ledger;
  const ledger: Ledger = { claims: [], challenges, moves: [...before.moves, ...moves] };
  play.table = playPhase(play.table, sayings, ledger, 'simulated');
}

const speakers = ({ model, random, held }: Play): boolean[] => held.map(() => random() >= model.silence);
/** What everybody can read of everybody: −1 for who has said nothing yet. */
const visible = ({ held, stated }: Play): number[] => held.map((option, i) => (stated[i] ? option : -1));
const span = ({ state }: Table, by: number) => ({ tour: state.tour, by: `p${by}`, start: 0, end: 0 });
