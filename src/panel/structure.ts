// Offline panel: the reviewer for the structure of a document.
import remarkLintNoUndefinedReferences from 'remark-lint-no-undefined-references';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { VFile } from 'vfile';
import { checkCounts } from './counts.ts';
import type { Document, Span } from './document.ts';
import { listSections } from './outline.ts';
import { locate } from './reviewer.ts';
import type { Located, Reviewer } from './reviewer.ts';
import { splitSentences } from './place.ts';

// Offline panel: references without a target on the page. Callouts such as [!NOTE] are not references.
const linter = unified()
  .use(remarkLintNoUndefinedReferences, { allow: [/^!/] })
  .freeze();

/** Finds links without a target, undefined references, and links with broken markup. */
function checkReferences(document: Document): Located[] {
  const words = document.say;
  const targets = collectLinkTargets(document);
  const defined = new Set<string>();
  const found: Located[] = [];
  const say = (span: Span, advice: string, rule = 'reference'): void => {
    found.push(locate(document, span, rule, advice, { subject: document.text.slice(span.start, span.end) }));
  };
  visit(document.tree, (node) => {
    const span = { start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 };
    if (node.type === 'definition') {
      if (defined.has(node.identifier)) say(span, words.twiceDefined, 'twice-defined');
      defined.add(node.identifier);
    }
    if (node.type !== 'link' && node.type !== 'definition') return;
    if (node.url === '') say(span, words.emptyLink);
    else if (isDeadLink(node.url, targets)) say(span, words.leadsNowhere);
    else if (DOMAIN.test(node.url)) say(span, words.noScheme);
  });
  for (const span of findBrokenLinks(document)) say(span, words.brokenLink);
  for (const span of findMissingNumbers(document)) say(span, words.noSection);
  for (const span of findUndefinedReferences(document))
    say(
      span,
      /^\[\^/.test(document.text.slice(span.start)) ? words.undefinedFootnote : words.undefinedReference,
    );
  return found;
}

/** Finds "[How to write)(https://…)": intended links with a wrong bracket. */
function findBrokenLinks({ blocks, text, code }: Document): Span[] {
  return blocks.flatMap(({ start, text: { length } }) =>
    [...text.slice(start, start + length).matchAll(/\[[^[\]()\n]{1,80}\)\s?\(https?:[^\s()]+\)/g)]
      .map((match) => ({ start: start + match.index, end: start + match.index + match[0].length }))
      .filter((span) => !code.some((one) => one.start <= span.start && span.start < one.end)),
  );
}

const SECTION =
  /(?<![\p{L}])(?:sections?|chapters?|chapitres?|§)\s?(\d{1,2}(?:\.\d{1,2})*)(?![\p{N}.]*\d)(?!\.?\s(?:of|in|from|de|du|des|dans)(?![\p{L}]))/giu;

/** Finds "see section 9" if there is no 9. With a link in the sentence, the section may be elsewhere. */
function findMissingNumbers({ headings, blocks, text }: Document): Span[] {
  const numbers = headings.flatMap(
    (heading) =>
      /^(?:section |chapter |chapitre )?(\d{1,2}(?:\.\d{1,2})*)[.):]?\s/i.exec(heading.text)?.[1] ?? [],
  );
  if (numbers.length < 3 || numbers.length * 2 < headings.length) return [];
  const known = new Set(numbers);
  return blocks
    .filter((block) => block.kind === 'paragraph')
    .flatMap((block) => splitSentences(block))
    .filter(
      (sentence) =>
        !/\b(?:RFC|ISO|IEEE|BGB|GDPR|RGPD|Act|spec|specification|standard|paper|article)\b|¤/.test(
          sentence.text.replace(/`[^`]*`/g, ''),
        ),
    )
    .flatMap((sentence) =>
      [...sentence.text.matchAll(SECTION)]
        .filter(
          (match) =>
            !known.has(match[1] ?? '') && !numbers.some((number) => number.startsWith(`${match[1]}.`)),
        )
        .map((match) => ({
          start: sentence.start + match.index,
          end: sentence.start + match.index + match[0].length,
        })),
    )
    .filter((span) => text.slice(span.start, span.end) !== '');
}

/** A site's address without its scheme; file names such as `notes.md` have other extensions. */
const DOMAIN = /^(?:www\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|io|dev|eu|fr|de|uk|gov|edu)(?:\/|$)/i;

/** Finds undefined references in two pairs of brackets, and footnotes. A single pair may be plain brackets. */
function findUndefinedReferences({ tree, parsed, text }: Document): Span[] {
  const file = new VFile(parsed);
  linter.runSync(tree, file);
  return file.messages.flatMap((message) => {
    const place = message.place && 'start' in message.place ? message.place : undefined;
    if (place?.start.offset === undefined || place.end.offset === undefined) return [];
    const span = { start: place.start.offset, end: place.end.offset };
    const raw = text.slice(span.start, span.end);
    return /^\[[^\]]+\]\[[^\]]+\]$/.test(raw) ||
      (/^\[\^[^\]]+\]$/.test(raw) && /\w/.test(text[span.start - 1] ?? ''))
      ? [span]
      : [];
  });
}

function collectLinkTargets(document: Document): Set<string> {
  const marked = [...document.text.matchAll(/\b(?:id|name)=["']?([^"'\s>]+)/g)].map(
    (match) => match[1] ?? '',
  );
  return new Set([...document.headings.map(({ text }) => text), ...marked].map(normalizeAnchor));
}

/** Returns whether `#name` matches no heading or HTML anchor. Sites number headings with the same name: `#name-1`. */
function isDeadLink(url: string, targets: ReadonlySet<string>): boolean {
  const name = /^#(?!top$|fn|user-content-)(.+)$/.exec(url)?.[1];
  if (name === undefined) return false;
  const plain = decode(name);
  return !targets.has(normalizeAnchor(plain)) && !targets.has(normalizeAnchor(plain.replace(/-\d+$/, '')));
}

/** Sites create anchors in different ways, which agree only on letters and digits. */
const normalizeAnchor = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch (error) {
    if (error instanceof URIError) return name;
    throw error;
  }
}

function findEmptySections(document: Document): Located[] {
  return listSections(document)
    .filter(({ empty, heading }) => empty && !/optional|facultatif|optionnel/i.test(heading.text))
    .map(({ heading }) =>
      locate(document, heading, 'empty-section', document.say.emptySection, {
        subject: heading.text,
      }),
    );
}

function checkTitle(document: Document): Located[] {
  const elsewhere =
    /<h1[\s>]/i.test(document.text) || /^---\r?\n(?:.*\r?\n)*?title:/.test(document.text.slice(0, 5000));
  if (document.headings.length > 0 || elsewhere) return [];
  const start = Math.max(0, document.parsed.search(/\S/));
  return [locate(document, { start, end: start + 1 }, 'no-title', document.say.noTitle)];
}

/** Finds announced things that do not follow, and references without a target; works in any language. */
export const structure: Reviewer = {
  id: 'structure',
  find: (document) =>
    [checkTitle, findEmptySections, checkCounts, checkReferences]
      .flatMap((rule) => rule(document))
      .sort((a, b) => a.start - b.start),
};
