/**
 * A preload that fails a process at a chosen synchronous file system call. Production code cannot reach it:
 *
 *   node --import ./test/helpers/failpoint.ts script.ts
 *   NODE_OPTIONS=--import=file:///…/test/helpers/failpoint.ts council respond …
 *
 * FAIL_AT=n              the n-th counted call (1 is the first) fails; without it calls are only counted
 * FAIL_WITH=SIGKILL      how: SIGKILL (default; a write first writes half of its bytes), SIGSTOP (the call is made after
 *                        SIGCONT), or an error code such as ENOSPC, which that call throws
 * FAIL_KINDS=open,…      which kinds count: open, write, fsync, link, rename, unlink (default: these), mkdir, close (the file
 *                        is closed all the same, as systems do, so that closing it again is a mistake)
 * FAIL_UNDER=path        only calls on paths below this one count; default: all
 * FAIL_COUNT_FILE=path   at exit, the number of counted calls is written there, so that a test can enumerate them
 *
 * Only synchronous functions of node:fs are seen, however they are imported.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const KINDS: Record<string, string[]> = {
  open: ['openSync'],
  write: ['writeSync', 'writevSync', 'writeFileSync', 'appendFileSync'],
  fsync: ['fsyncSync', 'fdatasyncSync'],
  link: ['linkSync'],
  rename: ['renameSync'],
  unlink: ['unlinkSync', 'rmSync', 'rmdirSync'],
  mkdir: ['mkdirSync'],
  close: ['closeSync'],
};
const ERRORS: Record<string, string> = { ENOSPC: 'no space left on device', EIO: 'i/o error' };

type Call = (...args: unknown[]) => unknown;
const functions = fs as unknown as Record<string, Call>;
const { openSync, writeSync, writeFileSync, closeSync } = fs;

const {
  FAIL_AT,
  FAIL_WITH = 'SIGKILL',
  FAIL_KINDS = 'open,write,fsync,link,rename,unlink',
  FAIL_UNDER,
  FAIL_COUNT_FILE,
} = process.env;
/** Where the open files lie, for the calls that name only a descriptor. */
const paths = new Map<number, string>();
let count = 0;

function isCounted(target: unknown): boolean {
  if (FAIL_UNDER === undefined) return true;
  const path = typeof target === 'number' ? paths.get(target) : resolve(String(target));
  return path !== undefined && `${path}/`.startsWith(`${resolve(FAIL_UNDER)}/`);
}

function failNow(name: string, args: unknown[]): void {
  if (!FAIL_WITH.startsWith('SIG')) {
    const message = `${FAIL_WITH}: ${ERRORS[FAIL_WITH] ?? 'failpoint'}, ${name}`;
    throw Object.assign(new Error(message), { code: FAIL_WITH, syscall: name });
  }
  const [fd, data, from = 0, , position] = args;
  if (FAIL_WITH === 'SIGKILL' && name === 'writeSync' && data instanceof Uint8Array) {
    const place = typeof position === 'number' ? position : null;
    writeSync(fd as number, data, from as number, Math.floor((data.length - Number(from)) / 2), place);
  }
  process.kill(process.pid, FAIL_WITH);
}

function patch(name: string): void {
  const original = functions[name]!;
  functions[name] = (...args) => {
    if (isCounted(args[0])) {
      count++;
      if (count === Number(FAIL_AT)) {
        if (name === 'closeSync' && !FAIL_WITH.startsWith('SIG')) original.apply(fs, args);
        failNow(name, args);
      }
    }
    return original.apply(fs, args);
  };
}

if (isMainThread) {
  for (const kind of FAIL_KINDS.split(',')) for (const name of KINDS[kind.trim()] ?? []) patch(name);
  const patchedOpen = functions.openSync!;
  functions.openSync = (...args) => {
    const fd = patchedOpen(...args) as number;
    paths.set(fd, resolve(String(args[0])));
    return fd;
  };
  const patchedClose = functions.closeSync!;
  functions.closeSync = (...args) => {
    try {
      return patchedClose(...args);
    } finally {
      paths.delete(args[0] as number);
    }
  };
  syncBuiltinESMExports();
  process.on('exit', () => {
    if (FAIL_COUNT_FILE === undefined) return;
    functions.openSync = openSync as unknown as Call;
    functions.closeSync = closeSync as unknown as Call;
    writeFileSync(FAIL_COUNT_FILE, String(count));
  });
}
