// Commands `extend`, `excuse`, `retry`, `cancel` and `reveal`.
import type {
  CancelInput,
  ExcuseInput,
  ExtendInput,
  RetryInput,
  RevealInput,
} from '../../app/input/council.ts';
import { cancel, excuse, extend, retry, reveal } from '../../app/manage.ts';
import { localTime } from '../../base/local-time.ts';
import { performHereOrAtServer } from '../spec.ts';
import { toldInLines } from '../print.ts';
import type { Command } from '../spec.ts';

export const extendCommand: Command<ExtendInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => extend(cli, input),
    () => ({}),
  );
  const { name, phase, timeoutAt } = result.document;
  return toldInLines(result, `${phase} of "${name}" now lasts until ${localTime(timeoutAt, Date.now())}.`);
};

export const excuseCommand: Command<ExcuseInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => excuse(cli, input),
    () => ({}),
  );
  const { name, participant, phase } = result.document;
  return toldInLines(result, `${participant} is excused from ${phase} of "${name}".`);
};

export const retryCommand: Command<RetryInput> = async (cli, input) => {
  const result = await retry(cli, input);
  const { name, participant, phase, awaited, forgotten } = result.document;
  const when =
    name === null
      ? 'The next council asks it at once.'
      : awaited
        ? `It is launched in ${phase} by: council tick --name ${name}`
        : `It is launched when "${name}" next waits for it.`;
  const known = forgotten
    ? `What is known of ${participant} is forgotten.`
    : `No launch of ${participant} has failed since: nothing was changed.`;
  return toldInLines(result, `${known} ${when}`);
};

export const cancelCommand: Command<CancelInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => cancel(cli, input),
    () => ({}),
  );
  const { name, archive } = result.document;
  return toldInLines(result, `"${name}" is cancelled. Archive: ${archive}`);
};

export const revealCommand: Command<RevealInput> = async (cli, input) => {
  const result = await reveal(cli, input);
  const { participant, stillSealed, tour } = result.document;
  return toldInLines(
    result,
    stillSealed
      ? `The sealed text of ${participant} is back; it will be shown when the phase closes.`
      : `The contribution of ${participant} to round ${tour} is revealed.`,
  );
};
