// Worker thread that formats Markdown, one text at a time. Its owner may terminate it.
import { parentPort } from 'node:worker_threads';
import type { MarkdownText } from '../markdown/markdown-text.ts';
import { markdownToHtml } from '../markdown/to-html.ts';

parentPort?.on('message', (texts: MarkdownText[]) => {
  for (const text of texts) parentPort?.postMessage(markdownToHtml(text));
});
parentPort?.postMessage('ready');
