// Rewrites what Markdown would hide or load as text, so that no word is lost and nothing is fetched.
import type {
  Code,
  Definition,
  FootnoteDefinition,
  FootnoteReference,
  Image,
  ImageReference,
  Link,
  LinkReference,
  ListItem,
  Nodes,
  Paragraph,
  PhrasingContent,
  Root,
  RootContent,
  Table,
} from 'mdast';
import { toString as toText } from 'mdast-util-to-string';
import { cleanForTerminal } from '../../../core/base/terminal.ts';

interface KnownNodes {
  definitions: ReadonlyMap<string, Definition>;
  /** Footnotes by identifier; the first one with a name counts. */
  notes: ReadonlyMap<string, FootnoteDefinition>;
  prefix: string;
}

const createTextNode = (value: string): PhrasingContent => ({ type: 'text', value });
const createParagraph = (value: string, className: string): Paragraph => ({
  type: 'paragraph',
  data: { hProperties: { className: [className] } },
  children: [createTextNode(value)],
});

/** Turns everything into text: raw HTML, image addresses, definitions, footnotes in place, task checkboxes. */
export function keepWords(tree: Root, prefix: string): void {
  const known = {
    definitions: new Map<string, Definition>(),
    notes: new Map<string, FootnoteDefinition>(),
    prefix,
  };
  collect(tree, known);
  rewrite(tree, known);
}

function collect(
  node: Nodes,
  known: { definitions: Map<string, Definition>; notes: Map<string, FootnoteDefinition> },
): void {
  if (node.type === 'definition' && !known.definitions.has(node.identifier))
    known.definitions.set(node.identifier, node);
  if (node.type === 'footnoteDefinition' && !known.notes.has(node.identifier))
    known.notes.set(node.identifier, node);
  if ('children' in node) for (const child of node.children) collect(child, known);
}

function rewrite(parent: Nodes, known: KnownNodes): void {
  if (!('children' in parent)) return;
  for (const child of parent.children) rewrite(child, known);
  const isProse = PROSE.has(parent.type);
  parent.children = parent.children.flatMap((child) => spellOutNode(child, known, isProse));
}

/** Nodes that contain inline text; all others contain blocks. */
const PROSE = new Set<Nodes['type']>([
  'paragraph',
  'heading',
  'emphasis',
  'strong',
  'delete',
  'link',
  'linkReference',
  'tableCell',
]);

function spellOutNode(node: RootContent, known: KnownNodes, isProse: boolean): RootContent[] {
  switch (node.type) {
    case 'html':
      return [isProse ? createTextNode(node.value) : createParagraph(node.value, 'raw')];
    case 'image':
    case 'imageReference':
      return [createTextNode(describeImage(node, known))];
    case 'link':
    case 'linkReference':
      return spellOutLink(node, known);
    case 'definition':
      return [
        createParagraph(
          `[${node.label ?? node.identifier}]: ${node.url}${renderLinkTitle(node.title)}`,
          'beside',
        ),
      ];
    case 'footnoteReference':
      return [createNoteLink(node, known)];
    case 'footnoteDefinition':
      return [placeNote(node, known)];
    case 'code':
      return showCodeLanguage(node);
    case 'listItem':
      return [withBox(node)];
    case 'table':
      return [wrapTable(node)];
    default:
      return [node];
  }
}

const renderLinkTitle = (title: string | null | undefined): string => (title ? ` "${title}"` : '');

function describeImage(node: Image | ImageReference, { definitions }: KnownNodes): string {
  const source = node.type === 'image' ? node : definitions.get(node.identifier);
  return `${node.alt ?? ''} (${source?.url ?? ''}${renderLinkTitle(source?.title)})`.trimStart();
}

/** Returns a link's text followed by its true host; a link that is not followed shows its address instead. */
function spellOutLink(node: Link | LinkReference, { definitions }: KnownNodes): PhrasingContent[] {
  const source = node.type === 'link' ? node : definitions.get(node.identifier);
  const url = source?.url ?? '';
  const children: PhrasingContent[] =
    toText(node).trim() === '' ? [...node.children, createTextNode(url)] : node.children;
  const place = resolveForeignLink(url);
  const words = toText({ type: 'paragraph', children });
  if (!place) {
    const isTold = words.trim() === url && !source?.title;
    return isTold ? children : [...children, createTextNode(` (${url}${renderLinkTitle(source?.title)})`)];
  }
  const beside = isHostTold(words, place)
    ? renderLinkTitle(source?.title)
    : ` (${place.host}${renderLinkTitle(source?.title)})`;
  const link: Link = { type: 'link', url: place.href, data: { hProperties: { rel: REL } }, children };
  return beside === '' ? [link] : [link, createTextNode(beside)];
}

