// `npm run screenshots`: takes the pictures of docs/server/web.md anew, in the Chromium of `npm run browser`. Look at them: nothing compares them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { exportPage } from '../src/server/page/use/export-page.ts';
import { findBrowser, launchBrowser } from '../test/helpers/browser.ts';
import { queueArchive } from '../test/helpers/page-sample.ts';
import { sandbox } from './docs/sandbox.ts';
import { scenes } from './docs/scenes.ts';

const PICTURES = join(import.meta.dirname, '..', 'docs', 'pictures');

interface Shot {
  name: string;
  width: number;
  height: number;
  colorScheme: 'light' | 'dark';
  /** What to look at; the first screen where nothing is said. */
  of?: string;
  /** Where it is, and what is done there first. */
  at: (page: Page) => Promise<unknown>;
}

const found = findBrowser();
if (!found) throw new Error('There is no Chromium here. Get one with: npm run browser');
const scene = sandbox('queue');
const browser = await launchBrowser(found);
const served = await serve();
const atExport = async (page: Page): Promise<void> => {
  const path = join(scene.root, 'export.html');
  writeFileSync(path, await exportPage({ archive: { ...queueArchive(), altered: [] } }, 'html'));
  await page.goto(pathToFileURL(path).href);
};
const atCouncil = async (page: Page): Promise<void> => {
  await page.goto(`${served.url}/councils/queue`);
  await page
    .locator('main[data-news="Answered so far: 4 of 5, CHALLENGE."]')
    .waitFor({ state: 'attached', timeout: 60_000 });
  await page.goto(`${served.url}/councils/queue`);
};
const atNeeds = async (page: Page): Promise<void> => {
  await scene.shell('council send human "The release is ready. Shall I tag it?" --from henry --type request');
  await atCouncil(page);
  await page.goto(`${served.url}/`);
};
const atStart = async (page: Page): Promise<void> => {
  await page.goto(`${served.url}/start`);
  await page.getByLabel('Question').fill('Do we rewrite the exporter before March?');
  for (const id of ['henry', 'nova', 'ana']) await page.locator(`input[value="${id}"]`).check();
};
/** From now on everybody has to sign in: last of all. */
const atSeat = async (page: Page): Promise<void> => {
  await scene.shell('council invite ana --name queue --json > invite.json');
  const { url } = JSON.parse(readFileSync(join(scene.root, 'invite.json'), 'utf8')) as { url: string };
  await page.goto(url);
  await page.waitForURL('**/seat');
};
const wide = { width: 1280, height: 800 };
const shots: Shot[] = [
  { name: 'first-screen', ...wide, colorScheme: 'light', at: atExport },
  { name: 'positions', ...wide, colorScheme: 'dark', of: '#positions', at: atExport },
  { name: 'ledger', width: 1000, height: 800, colorScheme: 'light', of: '#ledger', at: atExport },
  { name: 'needs', ...wide, colorScheme: 'light', at: atNeeds },
  { name: 'council', ...wide, colorScheme: 'light', at: atCouncil },
  { name: 'new', width: 1000, height: 800, colorScheme: 'dark', of: 'body', at: atStart },
  { name: 'seat', width: 390, height: 844, colorScheme: 'dark', at: atSeat },
];
try {
  for (const { name, colorScheme, of, at, ...viewport } of shots) {
    const page = await browser.newPage({ viewport, colorScheme, locale: 'en' });
    await at(page);
    const into = { path: join(PICTURES, `${name}.png`) };
    await (of === undefined ? page.screenshot(into) : page.locator(of).screenshot(into));
    await page.close();
  }
} finally {
  process.kill(served.pid);
  await browser.close();
  scene.remove();
}

/** The debate of `council demo` with a person at the table, and a server that moves it on. */
async function serve(): Promise<{ url: string; pid: number }> {
  await scenes.queue!(scene);
  writeFileSync(
    join(scene.root, 'said.md'),
    'position: Use PostgreSQL\n\nIt is there, it is backed up, and I can repair it at night.\n',
  );
  await scene.shell(
    'council agents add ana --runner human; council trust --yes; council start --brief brief.md --agents henry,sage,nova,echo,ana --coordinator maman --name queue --mode debate; council respond ana --file said.md',
  );
  await scene.shell('council serve --heartbeat --port 0 --json > serve.log 2>&1 &');
  const log = join(scene.root, 'serve.log');
  // What it tells people stands there as well.
  const said = (): string | undefined =>
    existsSync(log) ? /^\{.*\}$/m.exec(readFileSync(log, 'utf8'))?.[0] : undefined;
  while (said() === undefined) await delay(50);
  return JSON.parse(said()!) as { url: string; pid: number };
}
