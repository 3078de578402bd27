// Two people in browsers of their own, one of them on a phone: an approval, a question, a council and a review, from what is asked
// to what came of it.
import { execFileSync } from 'node:child_process';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boxOf, faultsOf } from '../helpers/accessible.ts';
import { findBrowser, launchBrowser } from '../helpers/browser.ts';
import { until } from '../helpers/cli.ts';
import { must } from '../helpers/scenarios.ts';
import { withWorkers } from '../helpers/scripted-workers.ts';
import type { Scripted } from '../helpers/scripted-workers.ts';
import { serving } from '../helpers/serve.ts';
import { addSpeaker } from '../helpers/speakers.ts';
import { finding, idOf } from '../review/repository.ts';

const found = findBrowser();

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const DESK = { viewport: { width: 1280, height: 800 } };
const AGAIN = 'await charge(job, { again: true });';
const TWICE = finding('major', 'queue.js:3', AGAIN, 'charges twice');

describe.skipIf(!found)('two people in two browsers', () => {
  let browser: Browser;
  let project: Scripted;
  let server: Awaited<ReturnType<typeof serving>>;
  /** What pages did that they must not. */
  const did: string[] = [];
  const open = async (
    options: Parameters<Browser['newContext']>[0],
  ): Promise<{ page: Page; context: BrowserContext }> => {
    const context = await browser.newContext({ locale: 'en', ...options });
    const page = await context.newPage();
    page.on('pageerror', (error) => did.push(`error: ${error.message}`));
    page.on('request', (one) => one.url().startsWith(server.url) || did.push(`request ${one.url()}`));
    return { page, context };
  };
  const admin = async (): Promise<{ page: Page; context: BrowserContext }> => {
    const one = await open(DESK);
    const { json } = await project.council<{ url: string }>(['open', '--json']);
    await one.page.goto(json.url);
    await one.page.waitForURL(`${server.url}/`);
    return one;
  };
  /** The admin makes a link for ana on the page of the council, by its main action, and ana follows it on her phone. */
  const inviteAna = async (desk: Page, name: string): Promise<{ page: Page; context: BrowserContext }> => {
    await desk.goto(`${server.url}/councils/${name}`);
    const main = desk.locator('button.main, a.main');
    expect(await main.allTextContents()).toEqual([expect.stringContaining('Invite')]);
    await main.click();
    const link = await desk.getByLabel('Link', { exact: true }).inputValue();
    const phone = await open(PHONE);
    await phone.page.goto(link);
    await phone.page.waitForURL('**/seat');
    return phone;
  };
  const fits = async (page: Page): Promise<void> => {
    // A page that was just sent has its words before its style.
    await page.waitForLoadState();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
      PHONE.viewport.width,
    );
  };

  beforeAll(async () => {
    browser = await launchBrowser(found!);
    project = await withWorkers({
      deployer: { steps: [{ say: 'Deployed.' }], council: 'risk: high' },
      asker: {
        steps: [
          { say: 'M2|W1>O1|C|T1|P1|R|-|0|S1|-|question=Which format?;options=json,md' },
          { say: 'Written.' },
        ],
      },
    });
    addSpeaker(project, 'cy', {
      COLLECT: { say: 'position: Redis\n\n- It is there already, and everybody knows it.' },
      any: { say: 'I stay with Redis.' },
    });
    addSpeaker(project, 'dov', { COLLECT: { say: TWICE }, any: { say: 'Nothing to add.' } });
    await must(project, ['agents', 'add', 'ana', '--runner', 'human']);
    await must(project, ['trust', '--yes']);
    server = await serving(project, ['--heartbeat']);
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  it('answer a question and approve what is risky, each once, where both stand', async () => {
    const runTask = (to: string) => project.launch(['task', 'run', 'Do it', '--to', to]);
    const asking = [runTask('asker')];
    const { page, context } = await admin();
    await page.getByText('Which format?').first().waitFor();
    asking.push(runTask('deployer'));
    // The page hears of it by itself, whichever process plays the task.
    await page.getByText('To approve').waitFor({ timeout: 90_000 });
    // The question is a message too, and stands here once.
    expect(await page.getByText('Which format?').count()).toBe(1);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'md', exact: true }).click();
    await page.getByText('The answer was sent.').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Approved, once').waitFor();
    await until('both tasks are done', async () => {
      const { stdout } = await project.council(['task', 'list', '--all']);
      return stdout.split('done by').length === 3;
    });
    for (const { child, ended } of asking) {
      child.kill('SIGINT');
      await ended;
    }
    await page.goto(`${server.url}/`);
    expect(await page.locator('#questions, #approvals').count()).toBe(0);
    await context.close();
  });

  it('sit at a council and follow it', async () => {
    await must(project, [
      'start',
      'Where?',
      '--agents',
      'ana,cy',
      '--coordinator',
      '',
      '--name',
      'queue',
      '--mode',
      'debate',
    ]);
    const desk = await admin();
    const phone = await inviteAna(desk.page, 'queue');
    await fits(phone.page);
    await phone.page.getByLabel('Your answer').fill('- PostgreSQL is backed up every night.');
    await phone.page.getByLabel('Position').fill('PostgreSQL');
    await phone.page.getByRole('button', { name: 'Send' }).tap();
    await phone.page.getByRole('heading', { name: 'Recorded' }).waitFor();
    await desk.page.goto(`${server.url}/councils/queue`);
    await desk.page.locator('#positions').waitFor();
    const [cards, texts] = await Promise.all(['#side', '#read'].map((one) => boxOf(desk.page.locator(one))));
    // On a wide screen positions stand beside the texts, on a phone above them.
    expect(cards!.x).toBeGreaterThan(texts!.x + texts!.width - 1);
    expect(Math.abs(cards!.y - texts!.y)).toBeLessThan(2);
    await desk.page.setViewportSize(PHONE.viewport);
    const [above, below] = await Promise.all(['#side', '#read'].map((one) => boxOf(desk.page.locator(one))));
    expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y + 1);
    await fits(desk.page);
    await desk.page.setViewportSize(DESK.viewport);
    // Until when stands there once, and one thing is to be done first.
    expect(await desk.page.locator('[data-until]').count()).toBe(1);
    expect(await desk.page.getByText('is open until').count()).toBe(0);
    expect(await desk.page.locator('.main').count()).toBe(1);
    await phone.page.getByRole('heading', { name: 'What you say in CHALLENGE (round 2)' }).waitFor();
    expect(await phone.page.locator('#ballot').count()).toBe(0);
    await phone.page.getByLabel('Your answer').fill('> everybody knows it\n\nNobody on call does.');
    await phone.page.getByRole('button', { name: 'Send' }).tap();
    await phone.page.getByRole('heading', { name: 'What you say in RESOLVE (round 3)' }).waitFor();
    await desk.page.reload();
    expect(await faultsOf(desk.page)).toEqual([]);
    await phone.page.getByLabel('Your answer').fill('I stay.');
    await phone.page.getByRole('button', { name: 'Send' }).tap();
    await desk.page.waitForURL(/\/archives\//);
    await desk.page.waitForLoadState();
    // The challenge stands beside the words that it quotes.
    const [quoted, challenge] = await Promise.all(
      ['article.said mark', 'article.said:has(mark) .challenge'].map((one) =>
        boxOf(desk.page.locator(one).first()),
      ),
    );
    expect(challenge!.x).toBeGreaterThan(quoted!.x + quoted!.width);
    // On paper it is a document: what leads elsewhere is left out.
    await desk.page.emulateMedia({ media: 'print' });
    for (const one of ['header.site', '.saving', '#contents'])
      expect([one, await desk.page.locator(one).isVisible()]).toEqual([one, false]);
    expect(await desk.page.locator('#decision').isVisible()).toBe(true);
    await desk.page.emulateMedia({ media: 'screen' });
    await phone.page.getByText('This council is over').waitFor();
    await fits(phone.page);
    for (const one of [desk, phone]) await one.context.close();
  });

  it('review a change, and read the verdict', async () => {
    const git = (...args: string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], {
        cwd: project.root,
      });
    git('init', '-q', '-b', 'main');
    project.write('queue.js', 'export async function run(job) {\n  await charge(job);\n}\n');
    git('add', 'queue.js');
    git('commit', '-qm', 'one');
    project.write('queue.js', `export async function run(job) {\n  await charge(job);\n  ${AGAIN}\n}\n`);
    git('commit', '-qam', 'two');
    const reviewing = project.launch(['review', 'HEAD~1..HEAD', '--agents', 'ana,dov', '--name', 'change']);
    await until('the review has begun', async () =>
      (await project.council(['status', '--json'])).stdout.includes('"change"'),
    );
    const desk = await admin();
    const phone = await inviteAna(desk.page, 'change');
    await phone.page.getByLabel('Your answer').fill('Nothing found.\nLooked at: all of it.');
    await phone.page.getByRole('button', { name: 'Send' }).tap();
    await phone.page.getByRole('heading', { name: 'What you say in CHALLENGE (round 2)' }).waitFor();
    await fits(phone.page);
    expect(await phone.page.content()).toContain('charges twice');
    await phone.page.getByLabel('Your answer').fill(`${idOf('queue.js', AGAIN)}: confirm`);
    await phone.page.getByRole('button', { name: 'Send' }).tap();
    await reviewing.ended;
    await phone.page.getByText('This council is over').waitFor();
    await desk.page.goto(`${server.url}/archives`);
    await desk.page.locator('.rows a[href*="/archives/"]').first().click();
    await desk.page.getByText('charges twice').first().waitFor();
    expect(await desk.page.content()).toContain('Blocked: 1 finding blocks');
    expect(await desk.page.content()).not.toContain('without consensus');
    expect(await faultsOf(desk.page)).toEqual([]);
    for (const one of [desk, phone]) await one.context.close();
  });

  it('did nothing that pages must not do', () => {
    expect(did).toEqual([]);
  });
});
