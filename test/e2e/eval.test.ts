import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { IS_SHORT } from '../helpers/long.ts';
import { addAgent, addSpeaker, launches, setScript } from '../helpers/speakers.ts';

const long = it.skipIf(IS_SHORT);

const QUESTIONS = [
  { id: 'q1', question: 'Is 91 prime?', options: ['yes', 'no'], answer: 'no' },
  { id: 'q2', question: 'Is 97 prime?', options: ['yes', 'no'], answer: 'yes' },
];
const EASY = join(import.meta.dirname, '../fixtures/eval/easy');
const FILES = ['report.md', 'share.svg', 'difference.svg'];

const readReport = (folder: string): string[] =>
  FILES.map((name) => fs.readFileSync(join(folder, name), 'utf8'));

async function withQuestions(): Promise<Project> {
  const project = await newProject();
  project.write('questions.jsonl', QUESTIONS.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return project;
}

describe('council eval', () => {
  long('goes on after Ctrl-C, asks nobody twice, and reports the same from its record', async () => {
    const project = await withQuestions();
    const gate = join(project.outside, 'gate');
    const yes = { say: 'position: yes\n\nIt has no divisor.\n' };
    addSpeaker(project, 'ada', { any: yes });
    addSpeaker(project, 'ben', {
      any: { say: 'position: no\n\nIt has one.\n' },
      RESOLVE: { whenThere: gate, ...yes },
    });
    const running = project.launch(['eval', 'questions.jsonl', '--concurrency', '1']);
    const isAtGate = () => launches(project).some(({ id, phase }) => id === 'ben' && phase === 'RESOLVE');
    await until('ben is in RESOLVE', async () => isAtGate());
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    // Two questions, two seats, seven turns each.
    expect(stderr).toContain('at most 28 launches, ');
    expect({ code, stderr }).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('Go on with: council eval --record questions.eval') as string,
    });
    const before = launches(project).length;

    fs.writeFileSync(gate, '');
    const ended = await project.council(['eval', '--record', 'questions.eval', '--concurrency', '2']);
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toContain('| ada alone | 1 | 1 | 0 |');
    // 14 answers a question; only the one at the gate was asked for again.
    expect(launches(project)).toHaveLength(28 + 1);
    expect(before).toBeLessThan(28);
    const report = readReport(join(project.root, 'questions.eval'));
    expect(ended.stdout).toBe(report[0]);

    setScript(project, 'ada', { any: { exit: 1 } });
    const replayed = await project.council(['eval', '--replay', 'questions.eval']);
    expect(replayed).toMatchObject({ code: 0, stdout: ended.stdout });
    expect(readReport(join(project.root, 'questions.eval'))).toEqual(report);
    expect(launches(project)).toHaveLength(28 + 1);
  });

  it('says what is wrong with questions, records and seats, and launches nobody', async () => {
    const project = await withQuestions();
    addSpeaker(project, 'ada');
    addAgent(project, 'ana');
    project.write('bad.jsonl', '{"id":"q1","question":"Why?","options":["a"],"answer":"a"}\n');
    for (const [args, message] of [
      [['eval'], 'An eval needs questions'],
      [['eval', 'bad.jsonl'], 'bad.jsonl, line 1: "options" is ["a"]; expected: a list of two or more'],
      [['eval', '--replay', 'nowhere'], 'has no record of an eval'],
      [['eval', 'questions.jsonl', '--agents', 'ada,ana'], 'ana would have to be waited for'],
    ] as const) {
      const { code, stderr } = await project.council([...args]);
      expect(stderr).toContain(message);
      expect(code).toBe(2);
    }
    expect(launches(project)).toEqual([]);
  });

  long('reports on what two small models have answered as it did then', async () => {
    const project = await newProject();
    fs.cpSync(EASY, join(project.root, 'easy'), { recursive: true });
    const { code, json } = await project.council<{ questions: number; seats: string[] }>([
      ...['eval', '--replay', 'easy', '--json'],
    ]);
    expect({ code, json }).toMatchObject({ code: 0, json: { questions: 40, seats: ['smol', 'gemma'] } });
    expect(readReport(join(project.root, 'easy'))).toEqual(readReport(EASY));
  });
});
