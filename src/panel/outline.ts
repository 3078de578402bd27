// Offline panel: the sections of a document, and what kind of document it is.
import type { Document, Heading } from './document.ts';
import { PLACEHOLDER_COMMENT } from './placeholders.ts';

/** A heading with what stands between it and the next heading. */
export interface Section {
  heading: Heading;
  /** The words of its paragraphs and lists, as they are written. */
  text: string;
  /** Where that text begins; the heading's own end where there is none. */
  start: number;
  /** True when nothing follows before a heading of the same or a higher rank, or the end. */
  empty: boolean;
}

/** The sections under the headings that are not inside a quotation or list. */
export function listSections(document: Document): Section[] {
  const byStart = new Map(document.headings.map((heading) => [heading.start, heading]));
  const found: Section[] = [];
  let open: Section | undefined;
  for (const node of document.tree.children) {
    const start = node.position?.start.offset ?? 0;
    if (node.type === 'heading') {
      const heading = byStart.get(start);
      if (open && node.depth > open.heading.depth) open.empty = false;
      if (!heading) continue;
      open = { heading, text: '', start: heading.end, empty: true };
      found.push(open);
    } else if (open && node.type !== 'definition' && node.type !== 'thematicBreak') {
      // A comment that asks to be filled in is found as that.
      const comment =
        node.type === 'html' && /^<!--[^]*-->$/.test(node.value) && !PLACEHOLDER_COMMENT.test(node.value);
      if (!comment) open.empty = false;
      if (!comment && open.text === '') open.start = start;
      if (!comment) open.text += `${document.text.slice(start, node.position?.end.offset)}\n`;
    }
  }
  return found;
}

/** The kinds of documents that decide something. */
export type Kind = 'adr' | 'rfc' | 'prd' | 'brief';

const TITLES: readonly [Kind, RegExp][] = [
  ['adr', /\bADR\b|decision record|relevé de décision/i],
  ['rfc', /\b(?:RFC|KEP|RFD|PEP)\b|^proposal\b|^proposition\b|design doc/i],
  ['prd', /\bPRD\b|product requirements|cahier des charges/i],
  ['brief', /\bbrief\b|decision paper|note de cadrage|note de décision/i],
];
const has = (headings: readonly string[], pattern: RegExp): boolean =>
  headings.some((text) => pattern.test(text));

/** The kind that title or headings name; undefined where they do not. */
export function classifyDocument({ headings }: Document): Kind | undefined {
  const title = headings.find(({ depth }) => depth === 1)?.text ?? headings[0]?.text ?? '';
  const named = TITLES.find(([, pattern]) => pattern.test(title))?.[0];
  if (named) return named;
  const texts = headings.map(({ text }) => text.trim());
  const isRecord = has(texts, /^(?:status|statut)$/i) && has(texts, /^(?:context|contexte)\b/i);
  if (isRecord || (has(texts, /^(?:context|contexte)\b/i) && has(texts, /^(?:decision|décision)\b/i)))
    return 'adr';
  return has(texts, /^motivation$/i) && has(texts, /^(?:detailed design|proposal|design details)$/i)
    ? 'rfc'
    : undefined;
}
