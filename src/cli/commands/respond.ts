// Command `respond`.
import { toldKept } from '../../app/app.ts';
import type { RespondInput } from '../../app/input/council.ts';
import { respond } from '../../app/respond.ts';
import { told } from '../print.ts';
import type { Command } from '../spec.ts';

export const respondCommand: Command<RespondInput> = async (cli, input) => {
  const result = await respond(cli, input);
  const { accepted, participant, phase, tour, revision, kept, error } = result.document;
  if (error)
    cli.note(`council: ${error.message}\n${error.hint}${kept === undefined ? '' : `\n${toldKept(kept)}`}`);
  const recorded = `Recorded: ${participant}, ${phase} (round ${tour}), ${result.bytes} bytes, revision ${revision}.`;
  return told(result, accepted ? recorded : error ? '' : (result.message ?? ''));
};
