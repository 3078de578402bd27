// Files and texts as context of a council, and their section in its brief. Pure.
import { sha256 } from '../../base/ids.ts';
import { formatPrintableJson } from '../../base/terminal.ts';
import { fill, loadWords } from '../../base/words/words.ts';
import type { Language } from '../../base/words/words.ts';

export interface ContextItem {
  /** Its path relative to the project, or the command that made it. */
  name: string;
  /** Size of the file, whose encoding may differ from the text here. */
  bytes: number;
  sha256: string;
  text: string;
  /** The language tag of its code fence. */
  language: string;
  /** Only listed by path: agents that can read the project open it themselves. */
  isPicture?: true;
}

/** The given items without their texts, for `--json`. */
export type ListedContext = Pick<ContextItem, 'name' | 'bytes' | 'sha256'>;
export const toListedItem = ({ name, bytes, sha256: hash }: ContextItem): ListedContext => ({
  name,
  bytes,
  sha256: hash,
});

export const toSizeAndHash = (bytes: Uint8Array): Pick<ContextItem, 'bytes' | 'sha256'> => ({
  bytes: bytes.length,
  sha256: sha256(bytes),
});

/** Formats a name: unchanged if plain, else as JSON. */
export function formatContextName(name: string): string {
  const quoted = formatPrintableJson(name);
  return quoted === `"${name}"` ? name : quoted;
}

/** Appends the given items to the brief. */
export const appendContext = (brief: string, items: readonly ContextItem[], lang: Language): string =>
  items.length === 0 ? brief : `${brief.trimEnd()}\n\n${renderContextSection(items, lang)}`;

/** Renders a list of the items with sizes and hashes, then each text in a fence that it cannot close. */
export function renderContextSection(items: readonly ContextItem[], lang: Language): string {
  const { context } = loadWords(lang);
  const list = items.map(({ name, bytes, sha256, isPicture }) => {
    const line = isPicture ? context.picture : context.item;
    return `- ${fill(line, { name: renderCodeSpan(name), bytes, sha256 })}`;
  });
  const texts = items.filter(({ isPicture }) => !isPicture);
  const parts = texts.map(({ name, text, language }) => {
    const fence = '`'.repeat(Math.max(3, countLongestTicks(text) + 1));
    return `### ${renderCodeSpan(name)}\n\n${fence}${language}\n${text}${/[\r\n]$/.test(text) ? '' : '\n'}${fence}`;
  });
  return [`## ${context.title}`, context.note, list.join('\n'), ...parts].join('\n\n') + '\n';
}

/** A name as Markdown code. Line breaks and control characters are escaped as in JSON. */
function renderCodeSpan(name: string): string {
  const shown = formatContextName(name);
  const ticks = '`'.repeat(countLongestTicks(shown) + 1);
  const pad = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${shown}${pad}${ticks}`;
}

const countLongestTicks = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
