// The job and the systemd unit files that `install` writes for a project.
import { join } from 'node:path';
import { sha256 } from '../../base/ids.ts';
import { units } from '../../heartbeat/schedule.ts';
import type { Job } from '../../heartbeat/schedule.ts';
import { packageDir } from '../../store/local/project.ts';
import { configHome } from '../../store/file/trust-book.ts';
import type { App } from '../app.ts';

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
    entry: join(packageDir(), 'dist', 'council.js'),
    env,
    envFile,
    every,
  };
}

/** The systemd user units of a job, and where they lie. */
export function unitFiles(app: App, job: Job): { name: string; path: string; content: string }[] {
  const dir = join(configHome(app.env), 'systemd', 'user');
  return units(job, sha256(job.root).slice(0, 12)).map((unit) => ({ ...unit, path: join(dir, unit.name) }));
}
