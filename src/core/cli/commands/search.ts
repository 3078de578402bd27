// Command `search`.
import type { SearchInput } from '../../app/input/archive.ts';
import { search } from '../../app/search.ts';
import { toOneLine } from '../../base/text.ts';
import { formatLocalTime } from '../../base/local-time.ts';
import { performHereOrAtServer } from '../spec.ts';
import { toTextOutcome } from '../print.ts';
import type { Command } from '../spec.ts';

export const performSearch: Command<SearchInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => search(cli, input),
    () => ({}),
  );
  // In the document, matching words are between **.
  const paintMarks = (excerpt: string): string =>
    toOneLine(excerpt, 300).replace(/\*\*(.+?)\*\*/g, (_, word: string) => cli.paint('bold', word));
  const text = result.document.results
    .map(
      (r) =>
        `${cli.paint('bold', toOneLine(r.id))}${r.kind === 'report' ? ' (report)' : ''}  ${toOneLine(r.topic)}  (${formatLocalTime(r.endedAt, Date.now())})\n  ${paintMarks(r.excerpt)}`,
    )
    .join('\n');
  return toTextOutcome(result, text || `Nothing found for ${toOneLine(input.query)}.`);
};
