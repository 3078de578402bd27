// Everything that axe finds on a page in a browser: rules of good practice and the size of targets included.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

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
