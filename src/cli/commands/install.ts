import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CouncilError } from '../../base/errors.ts';
import { withJob, withoutJob } from '../../heartbeat/schedule.ts';
import { jobOf, noProgram, readCrontab, unitFiles } from '../scheduled.ts';
import type { Command } from '../spec.ts';
import { openWorkspace } from '../wire.ts';

const EVERY = '*/5 * * * *';

export const installCommand: Command = async (cli, _args, options) => {
  const job = jobOf(cli, openWorkspace(cli).project.root, String(options.every ?? EVERY));
  const dryRun = options.dryRun === true;
  if (options.systemd === true) {
    if (options.every !== undefined)
      throw new CouncilError(
        'usage',
        'The systemd timer fires every 5 minutes: --every is for the crontab.',
        { hint: 'Leave --every out, or leave --systemd out.' },
      );
    const files = unitFiles(cli, job);
    const text = files.map(({ path, content }) => `# ${path}\n${content}`).join('\n');
    if (dryRun) return { json: { dryRun, files }, text };
    for (const { path, content } of files) {
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, content);
    }
    await systemctl(['daemon-reload']);
    await systemctl(['enable', '--now', files[1]!.name]);
    return {
      json: { dryRun, files: files.map(({ path }) => path) },
      text: `Written and enabled:\n${files.map(({ path }) => `  ${path}`).join('\n')}`,
    };
  }
  const { default: cron } = await import('node-cron');
  if (!cron.validate(job.every) || job.every.trim().split(/\s+/).length !== 5) {
    throw new CouncilError('usage', `Not a cron expression: ${JSON.stringify(job.every)}.`, {
      hint: 'Five fields: minute hour day month weekday, for example "*/5 * * * *".',
    });
  }
  const crontab = withJob(await readCrontab(dryRun), job);
  if (!dryRun) await writeCrontab(crontab);
  return {
    json: { dryRun, crontab },
    text: dryRun ? crontab : `The crontab of this user now calls council tick in ${job.root} (${job.every}).`,
  };
};

export const uninstallCommand: Command = async (cli, _args, options) => {
  const job = jobOf(cli, openWorkspace(cli).project.root, EVERY);
  const dryRun = options.dryRun === true;
  if (options.systemd === true) {
    const files = unitFiles(cli, job);
    if (!dryRun) {
      await systemctl(['disable', '--now', files[1]!.name]);
      for (const { path } of files) rmSync(path, { force: true });
      await systemctl(['daemon-reload']);
    }
    return {
      json: { dryRun, files: files.map(({ path }) => path) },
      text: `${dryRun ? 'Would remove' : 'Removed'}:\n${files.map(({ path }) => `  ${path}`).join('\n')}`,
    };
  }
  const before = await readCrontab(dryRun);
  const crontab = withoutJob(before, job.root);
  if (before === crontab)
    return { json: { dryRun, crontab, changed: false }, text: `The crontab has no block for ${job.root}.` };
  if (!dryRun) await writeCrontab(crontab);
  return {
    json: { dryRun, crontab, changed: true },
    text: dryRun ? crontab : `The block for ${job.root} is removed from the crontab.`,
  };
};

async function writeCrontab(content: string): Promise<void> {
  const { execa } = await import('execa');
  const result = await execa('crontab', ['-'], { input: content, reject: false });
  if (result.failed)
    throw new CouncilError(
      'failed',
      `The crontab was not written: ${result.stderr.trim() || result.shortMessage}`,
      { hint: 'See what would be written with: council install --dry-run' },
    );
}

async function systemctl(args: string[]): Promise<void> {
  const { execa } = await import('execa');
  const result = await execa('systemctl', ['--user', ...args], { reject: false });
  if (result.code === 'ENOENT')
    throw noProgram('systemctl', 'council install (crontab), or council heartbeat in the foreground');
  if (result.failed)
    throw new CouncilError(
      'failed',
      `systemctl --user ${args.join(' ')} failed: ${result.stderr.trim() || result.shortMessage}`,
      { hint: 'The unit files are written; is there a user session? See: systemctl --user status' },
    );
}
