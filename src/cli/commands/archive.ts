import { localTime } from '../../base/when.ts';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CouncilError } from '../../base/errors.ts';
import { printableJson } from '../../base/terminal.ts';
import { oneLine } from '../../base/text.ts';
import { exportArchive } from '../../archive/export.ts';
import { findArchive, listArchives } from '../../archive/read.ts';
import type { Command } from '../spec.ts';
import { openWorkspace } from '../../app/workspace.ts';

export const listCommand: Command = async (cli) => {
  const { ports } = openWorkspace(cli);
  const { archives, problems } = listArchives(ports.archives);
  for (const { path, message } of problems) cli.note(`${path}: ${message}`);
  const text = archives
    .map(
      (a) =>
        `${oneLine(a.id)}\n  ${oneLine(a.topic)}  [${oneLine(a.mode)}, ${a.status}, ${localTime(a.endedAt, Date.now())}]`,
    )
    .join('\n');
  return {
    json: { archives },
    text: text || 'No council has been archived yet. Start one with: council run "topic"',
  };
};

export const showCommand: Command = async (cli, [ref]) => {
  const { ports } = openWorkspace(cli);
  const { path, archive } = findArchive(ports.archives, ref!);
  const { showArchive } = await import('../../archive/show.ts');
  for (const altered of archive.altered)
    cli.note(`${path}: ${altered} is not what was recorded: its hash differs.`);
  return {
    json: exportArchive(archive, 'json'),
    text: await showArchive(archive, {
      width: Math.min(process.stdout.columns || 80, 100),
      color: cli.paint('bold', 'x') !== 'x',
    }),
  };
};

export const exportCommand: Command = async (cli, [ref], options) => {
  const format = options.format ?? 'md';
  if (format !== 'md' && format !== 'json' && format !== 'adr')
    throw new CouncilError('usage', `There is no format ${JSON.stringify(format)}.`, {
      hint: 'Formats: md, json, adr.',
    });
  const { archive } = findArchive(openWorkspace(cli).ports.archives, ref!);
  const exported = exportArchive(archive, format);
  const content = typeof exported === 'string' ? exported : `${printableJson(exported, 2)}\n`;
  const document = typeof exported === 'string' ? { format, content: exported } : exported;
  if (typeof options.output !== 'string') return { json: document, text: content };
  const path = resolve(cli.cwd, options.output);
  writeFileSync(path, content);
  return { json: { format, path, bytes: Buffer.byteLength(content) }, text: `Written: ${path}` };
};
