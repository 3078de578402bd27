// Offline panel: the structure reviewer's checks of links.
import { visit } from 'unist-util-visit';
import type { Document, Span } from './document.ts';
import { locate } from './reviewer.ts';
import type { Located } from './reviewer.ts';

/** Links without an address, links into the document that lead nowhere, definitions that are spare. */
export function links(document: Document): Located[] {
  const targets = targetsOf(document);
  const used = new Set<string>();
  const defined = new Map<string, Span>();
  const found: Located[] = [];
  const say = (
    span: Span,
    rule: string,
    severity: Located['severity'],
    subject: string,
    advice: string,
  ): void => {
    found.push(locate(document, span, { severity, rule, subject, instead: [], advice }));
  };
  visit(document.tree, (node) => {
    const span = { start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 };
    if (node.type === 'linkReference' || node.type === 'imageReference') used.add(node.identifier);
    if (node.type === 'definition') {
      const name = `[${node.label ?? node.identifier}]`;
      if (defined.has(node.identifier)) {
        say(span, 'duplicate-definition', 'minor', name, 'the name is defined twice; only the first counts.');
      } else defined.set(node.identifier, span);
    }
    if (node.type !== 'link' && node.type !== 'definition') return;
    const text = document.text.slice(span.start, span.end);
    if (node.url === '') say(span, 'empty-link', 'minor', text, 'the link has no address.');
    if (leadsNowhere(node.url, targets)) {
      const advice = 'no heading of the document has this name; the link leads nowhere.';
      say(span, 'broken-anchor', 'major', text, advice);
    }
  });
  for (const [identifier, span] of defined) {
    if (used.has(identifier)) continue;
    say(
      span,
      'unused-definition',
      'note',
      `[${identifier}]`,
      'nothing in the document uses this definition.',
    );
  }
  return found;
}

function targetsOf(document: Document): Set<string> {
  const marked = [...document.text.matchAll(/\b(?:id|name)=["']?([^"'\s>]+)/g)].map(
    (match) => match[1] ?? '',
  );
  return new Set([...document.headings.map(({ text }) => text), ...marked].map(bare));
}

/** True for `#name` when no heading and no HTML anchor has that name. Sites number headings of one name: `#name-1`. */
function leadsNowhere(url: string, targets: ReadonlySet<string>): boolean {
  const name = /^#(?!top$|fn|user-content-)(.+)$/.exec(url)?.[1];
  if (name === undefined) return false;
  const plain = decode(name);
  return !targets.has(bare(plain)) && !targets.has(bare(plain.replace(/-\d+$/, '')));
}

/** Sites make anchors in different ways; letters and digits are what they agree on. */
const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch (error) {
    if (error instanceof URIError) return name;
    throw error;
  }
}
