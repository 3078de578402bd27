// Offline panel: what was left to be filled in.
import { visit } from 'unist-util-visit';
import type { Document, Span } from './document.ts';
import type { Block } from './prose.ts';
import { locate } from './reviewer.ts';
import type { Located } from './reviewer.ts';
import { says } from './says.ts';

/** Words that stand for words still to come. TODO and the like count where they begin something, not where they are spoken of. */
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
/** A comment that holds a place for words to come. */
export const PLACEHOLDER_COMMENT =
  /^<!--\s*(?:TODO|FIXME|TBD|(?:please )?fill (?:this )?in|à compléter|à remplir)\b[^]{0,200}-->$/i;
/** "Deciders: <names>": a Markdown parser takes it for HTML. */
const ANGLED =
  /(?<=^[ \t]*[*-]?[ \t]*[*_]*[\p{L}][\p{L} ]{2,30}[*_]*:[*_]*[ \t]*)<[a-z][\p{L} _-]{2,40}>(?=[ \t]*$)/gmu;
const SETTING = /^[ \t]*[\w-]+:[ \t]*(?:["']?(?:TBD|TODO|FIXME)["']?|#[ \t]*(?:FIXME|TODO|TBD)\b.*)[ \t]*$/gm;

/** Placeholders in text, in comments and in front matter. */
export function placeholders(document: Document): Located[] {
  const spans: Span[] = [];
  for (const block of document.blocks)
    spans.push(
      ...matches(withLines(document, block), block.start, TO_COME),
      ...matches(document.text.slice(block.start, block.start + block.text.length), block.start, [ANGLED]),
    );
  visit(document.tree, (node) => {
    const start = node.position?.start.offset ?? 0;
    if (node.type === 'html' && PLACEHOLDER_COMMENT.test(node.value))
      spans.push({ start, end: start + Math.min(80, node.value.length) });
    if (node.type === 'yaml')
      spans.push(...matches(document.text.slice(start, node.position?.end.offset), start, [SETTING]));
    // The text of a cell is in no block.
    if (node.type === 'tableCell')
      spans.push(
        ...matches(
          document.text
            .slice(start, node.position?.end.offset)
            .replace(/`[^`]*`/g, (code) => ' '.repeat(code.length))
            .replace(/^\||\|$/g, ' '),
          start,
          TO_COME,
        ),
      );
  });
  return onePerLine(document, spans).map((span) =>
    locate(document, span, {
      severity: 'first',
      rule: 'placeholder',
      subject: document.text.slice(span.start, span.end).split('\n')[0] ?? '',
      advice: says(document.language).placeholder,
    }),
  );
}

/** A block's text with its line ends, which count here. */
const withLines = (document: Document, { text, start }: Block): string =>
  text.replace(/\s/g, (space, at: number) => (/[\r\n]/.test(document.text[start + at] ?? '') ? '\n' : space));

const matches = (text: string, at: number, patterns: readonly RegExp[]): Span[] =>
  patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => ({
      start: at + match.index + (match[0].length - match[0].trimStart().length),
      end: at + match.index + match[0].trimEnd().length,
    })),
  );

function onePerLine({ text }: Document, spans: Span[]): Span[] {
  const seen = new Set<number>();
  return spans
    .sort((a, b) => a.start - b.start)
    .filter(({ start }) => {
      const line = text.lastIndexOf('\n', start);
      return seen.has(line) ? false : seen.add(line);
    });
}
