// Formats the Markdown of a page in a thread of its own, with a limit of time for each text.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { MarkdownText } from '../../page/markdown/markdown-text.ts';
import { plainHtml } from '../../page/markdown/plain.ts';

/** Formatting the longest text that is formatted at all takes a fifth of it, and texts made to last take minutes. */
const LIMIT_MS = 2000;
/** As the bundle has it, else as the sources do. */
const THREADS = ['markdown-worker.js', 'markdown-worker.ts'].map((name) => join(import.meta.dirname, name));

/**
 * The HTML of each text, in their order. One that takes longer than the limit, or more memory than a thread has, comes out as it was
 * written, and the others do not suffer.
 */
export async function formatTexts(
  texts: readonly MarkdownText[],
  limit = LIMIT_MS,
): Promise<Map<MarkdownText, string>> {
  const done: string[] = [];
  while (done.length < texts.length) {
    await formatUntilStuck(texts.slice(done.length), done, limit);
    const stuck = texts[done.length];
    if (stuck) done.push(plainHtml(stuck.text));
  }
  return new Map(texts.map((text, at) => [text, done[at]!]));
}

/** Appends what one thread formats before it ends: all of it, or all before a text that it is stuck in. */
function formatUntilStuck(texts: readonly MarkdownText[], done: string[], limit: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const thread = new Worker(THREADS.find((path) => existsSync(path)) ?? THREADS[0]!, {
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  const wanted = done.length + texts.length;
  let timer: NodeJS.Timeout | undefined;
  let isReady = false;
  thread.on('message', (html: string) => {
    clearTimeout(timer);
    if (isReady) done.push(html);
    else thread.postMessage(texts);
    isReady = true;
    if (done.length === wanted) resolve(undefined);
    else timer = setTimeout(() => resolve(undefined), limit);
  });
  // Out of memory in a text is that text's affair; a thread that never began is not.
  thread.on('error', (error) => (isReady ? resolve(undefined) : reject(error)));
  return promise.finally(async () => {
    clearTimeout(timer);
    await thread.terminate();
  });
}
