// Command `archives`: what was written into this checkout.
import type { ArchivesInput } from '../../app/input/archive.ts';
import { pullArchives } from '../../app/pull-archives.ts';
import { formatCount } from '../../base/text.ts';
import { told } from '../print.ts';
import type { Command } from '../spec.ts';

export const archivesCommand: Command<ArchivesInput> = async (cli) => {
  const result = await pullArchives(cli);
  const { written, same, differ, late } = result.document;
  const lines = [
    ...written.map((path) => `Written: ${path}`),
    ...differ.map((path) => `Another text stands in ${path}: left alone. Move it away and pull again.`),
    `${formatCount(written.length, 'archive')} written, ${same} here already${late.length > 0 ? `, ${formatCount(late.length, 'late text')}` : ''}.`,
  ];
  return told(result, lines.join('\n'));
};
