// Returns long lists in pages, and cuts long texts in them, with cursors for the rest.
import { CouncilError } from '../../core/base/errors.ts';
import { checkInput } from '../../core/app/input/check-input.ts';
import type { InputContext } from '../../core/app/input/check-input.ts';
import type { Fields, Raw } from '../../core/app/input/fields.ts';

/** A list in a document. `end`: the newest items are last, and pages go backwards. */
export interface PagedList {
  key: string;
  from: 'start' | 'end';
}

export const CURSOR = {
  kind: 'text',
  longest: 2000,
  help: 'the nextCursor of the page before, or the cursor of a text that was cut',
  otherwise: 'the first page',
} as const;
export const LIMIT = { kind: 'number', min: 1, max: 10_000, help: 'how many on a page' } as const;

/** JSON bytes of a page for a model: included twice in a result, it stays below 20,000 tokens in any script. */
export const PAGE_BYTES = 24_000;
/** Bytes of a text in an item of such a page, and of a requested part of one. */
const TEXT_BYTES = 4_000;
const PART_BYTES = 16_000;
/** Items requested from a use case for pages after the first. */
const ALL = 10_000;

type PageItem = Record<string, unknown>;
/** The item after which a page starts; or an item's text to continue, with the offset in characters. */
type PagePosition = [item: string, field?: string, at?: number];

export interface ListPage {
  /** The input for the use case. */
  raw: Raw;
  /** Cuts the page from the document. Throws `usage` if the cursor matches no item. */
  cut(document: unknown): unknown;
}

/** Prepares the requested page. `isBounded`: it is for a model with limited context. */
export function cutPage(
  { key, from }: PagedList,
  raw: Raw,
  own: Fields,
  { given, isBounded }: { given: InputContext; isBounded: boolean },
): ListPage {
  const asked = { cursor: CURSOR, limit: own.limit ?? LIMIT } as const satisfies Fields;
  const { cursor, limit } = checkInput(asked, raw, given) as { cursor?: string; limit?: number };
  const place = cursor === undefined ? undefined : readCursor(cursor, given.command);
  const wanted = place || limit === undefined ? ALL : Math.min(limit + 1, ALL);
  return {
    raw: own.limit && limit !== undefined ? { ...raw, limit: wanted } : raw,
    cut(document) {
      const all = (document as PageItem)[key] as PageItem[];
      const ordered = from === 'end' ? all.toReversed() : all;
      const at = place ? ordered.findIndex((item) => describeItem(item) === place[0]) : -1;
      if (place && at === -1) throw createCursorError(given.command);
      if (place?.[1] !== undefined) return { [key]: [cutItem(ordered[at]!, place)] };
      const rest = ordered.slice(at + 1, limit === undefined ? undefined : at + 1 + limit);
      const page = isBounded ? selectFittingItems(rest) : rest;
      const isLast = at + 1 + page.length >= ordered.length;
      return {
        ...(document as PageItem),
        [key]: from === 'end' ? page.toReversed() : page,
        ...(!isLast &&
          page.length > 0 && { nextCursor: writeCursor([describeItem(ordered[at + page.length]!)]) }),
      };
    },
  };
}

/** Returns the identity of an item by id, name or revision; the same message id may occur in two channels. */
const describeItem = ({ channel, kind, id, name, revision }: PageItem): string =>
  JSON.stringify([channel ?? kind ?? null, id ?? name ?? revision]);

const writeCursor = (place: PagePosition): string => Buffer.from(JSON.stringify(place)).toString('base64url');

function readCursor(cursor: string, command: string): PagePosition {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const [item, field, at] = Array.isArray(place) ? (place as unknown[]) : [];
    const isPart = typeof field === 'string' && Number.isSafeInteger(at) && Number(at) >= 0;
    if (typeof item === 'string' && (field === undefined || isPart)) return place as PagePosition;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw createCursorError(command);
}

const createCursorError = (command: string): CouncilError =>
  new CouncilError('usage', `The argument cursor is none of this list, or what it named is gone.`, {
    hint: `Begin again: call ${command} without it.`,
  });

/** Returns the items that fit on a page for a model, with long texts cut; at least one. */
function selectFittingItems(items: readonly PageItem[]): PageItem[] {
  const page: PageItem[] = [];
  let bytes = 0;
  for (const item of items) {
    const short = withTextsCut(item);
    bytes += Buffer.byteLength(JSON.stringify(short));
    if (bytes > PAGE_BYTES && page.length > 0) break;
    page.push(short);
  }
  return page;
}

function withTextsCut(item: PageItem): PageItem {
  const long = Object.entries(item).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && Buffer.byteLength(entry[1]) > TEXT_BYTES,
  );
  if (long.length === 0) return item;
  const parts = long.map(([field, text]) => [field, cutText(text, 0, TEXT_BYTES)] as const);
  return {
    ...item,
    ...Object.fromEntries(parts),
    cut: Object.fromEntries(
      parts.map(([field, { length }]) => [
        field,
        { length: (item[field] as string).length, cursor: writeCursor([describeItem(item), field, length]) },
      ]),
    ),
  };
}

/** Returns an item with a part of one text, and the beginning of other long ones. */
function cutItem(item: PageItem, [name, field = '', at = 0]: PagePosition): PageItem {
  const { cut: _, ...short } = withTextsCut(item);
  const text = item[field];
  if (typeof text !== 'string') return short;
  const part = cutText(text, at, PART_BYTES);
  const end = at + part.length;
  const rest = end < text.length && { cursor: writeCursor([name, field, end]) };
  return { ...short, [field]: part, cut: { [field]: { from: at, length: text.length, ...rest } } };
}

/** Returns the part of a text from an offset with at most the given bytes, without splitting a character. */
export function cutText(text: string, at: number, bytes: number): string {
  const part = Buffer.from(text.slice(at, at + bytes))
    .subarray(0, bytes)
    .toString('utf8');
  return part.replace(/\uFFFD$/, (last) => (text.startsWith(part, at) ? last : ''));
}
