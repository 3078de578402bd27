// File driver: the index of councils that wait, in one file beside the histories.
import { dirname, join } from 'node:path';
import type { Clocks } from '../../base/clock.ts';
import { CouncilError } from '../../base/errors.ts';
import { keysOf } from '../../base/objects.ts';
import { parseJsonSafely } from '../../base/text.ts';
import { isTrusted } from '../due-index.ts';
import type { DueIndex, Swept, Waiting } from '../due-index.ts';
import { discard, replace } from '../local/disk.ts';
import { ownFolder } from '../local/folders.ts';
import { readBytes } from '../local/read.ts';
import { tempsIn } from '../local/temps.ts';
import { markOf } from './mark.ts';

const FORMAT = 1;
const LIMIT = 64 * 1024 * 1024;
interface Noted extends Waiting {
  /** What its folder was known by. */
  mark: string;
}

interface Index {
  swept: Swept;
  noted: Record<string, Noted>;
}

interface Options {
  /** Absolute path of `memory/shared`. */
  dir: string;
  /** The project's folder: below it no link is followed. */
  root: string;
  /** Hears why nothing could be noted. */
  warn(message: string): void;
}

/** The index of a project in `<dir>/.versions/.due.json`. */
export function dueFile({ dir, root, warn }: Options): DueIndex {
  const histories = join(dir, '.versions');
  const path = join(histories, '.due.json');
  const temps = tempsIn(join(dir, '.tmp'), { root });
  return {
    async begin(names, now, clocks) {
      const marks = new Map(names.map((name) => [name, markOf(join(histories, name), now)]));
      const index = load(root, path);
      const isKnown = index !== undefined && isTrusted(index.swept, now, clocks);
      const waiting = new Map<string, Noted>();
      if (isKnown)
        for (const [name, mark] of marks) {
          const noted = Object.hasOwn(index.noted, name) ? index.noted[name] : undefined;
          if (noted && mark !== undefined && noted.mark === mark && now < noted.dueAt)
            waiting.set(name, noted);
        }
      return {
        waiting,
        async end(found) {
          const fresh = [...found].flatMap(([name, one]): [string, Noted][] => {
            const mark = marks.get(name);
            return mark === undefined ? [] : [[name, { ...one, mark }]];
          });
          if (isKnown && fresh.length === 0) return;
          const swept = isKnown ? index.swept : { at: now, clocks };
          save({ swept, noted: Object.fromEntries([...waiting, ...fresh]) });
        },
      };
    },
  };

  function save(index: Index): void {
    try {
      if (!ownFolder(root, dirname(path))) return;
      const temp = temps.write(Buffer.from(JSON.stringify({ format: FORMAT, ...index })), { durable: false });
      try {
        replace(temp, path);
      } finally {
        discard(temp);
      }
    } catch (error) {
      if (!(error instanceof CouncilError)) throw error;
      warn(`What waits could not be noted, so every council is read each time: ${error.message}`);
    }
  }
}

/** Undefined where there is none, or nothing that could be one. */
function load(root: string, path: string): Index | undefined {
  try {
    if (!ownFolder(root, dirname(path))) return undefined;
    const text = readBytes(path, { limit: LIMIT, links: 'refuse' })?.toString('utf8');
    const { format, swept, noted } = keysOf(text === undefined ? undefined : parseJsonSafely(text));
    const { at, clocks } = keysOf(swept);
    if (format !== FORMAT || typeof at !== 'number') return undefined;
    return {
      swept: { at, clocks: clocksIn(clocks) },
      noted: Object.fromEntries(
        Object.entries(keysOf(noted)).flatMap(([name, one]) => {
          const entry = notedIn(one);
          return entry ? [[name, entry]] : [];
        }),
      ),
    };
  } catch (error) {
    if (error instanceof CouncilError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function notedIn(value: unknown): Noted | undefined {
  const { conversationId, phase, dueAt, mark } = keysOf(value);
  return typeof conversationId === 'string' &&
    typeof phase === 'string' &&
    typeof dueAt === 'number' &&
    typeof mark === 'string'
    ? { conversationId, phase, dueAt, mark }
    : undefined;
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
