// The first line of a contribution, for people who follow a council.
import { oneLine } from '../base/text.ts';
import { spokenWords } from '../council/ledger/text/spoken-words.ts';

const LONGEST = 120;

/** A form that stands behind a greeting, where it is no front matter. */
const FORM_WITHIN = /^---[ \t]*\n(?:[\w-]+:.*\n|[ \t]+.*\n|-.*\n)+---[ \t]*$/gm;
/** Braces and keys of JSON, and fences. */
const DATA = /^\s*(?:[{}[\]]|"[^"]*"\s*:|```|~~~)/;

/**
 * The first line of prose in its own words, behind the form and without Markdown's marks. Without prose it is a heading or a
 * line that leads to something, else the form's beginning.
 */
export function firstWords(text: string): string {
  const lines = spokenWords(text)
    .replace(/\r\n/g, '\n')
    .replace(FORM_WITHIN, '')
    .split('\n')
    // Quoted lines are not the author's own words.
    .filter((line) => /\p{L}/u.test(line) && !/^\s*>/.test(line) && !DATA.test(line));
  const line = lines.find((one) => !/^\s*#|:[*_\s]*$/.test(one)) ?? lines[0];
  return oneLine(line?.replace(/^[\s#*_-]+/, '').replace(/[*_`]+/g, '') ?? text, LONGEST);
}
