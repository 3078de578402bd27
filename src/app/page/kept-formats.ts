// Keeps what texts have been formatted to: a page that is looked at again formats nothing anew.
import { setImmediate as turn } from 'node:timers/promises';
import { sha256 } from '../../base/ids.ts';
import type { MarkdownText } from '../../page/markdown/markdown-text.ts';
import { formatTexts } from './format-texts.ts';

/** UTF-16 units of what is kept at the most; what was used longest ago goes first. */
const MOST = 16 * 1024 * 1024;

const kept = new Map<string, string>();
let size = 0;

/** Whose page it is. */
export interface Payer {
  /** Notes what a page took. */
  charge(cpuMs: number): void;
}

/** What waits for each, whoever is next first. */
const waiting = new Map<Payer, (() => Promise<void>)[]>();
let isWorking = false;

/**
 * The HTML of each text: of those that are not kept, in a thread with a limit of time. One thread works for all, in turn: whoever
 * has many pages formatted waits for each of them, and the others for one.
 */
export function formattedOnce(
  texts: readonly MarkdownText[],
  payer: Payer,
  format = formatTexts,
): Promise<(text: MarkdownText) => string> {
  const { promise, resolve, reject } = Promise.withResolvers<(text: MarkdownText) => string>();
  const job = (): Promise<void> => formattedNow(texts, payer, format).then(resolve, reject);
  waiting.set(payer, [...(waiting.get(payer) ?? []), job]);
  void work();
  return promise;
}

async function work(): Promise<void> {
  if (isWorking) return;
  isWorking = true;
  for (let job = nextJob(); job; job = nextJob()) {
    await job();
    // What is kept takes no thread: others are served all the same between two jobs.
    await turn();
  }
  isWorking = false;
}

/** One of whoever is next, who comes last then. */
function nextJob(): (() => Promise<void>) | undefined {
  for (const [payer, [job, ...others]] of waiting) {
    waiting.delete(payer);
    if (others.length > 0) waiting.set(payer, others);
    return job;
  }
  return undefined;
}

async function formattedNow(
  texts: readonly MarkdownText[],
  payer: Payer,
  format: typeof formatTexts,
): Promise<(text: MarkdownText) => string> {
  const keys = new Map(texts.map((text) => [text, sha256(JSON.stringify(text))]));
  const wanted = new Map([...keys].map(([text, key]) => [key, text]));
  const unknown = [...wanted].filter(([key]) => !kept.has(key)).map(([, text]) => text);
  const begun = performance.now();
  const formatted = unknown.length === 0 ? new Map<MarkdownText, string>() : await format(unknown);
  if (unknown.length > 0) payer.charge(performance.now() - begun);
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
