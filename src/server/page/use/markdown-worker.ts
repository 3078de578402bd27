// Worker thread that formats Markdown, one text at a time. Its owner may terminate it.
import { parentPort } from 'node:worker_threads';
import type { MarkdownText } from '../markdown/markdown-text.ts';
import { convertMarkdownToHtml } from '../markdown/to-html.ts';

parentPort?.on('message', (texts: MarkdownText[]) => {
  for (const text of texts) parentPort?.postMessage(convertMarkdownToHtml(text));
});
parentPort?.postMessage('ready');
