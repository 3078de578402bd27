// Commands `reserve`, `release` and `reservations`.
import type { ReleaseInput, ReservationsInput, ReserveInput } from '../input/reservations.ts';
import { release, reservations, reserve, timeLeft } from '../messages/use/reserve.ts';
import type { ReservationDocument } from '../messages/use/reserve.ts';
import { formatCount, oneLine } from '../../core/base/text.ts';
import { folded } from '../../core/cli/fold.ts';
import { told } from '../../core/cli/print.ts';
import type { Command } from '../../core/cli/spec.ts';

export const reserveCommand: Command<ReserveInput> = async (cli, input) => {
  const result = await reserve(cli, input);
  const { document } = result;
  if ('checked' in document)
    return told(result, `${formatCount(document.checked.length, 'staged file')}, none reserved by others.`);
  const { reservation, renewed } = document;
  const { id, by } = reservation;
  return told(
    result,
    `${renewed ? 'Renewed' : 'Reserved'}: ${line(reservation)}\nDone with it: council release ${id} --as ${by}`,
  );
};

export const releaseCommand: Command<ReleaseInput> = async (cli, input) => {
  const result = await release(cli, input);
  const lines = result.document.released.map(({ id, patterns }) => `Released ${id}: ${listed(patterns)}`);
  return told(result, lines.join('\n') || `${input.as} had nothing reserved.`);
};

export const reservationsCommand: Command<ReservationsInput> = async (cli) => {
  const result = await reservations(cli);
  return told(
    result,
    (await folded(result.document.reservations.map(line).join('\n'))) || 'Nothing is reserved.',
  );
};

function line({ id, by, patterns, mode, why, until }: ReservationDocument): string {
  const reason = why === null ? '' : `: ${oneLine(why, 200)}`;
  return `${oneLine(id, 20)} ${oneLine(by, 64)} (${mode}, ${timeLeft(until)} left) ${listed(patterns)}${reason}`;
}

const listed = (patterns: string[]): string => patterns.map((one) => oneLine(one, 256)).join(', ');
