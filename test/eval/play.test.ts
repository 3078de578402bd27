import { describe, expect, it } from 'vitest';
import { playQuestion } from '../../src/eval/run-eval.ts';
import type { EvalTable } from '../../src/eval/play-sitting.ts';
import type { SittingResult } from '../../src/eval/arms.ts';
import { createReport } from '../../src/eval/report.ts';
import { renderReport } from '../../src/eval/render-report.ts';
import { createNotLaunchedResult } from '../../src/core/heartbeat/launch/result.ts';
import { createEvalTable, createQuestions, plantAnswers } from '../helpers/eval-table.ts';
import { findVerdicts } from '../helpers/planted-evals.ts';

const seats = ['ada', 'ben', 'cleo'];
const [question] = createQuestions(1) as [ReturnType<typeof createQuestions>[number]];
const turn = { name: 'q1-r1', repeat: 1 };
const play = (table: EvalTable): Promise<SittingResult | undefined> => playQuestion(table, question, turn);

/** Ben is wrong at first, and everybody is right once they have read each other. */
const convinced = ({ seat, tour }: { seat: string; tour: number }): string =>
  tour > 1 || seat === 'ada' ? 'yes' : 'no';

describe('a question of an eval', () => {
  it('has the same blind answers in all arms, and asks equally often in revise, more and debate', async () => {
    const table = createEvalTable(convinced);
    const result = await play(table);
    expect(result).toMatchObject({
      solo: ['yes', 'no', 'no'],
      arms: { vote: 'no', voteMajority: 'no', revise: 'yes', more: 'no', debate: 'yes', blindFirst: 'no' },
      spent: { blind: { turns: 3 }, debate: { turns: 6 }, revise: { turns: 6 }, more: { turns: 6 } },
    });
    expect(table.record.lines).toHaveLength(21);
  });

  it('asks nobody further where all agree blind', async () => {
    const result = await play(createEvalTable(() => 'yes'));
    expect(result).toMatchObject({ arms: { revise: 'yes', more: 'yes', debate: 'yes' } });
    expect(result!.spent).toMatchObject({ debate: { turns: 0 }, revise: { turns: 0 }, more: { turns: 0 } });
  });

  it('shows nobody in revise what others said', async () => {
    const prompts: string[] = [];
    const table = createEvalTable(({ seat }) => (seat === 'ada' ? 'yes' : 'no'));
    const launch: EvalTable['launch'] = (agent) => ({
      speak: (request) => (prompts.push(request.input), table.launch!(agent).speak(request)),
    });
    const heard: EvalTable['launch'] = (agent) => ({
      speak: (request) =>
        request.turn?.work.kind === 'council' && request.turn.work.council.includes('revise-1')
          ? launch(agent).speak(request)
          : table.launch!(agent).speak(request),
    });
    await play({ ...table, launch: heard });
    expect(prompts).toHaveLength(2);
    for (const prompt of prompts) {
      expect(prompt).toContain('Nobody else is heard.');
      expect(prompt).toContain('position: yes');
      expect(prompt).not.toContain('position: no\n');
    }
  });

  it('is undecided where nobody can be read, and wrong is something else', async () => {
    const result = await play(createEvalTable(() => undefined));
    expect(result!.arms).toMatchObject({ vote: null, more: null, debate: null });
    const [, , , vote] = createReport([result!], { seats, asked: 1 }).arms;
    expect(vote).toMatchObject({ arm: 'vote', right: 0, wrong: 0, undecided: 1 });
  });

  it('is played from its record without a launch, and reports the same bytes', async () => {
    const table = createEvalTable(plantAnswers({ vote: 0.5, revise: 0.5, more: 0.5, debate: 0.5 }, 3));
    const first = await play(table);
    const again = await play({ ...table, launch: undefined });
    expect(again).toEqual(first);
    const render = (result: SittingResult) => renderReport(createReport([result], { seats, asked: 1 }), 'en');
    expect(render(again!)).toEqual(render(first!));
  });

  it('goes on after an interruption, and asks nobody twice', async () => {
    const leaving = new AbortController();
    const asked: string[] = [];
    const table = createEvalTable((said) => {
      asked.push(`${said.sitting} ${said.seat} ${said.tour}`);
      if (asked.length === 8) leaving.abort();
      return convinced(said);
    });
    await expect(play({ ...table, signal: leaving.signal })).rejects.toThrow('Interrupted');
    const atWork = asked.length - table.record.lines.length;
    expect(atWork).toBeGreaterThan(0);
    await play(table);
    // Only those are asked anew that were at work when it ended.
    expect(asked).toHaveLength(21 + atWork);
    expect(new Set(table.record.lines.map((line) => JSON.stringify(line))).size).toBe(21);
  });

  it('ends where a program cannot be asked, and asks it again when it goes on', async () => {
    const table = createEvalTable(convinced);
    const broken: EvalTable['launch'] = (agent) =>
      agent.id === 'ben'
        ? { speak: async () => createNotLaunchedResult('config', 'it is not logged in') }
        : table.launch!(agent);
    await expect(play({ ...table, launch: broken })).rejects.toThrow(/ben: it is not logged in/);
    expect((await play(table))!.solo).toEqual(['yes', 'no', 'no']);
  });

  it('keeps a failure that says something of the question', async () => {
    const table = createEvalTable(convinced);
    const silent: EvalTable['launch'] = (agent) =>
      agent.id === 'ben'
        ? { speak: async () => createNotLaunchedResult('refusal', 'it declined') }
        : table.launch!(agent);
    const first = await play({ ...table, launch: silent });
    expect(first!.solo).toEqual(['yes', null, 'no']);
    // Who failed blind has nothing to revise: the report does not claim that all were asked equally often.
    expect(first!.spent.revise.turns).toBeLessThan(first!.spent.debate.turns);
    const report = createReport([first!], { seats: ['ada', 'ben', 'cleo'], asked: 1 });
    expect(renderReport(report, 'en')['report.md']).toContain('revise asks nobody who gave no blind answer');
    expect(await play({ ...table, launch: undefined })).toEqual(first);
  });

  it('gives what was added when a seat was asked once more', async () => {
    const asked: string[] = [];
    const table = createEvalTable(
      (said) => (
        asked.push(said.seat),
        asked.filter((seat) => seat === said.seat).length > 1 ? 'yes' : undefined
      ),
      { repair: 1 },
    );
    const first = await play(table);
    expect(first).toMatchObject({ solo: ['yes', 'yes', 'yes'], spent: { blind: { turns: 3, launches: 6 } } });
    expect(await play({ ...table, launch: undefined })).toEqual(first);
  });

  it('is not played where its record has a gap and nobody may be launched', async () => {
    const table = createEvalTable(convinced);
    await play(table);
    const lines = table.record.lines.slice(0, -1);
    expect(await play({ ...table, record: { ...table.record, lines }, launch: undefined })).toBeUndefined();
  });

  it('keeps to a budget over all councils', async () => {
    const priced = { usage: { model: null, inputTokens: 50_000, outputTokens: 50_000, costUsd: 0.25 } };
    const table = createEvalTable(convinced, { budgetUsd: 3 });
    const launch: EvalTable['launch'] = (agent) => ({
      speak: async (request) => ({ ...(await table.launch!(agent).speak(request)), ...priced }),
    });
    await expect(play({ ...table, launch })).rejects.toThrow(/budget of \$3\.00/);
    const spent = table.record.lines.length * 0.25;
    expect(spent).toBeGreaterThan(1);
    expect(spent).toBeLessThanOrEqual(3);
  });
});

describe('the report', () => {
  it('finds what was planted', async () => {
    const verdicts = await findVerdicts({ vote: 0.5, revise: 0.5, more: 0.1, debate: 0.95 }, [1], 14);
    expect(verdicts[0]).toMatchObject({ 'debate/more': 'first' });
  });

  it('says how many questions it would take, and where too few differ', async () => {
    const table = createEvalTable(() => 'yes');
    const results = [await play(table)].flatMap((one) => one ?? []);
    const { comparisons } = createReport(results, { seats, asked: 3 });
    expect(comparisons[0]).toMatchObject({ verdict: 'tooFew', needed: 77, p: 1 });
    const text = renderReport(createReport(results, { seats, asked: 3 }), 'en')['report.md'];
    expect(text).toContain('fewer than 6 questions on which they differ');
    expect(text).toContain('about 77 questions');
    expect(text).toContain('2 of 3 results are not recorded');
    expect(renderReport(createReport(results, { seats, asked: 3 }), 'fr')['report.md']).toContain(
      'à l’aveugle',
    );
  });
});
