// A person's turn in a real Chromium, at the server as users start it: answers, refusals, drafts, quotes, the keyboard, hostile texts.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boxOf, faultsOf } from '../helpers/accessible.ts';
import { findBrowser, launchBrowser } from '../helpers/browser.ts';
import { canary, secretsOf } from '../helpers/canary.ts';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { HOSTILE } from '../helpers/hostile-page.ts';
import { serving } from '../helpers/serve.ts';
import { IS_SHORT, takeOneIn } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

const found = findBrowser();
const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const PEOPLE = ['ada', 'ben', 'eve'];

describe.skipIf(!found)('a seat in a browser', () => {
  let browser: Browser;
  let project: Project;
  let server: Awaited<ReturnType<typeof serving>>;
  /** What pages did that they must not: requests elsewhere, dialogs, errors, refusals of their policy. */
  const did: string[] = [];

  const start = async (name: string, topic: string, ...more: string[]): Promise<void> => {
    const args = ['start', topic, '--agents', PEOPLE.join(','), '--coordinator', '', '--name', name, ...more];
    expect((await project.council(args)).code).toBe(0);
  };
  const makeToken = async (as: string, name: string): Promise<string> => {
    const args = ['token', 'create', '--role', 'participant', '--name', name, '--as', as, '--json'];
    return (await project.council<{ token: string }>(args)).json.token;
  };
  const say = (name: string, by: string, text: string): Promise<unknown> =>
    project.council(['respond', by, '--name', name], { input: text });
  const watch = (page: Page): Page => {
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) did.push(`request ${request.url()}`);
    });
    page.on('dialog', (dialog) => {
      did.push('dialog');
      void dialog.dismiss();
    });
    page.on('pageerror', (error) => did.push(`error: ${error.message}`));
    page.on('console', (message) => {
      // A refused form is answered with its status, which a browser notes; so are the events of a council that is just over.
      if (!/Failed to load resource.*(401|404|409|422|ERR_INTERNET_DISCONNECTED)/.test(message.text()))
        did.push(`console: ${message.text()} ${message.location().url}`);
    });
    return page;
  };
  /** Somebody at a seat, signed in by a link, in a browser of their own. */
  const sit = async (
    as: string,
    name: string,
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; context: BrowserContext; token: string }> => {
    const token = await makeToken(as, name);
    const context = await browser.newContext({ viewport: WIDE, locale: 'en', ...options });
    const page = watch(await context.newPage());
    await page.goto(`${server.url}/join`);
    await page.getByLabel('Code').fill(token);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.waitForURL('**/seat');
    return { page, context, token };
  };
  const answer = (page: Page) => page.getByLabel('Your answer');
  const press = (page: Page, name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).click();

  beforeAll(async () => {
    browser = await launchBrowser(found!);
    project = await newProject();
    for (const id of PEOPLE) await project.council(['agents', 'add', id, '--runner', 'human']);
    await start('blind', 'Where should the job queue live?');
    await start('debate', 'Redis or PostgreSQL?');
    await say(
      'debate',
      'ada',
      '---\nposition: PostgreSQL\n---\n\n- One table is restored with everything else.\n- Nobody on call has run Redis.',
    );
    await say(
      'debate',
      'ben',
      '---\nposition: Redis\n---\n\nIt takes **400 jobs** a minute without any tuning.',
    );
    await say('debate', 'eve', '---\nposition: PostgreSQL\n---\n\nI follow ada.');
    await start('hostile', HOSTILE.slice(0, 8).join(' '));
    for (const by of ['ben', 'eve'])
      await say(
        'hostile',
        by,
        `---\nposition: ${JSON.stringify(HOSTILE.slice(0, 6).join(' '))}\n---\n\n${HOSTILE.join('\n\n')}\n\n${by}`,
      );
    await say('hostile', 'ada', 'Mine.');
    await project.council(['tick', '--no-launch']);
    server = await serving(project);
  });
  afterAll(async () => {
    await server.stop();
    await browser.close();
  });

  it('takes an answer while COLLECT is blind, and shows nothing of it to anybody else', async () => {
    const secret = canary();
    const { page: ben } = await sit('ben', 'blind');
    const { page: ada, context } = await sit('ada', 'blind');
    const seen: Buffer[] = [];
    ada.on('response', (response) => {
      seen.push(Buffer.from(JSON.stringify(response.headers())));
      void response.body().then(
        (body) => seen.push(body),
        () => undefined,
      );
    });
    const text = `I hold ${secret}.`;
    await answer(ben).fill(text);
    await ben.getByLabel('Position').fill(secret);
    await press(ben, 'Preview');
    await ben.getByText('Nothing has been sent yet.').waitFor();
    await press(ben, 'Send');
    await ben.getByRole('heading', { name: 'Recorded' }).waitFor();
    for (const path of ['/councils/blind/seat', '/', '/councils/blind', '/archives'])
      await ada.goto(`${server.url}${path}`);
    await ada.goto(`${server.url}/councils/blind/seat`);
    const secrets = secretsOf([secret], [text]);
    expect(secrets.in(await ada.content())).toEqual([]);
    expect(secrets.in(Buffer.concat(seen))).toEqual([]);
    expect(secrets.in(JSON.stringify(await context.storageState({ indexedDB: true })))).toEqual([]);
  });

  long('keeps what the second of two tabs sends in its form', async () => {
    const { page: one, context } = await sit('ada', 'blind');
    const two = watch(await context.newPage());
    await two.goto(`${server.url}/councils/blind/seat`);
    await answer(one).fill('From the first tab.');
    await answer(two).fill('From the second tab.');
    await Promise.all([press(one, 'Send'), press(two, 'Send')]);
    const states = await Promise.all(
      [one, two].map(async (page) => {
        await page.locator('#report').waitFor();
        return page.locator('#report').getAttribute('data-came');
      }),
    );
    expect(states.toSorted()).toEqual(['refused', 'sent']);
    const refused = states[0] === 'refused' ? one : two;
    expect(await answer(refused).inputValue()).toBe(
      refused === one ? 'From the first tab.' : 'From the second tab.',
    );
    expect(await refused.getByRole('alert').textContent()).toContain('with another text');
    await press(refused, 'Send instead of the earlier answer');
    await refused.getByRole('heading', { name: 'Recorded' }).waitFor();
  });

  it('keeps a draft through a reload, and drops it when it is recorded or somebody signs out', async () => {
    const { page } = await sit('eve', 'blind');
    const drafts = (): Promise<number> => page.evaluate('localStorage.length');
    await answer(page).fill('Half a thou');
    await page.getByLabel('Position').fill('Half of one');
    await page.reload();
    expect(await answer(page).inputValue()).toBe('Half a thou');
    expect(await page.getByLabel('Position').inputValue()).toBe('Half of one');
    await expect.poll(drafts).toBe(1);
    await press(page, 'Send');
    await page.getByRole('heading', { name: 'Recorded' }).waitFor();
    await expect.poll(drafts).toBe(0);
    await answer(page).fill('Another');
    await page.reload();
    await expect.poll(drafts).toBe(1);
    await press(page, 'Sign out');
    await page.waitForURL('**/join**');
    await expect.poll(drafts).toBe(0);
  });

  long('quotes what is selected, and a claim at a press of its button', async () => {
    const { page } = await sit('eve', 'debate');
    await page.getByText('One table is restored with everything else.').first().selectText();
    await press(page, 'Quote the selected words');
    await page.keyboard.type('Is it restored as fast?');
    await page.getByText('Claims (1)').first().click();
    await page.getByRole('button', { name: /^Quote @\w+\.1$/ }).click();
    await page.keyboard.type('Measured by whom?');
    await page.getByRole('radio', { name: /^P1/ }).check();
    await press(page, 'Preview');
    const report = page.locator('#report');
    await report.getByText('Nothing has been sent yet.').waitFor();
    expect(await report.textContent()).toContain('Quotes, verified: 2');
    expect(await report.textContent()).toContain('Challenges to a claim: 2');
    expect(await page.getByRole('radio', { name: /^P1/ }).isChecked()).toBe(true);
  });

  long(
    'keeps in sight what was recorded when the next round opens, and gives its form to that round',
    async () => {
      await start('long', 'Who is last?');
      const { page } = await sit('ada', 'long', { viewport: PHONE });
      for (const by of ['ben', 'eve'])
        await say('long', by, `---\nposition: ${by}\n---\n\n${'A long text. '.repeat(80)}`);
      await answer(page).fill('Mine, with a mistke.');
      await page.getByLabel('Position').fill('ada');
      await press(page, 'Send');
      await page.getByRole('heading', { name: 'Recorded' }).waitFor();
      // It stands in the form, and nothing was typed: there is no draft of it.
      expect(await answer(page).inputValue()).toBe('Mine, with a mistke.');
      expect(await page.getByLabel('Position').inputValue()).toBe('ada');
      await until('no draft is stored', async () => (await page.evaluate('localStorage.length')) === 0);
      await answer(page).fill('Mine, without a mistake.');
      await press(page, 'Send instead of the earlier answer');
      await page.getByText('It is your turn.').waitFor({ state: 'detached' });
      await page.reload();
      expect(await answer(page).inputValue()).toBe('Mine, without a mistake.');
      await answer(page).fill('Mine, without any mistake.');
      await press(page, 'Send instead of the earlier answer');
      const told = page.getByRole('heading', { name: 'Recorded' });
      await told.waitFor();
      await project.council(['tick', '--no-launch', '--name', 'long']);
      await page.getByRole('heading', { name: 'What you say in CHALLENGE (round 2)' }).waitFor();
      await page.waitForLoadState();
      const box = await boxOf(told);
      expect(box.y).toBeGreaterThanOrEqual(0);
      expect(box.y + box.height).toBeLessThanOrEqual(PHONE.height);
      expect(await page.locator('#report').textContent()).toContain('COLLECT (round 1): your answer is kept');
      expect(await answer(page).inputValue()).toBe('');
    },
  );

  it.each([WIDE, PHONE])(
    'offers quoting where it is seen, wherever the selection is: %o',
    async (viewport) => {
      const { page } = await sit('ben', 'debate', { viewport });
      await page.getByText('One table is restored with everything else.').first().selectText();
      const button = page.getByRole('button', { name: 'Quote the selected words' });
      await button.waitFor();
      const box = await boxOf(button);
      expect(box.y).toBeGreaterThanOrEqual(0);
      expect(box.y + box.height).toBeLessThanOrEqual(viewport.height);
      expect(box.x + box.width).toBeLessThanOrEqual(viewport.width);
      // Whoever has pressed elsewhere is not offered it any more, and by the keyboard it is pressed as well.
      await page.locator('h1').click();
      await button.waitFor({ state: 'hidden' });
      await page.getByText('One table is restored with everything else.').first().selectText();
      await button.focus();
      await page.keyboard.press('Enter');
      expect(await answer(page).inputValue()).toContain('> One table is restored with everything else.');
    },
  );

  it('is answered by the keyboard alone, and leads to what came of it', async () => {
    const { page } = await sit('ada', 'debate');
    const focused = (): Promise<string> =>
      page.evaluate(
        `(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim().replace(/\\s+/g, ' ')`,
      );
    const tabTo = async (name: string): Promise<void> => {
      for (let presses = 0; (await focused()) !== name; presses++) {
        expect(presses).toBeLessThan(60);
        await page.keyboard.press('Tab');
      }
    };
    await tabTo('To your answer');
    await page.keyboard.press('Enter');
    await tabTo('Your answer');
    await page.keyboard.type('I hold what I held.');
    const choice = page.locator('#vote > .choice:has(:checked)');
    const held = ((await choice.textContent()) ?? '').trim().replace(/\s+/g, ' ');
    expect(held).toMatch(/^P\d: /);
    await tabTo(held);
    await page.keyboard.press('ArrowDown');
    expect(await focused()).not.toBe(held);
    await page.keyboard.press('ArrowUp');
    await tabTo('Send');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Recorded' }).waitFor();
    // The heading is there before the script of the page moves the focus to it.
    await until('the heading has the focus', async () => (await focused()) === 'Recorded');
    expect(await page.locator('#report').textContent()).toContain(`Vote: ${held.split(':')[0]}`);
  });

  long(
    'shows a new round without a reload, after a lost connection too, and leaves the form alone',
    async () => {
      await start('live', 'One queue or two?');
      const { page, context } = await sit('ada', 'live');
      await page.locator('#how > summary').click();
      await answer(page).fill('Half a thou');
      await context.setOffline(true);
      for (const by of PEOPLE) await say('live', by, `Queue number ${PEOPLE.indexOf(by)} it is.`);
      await context.setOffline(false);
      await project.council(['tick', '--no-launch', '--name', 'live']);
      await page.getByText('Queue number 2 it is.').first().waitFor();
      await page.getByText('A new round has begun.').waitFor();
      expect(await answer(page).inputValue()).toBe('Half a thou');
      expect(await page.evaluate('document.activeElement.id')).toBe('text');
      // What was opened stays open, and nothing else opens.
      expect(
        await page.evaluate(`[...document.querySelectorAll('#seen details[open]')].map(({ id }) => id)`),
      ).toEqual(['how']);
    },
  );

  long(
    'has the form of the new round where nothing was typed, and keeps what was typed when the council is over',
    async () => {
      await start('untouched', 'Two queues or three?');
      const { page } = await sit('ada', 'untouched');
      for (const by of PEOPLE) await say('untouched', by, `Queue number ${PEOPLE.indexOf(by)} it is.`);
      await page.evaluate('window.isTheSame = true');
      await page.getByLabel('Your answer').focus();
      await project.council(['tick', '--no-launch', '--name', 'untouched']);
      await page.locator('form input[name=tour][value="2"]').waitFor({ state: 'attached' });
      expect(await page.evaluate('[window.isTheSame, document.activeElement.id]')).toEqual([true, 'text']);
      expect(await page.locator('#stale').isVisible()).toBe(false);
      // Drafts and quotes work in it as in the one before.
      await page.getByText('Queue number 2 it is.').first().selectText();
      await press(page, 'Quote the selected words');
      const quoted = '> Queue number 2 it is.\n\n';
      await expect.poll(() => answer(page).inputValue()).toBe(quoted);
      await expect.poll(() => page.evaluate('localStorage.length')).toBe(1);
      await project.council(['cancel', '--name', 'untouched', '--why', 'nobody needs one']);
      await page.getByText('This council is over').waitFor();
      await page.getByText('your text can no longer be sent').waitFor();
      expect(await answer(page).inputValue()).toBe(quoted);
      expect(await page.getByRole('button', { name: 'Send' }).isVisible()).toBe(false);
      expect(await page.locator('#now').textContent()).toContain('nobody needs one');
      await answer(page).fill('');
      await page.reload();
      expect(await page.locator('form[data-seat]').count()).toBe(0);
      expect(await faultsOf(page)).toEqual([]);
      await page.getByRole('link', { name: 'Read everything in the archive' }).click();
      await page.waitForURL('**/archives/**');
    },
  );

  long('asks for nothing more once its council is over, in a tab that nobody looks at as well', async () => {
    await start('hidden', 'Who looks?');
    const { page, context } = await sit('ada', 'hidden');
    await page.clock.install();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    // As the server answers who comes back for what is over.
    await page.route('**/events', (route) => route.fulfill({ status: 404 }));
    await page.reload();
    await expect.poll(() => asked).toContain('/events');
    await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden' })`);
    await project.council(['cancel', '--name', 'hidden', '--why', 'enough']);
    await page.locator('#now[data-key=over]').waitFor({ state: 'attached' });
    asked.length = 0;
    await page.clock.runFor(60_000);
    expect(asked).toEqual([]);
    // Another tab may have the stream now.
    expect(await page.evaluate('navigator.locks.query().then(({ held }) => held.length)')).toBe(0);
    await context.close();
  });

  long('says before Send that somebody is signed out, and goes on where they join again', async () => {
    await start('out', 'Who is out?');
    const { page, context, token: held } = await sit('eve', 'out', { viewport: PHONE });
    await answer(page).fill('Half a thou');
    await project.council(['token', 'revoke', held.split('_')[2]!]);
    const told = page.getByRole('status').getByText('You are signed out. What you type stays here');
    await told.waitFor();
    // It is seen where somebody types.
    await answer(page).click();
    const box = await boxOf(told);
    expect([box.y >= 0, box.y + box.height <= PHONE.height]).toEqual([true, true]);
    const token = await makeToken('eve', 'out');
    const other = watch(await context.newPage());
    await other.goto(`${server.url}/join`);
    await other.getByLabel('Code').fill(token);
    await other.getByRole('button', { name: 'Join' }).click();
    await other.waitForURL('**/seat');
    await page.bringToFront();
    await told.waitFor({ state: 'detached' });
    expect(await answer(page).inputValue()).toBe('Half a thou');
    await press(page, 'Send');
    await page.getByRole('heading', { name: 'Recorded' }).waitFor();
    expect(page.url()).toBe(`${server.url}/councils/out/seat`);
  });

  it('works without a script', async () => {
    const { page } = await sit('ben', 'debate', { javaScriptEnabled: false });
    expect(await page.getByRole('button', { name: /^Quote/ }).count()).toBe(0);
    await answer(page).fill('> One table is restored with everything else.\n\nNot while it is written to.');
    await press(page, 'Send');
    await page.getByRole('heading', { name: 'Recorded' }).waitFor();
    expect(await page.locator('#report').textContent()).toContain('Quotes, verified: 1');
    await page.reload();
    expect(await page.locator('#report').count()).toBe(0);
    await page.getByText('You have answered in this round.').waitFor();
  });

  it.each(
    takeOneIn(3, [
      ['light', WIDE],
      ['dark', WIDE],
      ['light', PHONE],
      ['dark', PHONE],
    ] as const),
  )('has no fault that axe knows: %s, %o', async (colorScheme, viewport) => {
    const { page } = await sit('ben', 'hostile', { colorScheme, viewport });
    const unfold = (): Promise<unknown> =>
      page.evaluate(`document.querySelectorAll('details').forEach((one) => (one.open = true))`);
    await unfold();
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width);
    await press(page, 'Send');
    await page.getByRole('alert').waitFor();
    await unfold();
    expect(await faultsOf(page)).toEqual([]);
    await answer(page).fill(HOSTILE.join('\n\n'));
    await press(page, 'Preview');
    await page.getByText('Nothing has been sent yet.').waitFor();
    await unfold();
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.locator('main :is(script, img, iframe, style, [style], base, object)').count()).toBe(0);
    expect(await page.locator('form').count()).toBe(3);
  });

  it('did nothing that a text asked for, and asked nobody else', () => {
    expect(did).toEqual([]);
  });
});
