// Use cases `install` and `uninstall`: schedules for tick with cron or systemd.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CouncilError } from '../../base/errors.ts';
import { findCrontabLine, addJob, removeJob } from '../../heartbeat/schedule.ts';
import type { Job } from '../../heartbeat/schedule.ts';
import { makeFolders } from '../../store/local/disk.ts';
import type { App, Result } from '../app.ts';
import type { InstallInput, UninstallInput } from '../input/project.ts';
import { chooseVariables, removeVariables, getVariablesPath, writeVariables } from './schedule-variables.ts';
import type { ScheduleVariables } from './schedule-variables.ts';
import {
  createScheduledJob,
  buildUnitFiles,
  callSystem,
  createMissingProgramError,
  readCrontab,
  writeCrontab,
} from './system-calls.ts';
import type { SystemCallPlace } from './system-calls.ts';
import { loadAgents, openWorkspace } from '../workspace.ts';

const EVERY = '*/5 * * * *';

/** The file of variables for the schedule, with their names: a value is never shown. */
export interface Variables {
  path: string;
  names: string[];
}

interface Unit {
  name: string;
  path: string;
  content: string;
}

/** What is written, or would be: a crontab, or the units of systemd (their paths once they are written). */
export type InstallDocument = { dryRun: boolean; variables: Variables } & (
  { crontab: string } | { files: string[] | Unit[] }
);

/** Has cron or systemd call tick. Throws `usage` and `failed`. */
export async function install(
  app: App,
  input: InstallInput,
): Promise<Result<InstallDocument> & { job: Job }> {
  const { dryRun, systemd, every } = input;
  const workspace = openWorkspace(app);
  const { root } = workspace.project;
  const registry = await loadAgents(app, workspace);
  const own = registry.listOwn().filter(({ source }) => source === 'project');
  const chosen = await chooseVariables(app, root, own, input);
  const names = Object.keys(chosen.variables);
  const variables = { path: chosen.path, names };
  const job = createScheduledJob(app, root, every ?? EVERY, names.length > 0 ? chosen.path : null);
  for (const note of chosen.notes) app.note(note);
  if (systemd && every !== undefined)
    throw new CouncilError('usage', 'The systemd timer fires every 5 minutes: --every is for the crontab.', {
      hint: 'Leave --every out, or leave --systemd out.',
    });
  const where = { env: app.env, root };
  const written = systemd
    ? { files: await installUnits(where, buildUnitFiles(app, job), chosen, dryRun) }
    : { crontab: await installCrontab(where, job, chosen, dryRun) };
  return { document: { dryRun, ...written, variables }, job };
}

async function installUnits(
  where: SystemCallPlace,
  files: Unit[],
  chosen: ScheduleVariables,
  dryRun: boolean,
): Promise<string[] | Unit[]> {
  if (dryRun) return files;
  writeVariables(where.root, chosen);
  for (const { path, content } of files) {
    makeFolders(dirname(path));
    writeFileSync(path, content);
  }
  await runSystemctl(where, ['daemon-reload']);
  await runSystemctl(where, ['enable', '--now', files[1]!.name]);
  return files.map(({ path }) => path);
}

async function installCrontab(
  where: SystemCallPlace,
  job: Job,
  chosen: ScheduleVariables,
  dryRun: boolean,
): Promise<string> {
  const { default: cron } = await import('node-cron');
  if (!cron.validate(job.every) || job.every.trim().split(/\s+/).length !== 5)
    throw new CouncilError('usage', `Not a cron expression: ${JSON.stringify(job.every)}.`, {
      hint: 'Five fields: minute hour day month weekday, for example "*/5 * * * *".',
    });
  const crontab = addJob(await readCrontab(where, dryRun), job);
  if (dryRun) return crontab;
  writeVariables(where.root, chosen);
  await writeCrontab(where, crontab);
  return crontab;
}

/** What is removed, or would be. */
export type UninstallDocument =
  { dryRun: boolean; files: string[] } | { dryRun: boolean; crontab: string; changed: boolean };

/** Removes what install wrote; the variables with the last schedule of this project. */
export async function uninstall(
  app: App,
  { dryRun, systemd }: UninstallInput,
): Promise<Result<UninstallDocument> & { job: Job }> {
  const job = createScheduledJob(app, openWorkspace(app).project.root, EVERY);
  const where = { env: app.env, root: job.root };
  const variables = getVariablesPath(app, job.root);
  const files = buildUnitFiles(app, job);
  if (systemd) {
    if (!dryRun) {
      await runSystemctl(where, ['disable', '--now', files[1]!.name]);
      for (const { path } of files) rmSync(path, { force: true });
      await runSystemctl(where, ['daemon-reload']);
      if (findCrontabLine(await readCrontab(where, true), job.root) === undefined) removeVariables(variables);
    }
    return { document: { dryRun, files: files.map(({ path }) => path) }, job };
  }
  // Where there is no crontab, nothing stands in it.
  const before = await readCrontab(where, true);
  const crontab = removeJob(before, job.root);
  const changed = before !== crontab;
  if (changed && !dryRun) {
    await writeCrontab(where, crontab);
    if (!files.some(({ path }) => existsSync(path))) removeVariables(variables);
  }
  return { document: { dryRun, crontab, changed }, job };
}

async function runSystemctl(where: SystemCallPlace, args: string[]): Promise<void> {
  const said = await callSystem(where, ['systemctl', '--user', ...args]);
  if (!said)
    throw createMissingProgramError(
      'systemctl',
      'council install (crontab), or council heartbeat in the foreground',
    );
  if (said.failed)
    throw new CouncilError('failed', `systemctl --user ${args.join(' ')} failed: ${said.why}`, {
      hint: 'The unit files are written; is there a user session? See: systemctl --user status',
    });
}
