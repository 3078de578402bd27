// `npm run screenshots`: takes the pictures of docs/pages.md, docs/server/web.md and the README anew, in the Chromium of `npm run browser`.
// Look at them: nothing compares them. Names of pages after the command take those alone.
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
const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 800 };
const GAP = 16;
const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];
/** No picture of docs/pages.md is larger. */
const MOST_BYTES = 60 * 1024;

/** Where a page is, and what is done there first. */
type GoThere = (page: Page) => Promise<unknown>;

const found = findBrowser();
if (!found) throw new Error('There is no Chromium here. Get one with: npm run browser');
const scene = sandbox('queue');
const browser = await launchBrowser(found);
const served = await serve();

const goTo =
  (path: string): GoThere =>
  (page) =>
    page.goto(`${served.url}${path}`);
const atExport: GoThere = async (page) => {
  const path = join(scene.root, 'export.html');
  writeFileSync(path, await exportPage({ archive: { ...queueArchive(), altered: [] } }, 'html'));
  await page.goto(pathToFileURL(path).href);
};
const atCouncil: GoThere = async (page) => {
  await page.goto(`${served.url}/councils/queue`);
  await page
    .locator('main[data-news="Answered so far: 4 of 5, CHALLENGE."]')
    .waitFor({ state: 'attached', timeout: 60_000 });
  await page.goto(`${served.url}/councils/queue`);
};
const atStart: GoThere = async (page) => {
  await page.goto(`${served.url}/start`);
  await page.getByLabel('Question').fill('Do we rewrite the exporter before March?');
  for (const id of ['henry', 'nova', 'ana']) await page.locator(`input[value="${id}"]`).check();
  await page.evaluate('scrollTo(0, 0)');
};
const atArchive: GoThere = async (page) => {
  await page.goto(`${served.url}/archives`);
  await page.locator('.rows a[href^="/archives/"]').first().click();
  await page.waitForURL(/\/archives\/./);
};
let invited = '';
/** From now on everybody has to sign in: last of all. */
const atSeat: GoThere = async (page) => {
  if (invited === '') {
    await scene.shell('council invite ana --name queue --json > invite.json');
    invited = (JSON.parse(readFileSync(join(scene.root, 'invite.json'), 'utf8')) as { url: string }).url;
  }
  await page.goto(invited);
  await page.waitForURL('**/seat');
  await page.reload();
};

/** Those of docs/pages.md: each at both widths side by side, light and dark. */
const pages: [name: string, at: GoThere][] = [
  ['council', atCouncil],
  ['needs', goTo('/')],
  ['councils', goTo('/councils')],
  ['archives', goTo('/archives')],
  ['archive', atArchive],
  ['start', atStart],
  ['tasks', goTo('/tasks')],
  ['plan', goTo('/tasks/S1')],
  ['messages', goTo('/messages')],
  ['channel', goTo('/messages/general')],
  ['agents', goTo('/agents')],
  ['records', goTo('/records')],
  ['cost', goTo('/cost?by=agent')],
  ['seat', atSeat],
  ['join', goTo('/join')],
];
/** A picture of one thing, for README and web.md. */
interface Detail {
  name: string;
  width: number;
  colorScheme: Scheme;
  of?: string;
  at: GoThere;
}
const details: Detail[] = [
  { name: 'first-screen', width: 1280, colorScheme: 'light', at: atExport },
  { name: 'positions', width: 1280, colorScheme: 'dark', of: '#positions', at: atExport },
  { name: 'ledger', width: 1280, colorScheme: 'light', of: '#round-1', at: atExport },
];

/** After the pages: its visitor signs in. */
const seat: Detail = { name: 'seat', width: PHONE.width, colorScheme: 'dark', at: atSeat };

const asked = process.argv.slice(2);
const isAsked = (name: string): boolean => asked.length === 0 || asked.includes(name);
try {
  for (const detail of details.filter(({ name }) => isAsked(name))) await takeDetail(detail);
  for (const [name, at] of pages.filter(([name]) => isAsked(name)))
    for (const colorScheme of SCHEMES) {
      const shots: Buffer[] = [];
      for (const viewport of [WIDE, PHONE]) {
        const page = await browser.newPage({ viewport, colorScheme, locale: 'en' });
        await at(page);
        shots.push(await page.screenshot());
        await page.close();
      }
      writeFileSync(join(PICTURES, `page-${name}-${colorScheme}.webp`), await joinShots(shots));
    }
  if (isAsked(seat.name)) await takeDetail(seat);
} finally {
  process.kill(served.pid);
  await browser.close();
  scene.remove();
}

async function takeDetail({ name, width, colorScheme, of, at }: Detail): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme, locale: 'en' });
  await at(page);
  const into = { path: join(PICTURES, `${name}.png`) };
  await (of === undefined ? page.screenshot(into) : page.locator(of).screenshot(into));
  await page.close();
}

/** The two widths side by side as one small picture, which the browser encodes. */
async function joinShots(shots: readonly Buffer[]): Promise<Buffer> {
  const page = await browser.newPage();
  const urls = shots.map((one) => `data:image/png;base64,${one.toString('base64')}`);
  const encode = (quality: number): Promise<string> =>
    page.evaluate(`(async () => {
      const canvas = document.createElement('canvas');
      canvas.width = ${WIDE.width + GAP + PHONE.width};
      canvas.height = ${WIDE.height};
      const pen = canvas.getContext('2d');
      pen.fillStyle = '#888';
      pen.fillRect(0, 0, canvas.width, canvas.height);
      let left = 0;
      for (const url of ${JSON.stringify(urls)}) {
        const image = await createImageBitmap(await (await fetch(url)).blob());
        pen.drawImage(image, left, 0);
        left += image.width + ${GAP};
      }
      return canvas.toDataURL('image/webp', ${quality});
    })()`);
  try {
    for (let quality = 0.8; ; quality -= 0.15) {
      const made = Buffer.from((await encode(quality)).split(',')[1] ?? '', 'base64');
      if (made.length <= MOST_BYTES || quality < 0.3) return made;
    }
  } finally {
    await page.close();
  }
}

/** The debate of `council demo` with a person at the table, an archive of it, tasks, a message, and a server that moves it on. */
async function serve(): Promise<{ url: string; pid: number }> {
  await scenes.queue!(scene);
  await scenes.tasks!(scene);
  writeFileSync(
    join(scene.root, 'said.md'),
    'position: Use PostgreSQL\n\nIt is there, it is backed up, and I can repair it at night.\n',
  );
  await scene.shell('council agents add ana --runner human; council trust --yes');
  await scene.shell('council run --quiet --brief brief.md --agents henry,sage,nova,echo --coordinator maman');
  await scene.shell('council task plan PLAN.md');
  await scene.shell(
    'council start --brief brief.md --agents henry,sage,nova,echo,ana --coordinator maman --name queue --mode debate; council respond ana --name queue --file said.md',
  );
  await scene.shell(
    'council send all "The restore took 40 minutes." --from sage; council send human "The release is ready. Shall I tag it?" --from henry --type request',
  );
  await scene.shell('council serve --heartbeat --port 0 --json > serve.log 2>&1 &');
  const log = join(scene.root, 'serve.log');
  // What it tells people stands there as well.
  const said = (): string | undefined =>
    existsSync(log) ? /^\{.*\}$/m.exec(readFileSync(log, 'utf8'))?.[0] : undefined;
  while (said() === undefined) await delay(50);
  return JSON.parse(said()!) as { url: string; pid: number };
}
