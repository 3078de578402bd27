// Commands `list`, `show` and `export`.
import { listArchivedCouncils, show } from '../../app/archives.ts';
import type { ListedArchive, ArchivePage } from '../../app/archives.ts';
import { describeTurnout, outcome as recordOutcome } from '../../app/outcome.ts';
import { exportCouncil } from '../../app/archives.ts';
import type { ExportInput, ListInput, OutcomeInput, ShowInput } from '../../app/input/archive.ts';
import { readLanguage } from '../../app/language.ts';
import { CouncilError } from '../../base/errors.ts';
import { loadWords } from '../../base/words/words.ts';
import type { Words } from '../../base/words/words.ts';
import { oneLine } from '../../base/text.ts';
import { localTime } from '../../base/local-time.ts';
import { pageOptions } from '../page-options.ts';
import { performHereOrAtServer } from '../performed.ts';
import { toTextOutcome } from '../print.ts';
import type { Command } from '../spec.ts';

export const listCommand: Command<ListInput> = async (cli) => {
  const result = await performHereOrAtServer(
    cli,
    () => listArchivedCouncils(cli),
    (_, { page }) => ({ unreadable: Number(page ?? 0) }),
  );
  const w = loadWords(await readLanguage(cli));
  const text = result.document.archives.map((one) => renderArchiveRow(one, w)).join('\n');
  const none = result.unreadable > 0 ? w.standing.unreadable : w.standing.noArchive;
  return toTextOutcome(result, text || none);
};

const renderArchiveRow = (
  { id, topic, outcome, mode, status, endedAt, turnedOut }: ListedArchive,
  w: Words,
): string =>
  [
    oneLine(id),
    `  ${oneLine(topic)}`,
    `  ${oneLine(outcome, 400)}  [${oneLine(mode)}, ${status}, ${localTime(endedAt, Date.now(), w)}]`,
    ...(turnedOut ? [`  ${oneLine(describeTurnout(turnedOut, w), 400)}`] : []),
  ].join('\n');

export const outcomeCommand: Command<OutcomeInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => recordOutcome(cli, input),
    () => ({}),
  );
  const { archive, outcome: recorded, replaced, changed } = result.document;
  const say = (one: typeof recorded): string => oneLine(describeTurnout(one, loadWords('en')), 400);
  const lines = [
    changed ? `Recorded beside ${archive}: ${say(recorded)}` : `Recorded already: ${say(recorded)}`,
    ...(replaced ? [`It replaces, and that record is kept: ${say(replaced)}`] : []),
  ];
  return toTextOutcome(result, lines.join('\n'));
};

export const showCommand: Command<ShowInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => show(cli, input),
    (_, { page }) => ({ page: () => page as ArchivePage }),
  );
  const [{ showPage }, { withLocalTimes }] = await Promise.all([
    import('../render-markdown.ts'),
    import('../local-times.ts'),
  ]);
  const page = result.page();
  // Whatever reads a pipe gets the times as the file has them.
  const local = (part: string): string => withLocalTimes(part, page.times, page.lang, Date.now());
  const parts = cli.live ? page.parts.map(local) : page.parts;
  return toTextOutcome(result, await showPage({ ...page, parts }, pageOptions(cli)));
};

/** What only a browser shows. */
const DRAWN: readonly string[] = ['html', 'svg'];

export const exportCommand: Command<ExportInput> = async (cli, input) => {
  if (cli.live && DRAWN.includes(input.format ?? '') && input.output === undefined)
    throw new CouncilError(
      'usage',
      `A terminal does not show ${input.format}: give a file to write it into.`,
      {
        hint: `Add --output council.${input.format}, or pass it on with: | cat`,
      },
    );
  const result = await exportCouncil(cli, input);
  return toTextOutcome(result, result.text);
};
