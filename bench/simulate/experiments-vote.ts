import { effectiveVotes } from '../../src/council/vote/independence.ts';
import { measure } from './measure.ts';
import { DEFAULTS } from './model.ts';
import type { Model } from './model.ts';
import { around, model, outcome, percent, tableOf, two } from './tables.ts';
import type { Experiment } from './tables.ts';
import { RULES } from '../../src/council/state/choices.ts';

/** All that can decide. */
const SHOWN = RULES.filter((rule) => rule !== 'none');

/** How the rules compare on the same councils. */
export const rules: Experiment = {
  name: 'rules',
  run: (councils) => {
    const m = measure(model({ forceChallenge: true }), councils, SHOWN);
    const rows = [
      outcome('one participant alone', m.single),
      outcome('blind, plurality', m.blindPlurality),
      outcome('blind, majority', m.blindMajority),
      ...SHOWN.map((rule) => outcome(`debate, ${rule}`, m.byRule[rule])),
    ];
    return { table: tableOf(['', 'right %', 'wrong %', 'undecided %', 'right, of the decided %'], rows) };
  },
};

type Cell = [positions: string, said: string, over: Partial<Model>];

/** Free labels: the same answer in several wordings, joined, approved, or neither. */
export const labels: Experiment = {
  name: 'labels',
  run: (councils) => {
    const half: Partial<Model> = { tolerates: 0.5 };
    const worlds: [string, Partial<Model>][] = [
      ['nothing', {}],
      ['half of them approve', { approves: 0.5 }],
      ['all of them approve', { approves: 1 }],
      ['half of them join', { joins: 0.5 }],
      ['all of them join', { joins: 1 }],
      ['all join, half can live with another answer', { joins: 1, ...half }],
    ];
    const free = (positions: string, wording: number): Cell[] =>
      worlds.map(([said, over]) => [positions, said, { ...over, wording }]);
    const cells: Cell[] = [
      ['declared', 'nothing', {}],
      ['declared', 'half can live with another answer', half],
      ...free('half in own words', 0.5),
      ...free('all in own words', 1),
    ];
    const rows = cells.map(([positions, said, over]) => {
      const m = measure(model({ ...over, forceChallenge: true }), councils, [
        'plurality',
        'majority',
        'approval',
      ]);
      const shares = [m.byRule.plurality, m.byRule.majority, m.settled, m.byRule.approval];
      return [
        positions,
        said,
        ...shares.flatMap(({ right, wrong }) => [percent(right), percent(wrong)]),
        percent(m.tied),
      ];
    });
    const ways = ['plurality', 'majority', 'majority, tie: approvals', 'approval'];
    return {
      table: tableOf(
        [
          'positions',
          'said of other lines',
          ...ways.flatMap((way) => [`${way}: right %`, 'wrong %']),
          'tie %',
        ],
        rows,
      ),
    };
  },
};

/** What more participants are worth when their errors go together. */
export const independence: Experiment = {
  name: 'independence',
  run: (councils) => {
    const sizes = [1, 3, 5, 7, 9];
    const mixes: [string, Partial<Model>, (i: number) => string][] = [
      ['independent', { within: 0, across: 0 }, (i) => `family ${i}`],
      ['a family each', {}, (i) => `family ${i}`],
      ['one family', {}, () => 'one'],
    ];
    const cells = mixes.map(([name, over, familyAt]) =>
      sizes.map((size) => {
        const families = Array.from({ length: size }, (_, i) => familyAt(i));
        const m = measure(model({ ...over, families }), councils, []);
        const correlation = { ...DEFAULTS, ...over };
        const formula = effectiveVotes(
          families.map((family) => ({ family })),
          correlation,
        ).votes;
        return { name, size, formula, measured: m.effective, right: m.blindPlurality.right };
      }),
    );
    const lines = mixes.map(([name], i) => ({ name, values: cells[i]!.map(({ right }) => right) }));
    return {
      table: tableOf(
        [
          'participants',
          ...mixes.flatMap(([name]) => [
            `${name}: votes by the formula`,
            'measured',
            'blind plurality right %',
          ]),
        ],
        sizes.map((size, i) => [
          String(size),
          ...cells.flatMap((row) => [two(row[i]!.formula), two(row[i]!.measured), percent(row[i]!.right)]),
        ]),
      ),
      chart: {
        title: 'More participants help as far as they err apart',
        x: { label: 'participants', ticks: sizes },
        y: { label: 'blind plurality right', ...around(lines, 0.05) },
        lines,
      },
    };
  },
};

/** Participants who fail to answer. */
export const absence: Experiment = {
  name: 'absence',
  run: (councils) => {
    const levels = [0, 0.1, 0.2, 0.4, 0.6];
    const cells = levels.map((silence) => measure(model({ silence }), councils, SHOWN));
    return {
      table: tableOf(
        ['silent in a phase', 'no quorum %', ...SHOWN.flatMap((rule) => [`${rule}: decided %`, 'wrong %'])],
        cells.map((m, i) => [
          `${percent(levels[i]!)} %`,
          percent(m.noQuorum),
          ...SHOWN.flatMap((rule) => [
            percent(m.byRule[rule].right + m.byRule[rule].wrong),
            percent(m.byRule[rule].wrong),
          ]),
        ]),
      ),
    };
  },
};
