import { localTime } from '../../base/when.ts';
import { searchArchives } from '../../archive/search.ts';
import { CouncilError } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import { searchIndex } from '../../store/file/search-index.ts';
import type { Command } from '../spec.ts';
import { openWorkspace } from '../../app/workspace.ts';

export const searchCommand: Command = async (cli, words, options) => {
  const { project, ports } = openWorkspace(cli);
  const limit = Number(options.limit ?? 10);
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new CouncilError(
      'usage',
      `The number of results must be a whole number from 1 on: ${JSON.stringify(options.limit)}.`,
      {
        hint: 'Use a number from 1 on: --limit 20',
      },
    );
  const found = await searchArchives(
    {
      archives: ports.archives,
      index: searchIndex({ env: cli.env, root: project.root, warn: (message) => cli.note(message) }),
    },
    words.join(' '),
    limit,
  );
  const text = found.results
    .map(
      (r) =>
        `${cli.paint('bold', oneLine(r.id))}  ${oneLine(r.topic)}  (${localTime(r.endedAt, Date.now())})\n  ${oneLine(r.excerpt, 300)}`,
    )
    .join('\n');
  return { json: found, text: text || `Nothing found for ${oneLine(words.join(' '))}.` };
};
