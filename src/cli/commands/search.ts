// Command `search`.
import type { SearchInput } from '../../app/input/archive.ts';
import { search } from '../../app/search.ts';
import { oneLine } from '../../base/text.ts';
import { localTime } from '../../base/when.ts';
import { told } from '../print.ts';
import type { Command } from '../spec.ts';

export const searchCommand: Command<SearchInput> = async (cli, input) => {
  const result = await search(cli, input);
  const text = result.document.results
    .map(
      (r) =>
        `${cli.paint('bold', oneLine(r.id))}  ${oneLine(r.topic)}  (${localTime(r.endedAt, Date.now())})\n  ${oneLine(r.excerpt, 300)}`,
    )
    .join('\n');
  return told(result, text || `Nothing found for ${oneLine(input.query)}.`);
};
