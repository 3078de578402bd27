import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { filesIn } from './cli.ts';

/** A word that stands nowhere else, and holds no name that an anonymous view would replace. */
export const canary = (): string => `canary-${randomBytes(12).toString('hex')}`;

/** Every form of a word that a reader could turn back, as bytes to look for. */
export function formsOf(word: string): { form: string; bytes: Buffer }[] {
  const bytes = Buffer.from(word);
  const utf16 = Buffer.from(word, 'utf16le');
  const forms: [string, string | Buffer][] = [
    ['plain', bytes],
    ['hex', bytes.toString('hex')],
    ['HEX', bytes.toString('hex').toUpperCase()],
    ['reversed', [...word].reverse().join('')],
    ['utf-16le', utf16],
    ['utf-16be', Buffer.from(utf16).swap16()],
    ['upper case', word.toUpperCase()],
    ['rot13', word.replace(/[a-z]/g, (c) => String.fromCharCode(((c.charCodeAt(0) - 84) % 26) + 97))],
    ['spaced', [...word].join(' ')],
    ['character codes', [...bytes].join(',')],
  ];
  // Base64 of a longer text contains the word at one of three offsets; the characters at its edges hang on its neighbours.
  for (const shift of [0, 1, 2]) {
    const base64 = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const inner = base64.slice(shift === 0 ? 0 : shift + 1, -2);
    forms.push(
      [`base64 at ${shift}`, inner],
      [`base64url at ${shift}`, inner.replaceAll('+', '-').replaceAll('/', '_')],
    );
  }
  return forms.map(([form, found]) => ({ form, bytes: Buffer.from(found as string) }));
}

/** What must not be seen while a phase is blind: words in every form, and the hashes of whole texts. */
export interface Secrets {
  /** "what in which form" for everything that shows in `seen`. */
  in(seen: Buffer | string): string[];
  /** The same for every file of a folder, its name and path included. */
  inFiles(dir: string): string[];
  /** The same for the argument list of every process on this machine. */
  inArguments(): string[];
}

export function secretsOf(words: string[], texts: (string | Buffer)[] = []): Secrets {
  const wanted = words.flatMap((word) =>
    formsOf(word).map(({ form, bytes }) => ({ what: `${word} (${form})`, bytes })),
  );
  for (const text of texts)
    wanted.push({
      what: `SHA-256 of a text`,
      bytes: Buffer.from(createHash('sha256').update(text).digest('hex')),
    });
  const find = (seen: Buffer | string): string[] => {
    const bytes = Buffer.isBuffer(seen) ? seen : Buffer.from(seen);
    return wanted.filter((w) => bytes.includes(w.bytes)).map((w) => w.what);
  };
  const read = (path: string): Buffer => {
    try {
      return fs.readFileSync(path);
    } catch {
      // A temp file or a process that is gone by now.
      return Buffer.alloc(0);
    }
  };
  return {
    in: find,
    inFiles: (dir) =>
      filesIn(dir).flatMap((path) => [...find(path), ...find(read(path))].map((what) => `${path}: ${what}`)),
    inArguments: () =>
      argumentLists(read).flatMap((list) => find(list).map((what) => `an argument list: ${what}`)),
  };
}

function argumentLists(read: (path: string) => Buffer): Buffer[] {
  if (process.platform !== 'linux') return [spawnSync('ps', ['-axww', '-o', 'args=']).stdout];
  const pids = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => read(`/proc/${pid}/cmdline`));
}

/** Looks again and again while `action` runs; returns what it found on the way, without repetition. */
export async function watched<T>(
  look: () => string[],
  action: () => Promise<T>,
): Promise<{ result: T; found: string[]; looks: number }> {
  const found = new Set<string>();
  let looks = 0;
  let over = false;
  const looking = (async () => {
    while (!over) {
      const began = performance.now();
      for (const what of look()) found.add(what);
      looks++;
      // Most of the time is for what it looks at.
      await new Promise((next) => setTimeout(next, 5 + 3 * (performance.now() - began)));
    }
  })();
  try {
    return { result: await action(), found: [...found], looks };
  } finally {
    over = true;
    await looking;
  }
}
