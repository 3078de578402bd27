// Files and texts as context of a council, and the section of its brief that they make. Pure.
import { sha256 } from '../../base/ids.ts';
import { printableJson } from '../../base/terminal.ts';
import { fill, loadWords } from '../../base/words/words.ts';
import type { Language } from '../../base/words/words.ts';

export interface ContextItem {
  /** Its path relative to the project, or the command that made it. */
  name: string;
  /** Of the file as it is, which may be encoded otherwise than its text here. */
  bytes: number;
  sha256: string;
  text: string;
  /** The language tag of its code fence. */
  language: string;
  /** Only listed by path: agents that can read the project open it themselves. */
  isPicture?: true;
}

/** What was given, without the texts: for `--json`. */
export type Listed = Pick<ContextItem, 'name' | 'bytes' | 'sha256'>;
export const toListedItem = ({ name, bytes, sha256: hash }: ContextItem): Listed => ({
  name,
  bytes,
  sha256: hash,
});

/** Of the text or the bytes of something. */
export const toSizeAndHash = (bytes: Uint8Array): Pick<ContextItem, 'bytes' | 'sha256'> => ({
  bytes: bytes.length,
  sha256: sha256(bytes),
});

/** A name as it is told: as it is where it is plain, else as JSON writes it. */
export function shownName(name: string): string {
  const quoted = printableJson(name);
  return quoted === `"${name}"` ? name : quoted;
}

/** The brief with what was given below it. */
export const withContext = (brief: string, items: readonly ContextItem[], lang: Language): string =>
  items.length === 0 ? brief : `${brief.trimEnd()}\n\n${contextSection(items, lang)}`;

/** A list of what was given with sizes and hashes, then each part in a fence that nothing in it can close. */
export function contextSection(items: readonly ContextItem[], lang: Language): string {
  const { context } = loadWords(lang);
  const list = items.map(({ name, bytes, sha256, isPicture }) => {
    const line = isPicture ? context.picture : context.item;
    return `- ${fill(line, { name: codeSpan(name), bytes, sha256 })}`;
  });
  const texts = items.filter(({ isPicture }) => !isPicture);
  const parts = texts.map(({ name, text, language }) => {
    const fence = '`'.repeat(Math.max(3, longestTicks(text) + 1));
    return `### ${codeSpan(name)}\n\n${fence}${language}\n${text}${/[\r\n]$/.test(text) ? '' : '\n'}${fence}`;
  });
  return [`## ${context.title}`, context.note, list.join('\n'), ...parts].join('\n\n') + '\n';
}

/** A name as Markdown code. Line breaks and control characters are escaped as in JSON. */
function codeSpan(name: string): string {
  const shown = shownName(name);
  const ticks = '`'.repeat(longestTicks(shown) + 1);
  const pad = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${shown}${pad}${ticks}`;
}

const longestTicks = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
