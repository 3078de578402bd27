// Commands `status` and `wait`.
import type { StatusInput, WaitInput } from '../../app/input/council.ts';
import { toGlimpse, overview, status } from '../../app/status.ts';
import type { Glimpse } from '../../app/status.ts';
import { readLanguage } from '../../app/language.ts';
import { fill, loadWords } from '../../base/words/words.ts';
import type { Words } from '../../base/words/words.ts';
import type { Cli } from '../io.ts';
import { performHereOrAtServer } from '../spec.ts';
import { toldInLines, toTextOutcome } from '../print.ts';
import type { Command } from '../spec.ts';
import { glimpse, summary } from '../summary.ts';
import { wait } from '../../app/wait.ts';

/** With more councils than this, they are counted, not listed. */
const READ_WHOLE = 50;

export const statusCommand: Command<StatusInput> = async (cli, input) => {
  const many =
    cli.json || cli.server || input.name !== undefined ? undefined : await overview(cli, READ_WHOLE);
  const w = loadWords(await readLanguage(cli));
  if (many) return toldInLines(many, inLines(many.document.councils, cli, w));
  const result = await performHereOrAtServer(
    cli,
    () => status(cli, input),
    () => ({}),
  );
  const { councils, unreadable } = result.document;
  if (councils.length > READ_WHOLE) return toldInLines(result, inLines(councils.map(toGlimpse), cli, w));
  const text = councils.map((council) => summary(council, cli)).join('\n\n');
  return toldInLines(result, text || (unreadable ? '' : w.standing.noneActive));
};

function inLines(councils: readonly Glimpse[], cli: Cli, w: Words): string {
  const last = fill(w.standing.manyActive, { count: councils.length });
  return [...councils.map((one) => glimpse(one, cli, w)), last].join('\n');
}

export const waitCommand: Command<WaitInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => wait(cli, input),
    () => ({}),
  );
  const { name, phase, tour, archived } = result.document;
  return toTextOutcome(result, archived ? `${name} is archived.` : `${name}: ${phase}, round ${tour}.`);
};
