import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CouncilError } from '../../src/core/base/errors.ts';
import { readQuestions } from '../../src/eval/questions.ts';

const folder = fs.mkdtempSync(join(tmpdir(), 'council-questions-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const write = (name: string, text: string): string => {
  fs.mkdirSync(join(folder, name, '..'), { recursive: true });
  fs.writeFileSync(join(folder, name), text);
  return name;
};
const line = (row: unknown): string => `${JSON.stringify(row)}\n`;
const GOOD = { id: 'q1', question: 'Is 91 prime?', options: ['yes', 'no'], answer: 'no' };

describe('questions with known answers', () => {
  it('come from lines and from briefs, whose front matter nobody is shown', () => {
    write('mixed/b.md', '---\noptions: [12, true]\nanswer: 12\n---\n# How many?\n\nSome context.\n');
    write('mixed/a.jsonl', `${line(GOOD)}\n${line({ ...GOOD, id: 2, answer: 'YES.' })}`);
    write('mixed/notes.txt', 'no question');
    const [first, second, brief] = readQuestions(folder, 'mixed');
    expect(first).toEqual({
      ...{ id: 'q1', topic: 'Is 91 prime?', brief: 'Is 91 prime?' },
      ...{ options: ['yes', 'no'], answer: 'no' },
    });
    expect(second).toMatchObject({ id: '2', answer: 'yes' });
    expect(brief).toEqual({
      ...{ id: 'b', topic: 'How many?', brief: '# How many?\n\nSome context.' },
      ...{ options: ['12', 'true'], answer: '12' },
    });
  });

  it.each([
    ['no JSON', 'nothing\n', /line 1, is no JSON object; expected: one question a line/],
    ['no id', line({ ...GOOD, id: undefined }), /line 1: "id" is missing; expected: a word or a number/],
    ['no question', line(GOOD) + line({ ...GOOD, id: 'q2', question: ' ' }), /line 2: "question" is " "/],
    [
      'one option',
      line({ ...GOOD, options: ['no'] }),
      /"options" is \["no"\]; expected: a list of two or more/,
    ],
    ['options alike', line({ ...GOOD, options: ['No', 'no.'] }), /two or more different words/],
    ['another answer', line({ ...GOOD, answer: 'maybe' }), /"answer" is "maybe"; expected: one of yes, no/],
    ['an id twice', line(GOOD) + line(GOOD), /two questions with the id "q1"; expected: one each/],
    ['nothing', '', /has no question/],
  ])('are refused with the place and what was expected: %s', (name, text, message) => {
    const file = write(`${name}.jsonl`, text);
    expect(() => readQuestions(folder, file)).toThrow(message);
  });

  it('say what helps', () => {
    try {
      readQuestions(folder, 'nowhere.jsonl');
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(CouncilError);
      expect((error as CouncilError).message).toMatch(/no file or folder nowhere\.jsonl/);
      expect((error as CouncilError).hint).toMatch(/council eval --help/);
    }
  });
});
