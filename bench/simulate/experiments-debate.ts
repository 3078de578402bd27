import type { Measured, Share } from './measure.ts';
import { COMMON, measure } from './measure.ts';
import type { Model } from './model.ts';
import { around, model, percent, ratio, tableOf, two } from './tables.ts';
import type { Experiment } from './tables.ts';

/** Conformity against the rule on moves without a reason. */
export const conformity: Experiment = {
  name: 'conformity',
  run: (councils) => {
    const levels = [0, 0.2, 0.4, 0.6, 0.8];
    const modes = ['off', 'asked', 'required'] as const;
    const names = { off: 'no reason asked', asked: 'a reason is asked for', required: 'no reason, no move' };
    const cells = modes.map((reasons) =>
      levels.map((level) => measure(model({ conformity: level, reasons }), councils, COMMON)),
    );
    const ofDecided = ({ right, wrong }: Share) => right / (right + wrong);
    const lines = [
      ...modes.map((reasons, i) => ({
        name: names[reasons],
        values: cells[i]!.map((m) => ofDecided(m.byRule.unanimity)),
      })),
      {
        name: 'majority, no reason asked',
        values: cells[0]!.map((m) => ofDecided(m.byRule.majority)),
        dashed: true,
      },
    ];
    const rows = levels.flatMap((level, at) =>
      modes.map((reasons, i) => {
        const m = cells[i]![at]!;
        const { right, wrong } = m.byRule.majority;
        const cells_ = [percent(right), percent(wrong), percent(right - m.blindMajority.right)];
        return [
          `${percent(level)} %`,
          names[reasons],
          ...cells_,
          ...flips(m),
          percent(m.byRule.unanimity.right + m.byRule.unanimity.wrong),
          ratio(m.byRule.unanimity.right, m.byRule.unanimity.right + m.byRule.unanimity.wrong),
        ];
      }),
    );
    return {
      table: tableOf(
        [
          'conformity',
          'rule',
          'right %',
          'wrong %',
          'against blind',
          'corrected',
          'corrupted',
          'explained moves',
          'unexplained',
          'unanimous at the end %',
          'right, of the unanimous %',
        ],
        rows,
      ),
      chart: {
        title: 'How often unanimity at the end is right, by conformity',
        x: { label: 'chance to go along when all others differ', ticks: levels },
        y: { label: 'right, of the decided', ...around(lines, 0.05) },
        lines,
      },
    };
  },
};

/** Names shown or hidden, when the first participant is followed. */
export const anonymity: Experiment = {
  name: 'anonymity',
  run: (councils) => {
    const levels = [0, 0.2, 0.4, 0.6, 0.8];
    const cells = [false, true].map((anonymous) =>
      levels.map((deference) => measure(model({ deference, anonymous, reasons: 'off' }), councils, COMMON)),
    );
    const [named, hidden] = [cells[0]!, cells[1]!];
    const lines = [
      { name: 'names hidden', values: hidden.map((m) => m.byRule.majority.right) },
      { name: 'names shown', values: named.map((m) => m.byRule.majority.right) },
      { name: 'one participant alone', values: named.map((m) => m.single.right), dashed: true },
    ];
    return {
      table: tableOf(
        [
          'deference',
          'names hidden: right %',
          'corrupted',
          'names shown: right %',
          'corrupted',
          'blind majority right %',
          'first participant alone %',
        ],
        levels.map((level, i) => [
          `${percent(level)} %`,
          percent(hidden[i]!.byRule.majority.right),
          two(hidden[i]!.corrupted),
          percent(named[i]!.byRule.majority.right),
          two(named[i]!.corrupted),
          percent(named[i]!.blindMajority.right),
          percent(named[i]!.single.right),
        ]),
      ),
      chart: {
        title: 'Following a name, with names shown and hidden',
        x: { label: 'chance to follow the first participant', ticks: levels },
        y: { label: 'right decisions', ...around(lines, 0.01) },
        lines,
      },
    };
  },
};

