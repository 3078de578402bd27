// Reads questions with known answers from JSON lines and Markdown briefs.
import fs from 'node:fs';
import { basename, join, parse as parsePath, resolve } from 'node:path';
import { findTopic } from '../core/app/topic.ts';
import { CouncilError } from '../core/base/errors.ts';
import { readFrontMatter } from '../core/base/front-matter.ts';
import { decodeText, toOneLine, tryParseJson } from '../core/base/text.ts';
import { readBytes } from '../core/store/local/read.ts';
import { normalisePosition, findSameOption } from '../core/council/state/ballot.ts';

export interface Question {
  id: string;
  topic: string;
  brief: string;
  options: string[];
  answer: string;
}

const HELP =
  'A line: {"id": "q1", "question": "Is 91 a prime number?", "options": ["yes", "no"], "answer": "no"}. Or a Markdown brief whose front matter has options: [yes, no] and answer: no. See: council eval --help';

/**
 * Reads the questions of a file or folder, in the order of lines and file names. Throws `usage` with the place
 * and what is expected there.
 */
export function readQuestions(cwd: string, given: string): Question[] {
  const path = resolve(cwd, given);
  const stat = fs.statSync(path, { throwIfNoEntry: false });
  if (!stat)
    throw createQuestionsError(
      `There is no file or folder ${given}`,
      'a file .jsonl or .md, or a folder of these',
    );
  const files = stat.isDirectory()
    ? fs
        .readdirSync(path)
        .filter((name) => /\.(md|jsonl)$/.test(name))
        .sort()
        .map((name) => join(path, name))
    : [path];
  const questions = files.flatMap(readQuestionFile);
  if (questions.length === 0) throw createQuestionsError(`${given} has no question`, 'at least one');
  const ids = new Map<string, number>();
  for (const [at, { id }] of questions.entries()) {
    if (ids.has(id))
      throw createQuestionsError(`${given} has two questions with the id ${JSON.stringify(id)}`, 'one each');
    ids.set(id, at);
  }
  return questions;
}

function readQuestionFile(path: string): Question[] {
  const text = decodeText(readBytes(path) ?? Buffer.alloc(0), path);
  if (path.endsWith('.md')) return [readBrief(text, path)];
  return text
    .split('\n')
    .flatMap((line, at) => (line.trim() === '' ? [] : [readLine(line, `${basename(path)}, line ${at + 1}`)]));
}

function readLine(line: string, place: string): Question {
  const row = tryParseJson(line);
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    throw createQuestionsError(`${place}, is no JSON object`, 'one question a line');
  const { id, question, ...judged } = row as Record<string, unknown>;
  if (typeof id !== 'string' && typeof id !== 'number')
    throw createQuestionsError(`${place}: "id" is ${quoteValue(id)}`, 'a word or a number');
  if (typeof question !== 'string' || question.trim() === '')
    throw createQuestionsError(`${place}: "question" is ${quoteValue(question)}`, 'a text');
  return { id: String(id), topic: toOneLine(question), brief: question, ...readAnswer(judged, place) };
}

/** Removes the front matter from the brief, as it contains the right answer. */
function readBrief(text: string, path: string): Question {
  const { data, body } = readFrontMatter(text, path);
  const { name: id } = parsePath(path);
  const brief = body.trim();
  const topic = findTopic(brief, path);
  if (topic === undefined)
    throw createQuestionsError(`${basename(path)} asks nothing`, 'a heading or a sentence');
  return { id, topic: toOneLine(topic), brief, ...readAnswer(data, basename(path)) };
}

function readAnswer(
  { options, answer }: Record<string, unknown>,
  place: string,
): Pick<Question, 'options' | 'answer'> {
  const words = Array.isArray(options) ? options.map(readWord) : [];
  const texts = words.filter((word) => word !== undefined);
  const isDistinct = new Set(texts.map(normalisePosition)).size === words.length;
  if (words.length < 2 || texts.length < words.length || !isDistinct)
    throw createQuestionsError(
      `${place}: "options" is ${quoteValue(options)}`,
      'a list of two or more different words',
    );
  const right = findSameOption(readWord(answer) ?? '', texts);
  if (right === undefined)
    throw createQuestionsError(`${place}: "answer" is ${quoteValue(answer)}`, `one of ${texts.join(', ')}`);
  return { options: texts, answer: right };
}

/** YAML parses an unquoted yes as a string, but true and 12 as a boolean and a number. */
const readWord = (value: unknown): string | undefined =>
  ['string', 'number', 'boolean'].includes(typeof value) && String(value).trim() !== ''
    ? toOneLine(String(value))
    : undefined;

const quoteValue = (value: unknown): string =>
  value === undefined ? 'missing' : toOneLine(JSON.stringify(value));

const createQuestionsError = (problem: string, expected: string): CouncilError =>
  new CouncilError('usage', `${problem}; expected: ${expected}.`, { hint: HELP });
