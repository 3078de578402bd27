// A thread that formats Markdown, one text after the other: whoever waits for it may end it.
import { parentPort } from 'node:worker_threads';
import type { MarkdownText } from '../../page/markdown/markdown-text.ts';
import { markdownToHtml } from '../../page/markdown/to-html.ts';

parentPort?.on('message', (texts: MarkdownText[]) => {
  for (const text of texts) parentPort?.postMessage(markdownToHtml(text));
});
parentPort?.postMessage('ready');
