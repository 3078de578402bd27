import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CouncilError } from '../../base/errors.ts';
import { crontabBlock, withJob, withoutJob } from '../../heartbeat/schedule.ts';
import { jobOf, unitFiles } from '../../app/scheduled.ts';
import type { LegacyCommand } from '../spec.ts';
import {
  chooseVariables,
  removeVariables,
  variablesPath,
  writeVariables,
} from '../../app/schedule-variables.ts';
import { callSystem, noProgram, readCrontab, writeCrontab } from '../../app/system-calls.ts';
import type { CalledFor } from '../../app/system-calls.ts';
import { loadAgents, openWorkspace } from '../../app/workspace.ts';

const EVERY = '*/5 * * * *';

export const installCommand: LegacyCommand = async (cli, _args, options) => {
  const dryRun = options.dryRun === true;
  const workspace = openWorkspace(cli);
  const { root } = workspace.project;
  const where = { env: cli.env, root };
  const registry = await loadAgents(cli, workspace);
  const own = registry.list().filter(({ source }) => source === 'project');
  const chosen = await chooseVariables(cli, root, own, options);
  const names = Object.keys(chosen.variables);
  const variables = { path: chosen.path, names };
  const job = jobOf(cli, root, String(options.every ?? EVERY), names.length > 0 ? chosen.path : null);
  for (const note of chosen.notes) cli.note(note);
  if (options.systemd === true) {
    if (options.every !== undefined)
      throw new CouncilError(
        'usage',
        'The systemd timer fires every 5 minutes: --every is for the crontab.',
        { hint: 'Leave --every out, or leave --systemd out.' },
      );
    const files = unitFiles(cli, job);
    const text = files.map(({ path, content }) => `# ${path}\n${content}`).join('\n');
    if (dryRun) return { json: { dryRun, files, variables }, text: `${text}${wouldWrite(variables)}` };
    writeVariables(root, chosen);
    for (const { path, content } of files) {
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, content);
    }
    await systemctl(where, ['daemon-reload']);
    await systemctl(where, ['enable', '--now', files[1]!.name]);
    return {
      json: { dryRun, files: files.map(({ path }) => path), variables },
      text: `Written and enabled:\n${files.map(({ path }) => `  ${path}`).join('\n')}${written(variables)}`,
    };
  }
  const { default: cron } = await import('node-cron');
  if (!cron.validate(job.every) || job.every.trim().split(/\s+/).length !== 5) {
    throw new CouncilError('usage', `Not a cron expression: ${JSON.stringify(job.every)}.`, {
      hint: 'Five fields: minute hour day month weekday, for example "*/5 * * * *".',
    });
  }
  const crontab = withJob(await readCrontab(where, dryRun), job);
  if (!dryRun) {
    writeVariables(root, chosen);
    await writeCrontab(where, crontab);
  }
  return {
    json: { dryRun, crontab, variables },
    text: dryRun
      ? `${crontab}${wouldWrite(variables)}`
      : `The crontab of this user now calls council tick in ${job.root} (${job.every}).${written(variables)}`,
  };
};

interface Written {
  path: string;
  names: string[];
}

/** By name: a value is never shown. As a comment, because it stands below what would be written. */
const wouldWrite = ({ path, names }: Written): string =>
  names.length === 0 ? '' : `# ${path} (0600) would have: ${names.join(', ')}\n`;

const written = ({ path, names }: Written): string =>
  names.length === 0 ? '' : `\nIts agents get ${names.join(', ')} from ${path}, which only you can read.`;

export const uninstallCommand: LegacyCommand = async (cli, _args, options) => {
  const job = jobOf(cli, openWorkspace(cli).project.root, EVERY);
  const where = { env: cli.env, root: job.root };
  const dryRun = options.dryRun === true;
  // Needed until the last schedule of this project is gone.
  const variables = variablesPath(cli, job.root);
  if (options.systemd === true) {
    const files = unitFiles(cli, job);
    if (!dryRun) {
      await systemctl(where, ['disable', '--now', files[1]!.name]);
      for (const { path } of files) rmSync(path, { force: true });
      await systemctl(where, ['daemon-reload']);
      if (crontabBlock(await readCrontab(where, true), job.root) === undefined) removeVariables(variables);
    }
    return {
      json: { dryRun, files: files.map(({ path }) => path) },
      text: `${dryRun ? 'Would remove' : 'Removed'}:\n${files.map(({ path }) => `  ${path}`).join('\n')}`,
    };
  }
  const before = await readCrontab(where, dryRun);
  const crontab = withoutJob(before, job.root);
  if (before === crontab)
    return {
      json: { dryRun, crontab, changed: false },
      text: `The crontab has no council entry for ${job.root}.`,
    };
  if (!dryRun) {
    await writeCrontab(where, crontab);
    if (!unitFiles(cli, job).some(({ path }) => existsSync(path))) removeVariables(variables);
  }
  return {
    json: { dryRun, crontab, changed: true },
    text: dryRun ? crontab : `The block for ${job.root} is removed from the crontab.`,
  };
};

async function systemctl(where: CalledFor, args: string[]): Promise<void> {
  const said = await callSystem(where, ['systemctl', '--user', ...args]);
  if (!said)
    throw noProgram('systemctl', 'council install (crontab), or council heartbeat in the foreground');
  if (said.failed)
    throw new CouncilError('failed', `systemctl --user ${args.join(' ')} failed: ${said.why}`, {
      hint: 'The unit files are written; is there a user session? See: systemctl --user status',
    });
}
