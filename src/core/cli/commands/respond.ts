// Command `respond`.
import { describeKept } from '../../app/app.ts';
import type { RespondInput } from '../../app/input/council.ts';
import { formatAlreadySaid, respond } from '../../app/respond.ts';
import { describeReading } from '../describe-reading.ts';
import { toProseOutcome } from '../print.ts';
import { performHereOrAtServer } from '../spec.ts';
import type { Command } from '../spec.ts';

export const performRespond: Command<RespondInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => respond(cli, input),
    ({ reason, error }, { bytes }) => ({
      bytes,
      message: reason === 'already_responded' ? formatAlreadySaid(input.agent) : error?.message,
    }),
  );
  const { accepted, name, participant, phase, tour, revision, kept, error, read } = result.document;
  if (error)
    cli.note(
      `council: ${error.message}\n${error.hint}${kept === undefined ? '' : `\n${describeKept(kept)}`}`,
    );
  const recorded = `Recorded: ${participant}, ${phase} (round ${tour}), ${result.bytes} bytes, revision ${revision}.`;
  // The phase may have closed with this very text: it must not be added to the next one.
  const replace = `council respond ${participant} --name ${name} --tour ${tour} --replace`;
  const lines = [
    accepted ? recorded : (result.message ?? ''),
    ...(read ? describeReading(read, replace) : []),
  ];
  return toProseOutcome(result, error ? '' : lines.join('\n'));
};
