// What of a contribution is shown to people: its words, never its form.
import { expect, it } from 'vitest';
import { extractSpokenWords } from '../../../../src/core/council/ledger/text/spoken-words.ts';

it.each([
  'findings: [{"first":true}]',
  'note: for the record',
  'position: Buy',
  'note: for the record\nposition: Buy',
])('leaves front matter out, whatever its keys are: %s', (lines) => {
  expect(extractSpokenWords(`---\n${lines}\n---\n\n**6 things** to look at.\n`)).toBe(
    '**6 things** to look at.',
  );
});
