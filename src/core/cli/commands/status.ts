// Commands `status` and `wait`.
import type { StatusInput, WaitInput } from '../../app/input/council.ts';
import { toGlimpse, listGlimpses, readStatus } from '../../app/status.ts';
import type { CouncilSummary } from '../../app/status.ts';
import { readLanguage } from '../../app/language.ts';
import { fill, loadWords } from '../../base/words/words.ts';
import type { Words } from '../../base/words/words.ts';
import type { Cli } from '../io.ts';
import { performHereOrAtServer } from '../spec.ts';
import { toProseOutcome, toTextOutcome } from '../print.ts';
import type { Command } from '../spec.ts';
import { renderGlimpse, renderSummary } from '../summary.ts';
import { wait } from '../../app/wait.ts';

/** With more councils than this, they are counted, not listed. */
const READ_WHOLE = 50;

export const performStatus: Command<StatusInput> = async (cli, input) => {
  const many =
    cli.json || cli.server || input.name !== undefined ? undefined : await listGlimpses(cli, READ_WHOLE);
  const w = loadWords(await readLanguage(cli));
  if (many) return toProseOutcome(many, renderGlimpses(many.document.councils, cli, w));
  const result = await performHereOrAtServer(
    cli,
    () => readStatus(cli, input),
    () => ({}),
  );
  const { councils, unreadable } = result.document;
  if (councils.length > READ_WHOLE)
    return toProseOutcome(result, renderGlimpses(councils.map(toGlimpse), cli, w));
  const text = councils.map((council) => renderSummary(council, cli)).join('\n\n');
  return toProseOutcome(result, text || (unreadable ? '' : w.standing.noneActive));
};

function renderGlimpses(councils: readonly CouncilSummary[], cli: Cli, w: Words): string {
  const last = fill(w.standing.manyActive, { count: councils.length });
  return [...councils.map((one) => renderGlimpse(one, cli, w)), last].join('\n');
}

export const performWait: Command<WaitInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => wait(cli, input),
    () => ({}),
  );
  const { name, phase, tour, archived } = result.document;
  return toTextOutcome(result, archived ? `${name} is archived.` : `${name}: ${phase}, round ${tour}.`);
};