/** One to four rounds of CHALLENGE and RESOLVE. */
export const repeats: Experiment = {
  name: 'repeats',
  run: (councils) => {
    const rounds = [1, 2, 3, 4];
    const worlds: [string, Partial<Model>][] = [
      ['favour the right answer', { recovery: 0.3, misled: 0.1 }],
      ['favour nothing', {}],
      ['mislead', { recovery: 0.1, misled: 0.3 }],
      ['favour nothing, conformity 0.7', { conformity: 0.7 }],
    ];
    const cells = worlds.map(([, over]) =>
      rounds.map((repeat) => measure(model({ ...over, repeat }), councils, COMMON)),
    );
    const lines = [
      ...worlds.map(([name], i) => ({ name, values: cells[i]!.map((m) => m.byRule.majority.right) })),
      { name: 'blind majority', values: cells[0]!.map((m) => m.blindMajority.right), dashed: true },
    ];
    return {
      table: tableOf(
        [
          'arguments',
          ...rounds.map((n) => `${n} ${n === 1 ? 'round' : 'rounds'}: right %`),
          'contributions at 1',
          'at 4',
          'wrong unanimity at 1 %',
          'at 4 %',
        ],
        worlds.map(([name], i) => {
          const row = cells[i]!;
          const [first, last] = [row[0]!, row.at(-1)!];
          return [
            name,
            ...row.map((m) => percent(m.byRule.majority.right)),
            first.contributions.toFixed(1),
            last.contributions.toFixed(1),
            percent(first.byRule.unanimity.wrong),
            percent(last.byRule.unanimity.wrong),
          ];
        }),
      ),
      chart: {
        title: 'More rounds, with the majority rule',
        x: { label: 'rounds of CHALLENGE and RESOLVE at most', ticks: rounds },
        y: { label: 'right decisions', ...around(lines, 0.02) },
        lines,
      },
    };
  },
};

/** After blind unanimity: stop, debate, or debate with an advocate. */
export const advocate: Experiment = {
  name: 'advocate',
  run: (councils) => {
    const ways: [string, Partial<Model>][] = [
      ['stop at once', { forceChallenge: false }],
      ['debate without an advocate', { forceChallenge: true, advocate: false }],
      ['debate with an advocate', { forceChallenge: true, advocate: true }],
    ];
    const worlds: [string, Partial<Model>][] = [
      ['favour the right answer', { recovery: 0.3, misled: 0.1 }],
      ['favour nothing', {}],
      ['mislead', { recovery: 0.1, misled: 0.3 }],
    ];
    const rows = worlds.flatMap(([world, effect]) =>
      ways.map(([way, over]) => {
        const m = measure(model({ ...effect, ...over }), councils, COMMON);
        const right = m.unanimous - m.unanimousWrong;
        return [
          world,
          way,
          percent(m.unanimous / m.councils),
          ratio(m.unanimousWrong, m.unanimous),
          ratio(m.rescued, m.unanimousWrong),
          ratio(m.spoilt, right),
          percent(m.byRule.majority.right),
          m.contributions.toFixed(1),
        ];
      }),
    );
    return {
      table: tableOf(
        [
          'arguments',
          'after blind unanimity',
          'unanimous %',
          'of these wrong %',
          'wrong ones mended %',
          'right ones lost %',
          'right over all %',
          'contributions',
        ],
        rows,
      ),
    };
  },
};

/** Where debate pays: it depends on what arguments do, which the model assumes. */
export const persuasion: Experiment = {
  name: 'persuasion',
  run: (councils) => {
    const chances = [0.05, 0.15, 0.3, 0.5];
    const rows = chances.map((recovery) => [
      `${percent(recovery)} %`,
      ...chances.map((misled) => {
        const m = measure(model({ recovery, misled }), councils, COMMON);
        const gain = percent(m.byRule.majority.right - m.blindMajority.right);
        return gain.startsWith('-') ? gain : `+${gain}`;
      }),
    ]);
    return { table: tableOf(['recovery', ...chances.map((chance) => `misled ${percent(chance)} %`)], rows) };
  },
};

const flips = ({ corrected, corrupted, explained, unexplained }: Measured<never>): string[] =>
  [corrected, corrupted, explained, unexplained].map(two);
