// Command `respond`.
import { describeKept } from '../../app/app.ts';
import type { RespondInput } from '../../app/input/council.ts';
import { alreadySaid, respond } from '../../app/respond.ts';
import { performHereOrAtServer } from '../performed.ts';
import { toldInLines } from '../print.ts';
import { describeReading } from '../describe-reading.ts';
import type { Command } from '../spec.ts';

export const respondCommand: Command<RespondInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => respond(cli, input),
    ({ reason, error }, { bytes }) => ({
      bytes,
      message: reason === 'already_responded' ? alreadySaid(input.agent) : error?.message,
    }),
  );
  const { accepted, name, participant, phase, tour, revision, kept, error, read } = result.document;
  if (error)
    cli.note(
      `council: ${error.message}\n${error.hint}${kept === undefined ? '' : `\n${describeKept(kept)}`}`,
    );
  const recorded = `Recorded: ${participant}, ${phase} (round ${tour}), ${result.bytes} bytes, revision ${revision}.`;
  // The phase may have closed with this very text: it must not become the text of the next one.
  const replace = `council respond ${participant} --name ${name} --tour ${tour} --replace`;
  const lines = [
    accepted ? recorded : (result.message ?? ''),
    ...(read ? describeReading(read, replace) : []),
  ];
  return toldInLines(result, error ? '' : lines.join('\n'));
};
