// Offline panel: the reviewer for the structure of a document, which also compares an announced number of things with
// the list that follows.
import remarkLintNoUndefinedReferences from 'remark-lint-no-undefined-references';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { VFile } from 'vfile';
import type { Document, Span } from './document.ts';
import { listSections } from './outline.ts';
import { locate } from './reviewer.ts';
import type { Located, Reviewer } from './reviewer.ts';
import { splitSentences, shiftSpan } from './place.ts';
import type { Language } from './says.ts';
import type { Node } from './prose.ts';

const NUMBERS: Record<Language, readonly string[]> = {
  en: ['', '', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
  fr: ['', '', 'deux', 'trois', 'quatre', 'cinq', 'six', 'sept', 'huit', 'neuf', 'dix', 'onze', 'douze'],
};
/** Nouns for list items. */
const THINGS: Record<Language, string> = {
  en: `actions advantages alternatives answers areas arguments aspects assumptions attacks attempts attributes benefits bugs candidates cases categories
    causes challenges changes characteristics checks choices classes components concerns conclusions conditions consequences constraints criteria decisions
    defects dependencies differences dimensions disadvantages documents drawbacks elements errors examples exceptions factors facts features fields
    files findings flaws formats functions goals groups guarantees guidelines ideas improvements issues items kinds levels limitations lines maxims measures methods
    metrics milestones mistakes modes modules objectives objections observations options paragraphs parameters parts paths pieces phases pillars
    points possibilities principles problems properties proposals questions reasons recommendations requirements responsibilities risks roles rules scenarios
    sections services situations solutions systems stages states statements steps strategies suggestions tasks techniques tests themes things tools topics types use-cases
    values variants ways weaknesses`,
  fr: `actions aspects attaques avantages axes besoins blocs buts cas catégories causes champs changements choix classes composants conclusions
    conditions conséquences constats contraintes couches critères décisions défauts difficultés documents éléments enseignements erreurs étapes exceptions exemples exigences
    facteurs façons fichiers fonctions formats groupes hypothèses idées inconvénients jalons leçons limites manières mesures méthodes modes modules
    motifs niveaux objectifs objections obstacles options outils paramètres parties phases pistes points possibilités principes problèmes profils propositions propriétés
    questions raisons recommandations règles remarques responsabilités risques rôles scénarios services solutions sources stratégies tâches thèmes types
    usages valeurs variantes volets voies`,
};
const PEOPLE: Record<Language, string> = { en: 'people persons teams', fr: 'personnes équipes' };
const LEAD: Record<Language, RegExp> = {
  en: /(?:max\.?|min\.?|maximum|minimum|at least|at most|up to|more than|fewer than|less than|about|around|any|other|another|first|last|next|same|every|these|those|than|or|and|to|of these)\s$/i,
  fr: /(?:max\.?|maximum|minimum|au moins|au plus|jusqu['’]à|plus de|moins de|environ|autres|premiers|premières|derniers|dernières|ces|tous les|toutes les|ou|et|à)\s$/i,
};

const patterns = new Map<string, RegExp>();
function buildAnnouncePattern(language: Language, more = ''): RegExp {
  const key = `${language} ${more}`;
  const known = patterns.get(key);
  if (known) return known;
  const numbers = NUMBERS[language].filter((word) => word !== '').join('|');
  const things = `${THINGS[language]} ${more}`.trim().split(/\s+/).join('|');
  const made = new RegExp(
    `(?<![\\p{L}\\p{N}.,-])(${numbers}|[2-9]|1[0-2])(?: [\\p{L}-]+){0,2}? (${things})(?![\\p{L}-])`,
    'giu',
  );
  patterns.set(key, made);
  return made;
}

/** Returns false for "Wave 2 tasks", "at least two reasons", "the two formats differ". */
function isAnnouncement(text: string, match: RegExpExecArray, language: Language): boolean {
  const before = text.slice(Math.max(0, match.index - 20), match.index);
  if (LEAD[language].test(before) || (/^\d/.test(match[1] ?? '') && /\p{Lu}\p{L}+\s$/u.test(before)))
    return false;
  const after = text.slice(match.index + match[0].length);
  const goesOn =
    /^(?:\s(?:of|for|de|du|des|d['’]|pour)\s[^,.;]{1,40})?(?:\s(?:are|were|sont))?\s?:?\s*$/.test(after);
  return goesOn || !/\b(?:the|both)\s$|\bles\s$/i.test(before);
}

/** Returns the number of things that a sentence announces, if there is exactly one. */
function findAnnouncedCount(
  text: string,
  language: Language,
  more?: string,
): { count: number; words: string; at: number } | undefined {
  const found = [...text.matchAll(buildAnnouncePattern(language, more))].filter((match) =>
    isAnnouncement(text, match, language),
  );
  const [match] = found;
  const word = match?.[1]?.toLowerCase() ?? '';
  const index = NUMBERS[language].indexOf(word);
  return match && found.length === 1
    ? { count: index > 0 ? index : Number(word), words: match[0], at: match.index }
    : undefined;
}

/** Finds announced numbers that do not match what follows. */
export function checkCounts(document: Document): Located[] {
  const found: Located[] = [];
  visit(document.tree, (node) => {
    if (!('children' in node)) return;
    const children = node.children as Node[];
    for (const [at, child] of children.entries()) {
      const next = children[at + 1];
      if (child.type === 'paragraph' && next?.type === 'list')
        found.push(...checkCountBeforeList(document, child, children.slice(at + 1)));
    }
  });
  return [...found, ...checkInlineCounts(document)];
}

function checkCountBeforeList(document: Document, paragraph: Node, following: Node[]): Located[] {
  const start = paragraph.position?.start.offset ?? 0;
  const block = document.blocks.find((one) => one.start === start);
  const last = block && splitSentences(block).at(-1);
  const counted = countFollowingItems(document, following);
  if (!last || !/:\s*$/.test(last.text) || counted === undefined) return [];
  const said = findAnnouncedCount(last.text, document.language);
  if (!said || counted.items === said.count || counted.all === said.count || counted.named === said.count)
    return [];
  const span = shiftSpan(last, said.at, said.at + said.words.length);
  return [createCountFinding(document, span, said.words, counted.items)];
}

const createCountFinding = (document: Document, span: Span, words: string, counted: number): Located =>
  locate(document, span, 'count', document.say.wrongCount(words, counted));

/**
 * Counts the items that follow; undefined if the end of the list is unclear. `all` counts nested items, `named`
 * every name in "a / b / c".
 */
function countFollowingItems(
  document: Document,
  following: Node[],
): { items: number; all: number; named: number } | undefined {
  const [first] = following;
  if (first?.type !== 'list') return undefined;
  let items = 0;
  let all = 0;
  let named = 0;
  for (const node of following) {
    if (node.type === 'heading' || node.type === 'thematicBreak') break;
    if (node.type !== 'list') continue;
    // A separate list that does not continue the numbering: unclear whether it is included.
    if (node !== first && !(node.ordered && first.ordered && node.start === items + (first.start ?? 1)))
      return undefined;
    items += node.children.length;
    for (const item of node.children) {
      const start = item.position?.start.offset ?? 0;
      const head = document.text.slice(start, item.position?.end.offset).split(/:\s|\n/)[0] ?? '';
      named += 1 + (head.match(/\s\/\s|`,\s*`/g)?.length ?? 0);
    }
    for (const item of node.children)
      for (const inner of item.children) all += inner.type === 'list' ? inner.children.length : 0;
  }
  return { items, all, named };
}

/** Checks "There are four risks: the works take longer, the network is not ready, people leave." */
function checkInlineCounts(document: Document): Located[] {
  const { language, say } = document;
  return document.blocks.flatMap(splitSentences).flatMap(({ text, start }) => {
    const colon = text.search(/\s?:\s\S/);
    if (colon < 0 || /[(:;"“«]/.test(text.slice(colon + 3))) return [];
    const said = findAnnouncedCount(text.slice(0, colon), language, PEOPLE[language]);
    const rest = text
      .slice(colon)
      .replace(/^\s?:/, '')
      .replace(/[.!?]\s*$/, '');
    const parts = rest.split(/,|\s(?:and|et|or|ou)\s/u).filter((part) => part.trim() !== '');
    if (!said || parts.length < 2 || parts.length === said.count || colon - said.at > 60) return [];
    const span = shiftSpan({ start }, said.at, said.at + said.words.length);
    // A part may contain a comma or an "and", which explains too many parts, but not too few.
    return parts.length < said.count && rest.includes(',')
      ? [createCountFinding(document, span, said.words, parts.length)]
      : parts.length > said.count
        ? [locate(document, span, 'items', say.manyItems(said.words, parts.length))]
        : [];
  });
}

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