/** Hides the referrer from the linked site, and makes search engines ignore the link. */
const REL = ['noopener', 'noreferrer', 'nofollow', 'ugc'];

const formatNoteId = (identifier: string): string => `note-${encodeURIComponent(identifier)}`;

function createNoteLink(
  { identifier, label }: FootnoteReference,
  { notes, prefix }: KnownNodes,
): PhrasingContent {
  const children = [createTextNode(`[^${label ?? identifier}]`)];
  return notes.has(identifier)
    ? { type: 'link', url: `#${prefix}${formatNoteId(identifier)}`, children }
    : children[0]!;
}

/** Keeps a footnote where its author put it. */
function placeNote(node: FootnoteDefinition, { notes }: KnownNodes): RootContent {
  const isMeant = notes.get(node.identifier) === node;
  const label: Paragraph = {
    type: 'paragraph',
    children: [createTextNode(`[^${node.label ?? node.identifier}]:`)],
  };
  const [first, ...rest] = node.children;
  const children =
    first?.type === 'paragraph'
      ? [{ ...first, children: [...label.children, createTextNode(' '), ...first.children] }, ...rest]
      : [label, ...node.children];
  const hProperties = { className: ['note'], ...(isMeant && { id: formatNoteId(node.identifier) }) };
  return { type: 'blockquote', data: { hName: 'div', hProperties }, children };
}

/** Shows the language of a block above it; formulas and diagrams are code, too. */
function showCodeLanguage(node: Code): RootContent[] {
  const language = [node.lang, node.meta].filter((part) => part).join(' ');
  const code: Code = { type: 'code', lang: node.lang ?? null, value: node.value };
  return language === '' ? [code] : [createParagraph(language, 'beside'), code];
}

function withBox(node: ListItem): ListItem {
  if (node.checked === null || node.checked === undefined) return node;
  const box = createTextNode(node.checked ? '☑ ' : '☐ ');
  const [first, ...rest] = node.children;
  const children: ListItem['children'] =
    first?.type === 'paragraph'
      ? [{ ...first, children: [box, ...first.children] }, ...rest]
      : [{ type: 'paragraph', children: [box] }, ...node.children];
  return { ...node, checked: null, children };
}

/**
 * Wraps a table so that it scrolls separately, also by keyboard, and labels it with its columns. Rows may have
 * more cells than the first one; without the added columns they would be dropped.
 */
function wrapTable(node: Table): RootContent {
  const columns = Math.max(...node.children.map((row) => row.children.length));
  const table: Table = { ...node, align: Array.from({ length: columns }, () => null) };
  const ariaLabel = node.children[0]!.children.map((cell) => toText(cell)).join(', ');
  const hProperties = { className: ['wide'], role: 'group', tabIndex: 0, ariaLabel };
  return { type: 'blockquote', data: { hName: 'div', hProperties }, children: [table] };
}

// Links in foreign texts: which are followed, and where they really lead.

const PROTOCOLS = ['http:', 'https:', 'mailto:'];

/** A link that is followed, with its visible target. */
interface LinkPlace {
  href: string;
  /** The host with its port, in ASCII; for mail, the address. */
  host: string;
}

/**
 * Returns where a link in a participant's text leads, or undefined for scripts, data, files and relative
 * addresses, which refer to a page that their author never saw.
 */
function resolveForeignLink(address: string): LinkPlace | undefined {
  const url = URL.parse(address.trim());
  if (!url || !PROTOCOLS.includes(url.protocol)) return undefined;
  const host = url.protocol === 'mailto:' ? url.pathname : url.host;
  return host === '' ? undefined : { href: url.href, host: cleanForTerminal(host) };
}

/** Returns whether the text is the address or its host, so that the host need not be added. */
function isHostTold(words: string, { href, host }: LinkPlace): boolean {
  const said = words.trim();
  if (said === host) return true;
  // "https://bank.example@evil.example/" looks like the bank: the part before the @ is a user name.
  const { username, password } = new URL(href);
  if (username !== '' || password !== '') return false;
  return [said, `http://${said}`, `mailto:${said}`].some((one) => URL.parse(one)?.href === href);
}
