// Commands `extend`, `excuse`, `retry`, `cancel` and `reveal`.
import type {
  CancelInput,
  ExcuseInput,
  ExtendInput,
  RetryInput,
  RevealInput,
} from '../../app/input/council.ts';
import { cancel, excuse, extend, retry, reveal } from '../../app/steer-council.ts';
import { formatLocalTime } from '../../base/local-time.ts';
import { performHereOrAtServer } from '../spec.ts';
import { toProseOutcome } from '../print.ts';
import type { Command } from '../spec.ts';

export const performExtend: Command<ExtendInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => extend(cli, input),
    () => ({}),
  );
  const { name, phase, timeoutAt } = result.document;
  return toProseOutcome(
    result,
    `${phase} of "${name}" now lasts until ${formatLocalTime(timeoutAt, Date.now())}.`,
  );
};

export const performExcuse: Command<ExcuseInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => excuse(cli, input),
    () => ({}),
  );
  const { name, participant, phase } = result.document;
  return toProseOutcome(result, `${participant} is excused from ${phase} of "${name}".`);
};

export const performRetry: Command<RetryInput> = async (cli, input) => {
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
  return toProseOutcome(result, `${known} ${when}`);
};

export const performCancel: Command<CancelInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => cancel(cli, input),
    () => ({}),
  );
  const { name, archive } = result.document;
  return toProseOutcome(result, `"${name}" is cancelled. Archive: ${archive}`);
};

export const performReveal: Command<RevealInput> = async (cli, input) => {
  const result = await reveal(cli, input);
  const { participant, stillSealed, tour } = result.document;
  return toProseOutcome(
    result,
    stillSealed
      ? `The sealed text of ${participant} is back; it will be shown when the phase closes.`
      : `The contribution of ${participant} to round ${tour} is revealed.`,
  );
};
