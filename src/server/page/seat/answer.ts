// Converts a person's form at a seat to a contribution, which is the same text as if written elsewhere, and back.
import { toOneLine } from '../../../core/base/text.ts';
import type { View } from '../../../core/council/view/view.ts';

export interface SeatAnswer {
  text: string;
  /** One-line fields by name: `position`, `vote`, `rank`, `new`, `because`, `decision`, `same`, `confidence`. */
  lines: Readonly<Record<string, string>>;
  approve: readonly string[];
  /** One problem per line. */
  blocking: string;
  agreed: boolean;
  done: boolean;
}

export const EMPTY_ANSWER: SeatAnswer = {
  text: '',
  lines: {},
  approve: [],
  blocking: '',
  agreed: false,
  done: false,
};

/** A new form starts with the current vote, which would be dropped otherwise. */
export const createStartingAnswer = ({ vote }: Pick<View, 'vote'>): SeatAnswer =>
  vote === null ? EMPTY_ANSWER : { ...EMPTY_ANSWER, lines: { vote } };

const LINES = ['position', 'vote', 'rank', 'new', 'because', 'decision', 'same', 'confidence'];

export function readAnswerForm(form: URLSearchParams): SeatAnswer {
  return {
    text: form.get('text') ?? '',
    lines: Object.fromEntries(LINES.map((name) => [name, toOneLine(form.get(name) ?? '', Infinity)])),
    approve: form.getAll('approve').map((number) => toOneLine(number)),
    blocking: form.get('blocking') ?? '',
    agreed: form.has('agreed'),
    done: form.has('done'),
  };
}

/**
 * Returns the contribution: filled-in fields as front matter, then the text as typed. `vote` is ignored if
 * something new is proposed.
 */
export function composeContribution({ text, lines, approve, blocking, agreed, done }: SeatAnswer): string {
  const stated = LINES.filter((name) => lines[name] && !(name === 'vote' && lines.new));
  const problems = blocking
    .split('\n')
    .flatMap((line) => toOneLine(line.replace(/^\s*[-*]\s+/, ''), Infinity) || []);
  const block = [
    ...stated.map((name) => `${name}: ${PLAIN.has(name) ? lines[name] : quoteYaml(lines[name]!)}`),
    ...(approve.length > 0 ? [`approve: ${approve.join(', ')}`] : []),
    ...(problems.length > 0 ? ['blocking:', ...problems.map((problem) => `  - ${quoteYaml(problem)}`)] : []),
    ...(agreed ? ['agreed: true'] : []),
    ...(done ? ['done: true'] : []),
  ];
  return block.length === 0 ? text : ['---', ...block, '---', '', text].join('\n');
}

/** Returns whether a form was not changed: the current vote alone is not an answer. */
export const isUntouched = (answer: SeatAnswer, held: string): boolean =>
  composeContribution(answer) === composeContribution(createStartingAnswer({ vote: held || null }));

/** What determines which answers the form can hold. */
type FormFields = Pick<View, 'form' | 'options' | 'ballot'>;

/**
 * Splits a contribution into the answer that gives exactly the same text. If it was written elsewhere and has
 * fields that the form lacks, all of it becomes the text.
 */
export function splitContribution(contribution: string, view: FormFields): SeatAnswer {
  const [, block, text] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(contribution) ?? [];
  const whole = { ...EMPTY_ANSWER, text: contribution };
  if (block === undefined || text === undefined) return whole;
  const fields = block.split('\n');
  const said = new Map(
    fields.map((line) => [line.replace(/:.*$/, ''), unquoteYaml(line.replace(/^\w+: /, ''))]),
  );
  const answer: SeatAnswer = {
    text,
    lines: Object.fromEntries([...said].filter(([name]) => LINES.includes(name))),
    approve: said.get('approve')?.split(', ') ?? [],
    blocking: fields
      .flatMap((line) => (line.startsWith('  - ') ? unquoteYaml(line.slice(4)) : []))
      .join('\n'),
    agreed: said.has('agreed'),
    done: said.has('done'),
  };
  return canFormHold(answer, view) && composeContribution(answer) === contribution ? answer : whole;
}

function canFormHold(
  { lines, approve, blocking, agreed }: SeatAnswer,
  { form, options, ballot }: FormFields,
): boolean {
  const asked = new Set(form.split('\n').map((line) => line.replace(/:.*$/, '')));
  const numbers = new Set(ballot.map(({ id }) => id));
  return (
    Object.keys(lines).every((name) => asked.has(name)) &&
    [...approve, lines.vote ?? []].flat().every((id) => numbers.has(id)) &&
    (lines.position === undefined || options === null || options.includes(lines.position)) &&
    (blocking === '' || asked.has('blocking')) &&
    (!agreed || asked.has('agreed'))
  );
}

/** Removes YAML's quotation marks from a value. */
function unquoteYaml(value: string): string {
  try {
    return value.startsWith('"') ? String(JSON.parse(value)) : value;
  } catch {
    return value;
  }
}

/** Fields with numbers and fixed words, which never need quoting in YAML. */
const PLAIN = new Set(['vote', 'rank', 'same', 'confidence']);

/** Quotes a text for YAML if necessary, which is rare. */
const quoteYaml = (text: string): string => (isPlain(text) ? text : JSON.stringify(text));

/** Returns whether YAML reads a text as a plain string: no special characters and no keywords. */
const isPlain = (text: string): boolean =>
  /^\p{L}[\p{L}\p{M}\p{N} ,.;'’()?!/%€-]*$/u.test(text) &&
  !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
