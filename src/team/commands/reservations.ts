// Commands `reserve`, `release` and `reservations`.
import type { ReleaseInput, ReservationsInput, ReserveInput } from '../input/messages.ts';
import { release, reservations, reserve, timeLeft } from '../messages/use/reserve.ts';
import type { ReservationDocument } from '../messages/use/reserve.ts';
import { formatCount, oneLine } from '../../core/base/text.ts';
import { foldForTerminal } from '../../core/cli/fold.ts';
import { toTextOutcome } from '../../core/cli/print.ts';
import type { Command } from '../../core/cli/spec.ts';

export const reserveCommand: Command<ReserveInput> = async (cli, input) => {
  const result = await reserve(cli, input);
  const { document } = result;
  if ('checked' in document)
    return toTextOutcome(
      result,
      `${formatCount(document.checked.length, 'staged file')}, none reserved by others.`,
    );
  const { reservation, renewed } = document;
  const { id, by } = reservation;
  return toTextOutcome(
    result,
    `${renewed ? 'Renewed' : 'Reserved'}: ${formatReservationLine(reservation)}\nDone with it: council release ${id} --as ${by}`,
  );
};

export const releaseCommand: Command<ReleaseInput> = async (cli, input) => {
  const result = await release(cli, input);
  const lines = result.document.released.map(
    ({ id, patterns }) => `Released ${id}: ${joinPatterns(patterns)}`,
  );
  return toTextOutcome(result, lines.join('\n') || `${input.as} had nothing reserved.`);
};

export const reservationsCommand: Command<ReservationsInput> = async (cli) => {
  const result = await reservations(cli);
  return toTextOutcome(
    result,
    (await foldForTerminal(result.document.reservations.map(formatReservationLine).join('\n'))) ||
      'Nothing is reserved.',
  );
};

function formatReservationLine({ id, by, patterns, mode, why, until }: ReservationDocument): string {
  const reason = why === null ? '' : `: ${oneLine(why, 200)}`;
  return `${oneLine(id, 20)} ${oneLine(by, 64)} (${mode}, ${timeLeft(until)} left) ${joinPatterns(patterns)}${reason}`;
}

const joinPatterns = (patterns: string[]): string => patterns.map((one) => oneLine(one, 256)).join(', ');
