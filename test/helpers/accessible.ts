// Everything that axe finds on a page in a browser (rules of good practice and the size of targets included), and where things are on it.
import { vi } from 'vitest';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator, Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rule and the place of every violation. Its script comes in past the page's policy, which stays. */
export async function faultsOf(page: Page): Promise<string[]> {
  // A page that was just sent has its words before its style.
  await page.waitForLoadState();
  const session = await page.context().newCDPSession(page);
  const run = async (expression: string): Promise<unknown> =>
    (await session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })).result
      .value;
  await run(axe);
  return (await run(
    `axe.run(document, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ' ' + target.join(' '))))`,
  )) as string[];
}

/** The box of what is shown; waits where a page that follows its council has just replaced it. */
export const boxOf = (locator: Locator) =>
  vi.waitFor(
    async () => {
      const box = await locator.boundingBox();
      if (!box) throw new Error('It is not shown.');
      return box;
    },
    { timeout: 5000 },
  );
