// How given files and a diff stand in the brief (pure).
import { fill, loadWords } from '../../base/words/words.ts';
import type { Language } from '../../base/words/words.ts';
import { shownName } from './context-item.ts';
import type { ContextItem } from './context-item.ts';

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

/** A name as code, whatever is in it: line breaks and controls as JSON escapes them. */
function codeSpan(name: string): string {
  const shown = shownName(name);
  const ticks = '`'.repeat(longestTicks(shown) + 1);
  const pad = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${shown}${pad}${ticks}`;
}

const longestTicks = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
