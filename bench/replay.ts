// `npm run replay -- FOLDER`: counts the votes of recorded councils by every rule, where the truth is known.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { renderTable } from '../src/core/council/document/markers.ts';
import { ORIGINS, RULES } from '../src/core/council/state/allowed-values.ts';
import type { Rule } from '../src/core/council/state/allowed-values.ts';
import { findBallotNumber, addPositions, normalisePosition } from '../src/core/council/state/ballot.ts';
import type { Decision } from '../src/core/council/state/state.ts';
import { decide } from '../src/core/council/vote/decision.ts';
import type { Vote } from '../src/core/council/vote/votes.ts';

/** One recorded council: positions by seat, null for no readable one. */
interface Row {
  truth: string;
  /** Said blind. */
  first: (string | null)[];
  /** Held in the end; null: as before. */
  last: (string | null)[];
  /** Whether a seat that moved named a reason that council would find. */
  explained?: boolean[];
}

/** Which votes are counted, by which rule, and what is taken for explained where a row does not say. */
interface Arm {
  name: string;
  rule: Rule;
  votes: 'first' | 'last';
  explained: boolean;
}

const isPositions = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => one === null || typeof one === 'string');

function readRow(line: string, place: string): Row {
  const row = JSON.parse(line) as Row;
  const isRow =
    typeof row.truth === 'string' &&
    isPositions(row.first) &&
    isPositions(row.last) &&
    row.first.length === row.last.length;
  if (!isRow)
    throw new Error(
      `${place} is no recorded council: it needs "truth", and "first" and "last" with a position or null for each seat.`,
    );
  return row;
}

function readRows(folder: string): Row[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
  return files.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .flatMap((line, at) => (line.trim() === '' ? [] : [readRow(line, `${name}, line ${at + 1},`)])),
  );
}

/** Everybody agrees and nobody blocks: rules that look at more than positions see no more than these. */
function play(row: Row, { rule, votes, explained }: Arm): Decision {
  const { first } = row;
  const order = first.map((_, seat) => `seat-${seat + 1}`);
  // Blind unanimity ends a council: nothing that was said later counts.
  const isUnanimous = first[0] !== null && first.every((position) => position === first[0]);
  const stays = votes === 'first' || isUnanimous;
  const last = first.map((position, seat) => (stays ? position : (row.last[seat] ?? position)));
  const stated = [...first, ...last].filter((position) => position !== null);
  const ballot = addPositions([], [], stated);
  const asVotes = (positions: (string | null)[]): Vote[] =>
    positions.map((position, seat) => {
      const number = position === null ? undefined : findBallotNumber(ballot, position);
      const vote = { by: order[seat]!, position, kind: 'spoken', agreed: true, blocking: false } as const;
      return { ...vote, ...(number && { number, approves: [number] }) };
    });
  const moves = order.flatMap((by, seat) => {
    const [from, to] = [first[seat]!, last[seat]!];
    const isMove = from !== null && to !== null && from !== to;
    return isMove ? [{ by, from, to, tour: 2, explained: row.explained?.[seat] ?? explained }] : [];
  });
  return decide({
    ...{ rule, order, ballot, moves, quorum: 0.5, vetoes: [], options: null },
    blind: asVotes(first),
    votes: asVotes(last),
  });
}

const isRight = ({ position }: Pick<Decision, 'position'>, { truth }: Row): boolean =>
  position !== null && normalisePosition(position) === normalisePosition(truth);

/** "93 %", or nothing where there is none to count. */
const share = (part: number, whole: number): string =>
  whole === 0 ? '' : `${Math.round((100 * part) / whole)} %`;

function tableByRule(rows: Row[], arms: Arm[]): string {
  const lines = arms.map((arm) => {
    const played = rows.map((row) => ({ row, decision: play(row, arm) }));
    const decided = played.filter(({ decision }) => decision.position !== null).length;
    const right = played.filter(({ decision, row }) => isRight(decision, row)).length;
    return [arm.name, right, decided - right, rows.length - decided, share(right, decided)].map(String);
  });
  return renderTable(['Rule', 'Right', 'Wrong', 'Undecided', 'Right of those decided'], lines);
}

function tableByOrigin(rows: Row[], arms: Arm[]): string {
  const lines = arms.flatMap((arm) => {
    const played = rows.map((row) => ({ row, decision: play(row, arm) }));
    return ORIGINS.flatMap((how) => {
      const those = played.filter(({ decision }) => decision.how === how);
      const right = those.filter(({ decision, row }) => isRight(decision, row)).length;
      const blind = those.filter(
        ({ decision, row }) => decision.blind && isRight(decision.blind, row),
      ).length;
      return those.length === 0
        ? []
        : [[arm.name, how, those.length, `${right} (${share(right, those.length)})`, blind].map(String)];
    });
  });
  return renderTable(['Rule', 'How', 'Councils', 'Right', 'The blind votes alone right'], lines);
}

const [folder, ...others] = process.argv.slice(2);
if (folder === undefined || others.length > 0) {
  console.error(
    'Name one folder with recorded councils: npm run replay -- FOLDER (docs/library.md says what is in it)',
  );
  process.exit(2);
}
const rows = readRows(folder);
const counting = RULES.filter((rule) => rule !== 'none');
const last = counting.flatMap((rule): Arm[] => {
  const arm = { name: rule, rule, votes: 'last', explained: false } as const;
  if (rule !== 'blind-first') return [arm];
  return [
    { ...arm, name: `${rule}, no move explained` },
    { ...arm, name: `${rule}, all explained`, explained: true },
  ];
});
const blind = counting.map((rule): Arm => ({ name: rule, rule, votes: 'first', explained: false }));
console.log(
  [
    `# ${rows.length} recorded councils`,
    '## The blind votes alone',
    tableByRule(rows, blind),
    '## The last votes',
    tableByRule(rows, last),
    '## By how the decision came about',
    tableByOrigin(rows, last),
  ].join('\n\n'),
);
