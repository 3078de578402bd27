// Finds the form of a contribution, where it declares position, confidence and the like.
import { onFirstUse } from '../../../base/remember.ts';
import { headingsAt } from './form-headings.ts';
import { looseObject } from './loose-json.ts';
import { withoutReasoning } from './reasoning.ts';
import type { Stretch } from './stretch.ts';
import { EMPTY, firstLines, isForm, pairOf, runOf, tableAt } from './form-lines.ts';
import { fieldNamed } from './form-names.ts';
import type { Field, Line, Run } from './form-lines.ts';

/** Where a contribution declares what it holds, and what it says there. `end` is where its own words begin. */
export interface Form extends Stretch {
  /** The block between the fences, for a reader of YAML; not set for a form in another language. */
  yaml?: Stretch;
  /** The JSON object; not set for a form in another language. */
  json?: Stretch;
  fields: Field[];
}

/** How far from the start a form is looked for, beside reasoning and empty lines, in characters and lines. */
const PREAMBLE = { characters: 300, lines: 2 };
/** Where a form has to end, in UTF-16 units: it is short. */
const FARTHEST = 128 * 1024;
const LANGUAGES = new Set(['', 'yaml', 'yml', 'json', 'markdown', 'md', 'text', 'txt', 'frontmatter']);

const NOT_MINE = onFirstUse(
  () =>
    /(?<![\p{L}])(?:not|never|reject|refuse|if|example|others?|wrote|writes|said|says|would|pas|jamais|rejette|refuse|si|exemple|autres|écrit|dit|dirait)(?![\p{L}])/iu,
);
const RULER = /^---[ \t]*$/;
const WRAPPER =
  /^[ \t]*<(?:answer|contribution|response|output|final|final_answer|reply|result|form|council|front-?matter|header|yaml|ballot|collect|challenge|resolve|turn|message)>[ \t]*$/i;
