import { describe, expect, it } from 'vitest';
import { collectEnclosures } from '../../src/team/tasks/use/build-prompt.ts';
import { buildTask } from '../../src/team/tasks/task.ts';
import type { Task } from '../../src/team/tasks/task.ts';

const AT = '2026-01-11T16:33:15.000Z';
/** Two pages and a half: emoji are one character each. */
const LONG = '🗂️'.repeat(6000) + 'b'.repeat(13_000);
const done = buildTask({ id: 'T1', session: 'S1', text: 'Read', state: 'D', result: LONG }, AT);
const find = (id: string): Promise<Task | undefined> => Promise.resolve(id === 'T1' ? done : undefined);
const enclosed = (text: string, more: Partial<Task> = {}) =>
  collectEnclosures(buildTask({ id: 'T2', session: 'S1', text, ...more }, AT), undefined, '/', find);

describe('what goes with a task', () => {
  it('is a whole result, once, or the page that is asked for', async () => {
    expect(await enclosed('Sum up #REF:T1:S', { after: ['T1'] })).toEqual([
      { name: '#REF:T1:S', text: LONG },
    ]);
    for (const text of [
      'Sum up #REF:T1:S;page=2 please',
      'call=sum;src=#REF:T1:S;page=2',
      'x #REF:T1;page=2',
    ])
      expect(await enclosed(text, { after: ['T1'] })).toEqual([
        { name: '#REF:T1:S;page=2 (2/3)', text: `${[...LONG].slice(10_000, 20_000).join('')}` },
      ]);
    const pages = await Promise.all([1, 2, 3].map((page) => enclosed(`#REF:T1:S;page=${page}`)));
    expect(pages.map((one) => ('error' in one ? '' : one[0]?.text)).join('')).toBe(LONG);
  });

  it('is every page that is asked for, instead of the whole result', async () => {
    const found = await enclosed('Compare #REF:T1:S;page=1 with #REF:T1:S;page=3, not #REF:T1:S', {
      after: ['T1'],
    });
    expect('error' in found ? found.error : found.map(({ name }) => name)).toEqual([
      '#REF:T1:S;page=1 (1/3)',
      '#REF:T1:S;page=3 (3/3)',
    ]);
  });

  it.each(['0', '4', '9999'])('has no page %s', async (page) => {
    expect(await enclosed(`#REF:T1:S;page=${page}`)).toEqual({
      error: { code: 'E43', text: `#REF:T1:S has 3 pages, and no page ${page}` },
    });
  });
});
