import { CouncilError } from '../../base/errors.ts';
import { lastName } from '../../base/hide-paths.ts';
import { requireId } from '../../base/ids.ts';
import { toldKept } from '../../council/use/refused-texts.ts';
import { respond } from '../../council/use/respond.ts';
import { readContribution } from '../read-text.ts';
import type { Command } from '../spec.ts';
import { councilName, openWorkspace } from '../../app/workspace.ts';

export const respondCommand: Command = async (cli, [agent], options) => {
  const participant = requireId(agent!, 'agent id');
  const workspace = openWorkspace(cli);
  const tour = tourOf(options.tour ?? cli.env.COUNCIL_TOUR);
  const bytes = await readContribution(cli, options.file, '');
  const flags = {
    agree: options.agree === true,
    done: options.done === true,
    block: (options.block as string[] | undefined) ?? [],
  };
  const name = await councilName(cli, workspace, options.name);
  const turn = tour === undefined ? undefined : { tour };
  const result = await respond(workspace.ports, {
    name,
    participant,
    bytes,
    flags,
    replace: options.replace === true,
    turn,
    token: cli.env.COUNCIL_TOKEN,
  });
  for (const warning of result.warnings) cli.note(`Note: ${warning}`);
  const { accepted, phase, revision, reason, message } = result;
  // The folder is named after the conversation, which tells who is who in an anonymous council of an earlier build.
  const kept = cli.env.COUNCIL_TOKEN && typeof result.kept === 'string' ? lastName(result.kept) : result.kept;
  const json = {
    accepted,
    name,
    participant,
    phase,
    tour: result.tour,
    revision,
    ...(reason && { reason }),
    ...(kept && { kept }),
  };
  if (accepted)
    return {
      json,
      text: `Recorded: ${participant}, ${phase} (round ${result.tour}), ${bytes.length} bytes, revision ${revision}.`,
    };
  if (reason === 'already_responded') return { json, text: message ?? '' };
  const hint = hintFor(reason, participant, name);
  cli.note(`council: ${message}\n${hint}${kept === undefined ? '' : `\n${toldKept(kept)}`}`);
  return { json: { ...json, error: { code: reason, message, hint } }, text: '', exitCode: 1 };
};

function tourOf(value: unknown): number | undefined {
  if (value === undefined || value === '') return undefined;
  const tour = Number(value);
  if (Number.isSafeInteger(tour) && tour > 0) return tour;
  throw new CouncilError('usage', `Not a round: ${JSON.stringify(value)}.`, {
    hint: 'Rounds are counted from 1: see council status.',
  });
}

function hintFor(reason: string | undefined, participant: string, name: string): string {
  switch (reason) {
    case 'different_text':
      return `To say this instead: council respond ${participant} --name ${name} --replace`;
    case 'phase_closed':
    case 'not_your_turn':
      return `See whose turn it is: council status --name ${name}`;
    case 'invalid_position':
      return 'State one of them in the front matter, or none: position: …';
    case 'too_large':
      return 'Shorten it, and name the files it draws on.';
    case 'empty_text':
      return 'Give it with --file FILE or on stdin.';
    default:
      return `See the council: council status --name ${name}`;
  }
}
