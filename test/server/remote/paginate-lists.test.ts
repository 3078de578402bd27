import { expect, it } from 'vitest';
import { CouncilError } from '../../../src/core/base/errors.ts';
import { PAGE_BYTES, cutPage, cutText } from '../../../src/server/remote/paginate-lists.ts';
import type { PagedList } from '../../../src/server/remote/paginate-lists.ts';
import { inboxFields } from '../../../src/team/input/messages.ts';

const GIVEN = { command: 'list', env: {}, isOwnCommandLine: false, text: () => undefined };
type Items = { id: string; text?: string; cut?: Record<string, { cursor?: string; length: number }> }[];
interface Told {
  items: Items;
  nextCursor?: string;
}

function cut(items: Items, raw: object, from: PagedList['from'] = 'start', isBounded = false): Told {
  const page = cutPage({ key: 'items', from }, { ...raw }, {}, { given: GIVEN, isBounded });
  return page.cut({ items }) as Told;
}

/** All pages one after the other. */
function pagesOf(items: Items, raw: object, from: PagedList['from'], isBounded: boolean): Items[] {
  const pages: Items[] = [];
  for (let cursor: string | undefined; ;) {
    const told = cut(items, { ...raw, ...(cursor !== undefined && { cursor }) }, from, isBounded);
    pages.push(told.items);
    if (told.nextCursor === undefined) return pages;
    cursor = told.nextCursor;
  }
}

const ITEMS: Items = Array.from({ length: 7 }, (_, at) => ({ id: `a${at}` }));

it.each([
  ['start', [['a0', 'a1', 'a2'], ['a3', 'a4', 'a5'], ['a6']]],
  ['end', [['a4', 'a5', 'a6'], ['a1', 'a2', 'a3'], ['a0']]],
] as const)('a list from its %s comes in pages, each item once', (from, wanted) => {
  const pages = pagesOf(ITEMS, { limit: 3 }, from, false);
  expect(pages.map((page) => page.map(({ id }) => id))).toEqual(wanted);
});

it('is whole without a limit for whoever has no bound', () => {
  expect(cut(ITEMS, {})).toEqual({ items: ITEMS });
});

it('goes on behind the same item where others came before it', () => {
  const { nextCursor } = cut(ITEMS, { limit: 2 });
  const grown = [{ id: 'new' }, ...ITEMS];
  expect(cut(grown, { limit: 2, cursor: nextCursor }).items.map(({ id }) => id)).toEqual(['a2', 'a3']);
});

it.each(['', 'x', 'bnVsbA', Buffer.from('["a",1]').toString('base64url')])(
  'refuses the cursor %j, and one whose item is gone',
  (cursor) => {
    expect(() => cut(ITEMS, { cursor })).toThrow(CouncilError);
    const { nextCursor } = cut([{ id: 'gone' }, ...ITEMS], { limit: 1 });
    expect(() => cut(ITEMS, { cursor: nextCursor })).toThrow(/is gone/);
  },
);

it.each(['x', 'é', '語', '🦉', '"'])('a page for a model has its bound, whatever the signs: %s', (sign) => {
  const items = Array.from({ length: 40 }, (_, at) => ({ id: `a${at}`, text: sign.repeat(at * 500) }));
  const pages = pagesOf(items, {}, 'end', true);
  expect(
    pages
      .toReversed()
      .flat()
      .map(({ id }) => id),
  ).toEqual(items.map(({ id }) => id));
  for (const page of pages) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(PAGE_BYTES * 1.2);
});

it('a long text is cut with its length, and its cursor gives the rest', () => {
  const text = '🦉 é 語 '.repeat(9000);
  const [item] = cut([{ id: 'a', text }, { id: 'b' }], {}, 'start', true).items;
  expect(item!.cut!.text!.length).toBe(text.length);
  let whole = item!.text!;
  for (let cursor = item!.cut!.text!.cursor; cursor !== undefined;) {
    const [part] = cut([{ id: 'b' }, { id: 'a', text }], { cursor }, 'start', true).items;
    whole += part!.text!;
    cursor = part!.cut!.text!.cursor;
  }
  expect(whole).toBe(text);
});

it('asks a use case with a limit of its own for one more, and for all behind a cursor', () => {
  const limits = (raw: object) =>
    cutPage({ key: 'messages', from: 'end' }, { ...raw }, inboxFields, { given: GIVEN, isBounded: true }).raw
      .limit;
  expect(limits({})).toBe(51);
  expect(limits({ limit: 10_000 })).toBe(10_000);
  expect(limits({ limit: 3, cursor: cut(ITEMS, { limit: 1 }).nextCursor })).toBe(10_000);
});

it('cuts no character in two', () => {
  for (let bytes = 4; bytes < 12; bytes++)
    expect('🦉é🦉語'.startsWith(cutText('🦉é🦉語', 0, bytes))).toBe(true);
});
