// `npm run screenshots`: takes the pictures of docs/web.md anew, in the Chromium of `npm run browser`. Look at them: nothing compares them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { exportPage } from '../src/app/page/export-page.ts';
import { findBrowser, launchBrowser } from '../test/helpers/browser.ts';
import { queueArchive } from '../test/helpers/page-sample.ts';

const PICTURES = join(import.meta.dirname, '..', 'docs', 'pictures');

interface Shot {
  name: string;
  width: number;
  height: number;
  colorScheme: 'light' | 'dark';
  lang?: 'fr';
  /** What to look at; the first screen where nothing is said. */
  of?: string;
}

const SHOTS: Shot[] = [
  { name: 'first-screen', width: 1280, height: 800, colorScheme: 'light' },
  { name: 'phone', width: 390, height: 844, colorScheme: 'dark', lang: 'fr' },
  { name: 'positions', width: 1280, height: 800, colorScheme: 'dark', of: '#positions' },
  { name: 'ledger', width: 1000, height: 800, colorScheme: 'light', of: '#ledger' },
];

const found = findBrowser();
if (!found) throw new Error('There is no Chromium here. Get one with: npm run browser');
const scratch = mkdtempSync(join(tmpdir(), 'council-screenshots-'));
const browser = await launchBrowser(found);
try {
  for (const shot of SHOTS) await take(shot);
} finally {
  await browser.close();
  rmSync(scratch, { recursive: true });
}

async function take({ name, colorScheme, lang, of, ...viewport }: Shot): Promise<void> {
  const path = join(scratch, `${name}.html`);
  const archive = { ...queueArchive(lang && { lang }), altered: [] };
  writeFileSync(path, await exportPage({ archive }, 'html'));
  const page: Page = await browser.newPage({ viewport, colorScheme });
  await page.goto(pathToFileURL(path).href);
  const into = { path: join(PICTURES, `${name}.png`) };
  await (of === undefined ? page.screenshot(into) : page.locator(of).screenshot(into));
  await page.close();
}
