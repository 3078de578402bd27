import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { svgOf } from '../../bench/simulate/chart.ts';
import { OPTIONS } from '../../bench/simulate/choose.ts';
import { playCouncil } from '../../bench/simulate/council.ts';
import { EXPERIMENTS } from '../../bench/simulate/experiments.ts';
import { measure } from '../../bench/simulate/measure.ts';
import { DEFAULTS, privateAnswers } from '../../bench/simulate/model.ts';
import type { Model } from '../../bench/simulate/model.ts';
import { putBlock } from '../../bench/simulate/page.ts';
import { randomOf } from '../../bench/simulate/random.ts';
import { effectiveVotes } from '../../src/council/vote/independence.ts';

const measured = (of: Model, councils: number) => measure(of, councils, ['majority', 'none']);
const model = (over: Partial<Model>): Model => ({ ...DEFAULTS, ...over });
/** Nobody changes anything after COLLECT. */
const INERT: Partial<Model> = {
  conformity: 0,
  deference: 0,
  noise: 0,
  recovery: 0,
  misled: 0,
  forceChallenge: true,
};

describe('the random numbers', () => {
  it('are the same for the same seeds, others for others, and even', () => {
    const ten = (...seeds: number[]) => Array.from({ length: 10 }, randomOf(...seeds));
    expect(ten(1, 2)).toEqual(ten(1, 2));
    expect(new Set([ten(1, 2)[0], ten(2, 1)[0], ten(1, 3)[0], ten(1)[0]]).size).toBe(4);
    const random = randomOf(7);
    const tenths = Array.from({ length: 10 }, () => 0);
    for (let i = 0; i < 100_000; i++) tenths[Math.floor(random() * 10)]!++;
    for (const count of tenths) expect(Math.abs(count - 10_000)).toBeLessThan(400);
  });
});

describe('the private answers', () => {
  const sample = (over: Partial<Model>, n = 20_000) => {
    const answers = Array.from({ length: n }, (_, i) =>
      privateAnswers(model(over), randomOf(i)).map((a) => (a === 0 ? 1 : 0)),
    );
    const mean = (values: number[]) => values.reduce((sum, v) => sum + v, 0) / n;
    const share = mean(answers.map((a) => a[0]!));
    const correlation = (i: number, j: number) =>
      (mean(answers.map((a) => a[i]! * a[j]!)) - share ** 2) / (share * (1 - share));
    return { share, correlation };
  };

  it('are as accurate and as correlated as the model says', () => {
    const { share, correlation } = sample({ families: ['f', 'f', 'g'], within: 0.5, across: 0.2 });
    expect(share).toBeCloseTo(DEFAULTS.accuracy, 1);
    expect(Math.abs(correlation(0, 1) - 0.5)).toBeLessThan(0.03);
    expect(Math.abs(correlation(0, 2) - 0.2)).toBeLessThan(0.03);
    expect(Math.abs(sample({ within: 0, across: 0 }).correlation(0, 1))).toBeLessThan(0.03);
  });

  it('cannot be drawn where the model has no room for the correlations', () => {
    expect(() => privateAnswers(model({ within: 0.99, across: 0.5 }), randomOf(1))).toThrow(
      /cannot be reached/,
    );
  });
});

describe('a simulated council', () => {
  it('is played through the phase machine, and the same one again', () => {
    const council = playCouncil(model({ forceChallenge: true, repeat: 2 }), 5);
    expect(council).toEqual(playCouncil(model({ forceChallenge: true, repeat: 2 }), 5));
    const { state, contributions } = council.table;
    expect(state.transitions.map((t) => t.from).slice(0, 3)).toEqual(['COLLECT', 'CHALLENGE', 'RESOLVE']);
    expect([state.currentPhase, state.tour]).toEqual(['SYNTHESIZE', state.transitions.length + 1]);
    expect(contributions.length).toBe(5 * state.transitions.length);
    expect(council.final.map(({ by }) => by)).toEqual(state.order);
    for (const { from, to, explained, because } of state.ledger.moves) {
      expect([OPTIONS.includes(from!), OPTIONS.includes(to!), from !== to]).toEqual([true, true, true]);
      expect(explained).toBe(because !== null);
    }
  });

  it('skips the debate after blind unanimity, and draws an advocate where it does not', () => {
    const sure = { accuracy: 1 };
    const early = playCouncil(model(sure), 1).table.state;
    expect([early.status, early.transitions.length, early.advocate]).toEqual(['CONVERGED', 1, null]);
    const forced = playCouncil(model({ ...sure, forceChallenge: true }), 1);
    expect(forced.table.state.advocate?.tour).toBe(2);
    expect(forced.table.contributions.filter((c) => c.advocate)).toMatchObject([
      { by: forced.table.state.advocate!.participant, tour: 2 },
    ]);
    expect(
      playCouncil(model({ ...sure, forceChallenge: true, advocate: false }), 1).table.state.advocate,
    ).toBeNull();
  });

  it('closes by the deadline when somebody is silent, and carries positions', () => {
    const silent = measured(model({ ...INERT, silence: 0.4 }), 300);
    expect(silent.contributions).toBeLessThan(15 * 0.7);
    expect(measured(model({ silence: 1 }), 20)).toMatchObject({
      noQuorum: 1,
      contributions: 0,
      byRule: { majority: { right: 0, wrong: 0 } },
    });
  });
});

