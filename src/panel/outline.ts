// Offline panel: the sections of a document, its kind, and its unfilled placeholders.
import { visit } from 'unist-util-visit';
import type { Document, Heading, Span } from './document.ts';
import type { Block } from './prose.ts';
import { locate } from './reviewer.ts';
import type { Located } from './reviewer.ts';

/** A heading with the text before the next heading. */
interface OutlineSection {
  heading: Heading;
  /** The source of its paragraphs and lists. */
  text: string;
  /** The offset of that text, or of the heading's end if there is none. */
  start: number;
  /** True if no text precedes the next heading of the same or a higher rank, or the end. */
  empty: boolean;
}

/** Lists the sections of headings outside quotations and lists. */
export function listSections(document: Document): OutlineSection[] {
  const byStart = new Map(document.headings.map((heading) => [heading.start, heading]));
  const found: OutlineSection[] = [];
  let open: OutlineSection | undefined;
  for (const node of document.tree.children) {
    const start = node.position?.start.offset ?? 0;
    if (node.type === 'heading') {
      const heading = byStart.get(start);
      if (open && node.depth > open.heading.depth) open.empty = false;
      if (!heading) continue;
      open = { heading, text: '', start: heading.end, empty: true };
      found.push(open);
    } else if (open && node.type !== 'definition' && node.type !== 'thematicBreak') {
      // A comment to be filled in is reported as a placeholder.
      const comment =
        node.type === 'html' && /^<!--[^]*-->$/.test(node.value) && !PLACEHOLDER_COMMENT.test(node.value);
      if (!comment) open.empty = false;
      if (!comment && open.text === '') open.start = start;
      if (!comment) open.text += `${document.text.slice(start, node.position?.end.offset)}\n`;
    }
  }
  return found;
}

export type DecisionDocumentKind = 'adr' | 'rfc' | 'prd' | 'brief';

const TITLES: readonly [DecisionDocumentKind, RegExp][] = [
  ['adr', /\bADR\b|decision record|relevé de décision/i],
  ['rfc', /\b(?:RFC|KEP|RFD|PEP)\b|^proposal\b|^proposition\b|design doc/i],
  ['prd', /\bPRD\b|product requirements|cahier des charges/i],
  ['brief', /\bbrief\b|decision paper|note de cadrage|note de décision/i],
];
const has = (headings: readonly string[], pattern: RegExp): boolean =>
  headings.some((text) => pattern.test(text));

/** Returns the kind named by the title or headings; undefined if unknown. */
export function classifyDocument({ headings }: Document): DecisionDocumentKind | undefined {
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

/** Placeholder words. TODO and the like count only at the start of something, not when mentioned. */
const TO_COME: readonly RegExp[] = [
  /(?<![\p{L}\p{N}"'“‘`«_-])(?:TBD|TBA|TBC|TKTK)(?![\p{L}\p{N}"'”’`»_-])/gu,
  /(?<=^\s*|[:.?!(]\s*)(?:TODO|FIXME|XXX)(?:\([^)\n]{1,40}\))?(?![\p{L}\p{N}_-])(?! (?:comments?|lists?|items?|markers?|apps?|notes?)\b)/gmu,
  /(?<=(?:[:|]|^)\s*)(?:tbd|todo|xxx)(?=\s*$)/gimu,
  /(?<![\p{L}\p{N}?])\?{3,}(?=\s*$)/gmu,
  /\blorem ipsum\b/giu,
  /(?<![\p{L}])(?:à compléter|à définir|à préciser|à remplir)(?![\p{L}])(?! (?:par|ensemble|avec|dans|au|lors)\b)/giu,
  /(?<![\p{L}\p{N}-])(?:YYYY-MM-DD|AAAA-MM-JJ)(?![\p{L}\p{N}-])(?=\s*$)/gmu,
  /(?<=^|:\s*)\{[\p{L} _-]{2,40}\}(?=\s*$)/gmu,
  /(?<=^|[:#]\s*|because )\[(?:insert|describe|list|your|short title|title|name of|date|option \d|argument [a-z]|driver \d|example \||e\.g\.|description \||link type|insérer|décri\p{L}+|liste des|votre|titre|justification)[^\]\n]{0,400}\]?/gimu,
  /(?<=^|:\s*)\[[^\]\n|]{2,40}(?: \| [^\]\n|]{2,60}){1,8}/gimu,
];
/** A comment with a placeholder. */
const PLACEHOLDER_COMMENT =
  /^<!--\s*(?:TODO|FIXME|TBD|(?:please )?fill (?:this )?in|à compléter|à remplir)\b[^]{0,200}-->$/i;
/** Matches "Deciders: <names>", which a Markdown parser treats as HTML. */
const ANGLED =
  /(?<=^[ \t]*[*-]?[ \t]*[*_]*[\p{L}][\p{L} ]{2,30}[*_]*:[*_]*[ \t]*)<[a-z][\p{L} _-]{2,40}>(?=[ \t]*$)/gmu;
const SETTING = /^[ \t]*[\w-]+:[ \t]*(?:["']?(?:TBD|TODO|FIXME)["']?|#[ \t]*(?:FIXME|TODO|TBD)\b.*)[ \t]*$/gm;

/** Finds placeholders in text, comments and front matter. */
export function findPlaceholders(document: Document): Located[] {
  const spans: Span[] = [];
  for (const block of document.blocks)
    spans.push(
      ...findMatches(withLines(document, block), block.start, TO_COME),
      ...findMatches(document.text.slice(block.start, block.start + block.text.length), block.start, [
        ANGLED,
      ]),
    );
  visit(document.tree, (node) => {
    const start = node.position?.start.offset ?? 0;
    if (node.type === 'html' && PLACEHOLDER_COMMENT.test(node.value))
      spans.push({ start, end: start + Math.min(80, node.value.length) });
    if (node.type === 'yaml')
      spans.push(...findMatches(document.text.slice(start, node.position?.end.offset), start, [SETTING]));
    // The text of cells is not part of any block.
    if (node.type === 'tableCell')
      spans.push(
        ...findMatches(
          document.text
            .slice(start, node.position?.end.offset)
            .replace(/`[^`]*`/g, (code) => ' '.repeat(code.length))
            .replace(/^\||\|$/g, ' '),
          start,
          TO_COME,
        ),
      );
  });
  return keepOnePerLine(document, spans).map((span) =>
    locate(document, span, 'placeholder', document.say.placeholder, {
      subject: document.text.slice(span.start, span.end).split('\n')[0] ?? '',
    }),
  );
}

/** Restores a block's line ends, which matter here. */
const withLines = (document: Document, { text, start }: Block): string =>
  text.replace(/\s/g, (space, at: number) => (/[\r\n]/.test(document.text[start + at] ?? '') ? '\n' : space));

const findMatches = (text: string, at: number, patterns: readonly RegExp[]): Span[] =>
  patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => ({
      start: at + match.index + (match[0].length - match[0].trimStart().length),
      end: at + match.index + match[0].trimEnd().length,
    })),
  );

function keepOnePerLine({ text }: Document, spans: Span[]): Span[] {
  const seen = new Set<number>();
  return spans
    .sort((a, b) => a.start - b.start)
    .filter(({ start }) => {
      const line = text.lastIndexOf('\n', start);
      return seen.has(line) ? false : seen.add(line);
    });
}
