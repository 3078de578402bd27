// Offline panel: objections based on the words of a finding.
import { readDocument } from './document.ts';
import type { Finding } from './finding.ts';
import { occurrences } from './place.ts';
import { uphold, usesOf, withdraw } from './objection.ts';
import type { Bench, Objection } from './objection.ts';

/** A term used less often is renamed as cheaply as it is kept. */
const TERM_USES = 3;

const isWord = (finding: Finding): boolean => /^[\p{L}-]{3,}$/u.test(finding.subject);
/** Code that can be a name rather than a program. */
const isName = (code: string | undefined): code is string =>
  code !== undefined && code.length <= 60 && !code.includes('\n');

/** The replacements after which the reader's own rules would speak up. */
function flagged(finding: Finding, { document, reviewer }: Bench): string[] {
  const [place] = occurrences(document, finding.line, finding.subject);
  const block = document.blocks.find(
    ({ start, text }) => place && start <= place.start && place.start < start + text.length,
  );
  if (!block || !place) return [];
  const before = document.text.slice(block.start, place.start);
  const after = document.text.slice(place.end, block.start + block.text.length);
  return finding.instead.filter((words) => {
    if (words === '') return false;
    const changed = readDocument(before + words + after);
    return reviewer
      .find(changed)
      .some((found) => found.start < before.length + words.length && found.end > before.length);
  });
}

/** Collisions with the words themselves. */
export const WORD_OBJECTIONS: readonly Objection[] = [
  {
    reason: 'replacement-flagged',
    by: ['precision', 'inclusion'],
    against: ['simplify', 'insensitive-word'],
    raise: (finding, bench) => {
      const words = flagged(finding, bench);
      // The first replacement is the one most readers take.
      if (words.length === 0 || words[0] !== finding.instead.find((one) => one !== '')) return undefined;
      return `After this change I would object to ${words.map((one) => `"${one}"`).join(' and ')}: my rules flag it.`;
    },
    answer: (finding, _document, argument) => {
      const refused = [...argument.matchAll(/"([^"]+)"/g)].map((match) => match[1]);
      const left = finding.instead.filter((words) => !refused.includes(words));
      if (left.length === 0)
        return withdraw(
          'None of my replacements survives that; the sentence needs another change than mine.',
        );
      return uphold(left[0] === '' ? 'The words can go altogether.' : `There remains “${left[0]}”.`);
    },
  },
  {
    reason: 'document-term',
    by: ['precision'],
    against: ['simplify'],
    raise: (finding, { document }) => {
      if (!isWord(finding)) return undefined;
      const { heading } = usesOf(finding.subject, document);
      return (
        heading &&
        `The brief uses the word as a term (“${heading}”); a second word for the same thing makes readers look for a difference.`
      );
    },
    answer: (finding, document) => {
      const { heading, total } = usesOf(finding.subject, document);
      if (!heading) return uphold('No heading or definition of the brief uses the word.');
      return total >= TERM_USES
        ? withdraw(`The brief uses it ${total} times: it is a term.`)
        : uphold(`The brief uses it ${total === 1 ? 'once' : 'twice'}; it can be renamed in both places.`);
    },
  },
  {
    reason: 'name-in-code',
    by: ['precision'],
    against: ['simplify', 'insensitive-word'],
    raise: (finding, { document }) => {
      const { code } = usesOf(finding.subject, document);
      return isWord(finding) && isName(code)
        ? `The code calls it so (\`${code.replaceAll('`', "'")}\`); the text has to use the name the code has.`
        : undefined;
    },
    answer: (finding, document) =>
      isName(usesOf(finding.subject, document).code)
        ? withdraw("The name is the code's; renaming it is a change of the code, not of this text.")
        : uphold('No name in the code contains the word.'),
  },
];