const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*([\w-]*)[ \t]*$/;
/** A line that a YAML mapping can have: a pair, an item, a value that goes on, a comment, a brace. */
const OF_A_MAPPING = /^(?:[ \t?:].*|[-#{}\]].*|[^\s:#-][^:]*:(?:[ \t].*)?|"[^"]*"[ \t]*:.*)?$/s;

/**
 * The form of a contribution: front matter, or one fence, JSON object, table or run of `key: value` lines at its start,
 * after empty lines, reasoning in tags and a short preamble. Undefined where there is none. Linear time; nothing in
 * block quotes, in code further down or in reasoning is looked at.
 */
export function formOf(text: string): Form | undefined {
  const head = text.slice(0, FARTHEST);
  const strict = strictFrontMatter(firstLines(head));
  if (strict) return withSecond(head, firstLines(head), strict);
  const shown = withoutReasoning(head);
  const lines = firstLines(shown).map((line) => behindReasoning(head, line));
  let at = 0;
  let isHeaded = true;
  let [characters, count] = [0, 0];
  for (;;) {
    at = skipped(lines, at);
    const line = lines[at];
    if (line === undefined) return undefined;
    const found = formAt(shown, lines, at);
    if (found && announcesAnother(shown.slice(0, found.start))) return undefined;
    if (found) return withSecond(shown, lines, found);
    characters += line.text.length;
    count += 1;
    // Behind other words a rule ends them: what follows is the text.
    if (count > 1 && RULER.test(line.text)) return isHeaded ? withinRules(lines, at) : undefined;
    isHeaded &&= line.text.startsWith('#');
    const isOver = characters > PREAMBLE.characters || count > PREAMBLE.lines;
    if (isOver || FENCE.test(line.text) || /^[ \t]*[>|{]|<[a-z!/]/i.test(line.text)) return undefined;
    at += 1;
  }
}

/** A line without the room that reasoning left in front of its words. */
function behindReasoning(text: string, line: Line): Line {
  const words = line.text.trimStart();
  const start = line.end - words.length;
  const isBehind = start > line.start && /\S/.test(text.slice(line.start, start));
  return isBehind ? { ...line, start, text: words } : line;
}

/** Under a heading, a block between rules in which all is a form, also with empty lines in it. */
function withinRules(lines: readonly Line[], at: number): Form | undefined {
  const block = between(lines, at);
  const inside = lines.filter(
    ({ start }) => block?.yaml && start >= block.yaml.start && start < block.yaml.end,
  );
  const first = inside.findIndex((line) => !EMPTY.test(line.text));
  const run = runOf(inside, Math.max(0, first), false);
  return isForm(run.fields) && inside.slice(run.next).every((line) => EMPTY.test(line.text))
    ? block
    : undefined;
}

/** A form and another one right behind it, in a block, a fence or braces: where they differ, nothing is certain. */
function withSecond(text: string, lines: readonly Line[], form: Form): Form {
  const from = lines.findIndex(({ start }) => start >= form.end);
  const at = from === -1 ? lines.length : skipped(lines, from);
  const line = lines[at];
  if (!line || !(RULER.test(line.text) || FENCE.test(line.text) || line.text.startsWith('{'))) return form;
  const second = formAt(text, lines, at);
  return second ? { ...form, end: second.end, fields: [...form.fields, ...second.fields] } : form;
}

/** A heading or a line ending in a colon that says: what follows is somebody else's, an example, or refused. */
function announcesAnother(preamble: string): boolean {
  const line =
    preamble
      .trimEnd()
      .split(/\r\n|\r|\n/)
      .at(-1) ?? '';
  return (line.startsWith('#') || /[:：][*_]*$/.test(line)) && NOT_MINE().test(line);
}

/** Front matter in its own place: the form, whatever it holds. */
function strictFrontMatter(lines: readonly Line[]): Form | undefined {
  const block = lines[0] && RULER.test(lines[0].text) ? between(lines, 0) : undefined;
  const inside = lines.filter(
    ({ start }) => block?.yaml && start >= block.yaml.start && start < block.yaml.end,
  );
  return inside.every(({ text: line }) => OF_A_MAPPING.test(line)) ? block : undefined;
}

/** The block from the line `---` to the next one; undefined where it is not closed. */
function between(lines: readonly Line[], at: number): Form | undefined {
  const close = lines.findIndex((line, index) => index > at && RULER.test(line.text));
  if (close === -1) return undefined;
  const inside = lines.slice(at + 1, close);
  return {
    start: lines[at]!.start,
    end: lines[close]!.next,
    yaml: { start: lines[at]!.next, end: lines[close]!.start },
    fields: runOf(inside, 0, true).fields,
  };
}

/** Past empty lines and a tag around the whole. */
function skipped(lines: readonly Line[], from: number): number {
  let at = from;
  for (let line = lines[at]; line && (EMPTY.test(line.text) || WRAPPER.test(line.text)); line = lines[at])
    at += 1;
  return at;
}

function formAt(text: string, lines: readonly Line[], at: number): Form | undefined {
  const line = lines[at]!;
  if (RULER.test(line.text)) {
    // Behind other words a ruler with an empty line below it is a ruler.
    if (!lines[at + 1] || !pairOf(lines[at + 1]!)) return undefined;
    const block = between(lines, at);
    if (block && isForm(block.fields)) return block;
    return asForm(lines, at, runOf(lines, at + 1, false));
  }
  const fence = FENCE.exec(line.text);
  if (fence) return LANGUAGES.has(fence[2]!.toLowerCase()) ? inFence(text, lines, at, fence[1]!) : undefined;
  if (line.text.trimStart().startsWith('{')) return inBraces(text, line.start, text.length);
  if (line.text.trimStart().startsWith('|')) return tableAt(lines, at);
  return asForm(lines, at, runOf(lines, at, false)) ?? asForm(lines, at, headingsAt(lines, at));
}

/** A form in a code fence; one that holds all of the contribution ends where the words begin. */
function inFence(text: string, lines: readonly Line[], at: number, marker: string): Form | undefined {
  const isClose = ({ text: words }: Line) =>
    words.trim().startsWith(marker) && words.trim() === marker[0]!.repeat(words.trim().length);
  const found = lines.findIndex((line, index) => index > at && isClose(line));
  const close = found === -1 ? lines.length : found;
  const end = lines[close]?.next ?? text.length;
  let first = at + 1;
  while (first < close && EMPTY.test(lines[first]!.text)) first += 1;
  if (first >= close) return undefined;
  const inside = lines.slice(0, close);
  const start = lines[at]!.start;
  if (RULER.test(lines[first]!.text)) {
    const block = between(inside, first);
    if (!block || block.fields.length === 0) return undefined;
    const isAll = inside.slice(first).every((line) => line.start < block.end || EMPTY.test(line.text));
    return { ...block, start, end: isAll ? end : block.end };
  }
  if (lines[first]!.text.trimStart().startsWith('{')) {
    const object = inBraces(text, lines[first]!.start, lines[close]?.start ?? text.length);
    return object && { ...object, start, end };
  }
  const run = runOf(inside, first, false);
  const isAll = run.next >= close || inside.slice(run.next).every((line) => EMPTY.test(line.text));
  if (!isAll || !isForm(run.fields)) return undefined;
  return {
    start,
    end,
    yaml: { start: lines[at]!.next, end: lines[close]?.start ?? text.length },
    fields: run.fields,
  };
}

/** A JSON object with at least one field of ours. A key that stands there twice says nothing certain. */
function inBraces(text: string, from: number, limit: number): Form | undefined {
  const start = text.indexOf('{', from);
  const found = looseObject(text, start, limit);
  if (!found) return undefined;
  const { twice, end } = found;
  const data = innermost(found.data);
  const fields = Object.entries(data).flatMap(([key, value]): Field[] => {
    const name = fieldNamed(key);
    if (name === undefined || value === null || (typeof value === 'object') !== Array.isArray(value))
      return [];
    if (twice.includes(key)) return [];
    const words = Array.isArray(value)
      ? value.filter((item) => typeof item !== 'object').map(String)
      : String(value);
    return [{ name, value: words, start, end }];
  });
  return fields.length === 0 ? undefined : { start, end, json: { start, end }, fields };
}

/** What an object holds that holds nothing but another one: {"contribution": {…}}. */
function innermost(data: Record<string, unknown>): Record<string, unknown> {
  const values: unknown[] = Object.values(data);
  const [only] = values;
  const isWrapped = values.length === 1 && typeof only === 'object' && only !== null && !Array.isArray(only);
  return isWrapped ? Object.fromEntries(Object.entries(only)) : data;
}

const asForm = (lines: readonly Line[], at: number, run: Run | undefined): Form | undefined =>
  run && isForm(run.fields)
    ? { start: lines[at]!.start, end: lines[run.next - 1]!.next, fields: run.fields }
    : undefined;

/** How many lines from its end on a text is searched for a form that stands in the wrong place. */
const TAIL = 20;

/** True where a text ends in a form that is not read: it has to stand at the start. */
export function endsInForm(text: string): boolean {
  const shown = withoutReasoning(text.slice(-FARTHEST)).trimEnd();
  const read = formOf(text)?.end ?? 0;
  const lines = firstLines(shown);
  const offset = Math.max(0, text.length - FARTHEST);
  for (let at = Math.max(0, lines.length - TAIL); at < lines.length; at++) {
    const line = lines[at]!;
    if (line.start + offset < read || EMPTY.test(line.text)) continue;
    const found = formAt(shown, lines, at);
    if (found && found.end >= shown.length) return true;
  }
  return false;
}
