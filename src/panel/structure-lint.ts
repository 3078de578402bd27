// Offline panel: the structure reviewer's checks with remark-lint.
import remarkLint from 'remark-lint';
import remarkLintHeadingIncrement from 'remark-lint-heading-increment';
import remarkLintNoDuplicateHeadings from 'remark-lint-no-duplicate-headings';
import remarkLintNoUndefinedReferences from 'remark-lint-no-undefined-references';
import { unified } from 'unified';
import { VFile } from 'vfile';
import type { Document } from './document.ts';
import type { Severity } from './finding.ts';
import { locate } from './reviewer.ts';
import type { Located } from './reviewer.ts';

interface Said {
  rule: string;
  severity: Severity;
  advice: string;
}

/** What the lint rules mean for a reader. */
const SAID: Record<string, Said> = {
  'heading-increment': {
    rule: 'heading-increment',
    severity: 'minor',
    advice: 'this heading skips a rank; readers and screen readers take it for a part of something missing.',
  },
  'no-duplicate-headings': {
    rule: 'duplicate-heading',
    severity: 'minor',
    advice: 'another heading has the same words; a link or a table of contents cannot tell them apart.',
  },
  'no-undefined-references': {
    rule: 'undefined-reference',
    severity: 'note',
    advice:
      'reads as a link, and no definition gives its address; define it, or write \\[ for a plain bracket.',
  },
};

const linter = unified()
  .use(remarkLint)
  // Callouts such as [!NOTE] are no references.
  .use(remarkLintNoUndefinedReferences, { allow: [/^!/] })
  .use(remarkLintHeadingIncrement)
  .use(remarkLintNoDuplicateHeadings)
  .freeze();

/** What remark-lint finds. */
export function lint(document: Document): Located[] {
  const file = new VFile(document.parsed);
  linter.runSync(document.tree, file);
  const found: Located[] = [];
  for (const message of file.messages) {
    const said = message.ruleId && Object.hasOwn(SAID, message.ruleId) ? SAID[message.ruleId] : undefined;
    const place = message.place && 'start' in message.place ? message.place : undefined;
    if (!said || place?.start.offset === undefined || place.end.offset === undefined) continue;
    // The rule leaves out the mark that makes a reference an image.
    const image = said.rule === 'undefined-reference' && document.text[place.start.offset - 1] === '!';
    const span = { start: place.start.offset - (image ? 1 : 0), end: place.end.offset };
    const subject = document.text.slice(span.start, span.end).replace(/^#+\s*/, '');
    // Two pairs of brackets, or an image: this was meant as a reference, and it is broken.
    const meant = /^!|\]\[[^\]]/.test(subject);
    found.push(
      locate(document, span, {
        ...said,
        severity: said.rule === 'undefined-reference' && meant ? 'major' : said.severity,
        subject,
        instead: [],
      }),
    );
  }
  return found;
}
