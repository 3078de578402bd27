// Figures of pages: one KB of Markdown, a council of a thousand contributions, and the same opened in a browser.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { exportPage } from '../src/app/page/export-page.ts';
import type { Archive } from '../src/archive/archive.ts';
import { markdownToHtml } from '../src/page/markdown/to-html.ts';
import { findBrowser, launchBrowser } from '../test/helpers/browser.ts';
import { queueArchive } from '../test/helpers/page-sample.ts';
import type { Figure } from './figure.ts';
import { pairwise } from './measure.ts';

const TEXTS = 50;
const CONTRIBUTIONS = 1000;

/** A kilobyte as models write it: prose with emphasis, a list, a link, some code, a quote. */
const KILOBYTE =
  `The **second server** comes in March, and then a queue in \`PostgreSQL\` is one table that both read.

> A lost job means a customer without an invoice.

- 40 jobs a minute today, 400 expected ([figures](https://example.org/figures))
- nobody on call has run Redis

\`\`\`sql
SELECT id FROM jobs WHERE taken IS NULL FOR UPDATE SKIP LOCKED LIMIT 1;
\`\`\`

`
    .padEnd(1024, 'What is written together is restored together, which is all that matters at night. ')
    .slice(0, 1024);

const parser = unified().use(remarkParse).use(remarkGfm).freeze();

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function large(): Archive {
  const archive = queueArchive();
  const [said] = archive.contributions;
  const contributions = Array.from({ length: CONTRIBUTIONS }, (_, at) => ({
    ...said!,
    tour: 1 + Math.floor(at / 8),
    by: archive.meta.participants[at % 8]!.id,
    text: KILOBYTE,
  }));
  return { ...archive, contributions };
}

const exported = (archive: Archive): Promise<string> =>
  exportPage({ archive: { ...archive, altered: [] } }, 'html');

const kilobyte: Figure = {
  name: 'page-kb',
  what: '1 KB of Markdown as HTML that can do nothing',
  against: 'parsing it',
  goal: 3,
  measure: () =>
    pairwise(
      40,
      async () =>
        (await timed(() =>
          repeated(() => markdownToHtml({ text: KILOBYTE, prefix: '', level: 2, marks: [] })),
        )) / TEXTS,
      async () => (await timed(() => repeated(() => parser.parse(KILOBYTE)))) / TEXTS,
    ),
};

function repeated(work: () => unknown): void {
  for (let at = 0; at < TEXTS; at++) work();
}

const page: Figure = {
  name: 'page-export',
  what: `the page of a council of ${CONTRIBUTIONS} contributions of 1 KB`,
  against: 'parsing their Markdown',
  goal: 3,
  measure: () => {
    const archive = large();
    return pairwise(
      5,
      () => timed(() => exported(archive)),
      () => timed(() => archive.contributions.forEach(({ text }) => parser.parse(text))),
    );
  },
};

const found = findBrowser();

const opened = (browserAt: NonNullable<typeof found>): Figure => ({
  name: 'page-open',
  what: `opening the page of a council of ${CONTRIBUTIONS} contributions in Chromium, up to its load event`,
  against: 'opening an empty page',
  goal: 0,
  allowanceMs: 1000,
  measure: async (scratch) => {
    const written = (name: string, html: string): string => {
      const path = join(scratch, name);
      writeFileSync(path, html);
      return pathToFileURL(path).href;
    };
    const whole = written('whole.html', await exported(large()));
    const empty = written('empty.html', '<!doctype html><title>Empty</title>');
    const browser = await launchBrowser(browserAt);
    const tab = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const timings = await pairwise(
      15,
      () => timed(() => tab.goto(whole)),
      () => timed(() => tab.goto(empty)),
    );
    await browser.close();
    return timings;
  },
});

export const pageFigures: Figure[] = [kilobyte, page, ...(found ? [opened(found)] : [])];
