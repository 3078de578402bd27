// Renders an archive, or any Markdown, in the terminal.
import type { ArchivePage } from '../app/archives.ts';
import { findIntendedBreaks } from '../base/text.ts';
import { loadWords } from '../base/words/words.ts';
import { parseCost } from '../base/nesting.ts';
import { renderTableLines } from './render-table.ts';
import { paintText, wrapRuns } from './wrap.ts';
import type { Layout, Run, Style } from './wrap.ts';

export type ShowOptions = Pick<Layout, 'width' | 'color'>;

/** The used parts of a Markdown tree node. */
export interface Node {
  type: string;
  value?: string;
  children?: Node[];
  depth?: number;
  ordered?: boolean | null;
  start?: number | null;
  checked?: boolean | null;
  url?: string;
  alt?: string | null;
  identifier?: string;
  align?: (string | null)[];
}

/** Limit per archive, in units of `parseCost`: about three seconds, and 400 MB. */
const MOST = 2 * 1024 * 1024;
/** Maximum nesting of quotes: deeper ones leave no room on a line. */
const DEEPEST = 30;
const NARROWEST = 16;

/**
 * Renders a finished council for the terminal. A part that is too complex is shown as it is, and the others
 * are still rendered.
 */
export async function showPage({ parts, lang }: ArchivePage, options: ShowOptions): Promise<string> {
  const { tooIntricate } = loadWords(lang).archive;
  let left = MOST;
  const shown: string[] = [];
  for (const part of parts) {
    const cost = parseCost(part);
    const isLaidOut = cost <= left;
    if (isLaidOut) left -= cost;
    else shown.push(paintText(tooIntricate, ['dim'], options.color));
    shown.push(isLaidOut ? await layOutMarkdown(part, options) : part);
  }
  return shown.filter((text) => text !== '').join('\n\n');
}

/** Renders Markdown for a terminal; text that is too complex is shown as it is. Removes control characters. */
export async function renderMarkdown(markdown: string, options: ShowOptions): Promise<string> {
  return parseCost(markdown) > MOST ? markdown : layOutMarkdown(markdown, options);
}

async function layOutMarkdown(markdown: string, options: ShowOptions): Promise<string> {
  const [{ remark }, { default: remarkGfm }] = await Promise.all([import('remark'), import('remark-gfm')]);
  const tree = remark().use(remarkGfm).parse(markdown) as Node;
  return renderBlocks(tree.children ?? [], options, 0).join('\n');
}

/** Renders blocks with an empty line between them. */
function renderBlocks(nodes: Node[], options: ShowOptions, depth: number, gap = true): string[] {
  return nodes
    .map((node) => renderBlock(node, options, depth))
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (gap && index > 0 ? ['', ...lines] : lines));
}

function renderBlock(node: Node, options: ShowOptions, depth: number): string[] {
  const { width, color } = options;
  const children = node.children ?? [];
  if (depth > DEEPEST) return ['…'];
  const reduceWidth = (columns: number): ShowOptions => ({
    color,
    width: Math.max(NARROWEST, width - columns),
  });
  const wrapToLines = (runs: Run[]): string[] => wrapRuns(runs, options).map((line) => line.text);
  switch (node.type) {
    case 'heading': {
      const mark: Run = { text: `${'#'.repeat(node.depth ?? 1)} `, styles: ['bold'] };
      return wrapToLines([
        mark,
        ...renderInline(children, node.depth === 1 ? ['bold', 'underline'] : ['bold']),
      ]);
    }
    case 'paragraph':
      return wrapToLines(keepMeantBreaks(renderInline(children)));
    case 'blockquote':
      return renderBlocks(children, reduceWidth(2), depth + 1).map(
        (line) => `${paintText('│', ['dim'], color)} ${line}`,
      );
    case 'list':
      return children.flatMap((item, index) => {
        const bullet = `${node.ordered ? `${(node.start ?? 1) + index}.` : '-'} ${renderCheckbox(item)}`;
        return hangUnderBullet(
          bullet,
          renderBlocks(item.children ?? [], reduceWidth(bullet.length), depth + 1, false),
        );
      });
    case 'code':
      return (node.value ?? '').split('\n').map((line) => `    ${paintText(line, ['cyan'], color)}`);
    case 'table': {
      const cells = (row: Node) => (row.children ?? []).map((cell) => renderInline(cell.children ?? []));
      return renderTableLines(children.map(cells), options);
    }
    case 'thematicBreak':
      return [paintText('─'.repeat(width), ['dim'], color)];
    case 'html':
      return isComment(node) ? [] : wrapToLines([{ text: node.value ?? '', styles: [] }]);
    case 'footnoteDefinition': {
      const mark = { type: 'paragraph', children: [{ type: 'text', value: `[^${node.identifier}]:` }] };
      return renderBlocks([mark, ...children], options, depth + 1, false);
    }
    case 'definition':
      return [];
    default:
      return node.children ? renderBlocks(children, options, depth + 1) : wrapToLines(renderInline([node]));
  }
}

/** Indents lines after a bullet on the first one. */
const hangUnderBullet = (bullet: string, lines: string[]): string[] =>
  (lines.length > 0 ? lines : ['']).map((line, at) => (at === 0 ? bullet : ' '.repeat(bullet.length)) + line);

/** Keeps intended line breaks, but not those of hand-wrapped text. */
function keepMeantBreaks(runs: Run[]): Run[] {
  const whole = runs.map(({ text, breaks }) => (breaks ? '\n' : text)).join('');
  const intended = findIntendedBreaks(whole.split('\n'));
  let at = 0;
  return runs.flatMap((run) => {
    if (run.breaks) at += 1;
    return run.text.split('\n').flatMap((text, index): Run[] => {
      if (index === 0) return [{ ...run, text }];
      const isIntended = intended[at++];
      return [isIntended ? { ...run, text: '', breaks: true } : { ...run, text: ' ' }, { ...run, text }];
    });
  });
}

function renderInline(nodes: Node[], styles: Style[] = []): Run[] {
  return nodes.flatMap((node): Run[] => {
    const children = (extra: Style[]) =>
      renderInline(node.children ?? [], [...new Set([...styles, ...extra])]);
    switch (node.type) {
      case 'strong':
        return children(['bold']);
      case 'emphasis':
        return children(['italic']);
      case 'delete':
        return children(['strikethrough']);
      case 'inlineCode':
        return [{ text: `\`${node.value}\``, styles: [...styles, 'cyan'] }];
      case 'link': {
        const label = children(['underline']);
        const same = label.map((run) => run.text).join('') === node.url;
        return same ? label : [...label, { text: ` (${node.url})`, styles }];
      }
      case 'image':
        return [{ text: `${node.alt ?? ''} (${node.url})`, styles }];
      case 'imageReference':
        return [{ text: node.alt ?? '', styles }];
      case 'footnoteReference':
        return [{ text: `[^${node.identifier}]`, styles }];
      case 'break':
        return [{ text: '', styles, breaks: true }];
      case 'html':
        return isComment(node) ? [] : [{ text: node.value ?? '', styles }];
      default:
        return node.children ? children([]) : [{ text: node.value ?? '', styles }];
    }
  });
}

const renderCheckbox = (item: Node): string =>
  typeof item.checked === 'boolean' ? `[${item.checked ? 'x' : ' '}] ` : '';
const isComment = (node: Node): boolean => node.value?.startsWith('<!--') === true;