describe('the ballot of a simulated council', () => {
  const free = { wording: 1, forceChallenge: true };

  it('has a number for every wording, and every vote goes by one', () => {
    const { table, decision } = playCouncil(model({ ...INERT, ...free, accuracy: 1 }), 3);
    const { state, contributions } = table;
    expect(state.ballot?.map(({ id }) => id)).toEqual(['P1', 'P2', 'P3', 'P4', 'P5']);
    const advocate = state.advocate?.participant;
    const later = contributions.filter(({ tour, by }) => tour > 1 && by !== advocate);
    expect(
      later.every(({ vote, position }) => vote && state.ballot?.some((l) => l.position === position)),
    ).toBe(true);
    expect(decision).toMatchObject({ decided: false, tie: true, denominator: 5 });
  });

  it('counts what all of them join as one, and decides as with declared options', () => {
    const sure = { ...INERT, forceChallenge: true };
    const declared = measured(model(sure), 100);
    const joined = measured(model({ ...sure, wording: 1, joins: 1 }), 100);
    expect(joined.byRule.majority).toEqual(declared.byRule.majority);
    const apart = measured(model({ ...sure, wording: 1 }), 100);
    expect(apart.byRule.majority).toEqual({ right: 0, wrong: 0 });
    expect(apart.tied).toBeGreaterThan(0.9);
  });

  it('takes a new answer in, and lets approvals settle some ties', () => {
    const noisy = playCouncil(model({ ...free, noise: 0.9, options: 6 }), 1).table;
    expect(noisy.contributions.some((c) => c.new !== undefined)).toBe(true);
    const tolerant = measured(model({ tolerates: 0.5, forceChallenge: true }), 200);
    const decided = ({ right, wrong }: { right: number; wrong: number }) => right + wrong;
    expect(decided(tolerant.settled)).toBeGreaterThan(decided(tolerant.byRule.majority));
  });
});

describe('the command', () => {
  it('plays all experiments, and writes nothing with --dry', async () => {
    const args = ['run', '--silent', 'simulate', '--', '--councils', '2', '--dry'];
    const { stdout } = await promisify(execFile)('npm', args, {
      cwd: join(import.meta.dirname, '..', '..'),
      shell: process.platform === 'win32',
    });
    for (const { name } of EXPERIMENTS) expect(`\n${stdout}`).toContain(`\n${name}\n|`);
    expect(stdout).toMatch(/: 2 councils in each cell, \d+ in all/);
    expect(stdout).not.toMatch(/NaN|undefined/);
  });
});

describe('the measures', () => {
  it('find the blind vote again when nobody moves', () => {
    const m = measured(model(INERT), 400);
    expect(m.byRule.majority).toEqual(m.blindMajority);
    expect([m.corrected, m.corrupted, m.explained, m.unexplained]).toEqual([0, 0, 0, 0]);
    expect(m.byRule.none).toEqual({ right: 0, wrong: 0 });
  });

  it('see arguments for the right answer help, and arguments against it harm', () => {
    const helped = measured(model({ ...INERT, recovery: 0.8 }), 400);
    const harmed = measured(model({ ...INERT, misled: 0.8 }), 400);
    expect(helped.byRule.majority.right).toBeGreaterThan(helped.blindMajority.right);
    expect(harmed.byRule.majority.right).toBeLessThan(harmed.blindMajority.right);
    expect([helped.corrupted, harmed.corrected]).toEqual([0, 0]);
  });

  it('count the votes that the formula gives', () => {
    const families = ['f', 'f', 'g', 'g', 'h'];
    const formula = effectiveVotes(families.map((family) => ({ family }))).votes;
    expect(
      Math.abs(measured(model({ ...INERT, families, forceChallenge: false }), 3000).effective - formula),
    ).toBeLessThan(0.15);
  });

  it('see fewer moves without a reason where one is asked for, and none where it is required', () => {
    const unexplained = (reasons: Model['reasons']) =>
      measured(model({ conformity: 0.8, reasons }), 200).unexplained;
    const [off, asked, required] = [unexplained('off'), unexplained('asked'), unexplained('required')];
    expect(asked).toBeLessThan(off);
    expect(asked).toBeGreaterThan(0);
    expect(required).toBe(0);
  });

  it('see names followed only where they show', () => {
    const corrupted = (anonymous: boolean) =>
      measured(model({ deference: 0.8, anonymous, conformity: 0 }), 300).corrupted;
    expect(corrupted(false)).toBeGreaterThan(corrupted(true) * 1.3);
  });
});

describe('the page', () => {
  it('takes a table into its place and leaves the rest alone', () => {
    const page = 'a\n<!-- simulate:x -->\nold\n<!-- /simulate:x -->\nb\n';
    const once = putBlock(page, 'x', 'new');
    expect(once).toBe('a\n<!-- simulate:x -->\nnew\n<!-- /simulate:x -->\nb\n');
    expect(putBlock(once, 'x', 'new')).toBe(once);
    expect(() => putBlock(page, 'y', 'new')).toThrow(/no place for "y"/);
  });

  it('gets charts that are well-formed and stay inside their frame', () => {
    const svg = svgOf({
      title: 'a < b & c',
      x: { label: 'x', ticks: [1, 2, 3] },
      y: { label: 'y', min: 0, max: 1, step: 0.5 },
      lines: [
        { name: 'one', values: [0, 0.5, 1] },
        { name: 'two', values: [1, 1, 0], dashed: true },
      ],
    });
    expect(svg).toContain('a &lt; b &amp; c');
    expect(svg).toContain('points="70,340 290,195 510,50"');
    expect(svg.match(/<polyline/g)?.length).toBe(2);
    expect(svg).not.toContain('NaN');
  });
});
