// Commands `install` and `uninstall`.
import type { InstallInput, UninstallInput } from '../../app/input/project.ts';
import { install, uninstall } from '../../app/schedule/install.ts';
import type { Variables } from '../../app/schedule/install.ts';
import { toTextOutcome } from '../print.ts';
import type { Command } from '../spec.ts';

export const installCommand: Command<InstallInput> = async (cli, input) => {
  const result = await install(cli, input);
  const { document, job } = result;
  const { variables } = document;
  if ('crontab' in document)
    return toTextOutcome(
      result,
      document.dryRun
        ? `${document.crontab}${wouldWrite(variables)}`
        : `The crontab of this user now calls council tick in ${job.root} (${job.every}).${describeVariablesFile(variables)}`,
    );
  const files = document.files.map((file) =>
    typeof file === 'string' ? `  ${file}` : `# ${file.path}\n${file.content}`,
  );
  return toTextOutcome(
    result,
    document.dryRun
      ? `${files.join('\n')}${wouldWrite(variables)}`
      : `Written and enabled:\n${files.join('\n')}${describeVariablesFile(variables)}`,
  );
};

/** By name: a value is never shown. As a comment, because it stands below what would be written. */
const wouldWrite = ({ path, names }: Variables): string =>
  names.length === 0 ? '' : `# ${path} (0600) would have: ${names.join(', ')}\n`;

const describeVariablesFile = ({ path, names }: Variables): string =>
  names.length === 0 ? '' : `\nIts agents get ${names.join(', ')} from ${path}, which only you can read.`;

export const uninstallCommand: Command<UninstallInput> = async (cli, input) => {
  const result = await uninstall(cli, input);
  const { document, job } = result;
  const { dryRun } = document;
  if ('files' in document) {
    const files = document.files.map((path) => `  ${path}`).join('\n');
    return toTextOutcome(result, `${dryRun ? 'Would remove' : 'Removed'}:\n${files}`);
  }
  if (!document.changed) return toTextOutcome(result, `The crontab has no council entry for ${job.root}.`);
  const removed = `The block for ${job.root} is removed from the crontab.`;
  return toTextOutcome(result, dryRun ? document.crontab : removed);
};
