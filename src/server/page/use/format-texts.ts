// Formats a page's Markdown in a separate thread with a timeout per text, and caches the results.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { MarkdownText } from '../markdown/markdown-text.ts';
import { renderPlainHtml } from '../markdown/markdown-text.ts';
import { sha256 } from '../../../core/base/ids.ts';

/** The longest allowed text takes a fifth of it; malicious texts could take minutes. */
const LIMIT_MS = 2000;
/** A thread takes 0.1 s to start, and is three times as fast once warmed up. */
const IDLE_MS = 60_000;
/** In the bundle, or else in the sources. */
const THREADS = ['markdown-worker.js', 'markdown-worker.ts'].map((name) => join(import.meta.dirname, name));

/**
 * Returns the HTML of each text, in order. A text that exceeds the timeout or the thread's memory is shown as
 * written, without affecting others.
 */
export async function formatTexts(
  texts: readonly MarkdownText[],
  limit = LIMIT_MS,
): Promise<Map<MarkdownText, string>> {
  const done: string[] = [];
  while (done.length < texts.length) {
    await formatUntilStuck(texts.slice(done.length), done, limit);
    const stuck = texts[done.length];
    if (stuck) done.push(renderPlainHtml(stuck.text));
  }
  return new Map(texts.map((text, at) => [text, done[at]!]));
}

/** Appends what one thread formats: everything, or all before a text in which it gets stuck. */
async function formatUntilStuck(
  texts: readonly MarkdownText[],
  done: string[],
  limit: number,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const kept = takeIdle();
  const thread = kept ?? startMarkdownWorker();
  const wanted = done.length + texts.length;
  let timer: NodeJS.Timeout | undefined;
  let isReady = false;
  const begin = (): void => {
    isReady = true;
    thread.postMessage(texts);
  };
  const listen = (): void => {
    timer = setTimeout(() => resolve(undefined), limit);
  };
  const onMessage = (html: string): void => {
    clearTimeout(timer);
    if (isReady) done.push(html);
    else begin();
    if (done.length === wanted) resolve(undefined);
    else listen();
  };
  // A thread that runs out of memory fails only its text; one that never started is an error.
  const onError = (error: Error): void => (isReady ? resolve(undefined) : reject(error));
  thread.on('message', onMessage).on('error', onError);
  if (kept) {
    begin();
    listen();
  }
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    thread.off('message', onMessage).off('error', onError);
    if (done.length === wanted) keepIdle(thread);
    else await thread.terminate();
  }
}

const startMarkdownWorker = (): Worker =>
  new Worker(THREADS.find((path) => existsSync(path)) ?? THREADS[0]!, {
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });

/** The idle thread, which does not keep the process alive. */
let idle: { thread: Worker; end: () => void } | undefined;

function takeIdle(): Worker | undefined {
  const thread = idle?.thread;
  idle?.end();
  thread?.ref();
  return thread;
}

function keepIdle(thread: Worker): void {
  if (idle) return void thread.terminate();
  const forget = (): void => {
    idle = undefined;
    clearTimeout(timer);
    thread.off('error', forget).off('exit', forget);
  };
  const timer = setTimeout(() => {
    forget();
    void thread.terminate();
  }, IDLE_MS).unref();
  thread.unref();
  thread.on('error', forget).on('exit', forget);
  idle = { thread, end: forget };
}

/** Maximum size of the cache in UTF-16 units; least recently used texts are dropped first. */
const MOST_KEPT_UNITS = 16 * 1024 * 1024;

const kept = new Map<string, string>();
let size = 0;

/** All pages share one thread, one after the other. */
const jobs = pLimit(1);

/** Returns the HTML of each text; formats those that are not cached. */
export const formatTextsOnce = (
  texts: readonly MarkdownText[],
  format = formatTexts,
): Promise<(text: MarkdownText) => string> => jobs(() => formatMissingTexts(texts, format));

async function formatMissingTexts(
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
    if (size <= MOST_KEPT_UNITS) return;
    kept.delete(oldest);
    size -= text.length;
  }
}
