// File driver: the file that the index of waiting councils is kept in, and how little of it a pass has to read.
import { CouncilError } from '../../base/errors.ts';
import { isId, sha256 } from '../../base/ids.ts';
import { keysOf } from '../../base/objects.ts';
import { parseJsonSafely } from '../../base/text.ts';
import type { Clocks } from '../../base/clock.ts';
import { readBytes } from '../local/read.ts';
import type { Swept, Waiting } from '../due-index.ts';

const FORMAT = 3;
const LIMIT = 256 * 1024 * 1024;

/** A council that waits, and what its files were known by. */
export interface Noted extends Waiting {
  /** Of its history. */
  mark: string;
  /** Of what people see of it; empty where nobody has looked whether that was changed by hand. */
  shown: string;
}

/** What the file says. What reads its lines throws a SyntaxError for one that council has not written. */
export interface DueFile {
  swept: Swept;
  /** What the folders were known by that every commit changes; null where that could not be told. */
  doors: string | null;
  /** The names that are due at `now`, when the next one is, and how many wait: only the lines of the first are read. */
  split(now: number): { due: string[]; nextAt: number | undefined; resting: number };
  /** Those that wait at `now`, by name. */
  noted(now: number): Map<string, Noted>;
  /** Every name. */
  names(): string[];
}

/**
 * The hash of the rest, a line about the file, then a line a council, the first one due at the top: `<due>\t["name",…]`. One that does not only wait
 * is due at 0, and has nothing but its name.
 */
export function writeDue(
  { swept, doors }: Pick<DueFile, 'swept' | 'doors'>,
  noted: ReadonlyMap<string, Noted>,
  others: readonly string[],
): Buffer {
  const waiting = [...noted].sort(([, a], [, b]) => a.dueAt - b.dueAt);
  const body = Buffer.from(
    [...others.map((name) => `0\t${JSON.stringify([name])}\n`), ...waiting.map(lineOf)].join(''),
  );
  const head = { format: FORMAT, swept, doors, count: others.length + noted.size };
  const hashed = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]);
  return Buffer.concat([Buffer.from(`${sha256(hashed)}\n`), hashed]);
}

const lineOf = ([name, one]: [string, Noted]): string => {
  const { dueAt, mark, shown, conversationId, topic, phase, tour, awaited } = one;
  return `${dueAt}\t${JSON.stringify([name, mark, shown, conversationId, topic, phase, tour, awaited])}\n`;
};

/** Undefined where there is none, or nothing that could be one. */
export function readDue(path: string): DueFile | undefined {
  try {
    const bytes = readBytes(path, { limit: LIMIT, links: 'refuse' });
    const hashed = bytes && whole(bytes);
    if (!hashed) return undefined;
    const end = hashed.indexOf(LINE_END);
    const head = keysOf(parseJsonSafely(hashed.toString('utf8', 0, end)));
    const { at, clocks } = keysOf(head.swept);
    const body = hashed.subarray(end + 1);
    if (head.format !== FORMAT || typeof at !== 'number') return undefined;
    const { doors, count } = head;
    if (typeof count !== 'number' || !(typeof doors === 'string' || doors === null)) return undefined;
    return { swept: { at, clocks: clocksIn(clocks) }, doors, ...linesOf(body, count) };
  } catch (error) {
    if (error instanceof CouncilError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const LINE_END = 10;
const TAB = 9;

/** What follows the hash, where it is what was hashed: a power failure can leave half of a file, a disk can change a bit. */
function whole(bytes: Buffer): Buffer | undefined {
  const end = bytes.indexOf(LINE_END);
  const hashed = bytes.subarray(end + 1);
  return bytes.toString('latin1', 0, end) === sha256(hashed) ? hashed : undefined;
}

/** A line of the file. */
interface Line {
  dueAt: number;
  /** Read when it is asked for: most of them wait. */
  row(): unknown[];
}

function linesOf(body: Buffer, count: number): Pick<DueFile, 'split' | 'noted' | 'names'> {
  return {
    split(now) {
      const due: string[] = [];
      for (const line of lines(body)) {
        if (line.dueAt > now) return { due, nextAt: line.dueAt, resting: count - due.length };
        due.push(nameIn(line.row()));
      }
      return { due, nextAt: undefined, resting: 0 };
    },
    noted(now) {
      const found = new Map<string, Noted>();
      for (const { dueAt, row } of lines(body)) if (dueAt > now) found.set(...notedIn(dueAt, row()));
      return found;
    },
    names: () => [...lines(body)].map(({ row }) => nameIn(row())),
  };
}

/** Throws a SyntaxError for what is no line of this file. */
function* lines(body: Buffer): Generator<Line> {
  for (let at = 0; at < body.length;) {
    const [tab, end] = [body.indexOf(TAB, at), body.indexOf(LINE_END, at)];
    const dueAt = Number(body.toString('latin1', at, tab));
    if (tab < at || end < tab || !(dueAt >= 0)) throw new SyntaxError('not a line of the index');
    yield { dueAt, row: () => rowOf(body.toString('utf8', tab + 1, end)) };
    at = end + 1;
  }
}

function rowOf(json: string): unknown[] {
  const row = parseJsonSafely(json);
  if (Array.isArray(row)) return row;
  throw new SyntaxError('not a line of the index');
}

function nameIn([name]: unknown[]): string {
  if (isId(name)) return name;
  throw new SyntaxError('not a line of the index');
}

function notedIn(dueAt: number, row: unknown[]): [string, Noted] {
  const [, mark, shown, conversationId, topic, phase, tour, awaited] = row;
  if (
    typeof mark === 'string' &&
    typeof shown === 'string' &&
    typeof conversationId === 'string' &&
    typeof topic === 'string' &&
    typeof phase === 'string' &&
    typeof tour === 'number' &&
    Array.isArray(awaited)
  )
    return [
      nameIn(row),
      { dueAt, mark, shown, conversationId, topic, phase, tour, awaited: awaited.map(String) },
    ];
  throw new SyntaxError('not a line of the index');
}

function clocksIn(value: unknown): Clocks | undefined {
  const { wall, bootId, uptime, awake } = keysOf(value);
  return typeof wall === 'number' &&
    typeof bootId === 'string' &&
    typeof uptime === 'number' &&
    typeof awake === 'number'
    ? { wall, bootId, uptime, awake }
    : undefined;
}
