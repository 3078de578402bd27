// The first line of what somebody has said, for people who follow a council.
import { oneLine } from '../base/text.ts';
import { spokenWords } from '../council/ledger/text/spoken.ts';

const LONGEST = 120;

/** The first line of its own words, behind the form and without Markdown's marks; the form's beginning where there is none. */
export function firstWords(text: string): string {
  const line = spokenWords(text)
    .split('\n')
    // Somebody else's words.
    .filter((one) => !/^\s*>/.test(one))
    .map((one) => one.replace(/^[\s#*_-]+/, '').replace(/[*_`]+/g, ''))
    .find((one) => /\p{L}/u.test(one));
  return oneLine(line ?? text, LONGEST);
}
