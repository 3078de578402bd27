// The job and the unit files that `install` writes, and calls of crontab and systemctl that never came with the project.
import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { findSystemProgram } from '../../agents/runners/find-command.ts';
import { CouncilError } from '../../base/errors.ts';
import type { App } from '../app.ts';
import { sha256 } from '../../base/ids.ts';
import { buildUnits } from '../../heartbeat/schedule.ts';
import type { Job } from '../../heartbeat/schedule.ts';
import { findPackageDir } from '../../store/local/project.ts';
import { getConfigHome } from '../../store/file/trust-book.ts';

/** Where a program of the system is called for: the project in `root`, which has no say in which program that is. */
export interface SystemCallPlace {
  env: App['env'];
  root: string;
}

/** How a program of the system ended. */
interface SystemResult {
  failed: boolean;
  stdout: Buffer;
  why: string;
}

/** Runs crontab or systemctl; undefined where there is none but one that came with the project. */
export async function callSystem(
  { env, root }: SystemCallPlace,
  [name, ...args]: [name: string, ...args: string[]],
  { input, timeout }: { input?: Uint8Array; timeout?: number } = {},
): Promise<SystemResult | undefined> {
  const program = findSystemProgram(name, root, env);
  if (!program) return undefined;
  const { execa } = await import('execa');
  const said = await execa(program.file, args, {
    env: { ...env, PATH: program.PATH },
    extendEnv: false,
    reject: false,
    encoding: 'buffer',
    stripFinalNewline: false,
    ...(input ? { input } : { stdin: 'ignore' as const }),
    ...(timeout !== undefined && { timeout }),
  });
  const stderr = Buffer.from(said.stderr ?? []).toString();
  return {
    failed: said.failed,
    stdout: Buffer.from(said.stdout ?? []),
    why: stderr.trim() || said.shortMessage || '',
  };
}

/** The crontab of this user, empty when there is none. Without the program: empty when `optional`, else `failed`. */
export async function readCrontab(where: SystemCallPlace, optional: boolean): Promise<string> {
  const said = await callSystem(where, ['crontab', '-l']);
  if (!said && optional) return '';
  if (!said)
    throw createMissingProgramError(
      'crontab',
      'council install --systemd, or have council heartbeat run in the foreground',
    );
  // An empty crontab is reported as a failure ("no crontab for …").
  if (said.failed && !/no crontab/i.test(said.why))
    throw new CouncilError('failed', `crontab -l failed: ${said.why}`, {
      hint: 'Look at it with: crontab -l',
    });
  return said.failed ? '' : decodeMixedLines(said.stdout);
}

/** Puts a crontab that `readCrontab` has read, with other lines in it, in its place. Throws `failed`. */
export async function writeCrontab(where: SystemCallPlace, crontab: string): Promise<void> {
  const said = await callSystem(where, ['crontab', '-'], { input: encodeMixedLines(crontab) });
  if (said && !said.failed) return;
  throw new CouncilError(
    'failed',
    `The crontab was not written: ${said?.why ?? 'there is no crontab here'}`,
    {
      hint: 'See what would be written with: council install --dry-run',
    },
  );
}

/** A program of the system that is not there, and what does instead. */
export const createMissingProgramError = (name: string, instead: string): CouncilError =>
  new CouncilError('failed', `There is no ${name} on this machine.`, { hint: `Use ${instead}.` });

/** Where the bytes of a line that is not UTF-8 stand in a text: among the low surrogates, which no such text has alone. */
const BYTE = 0xdc00;

/**
 * Decodes bytes so that `encodeMixedLines` restores each one: existing lines may have another
 * encoding.
 */
function decodeMixedLines(bytes: Buffer): string {
  const line = (text: string): string => {
    const own = Buffer.from(text, 'latin1');
    if (isUtf8(own)) return own.toString();
    return text.replace(/[\u0080-\u00ff]/g, (char) => String.fromCharCode(BYTE + char.charCodeAt(0)));
  };
  return bytes.toString('latin1').split('\n').map(line).join('\n');
}

function encodeMixedLines(text: string): Buffer {
  const char = (one: string): Buffer => {
    const code = one.charCodeAt(0) - BYTE;
    return one.length === 1 && code >= 0x80 && code <= 0xff ? Buffer.from([code]) : Buffer.from(one);
  };
  return Buffer.concat(text.split(/([\udc80-\udcff])/u).map(char));
}

/** What agents need and cron does not give: where programs, the private folder and the record of trust are. */
const PASSED_ON = ['PATH', 'HOME', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME', 'LANG', 'NODE_EXTRA_CA_CERTS'];

/** What `install` tells cron or systemd about the project in `root`. */
export function createScheduledJob(
  app: App,
  root: string,
  every: string,
  envFile: string | null = null,
): Job {
  const env = Object.fromEntries(PASSED_ON.flatMap((key) => (app.env[key] ? [[key, app.env[key]]] : [])));
  return {
    root,
    node: process.execPath,
    entry: join(findPackageDir(), 'dist', 'council.js'),
    env,
    envFile,
    every,
  };
}

/** The systemd units of a job, each with its path and its text. Writes nothing. */
export function buildUnitFiles(app: App, job: Job): { name: string; path: string; content: string }[] {
  const dir = join(getConfigHome(app.env), 'systemd', 'user');
  return buildUnits(job, sha256(job.root).slice(0, 12)).map((unit) => ({
    ...unit,
    path: join(dir, unit.name),
  }));
}
