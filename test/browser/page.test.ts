// The pages in a real Chromium: opened from a folder with the network cut, looked at, printed, and attacked.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { exportPage } from '../../src/server/page/use/export-page.ts';
import type { Archive } from '../../src/core/archive/archive.ts';
import { faultsOf } from '../helpers/accessible.ts';
import { findBrowser, launchBrowser } from '../helpers/browser.ts';
import { hostileArchive } from '../helpers/hostile-page.ts';
import { queueArchive, queueUpTo } from '../helpers/page-sample.ts';
import { takeOneIn } from '../helpers/long.ts';

const found = findBrowser();
if (!found) console.log('No Chromium here: the tests of pages are left out. Get one with: npm run browser');

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** What one page did that it must not: requests, dialogs, errors and refusals of its policy. */
interface Watched {
  page: Page;
  did: string[];
}

describe.skipIf(!found)('pages in a browser', () => {
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), 'council-pages-'));
  const written = async (
    name: string,
    archive: Archive,
    format: 'html' | 'svg' = 'html',
  ): Promise<string> => {
    const path = join(folder, `${name}.${format}`);
    writeFileSync(path, await exportPage({ archive: { ...archive, altered: [] } }, format));
    return pathToFileURL(path).href;
  };
  const open = async (url: string, options: BrowserContextOptions = {}): Promise<Watched> => {
    const context = await browser.newContext({ viewport: WIDE, offline: true, ...options });
    const page = await context.newPage();
    const did: string[] = [];
    page.on('request', (request) => request.url() !== url && did.push(`request ${request.url()}`));
    page.on('dialog', (dialog) => {
      did.push('dialog');
      void dialog.dismiss();
    });
    page.on('console', (message) => did.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => did.push(`error: ${error.message}`));
    await page.goto(url);
    return { page, did };
  };
  beforeAll(async () => {
    browser = await launchBrowser(found!);
  });
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  it('open from a folder with the network cut, and ask for nothing', async () => {
    const { page, did } = await open(await written('queue', queueArchive()));
    expect(await page.title()).toBe('Where should the job queue live?');
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.first')).display`)).toBe('grid');
    expect(did).toEqual([]);
  });

  it.each([
    ['wide', WIDE],
    ['on a phone', PHONE],
  ])('show on the first screen what was decided, %s', async (_name, viewport) => {
    const { page } = await open(await written('queue', queueArchive()), { viewport });
    const isSeen = async (locator: ReturnType<Page['locator']>): Promise<boolean> => {
      const box = await locator.first().boundingBox();
      return (
        box !== null &&
        box.y >= 0 &&
        box.y + box.height <= viewport.height &&
        box.x >= 0 &&
        box.x + box.width <= viewport.width
      );
    };
    const decision = page.getByRole('region', { name: 'Decision', exact: true });
    const dissent = page.getByRole('region', { name: 'Dissent', exact: true });
    const unanswered = page.getByRole('region', { name: 'Challenges without an answer (1)' });
    for (const part of [
      decision.getByText('Decided (majority)'),
      decision.getByText('Blind vote (COLLECT)'),
      decision.getByText('Rule: majority'),
      dissent.getByText('Gemini').first(),
      unanswered.getByText('Challenges without an answer (1)'),
      unanswered.getByRole('link', { name: 'c2' }),
    ])
      expect({ part: String(part), isSeen: await isSeen(part) }).toEqual({
        part: String(part),
        isSeen: true,
      });
    // Nothing sticks out to the side.
    expect(await page.evaluate(`document.documentElement.scrollWidth`)).toBeLessThanOrEqual(viewport.width);
  });

  it.each(takeOneIn(2, [320, 390]))(
    'fit a screen of %i px, whatever was written: what is wide scrolls by itself',
    async (width) => {
      const wide = `| ${'a-cell-that-is-wide '.repeat(9)}| ${'x'.repeat(300)} |\n| - | - |\n| 1 | 2 |\n\n${'y'.repeat(300)}`;
      const archive = queueArchive({ lang: 'fr' });
      const contributions = archive.contributions.map((said) => ({ ...said, text: wide }));
      const pages = { queue: queueArchive(), hostile: hostileArchive(), wide: { ...archive, contributions } };
      for (const [name, one] of Object.entries(pages)) {
        const { page } = await open(await written(name, one), { viewport: { width, height: 700 } });
        await page.evaluate(`document.querySelectorAll('details').forEach((one) => (one.open = true))`);
        expect([name, await page.evaluate(`document.documentElement.scrollWidth`)]).toEqual([name, width]);
        const cut = `[...document.querySelectorAll('.words .wide')].filter((one) => one.scrollWidth > one.clientWidth).length`;
        if (name === 'wide') expect(await page.evaluate(cut)).toBeGreaterThan(0);
      }
    },
  );

  it('show the picture where there is room, and the table everywhere', async () => {
    const url = await written('queue', queueArchive());
    for (const [viewport, isThere] of [
      [WIDE, true],
      [PHONE, false],
    ] as const) {
      const { page } = await open(url, { viewport });
      const positions = page.getByRole('region', { name: 'How positions moved' });
      expect(await positions.getByRole('img').isVisible()).toBe(isThere);
      expect(await positions.getByRole('table').isVisible()).toBe(true);
    }
  });

  it.each(
    takeOneIn(5, [
      ['en', 'light', WIDE],
      ['en', 'light', PHONE],
      ['fr', 'light', WIDE],
      ['fr', 'light', PHONE],
      ['en', 'dark', WIDE],
      ['en', 'dark', PHONE],
    ] as const),
  )('have no fault that axe knows: %s, %s, %o', async (lang, colorScheme, viewport) => {
    const { page } = await open(await written(`queue-${lang}`, queueArchive({ lang })), {
      colorScheme,
      viewport,
    });
    await page.evaluate(`document.querySelectorAll('details').forEach((one) => (one.open = true))`);
    expect(await faultsOf(page)).toEqual([]);
  });

  it('would have a fault that axe knows', async () => {
    const path = join(folder, 'faulty.html');
    const { page } = await open(await written('queue', queueArchive()));
    writeFileSync(path, (await page.content()).replace(/ lang="en"/, '').replace('<h2', '<h5'));
    const { page: faulty } = await open(pathToFileURL(path).href);
    expect((await faultsOf(faulty)).map((fault) => fault.split(' ')[0])).toEqual(
      expect.arrayContaining(['html-has-lang', 'heading-order']),
    );
  });

  it('can be gone through by keyboard alone, and lead to what they name', async () => {
    const { page } = await open(await written('queue', queueArchive()));
    await page.getByRole('link', { name: 'c2' }).first().focus();
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#challenge-c2');
    expect(await page.evaluate(`document.querySelector(':target')?.id`)).toBe('challenge-c2');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(`document.activeElement?.tagName`)).not.toBe('BODY');
  });

  it('print as PDF, with what is folded on the screen', async () => {
    const { page, did } = await open(await written('queue', queueArchive()), { colorScheme: 'dark' });
    const pdf = await page.pdf({ format: 'A4', printBackground: true });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect((pdf.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? []).length).toBeGreaterThan(2);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.evaluate(`getComputedStyle(document.documentElement).backgroundColor`)).toBe(
      'rgb(255, 255, 255)',
    );
    expect(did).toEqual([]);
  });

  it('do nothing that hostile texts ask for, wherever these stand', async () => {
    const archive = hostileArchive();
    const { page, did } = await open(await written('hostile', archive));
    await page.evaluate(`document.querySelectorAll('details').forEach((one) => (one.open = true))`);
    expect(
      await page.locator('main script, main img, main iframe, main form, main style, main [style]').count(),
    ).toBe(0);
    expect(did).toEqual([]);
    expect(await faultsOf(page)).toEqual([]);
    const picture = await open(await written('hostile', archive, 'svg'));
    expect(await picture.page.locator('script, image, foreignObject, a').count()).toBe(0);
    expect(picture.did).toEqual([]);
  });

  it('show a council that goes on', async () => {
    const path = join(folder, 'active.html');
    writeFileSync(path, await exportPage({ council: queueUpTo(1) }, 'html'));
    const { page, did } = await open(pathToFileURL(path).href);
    expect(await page.locator('#underway').textContent()).toContain('CHALLENGE (round 2) is open until');
    expect(await page.getByRole('region', { name: 'Decision' }).count()).toBe(0);
    expect(did).toEqual([]);
    expect(await faultsOf(page)).toEqual([]);
  });

  it('stay quick with a thousand contributions', async () => {
    const archive = queueArchive();
    const [one] = archive.contributions;
    const contributions = Array.from({ length: 1000 }, (_, at) => ({
      ...one!,
      tour: 1 + Math.floor(at / 8),
      by: archive.meta.participants[at % 8]!.id,
    }));
    const { page, did } = await open(await written('many', { ...archive, contributions }));
    expect(await page.locator('article.said').count()).toBe(1000);
    expect(did).toEqual([]);
  });
});
