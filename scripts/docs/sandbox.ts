// A folder in which a document's commands are run: nothing of this machine's user is around them, and random numbers are the same
// in every run.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const REPOSITORY = join(import.meta.dirname, '..', '..');
const CLI = join(REPOSITORY, 'dist', 'council.js');
const SAME_RANDOM = join(import.meta.dirname, 'same-random.ts');

/** What Node has compiled of council and of what lies in front of it: the same in every scene. */
const COMPILED = mkdtempSync(join(tmpdir(), 'council-docs-compiled-'));
process.once('exit', () => rmSync(COMPILED, { recursive: true }));

/** How long a command may take before the page counts as broken, in milliseconds. */
const LONGEST = 180_000;

export interface Sandbox {
  /** The project's folder, where commands run. */
  root: string;
  /**
   * What a shell line prints, both streams as they come, with paths, times, durations and names of this machine settled.
   * With `until`, the command is interrupted once it has printed that.
   */
  shell(line: string, until?: RegExp): Promise<string>;
  /** Puts a shell script on the path of the commands. */
  program(name: string, script: string): void;
  /** A text of a file or a command with what differs from run to run settled. */
  settled(text: string): string;
  remove(): void;
}

export function sandbox(name: string): Sandbox {
  if (!existsSync(CLI)) throw new Error('dist/ is missing: build first with "npm run build".');
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'council-docs-')));
  const root = join(scratch, name);
  const bin = join(scratch, 'bin');
  for (const folder of [root, bin]) mkdirSync(folder);
  const program = (called: string, script: string) => {
    writeFileSync(join(bin, called), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  };
  program('council', `exec node --import '${SAME_RANDOM}' '${CLI}' "$@"`);
  const homes = ['HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME'];
  const env = {
    PATH: [bin, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    NODE_COMPILE_CACHE: COMPILED,
    // One after the other: answers come in the same order in every run.
    COUNCIL_CONCURRENCY: '1',
    ...Object.fromEntries(homes.map((variable) => [variable, join(scratch, variable.toLowerCase())])),
  };
  const settled = settler(scratch);
  let commands = 0;
  return {
    root,
    program,
    settled,
    async shell(line, until) {
      const DOCS_SEED = `${name} ${++commands}`;
      return settled(await printed(line, { cwd: root, env: { ...env, DOCS_SEED } }, until));
    },
    remove: () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }),
  };
}

function printed(line: string, where: { cwd: string; env: NodeJS.ProcessEnv }, until?: RegExp): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = spawn('bash', ['-c', `exec 2>&1; ${line}`], { ...where, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const signal = (name: NodeJS.Signals) => child.pid !== undefined && process.kill(-child.pid, name);
  const timer = setTimeout(() => signal('SIGKILL'), LONGEST);
  let text = '';
  let isInterrupted = false;
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
    if (isInterrupted || !until?.test(text)) return;
    isInterrupted = true;
    signal('SIGINT');
  });
  child.on('error', reject).on('close', (_, name) => {
    clearTimeout(timer);
    if (name === 'SIGKILL') reject(new Error(`"${line}" took too long. It printed:\n${text}`));
    else resolve(text);
  });
  return promise;
}

/** Replaces what differs from run to run by what always stands in the documents. */
function settler(scratch: string): (text: string) => string {
  const today = [new Date(), new Date(Date.now() - 86_400_000)].map((day) => day.toISOString().slice(0, 10));
  const rules: [RegExp | string, string][] = [
    [scratch, '/tmp'],
    [dirname(process.execPath), '/usr/bin'],
    [REPOSITORY, '/opt/council'],
    [`${userInfo().username}@${hostname()}`, 'ana@server'],
    [/\b(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d+)?Z/g, '2026-01-05T09:00:00.000Z'],
    ...today.map((day): [string, string] => [day, '2026-01-05']),
    [/(?<![\d:T])([01]\d|2[0-3]):[0-5]\d(?![\d:])/g, '09:00'],
    [/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{1,2} [A-Z][a-z]{2} \d{4}(?=, 09:00)/g, 'Mon 5 Jan 2026'],
    [/\b\d+(\.\d+)? ms\b/g, '90 ms'],
    // On a slow machine it takes seconds.
    [/\b(responded(?:: \d+ bytes)? in )(?:\d+m)?\d+s\b/g, '$190 ms'],
    [/^((?:Status|Archive): .*; )\d+m?s?\d*s?\)$/gm, '$13s)'],
    // Machine data of an archive, and what it measures: lengths and hashes of what has other times in it each time.
    [/("(?:COLLECT|CHALLENGE|RESOLVE|SYNTHESIZE)":)\d+\.\d+/g, '$10.3'],
    [/("ms":)\d+/g, '$190'],
    [/(<!--council-archive \{"format":\d+,|^"page":\{)"bytes":\d+,"sha256":"[0-9a-f]{64}"/gm, '$1"bytes":9999,"sha256":"ff84cb10340b05b252dfa45bc32caa471d9b29a9341dda0f6be276f3be9aa010"'],
    [/"(textSha256|sha256OfState)": ?"[0-9a-f]{64}"/g, '"$1": "ff84cb10340b05b252dfa45bc32caa471d9b29a9341dda0f6be276f3be9aa010"'],
    [/\b(pid|PID) \d+/g, '$1 4711'],
    [/^(\| Time, [A-Z]+ \|) .+ \|$/gm, '$1 0.3 s |'],
    [/\(\w+(, hard links work)/g, '(ext4$1'],
    [/\bcouncil-[0-9a-f]{12}\b/g, 'council-83819f8863fe'],
    [/\b(sealed-[a-z]+-\d)-[0-9a-f]{32}/g, '$1-500a8c83f83b7248627cd2e0998b263d'],
    [/\bmsg-\d{8}-\d{6}-([a-z0-9-]+?)-[0-9a-f]{4}\b/g, 'msg-20260105-090000-$1-0000'],
    [/\b(stored|delivered|acknowledged|answered|spoke) (now|\d+ s ago)/g, '$1 now'],
    [/\bcouncil_mcp_[\w-]+/g, 'council_mcp_…'],
    [/\bcouncil_at_[\w-]+/g, 'council_at_3f9a01c2_…'],
    [/\b(token revoke )[0-9a-f]{8}\b/g, '$13f9a01c2'],
    [/^[0-9a-f]{8}(?= (?:valid|expired|revoked) )/gm, '3f9a01c2'],
    [/127\.0\.0\.1:\d+/g, '127.0.0.1:7411'],
  ];
  return (text) => rules.reduce((before, [from, to]) => before.replaceAll(from, to), text);
}
