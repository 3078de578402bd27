import { homedir } from 'node:os';
import { join } from 'node:path';
import { CouncilError } from '../base/errors.ts';
import { sha256 } from '../base/ids.ts';
import { units } from '../heartbeat/schedule.ts';
import type { Job } from '../heartbeat/schedule.ts';
import { packageDir } from '../store/project.ts';
import type { Cli } from './io.ts';

/** What agents need and cron does not give: where programs and the private folder are. */
const PASSED_ON = ['PATH', 'HOME', 'XDG_STATE_HOME', 'LANG', 'NODE_EXTRA_CA_CERTS'];

/** What `install` tells cron or systemd about the project in `root`. */
export function jobOf(cli: Cli, root: string, every: string): Job {
  const env = Object.fromEntries(PASSED_ON.flatMap((key) => (cli.env[key] ? [[key, cli.env[key]]] : [])));
  return {
    root,
    node: process.execPath,
    entry: join(packageDir(), 'dist', 'council.js'),
    env,
    every,
  };
}

/** The systemd user units of a job, and where they lie. */
export function unitFiles(cli: Cli, job: Job): { name: string; path: string; content: string }[] {
  const dir = join(cli.env.XDG_CONFIG_HOME || join(cli.env.HOME || homedir(), '.config'), 'systemd', 'user');
  return units(job, sha256(job.root).slice(0, 12)).map((unit) => ({ ...unit, path: join(dir, unit.name) }));
}

/** The crontab of this user, empty when there is none. Without the program: empty when `optional`, else `failed`. */
export async function readCrontab(optional: boolean): Promise<string> {
  const { execa } = await import('execa');
  const result = await execa('crontab', ['-l'], { reject: false, stripFinalNewline: false });
  if (result.code === 'ENOENT' && optional) return '';
  if (result.code === 'ENOENT')
    throw noProgram('crontab', 'council install --systemd, or have council heartbeat run in the foreground');
  // An empty crontab is reported as a failure ("no crontab for …").
  if (result.failed && !/no crontab/i.test(result.stderr))
    throw new CouncilError('failed', `crontab -l failed: ${result.stderr.trim() || result.shortMessage}`, {
      hint: 'Look at it with: crontab -l',
    });
  return result.failed ? '' : result.stdout;
}

/** A program of the system that is not there, and what does instead. */
export const noProgram = (name: string, instead: string): CouncilError =>
  new CouncilError('failed', `There is no ${name} on this machine.`, { hint: `Use ${instead}.` });
