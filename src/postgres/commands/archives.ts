// Command `archives`: what was written into this checkout.
import type { ArchivesInput } from '../../core/app/input/archive.ts';
import { pullArchives } from '../pull-archives.ts';
import { formatCount } from '../../core/base/text.ts';
import { toTextOutcome } from '../../core/cli/print.ts';
import type { Command } from '../../core/cli/spec.ts';

export const archivesCommand: Command<ArchivesInput> = async (cli) => {
  const result = await pullArchives(cli);
  const { written, same, differ, late } = result.document;
  const lines = [
    ...written.map((path) => `Written: ${path}`),
    ...differ.map((path) => `Another text stands in ${path}: left alone. Move it away and pull again.`),
    `${formatCount(written.length, 'archive')} written, ${same} here already${late.length > 0 ? `, ${formatCount(late.length, 'late text')}` : ''}.`,
  ];
  return toTextOutcome(result, lines.join('\n'));
};
