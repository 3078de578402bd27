// What a person fills in at a seat, and the contribution that comes of it: the same text as one that was written elsewhere.
import { oneLine } from '../../../core/base/text.ts';
import type { View } from '../../../core/council/view/view.ts';

/** What stands in the form of a seat. */
export interface Answer {
  text: string;
  /** One line each, by the name of the field: `position`, `vote`, `rank`, `new`, `because`, `decision`, `same`, `confidence`. */
  lines: Readonly<Record<string, string>>;
  approve: readonly string[];
  /** One problem a line. */
  blocking: string;
  agreed: boolean;
  done: boolean;
}

export const NOTHING: Answer = {
  text: '',
  lines: {},
  approve: [],
  blocking: '',
  agreed: false,
  done: false,
};

/** A new form begins with the current vote: a form without a vote would drop it. */
export const startingAnswer = ({ vote }: Pick<View, 'vote'>): Answer =>
  vote === null ? NOTHING : { ...NOTHING, lines: { vote } };

const LINES = ['position', 'vote', 'rank', 'new', 'because', 'decision', 'same', 'confidence'];

/** The answer in a form that was sent. */
export function readAnswerForm(form: URLSearchParams): Answer {
  return {
    text: form.get('text') ?? '',
    lines: Object.fromEntries(LINES.map((name) => [name, oneLine(form.get(name) ?? '', Infinity)])),
    approve: form.getAll('approve').map((number) => oneLine(number)),
    blocking: form.get('blocking') ?? '',
    agreed: form.has('agreed'),
    done: form.has('done'),
  };
}

/**
 * The contribution: the lines that were filled in as front matter, then the text as it was typed. `vote` stands for nothing where
 * something new is proposed.
 */
export function composeContribution({ text, lines, approve, blocking, agreed, done }: Answer): string {
  const stated = LINES.filter((name) => lines[name] && !(name === 'vote' && lines.new));
  const problems = blocking
    .split('\n')
    .flatMap((line) => oneLine(line.replace(/^\s*[-*]\s+/, ''), Infinity) || []);
  const block = [
    ...stated.map((name) => `${name}: ${PLAIN.has(name) ? lines[name] : quoteYaml(lines[name]!)}`),
    ...(approve.length > 0 ? [`approve: ${approve.join(', ')}`] : []),
    ...(problems.length > 0 ? ['blocking:', ...problems.map((problem) => `  - ${quoteYaml(problem)}`)] : []),
    ...(agreed ? ['agreed: true'] : []),
    ...(done ? ['done: true'] : []),
  ];
  return block.length === 0 ? text : ['---', ...block, '---', '', text].join('\n');
}

/** Whether a form was sent without any change: the current vote alone is no answer. */
export const isUntouched = (answer: Answer, held: string): boolean =>
  composeContribution(answer) === composeContribution(startingAnswer({ vote: held || null }));

/** What the form of a view can hold. */
type Fields = Pick<View, 'form' | 'options' | 'ballot'>;

/**
 * The answer that a contribution was made of, so that it comes out the same, word for word. One that was written elsewhere and has
 * lines for which this form has no field is a text as a whole.
 */
export function splitContribution(contribution: string, view: Fields): Answer {
  const [, block, text] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(contribution) ?? [];
  const whole = { ...NOTHING, text: contribution };
  if (block === undefined || text === undefined) return whole;
  const fields = block.split('\n');
  const said = new Map(
    fields.map((line) => [line.replace(/:.*$/, ''), unquoteYaml(line.replace(/^\w+: /, ''))]),
  );
  const answer: Answer = {
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
  { lines, approve, blocking, agreed }: Answer,
  { form, options, ballot }: Fields,
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

/** The words of a line, out of the quotation marks that YAML needs. */
function unquoteYaml(value: string): string {
  try {
    return value.startsWith('"') ? String(JSON.parse(value)) : value;
  } catch {
    return value;
  }
}

/** Numbers and words of our own, in which YAML has nothing to find. */
const PLAIN = new Set(['vote', 'rank', 'same', 'confidence']);

/** In quotation marks a sentence means what it says in YAML, whatever stands in it; most mean it without. */
const quoteYaml = (text: string): string => (isPlain(text) ? text : JSON.stringify(text));

/** Words in which YAML sees nothing but a text: no sign of its own, and none that stands for a value. */
const isPlain = (text: string): boolean =>
  /^\p{L}[\p{L}\p{M}\p{N} ,.;'’()?!/%€-]*$/u.test(text) &&
  !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
