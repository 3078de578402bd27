// Keeps what texts have been formatted to: a page that is looked at again formats nothing anew.
import pLimit from 'p-limit';
import { sha256 } from '../../../core/base/ids.ts';
import type { MarkdownText } from '../markdown/markdown-text.ts';
import { formatTexts } from './format-texts.ts';

/** UTF-16 units of what is kept at the most; what was used longest ago goes first. */
const MOST = 16 * 1024 * 1024;

const kept = new Map<string, string>();
let size = 0;

/** One thread works for all, one page after another. */
const jobs = pLimit(1);

/** The HTML of each text: of those that are not kept, in a thread with a limit of time. */
export const formattedOnce = (
  texts: readonly MarkdownText[],
  format = formatTexts,
): Promise<(text: MarkdownText) => string> => jobs(() => formattedNow(texts, format));

async function formattedNow(
  texts: readonly MarkdownText[],
  format: typeof formatTexts,
): Promise<(text: MarkdownText) => string> {
  const keys = new Map(texts.map((text) => [text, sha256(JSON.stringify(text))]));
  const wanted = new Map([...keys].map(([text, key]) => [key, text]));
  const unknown = [...wanted].filter(([key]) => !kept.has(key)).map(([, text]) => text);
  const formatted = unknown.length === 0 ? new Map<MarkdownText, string>() : await format(unknown);
  const html = new Map(
    [...wanted].map(([key, text]) => [key, kept.get(key) ?? formatted.get(text) ?? ''] as const),
  );
  for (const [key, text] of html) keep(key, text);
  return (text) => html.get(keys.get(text) ?? '') ?? '';
}

function keep(key: string, html: string): void {
  size += html.length - (kept.get(key)?.length ?? 0);
  kept.delete(key);
  kept.set(key, html);
  for (const [oldest, text] of kept) {
    if (size <= MOST) return;
    kept.delete(oldest);
    size -= text.length;
  }
}
