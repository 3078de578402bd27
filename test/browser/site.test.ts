// The pages of a server in a real Chromium: a council from its question to the archive, and what somebody else sees of it meanwhile.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boxOf, faultsOf } from '../helpers/accessible.ts';
import { findBrowser, launchBrowser } from '../helpers/browser.ts';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { must } from '../helpers/scenarios.ts';
import { serving } from '../helpers/serve.ts';
import { addSpeaker } from '../helpers/speakers.ts';
import { renderArchive } from '../../src/core/archive/write.ts';
import { closing, longCouncil } from '../helpers/page-sample.ts';
import { IS_SHORT, takeOneIn } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

const found = findBrowser();
if (!found) console.log('No Chromium here: the tests of pages are left out. Get one with: npm run browser');

const WIDE = { width: 1280, height: 800 };
const THEIRS = 'canary-of-cai-4711';
const MINE = 'canary-of-ana-4712';

/** Everything that reached one browser: what came over the wire, and whatever its pages did that they must not. */
interface Watched {
  context: BrowserContext;
  page: Page;
  came: string[];
  did: string[];
  bytes(): number;
}

describe.skipIf(!found)('the pages of a server in a browser', () => {
  let browser: Browser;
  let project: Project;
  let server: Awaited<ReturnType<typeof serving>>;

  beforeAll(async () => {
    browser = await launchBrowser(found!);
    project = await newProject();
    addSpeaker(project, 'cai', { any: { say: `PostgreSQL, as I see it: ${THEIRS}.` } });
    addSpeaker(project, 'dov', { any: { say: 'Redis is there already.' } });
    await must(project, ['agents', 'add', 'ana', '--runner', 'human']);
    await must(project, ['trust', '--yes']);
    server = await serving(project, ['--heartbeat']);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  const watched = async (options: Parameters<Browser['newContext']>[0] = {}): Promise<Watched> => {
    const context = await browser.newContext({ viewport: WIDE, ...options });
    const page = await context.newPage();
    const [came, did]: [string[], string[]] = [[], []];
    let bytes = 0;
    page.on('response', (response) => {
      if (!response.url().startsWith(server.url)) did.push(`request ${response.url()}`);
      void response
        .body()
        .then((body) => {
          bytes += body.length;
          came.push(body.toString('utf8'));
        })
        .catch(() => undefined);
    });
    page.on(
      'console',
      (message) =>
        message.type() === 'error' &&
        !message.text().includes('404') &&
        did.push(`console: ${message.text()}`),
    );
    page.on('pageerror', (error) => did.push(`error: ${error.message}`));
    return { context, page, came, did, bytes: () => bytes };
  };
  /** On a phone nothing sticks out to the side, what is folded as well. */
  const fitsPhone = async (page: Page, path: string): Promise<void> => {
    const fold = (open: boolean) =>
      `document.querySelectorAll('details').forEach((one) => (one.open = ${open}))`;
    await page.evaluate(fold(true));
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      expect([path, wide]).toEqual([path, width]);
    }
    await page.evaluate(fold(false));
    // Rows stand below each other there, and what filters is folded.
    // Each row is a card, its cells with what they are.
    if (path === '/councils/open-one') {
      expect((await boxOf(page.locator('#seats caption'))).height).toBeLessThan(40);
      const label = `getComputedStyle(document.querySelector('#seats td'), '::before').content`;
      expect(await page.evaluate(label)).toBe('"State: "');
    }
    const cut = `[...document.querySelectorAll('.rows')].filter((one) => one.scrollWidth > one.clientWidth).length`;
    expect([path, await page.evaluate(cut)]).toEqual([path, 0]);
    if (path.startsWith('/archives'))
      expect((await boxOf(page.locator('.rows, main > p').first())).y).toBeLessThan(500);
    await page.setViewportSize(WIDE);
  };
  const opened = async (what: Watched): Promise<void> => {
    const { json } = await project.council<{ url: string }>(['open', '--json']);
    await what.page.goto(json.url);
    await what.page.waitForURL(`${server.url}/`);
  };

  it('start a council, watch it while it is blind, take a seat at it by an invitation, and see it archived', async () => {
    const ana = await watched();
    const admin = await watched();
    await opened(admin);
    const { page } = admin;
    await page.getByRole('link', { name: 'New' }).click();
    await page.getByLabel('Question').fill('Where should the queue live?');
    await page.getByLabel('Name', { exact: true }).fill('queue');
    for (const id of ['ana', 'cai', 'dov']) await page.locator(`input[value="${id}"]`).check();
    await page.getByLabel('Mode').selectOption('synthesis');
    await page.getByLabel('Who writes the synthesis').selectOption('-');
    await page.getByRole('button', { name: 'Show the command' }).click();
    expect(await page.locator('#command pre').textContent()).toBe(
      "council start 'Where should the queue live?' --name queue --agents ana,cai,dov --mode synthesis --coordinator ''",
    );
    await page.getByRole('button', { name: 'Start' }).click();
    await page.waitForURL(/\/councils\/queue/);

    const invited = await project.council<{ url: string }>(['invite', 'ana', '--name', 'queue', '--json']);
    await until('the invitation is known', async () => {
      await ana.page.goto('about:blank');
      await ana.page.goto(invited.json.url);
      await ana.page.waitForURL((url) => url.hash === '');
      await ana.page.waitForLoadState();
      return ana.page.url().endsWith('/councils/queue/seat');
    });
    // The two programs speak by themselves: the page tells, without being loaded again.
    await page.evaluate('window.isTheSame = true');
    await page.getByText('Answered so far: 2 of 3').waitFor({ state: 'attached' });
    expect(await page.evaluate('window.isTheSame')).toBe(true);
    const stored = async ({ context, page: one }: Watched): Promise<string> =>
      JSON.stringify([
        await context.storageState(),
        await one.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'),
        await one.content(),
      ]);
    for (const who of [ana, admin]) {
      expect(who.came.join('\n')).not.toContain(THEIRS);
      expect(await stored(who)).not.toContain(THEIRS);
    }
    await ana.page.locator('textarea').first().fill(`Neither of them: ${MINE}.`);
    await ana.page.getByRole('button', { name: 'Send' }).first().click();
    await page.waitForURL(/\/archives\//);
    await page.getByText(THEIRS).first().waitFor();
    expect(await page.content()).toContain(MINE);
    for (const { did } of [ana, admin]) expect(did).toEqual([]);
    await ana.context.close();
    await admin.context.close();
  });

  it('have no fault that axe finds, light and dark', async () => {
    await must(project, ['start', 'Which?', '--agents', 'ana', '--coordinator', '', '--name', 'open-one']);
    await must(project, [
      'send',
      'ana',
      'A line of some length, with `code` and an address: https://example.org/a',
    ]);
    const lists = [
      '/councils',
      '/archives',
      '/archives?q=queue',
      '/tasks',
      '/messages',
      '/messages/general',
      '/agents',
      '/records',
      '/cost?by=council',
    ];
    const all = ['/', ...lists, '/start', '/councils/open-one'];
    const faultsAt = async (page: Page): Promise<string[]> => {
      const found: string[] = [];
      for (const width of IS_SHORT ? [390, 1280] : [390, 768, 1280, 1920]) {
        await page.setViewportSize({ width, height: WIDE.height });
        found.push(...(await faultsOf(page)).map((fault) => `${width}: ${fault}`));
      }
      await page.setViewportSize(WIDE);
      return found;
    };
    for (const [colorScheme, paths] of [
      ['light', all],
      ['dark', takeOneIn(5, all)],
    ] as const) {
      const admin = await watched({ colorScheme });
      await admin.page.goto(`${server.url}/join`);
      expect([colorScheme, '/join', await faultsAt(admin.page)]).toEqual([colorScheme, '/join', []]);
      await opened(admin);
      for (const path of paths) {
        await admin.page.goto(server.url + path);
        expect([colorScheme, path, await faultsAt(admin.page)]).toEqual([colorScheme, path, []]);
        if (colorScheme === 'light') await fitsPhone(admin.page, path);
      }
      await admin.page.goto(`${server.url}/archives`);
      await admin.page.getByRole('link', { name: 'Where should the queue live?' }).click();
      await admin.page.waitForURL(/\/archives\/./);
      expect([colorScheme, 'archive', await faultsAt(admin.page)]).toEqual([colorScheme, 'archive', []]);
      await admin.context.close();
    }
  });

  long('tell moments by the clock of whoever looks, in the language of the council', async () => {
    await must(project, [
      'start',
      'Où ?',
      '--agents',
      'ana',
      '--coordinator',
      '',
      '--name',
      'ou',
      '--lang',
      'fr',
    ]);
    const admin = await watched({ locale: 'fr', timezoneId: 'Asia/Kolkata' });
    await opened(admin);
    await admin.page.goto(`${server.url}/councils/ou`);
    expect(await admin.page.locator('#clock time').textContent()).toMatch(
      /^\d{1,2} \p{L}+\.? \d{4}, \d\d:\d\d UTC\+5:30$/u,
    );
    await admin.context.close();
  });

  long('tick with two presses and no other page, as often as it takes', async () => {
    const admin = await watched();
    await opened(admin);
    const { page } = admin;
    for (let ticks = 0; ticks < 2; ticks++) {
      await page.goto(`${server.url}/councils/open-one`);
      await page.locator('summary', { hasText: 'Tick now' }).click();
      await page.getByRole('button', { name: 'Tick now' }).click();
      await page.getByText('A tick has begun.').waitFor();
    }
    await admin.context.close();
  });

  it('decide without a script, each thing once it was confirmed', async () => {
    const admin = await watched({ javaScriptEnabled: false });
    const { json } = await project.council<{ url: string }>(['open', 'open-one', '--json']);
    const { page } = admin;
    await page.goto(json.url);
    // What is meant for such a browser is seen there.
    const byHand = page.locator('noscript');
    expect(await byHand.textContent()).toContain('copy what follows the # in the address bar');
    expect((await boxOf(byHand)).height).toBeGreaterThan(10);
    await page.getByLabel('Code').fill(json.url.slice(json.url.indexOf('#') + 1));
    await page.getByRole('button', { name: 'Join' }).click();
    await page.locator('summary', { hasText: 'End the council' }).click();
    await page.locator('#why-cancel').fill('overtaken by events');
    await page.locator('form[action$="/cancel"]').getByLabel('I am sure').check();
    await page.getByRole('button', { name: 'End the council' }).click();
    await page.waitForURL(/\/archives\//);
    expect(await page.content()).toContain('overtaken by events');
    await admin.context.close();
  });

  long('notify in a hidden tab when something new needs their reader, once that was asked for', async () => {
    const admin = await watched();
    await admin.context.addInitScript(`
      window.told = [];
      window.Notification = class {
        static permission = 'granted';
        static requestPermission = async () => 'granted';
        constructor(title) { window.told.push(title); }
      };
      Object.defineProperty(document, 'visibilityState', { get: () => window.hides ? 'hidden' : 'visible' });
    `);
    await opened(admin);
    await admin.page.reload();
    const button = admin.page.getByRole('button', { name: 'Notify me when something new needs me' });
    expect(await button.getAttribute('aria-pressed')).toBe('false');
    await button.click();
    expect(await button.getAttribute('aria-pressed')).toBe('true');
    await admin.page.evaluate('window.hides = true');
    await must(project, ['send', 'human', 'Shall I tag it?', '--from', 'cai', '--type', 'request']);
    await must(project, ['start', 'Now?', '--agents', 'ana', '--coordinator', '', '--name', 'stir']);
    await until('it notifies', async () => (await admin.page.evaluate('told.length')) === 1);
    expect(await admin.page.evaluate('told')).toEqual([expect.stringMatching(/^\(\d+\) Needs me/)]);
    expect(admin.did).toEqual([]);
    await admin.context.close();
  });

  long('copy an archive as Markdown, where a browser has a clipboard', async () => {
    const admin = await watched({ permissions: ['clipboard-read', 'clipboard-write'] });
    await opened(admin);
    await admin.page.goto(`${server.url}/archives`);
    await admin.page.getByRole('link', { name: 'Where should the queue live?' }).click();
    await admin.page.getByRole('button', { name: 'Copy as Markdown' }).click();
    await admin.page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await admin.page.evaluate('navigator.clipboard.readText()')).toContain(
      'Where should the queue live?',
    );
    expect(admin.did).toEqual([]);
    await admin.context.close();
  });

  it('lead to the page of a long council that has what an address names, with script and without', async () => {
    const long = longCouncil(24, (round, by) =>
      round === 1
        ? `- ${by} wants one table.\n`
        : `@henry.1:\n\n> one table\n\nSays ${by} in round ${round}. ${'Who restores it? '.repeat(60)}\n`,
    );
    project.write('conseils/2026-03-01-long.md', renderArchive(closing(long), []));
    const admin = await watched();
    await opened(admin);
    const archive = `${server.url}/archives/2026-03-01-long`;
    for (const id of ['said-2-sage', 'claim-sage.1', 'challenge-c9']) {
      await admin.page.goto(archive);
      expect(await admin.page.locator(`[id="${id}"]`).count()).toBe(0);
      await admin.page.goto(`${archive}#${id}`);
      await admin.page.waitForURL(`${archive}?at=${id}#${id}`);
      await admin.page.locator(`[id="${id}"]`).waitFor();
      const top = await boxOf(admin.page.locator(`[id="${id}"]`));
      expect([id, top.y >= 0 && top.y < WIDE.height]).toEqual([id, true]);
    }
    // What is nowhere is asked for once.
    await admin.page.goto(`${archive}#said-99-sage`);
    await admin.page.waitForURL(`${archive}?at=said-99-sage#said-99-sage`);
    await admin.page.locator('#contributions').waitFor();
    const cookies = await admin.context.cookies();
    const without = await watched({ javaScriptEnabled: false });
    await without.context.addCookies(cookies);
    await without.page.goto(archive);
    await without.page.locator('#unanswered li a').first().click();
    const to = new URL(without.page.url());
    expect(to.search).toBe(`?at=${to.hash.slice(1)}`);
    expect(await without.page.locator(to.hash).count()).toBe(1);
    for (const one of [admin, without]) {
      expect(one.did).toEqual([]);
      await one.context.close();
    }
  });

  long('keep to one stream a browser, and leave alone what somebody is typing', async () => {
    await must(project, ['start', 'Which?', '--agents', 'ana', '--coordinator', '', '--name', 'typed']);
    const admin = await watched();
    await opened(admin);
    const tabs = await Promise.all([1, 2, 3].map(() => admin.context.newPage()));
    let streams = 0;
    for (const tab of tabs) tab.on('request', (request) => request.url().endsWith('/events') && streams++);
    for (const tab of tabs) await tab.goto(`${server.url}/councils/typed`);
    const [first] = tabs;
    await first!.locator('summary', { hasText: 'Excuse somebody' }).click();
    await first!.locator('#why-excuse').fill('on holi');
    await must(project, ['extend', '3d', '--name', 'typed']);
    for (const tab of tabs) {
      await tab.bringToFront();
      await tab.getByText(/\d\sd/).first().waitFor();
    }
    expect(await first!.locator('#why-excuse').inputValue()).toBe('on holi');
    expect(streams).toBe(0);
    await admin.context.close();
  });

  long('ask now and then where a browser knows no locks', async () => {
    await must(project, ['start', 'Which?', '--agents', 'ana', '--coordinator', '', '--name', 'polled']);
    const admin = await watched();
    await admin.context.addInitScript('delete Navigator.prototype.locks');
    let streams = 0;
    admin.page.on('request', (request) => request.url().endsWith('/events') && streams++);
    await opened(admin);
    await admin.page.goto(`${server.url}/councils/polled`);
    await must(project, ['extend', '3d', '--name', 'polled']);
    await admin.page.getByText(/\d\sd/).first().waitFor();
    expect([streams, admin.did]).toEqual([0, []]);
    await admin.context.close();
  });

  it('say that the server is gone, and lead back to where one was when there is another one', async () => {
    await must(project, ['start', 'Which?', '--agents', 'ana', '--coordinator', '', '--name', 'left']);
    const { page, context } = await watched();
    const token = await project.council<{ token: string }>(['token', 'create', '--role', 'admin', '--json']);
    const signIn = async (): Promise<void> => {
      await page.getByLabel('Code').fill(token.json.token);
      await page.getByRole('button', { name: 'Join' }).click();
      await page.waitForURL(`${server.url}/councils/left`);
    };
    await page.goto(`${server.url}/councils/left`);
    await signIn();
    const { port } = new URL(server.url);
    await server.stop();
    await page.getByText('The connection to the server is lost.').waitFor();
    await must(project, ['extend', '3d', '--name', 'left']);
    server = await serving(project, ['--port', port]);
    // Sessions end with the server: who was signed in is asked again.
    await page.waitForURL(/\/join\?to=/);
    await signIn();
    await page.getByText(/\d\sd/).first().waitFor();
    await context.close();
  });
});
