// Offline panel: the reviewer for the structure of a document.
import { counts } from './counts.ts';
import type { Document } from './document.ts';
import { sectionsOf } from './outline.ts';
import { references } from './references.ts';
import { locate } from './reviewer.ts';
import type { Located, Reviewer } from './reviewer.ts';
import { says } from './says.ts';

function emptySections(document: Document): Located[] {
  return sectionsOf(document)
    .filter(({ empty, heading }) => empty && !/optional|facultatif|optionnel/i.test(heading.text))
    .map(({ heading }) =>
      locate(document, heading, {
        severity: 'first',
        rule: 'empty-section',
        subject: heading.text,
        advice: says(document.language).emptySection,
      }),
    );
}

function title(document: Document): Located[] {
  const elsewhere =
    /<h1[\s>]/i.test(document.text) || /^---\r?\n(?:.*\r?\n)*?title:/.test(document.text.slice(0, 5000));
  if (document.headings.length > 0 || elsewhere) return [];
  const start = Math.max(0, document.parsed.search(/\S/));
  return [
    locate(
      document,
      { start, end: start + 1 },
      { severity: 'worth', rule: 'no-title', advice: says(document.language).noTitle },
    ),
  ];
}

/** Wants a document in which what is announced follows, and what is referred to is there; in any language. */
export const structure: Reviewer = {
  id: 'structure',
  find: (document) =>
    [title, emptySections, counts, references]
      .flatMap((rule) => rule(document))
      .sort((a, b) => a.start - b.start),
};
