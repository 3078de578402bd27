import { localTime } from '../../base/when.ts';
import { finishArchive } from '../../archive/write.ts';
import { parseDuration } from '../../base/duration.ts';
import { CouncilError, EXIT_CODES } from '../../base/errors.ts';
import { requireId } from '../../base/ids.ts';
import { oneLine } from '../../base/text.ts';
import { cancel } from '../../council/use/advance.ts';
import { applyEvent, readCouncil } from '../../council/use/update-council.ts';
import { reveal } from '../../council/use/reveal.ts';
import { tell } from '../../notify/notifier.ts';
import { settleLeases } from '../../heartbeat/launch/recover.ts';
import { silent } from '../../app/progress.ts';
import { readContribution } from '../read-text.ts';
import type { Options } from '../../app/app.ts';
import type { Command } from '../spec.ts';
import { councilName, heartbeatPorts, loadConfig, openWorkspace } from '../../app/workspace.ts';

export const extendCommand: Command = async (cli, [duration], options) => {
  const ms = parseDuration(duration!);
  const workspace = openWorkspace(cli);
  const name = await councilName(cli, workspace, options.name);
  const { state, revision } = await applyEvent(workspace.ports, name, { type: 'extend', ms });
  const json = { name, phase: state.currentPhase, tour: state.tour, timeoutAt: state.timeoutAt, revision };
  return {
    json,
    text: `${state.currentPhase} of "${name}" now lasts until ${localTime(state.timeoutAt, Date.now())}.`,
  };
};

export const excuseCommand: Command = async (cli, [agent], options) => {
  const participant = requireId(agent!, 'agent id');
  const why = reasonFrom(options, `council excuse ${participant} --why "on holiday"`);
  const workspace = openWorkspace(cli);
  const name = await councilName(cli, workspace, options.name);
  const { state, revision } = await applyEvent(
    workspace.ports,
    name,
    { type: 'excuse', participant, why },
    { by: participant },
  );
  const json = { name, participant, phase: state.currentPhase, tour: state.tour, why, revision };
  return { json, text: `${participant} is excused from ${state.currentPhase} of "${name}".` };
};

export const cancelCommand: Command = async (cli, _args, options) => {
  const why = reasonFrom(options, 'council cancel --why "overtaken by events"');
  const workspace = openWorkspace(cli);
  const name = await councilName(cli, workspace, options.name);
  const ports = await heartbeatPorts(cli, workspace, await loadConfig(cli, workspace, {}));
  const onProgress = silent(cli);
  await settleLeases(ports, await readCouncil(ports, name), { onProgress });
  const { council, revision, notices } = await cancel(ports, await readCouncil(ports, name), why);
  const { path } = await finishArchive(ports, { council, revision });
  const signal = cli.interruption();
  const told = [...notices, { type: 'archived', path } as const];
  await tell(ports, { state: council.state, notices: told }, { onProgress, signal });
  return {
    exitCode: signal.aborted ? EXIT_CODES.interrupted : 0,
    json: {
      name,
      conversationId: council.state.conversationId,
      status: 'CANCELLED',
      why: council.state.closing?.why ?? why,
      archive: path,
    },
    text: `"${name}" is cancelled. Archive: ${path}`,
  };
};

export const revealCommand: Command = async (cli, [agent], options) => {
  const participant = requireId(agent!, 'agent id');
  if (options.file === undefined) {
    throw new CouncilError('usage', 'Which sealed text?', {
      hint: `council reveal ${participant} --file sealed-${participant}-….json, copied from the host where it lies (council status names it).`,
    });
  }
  const workspace = openWorkspace(cli);
  const bytes = await readContribution(cli, options.file, '');
  const name = await councilName(cli, workspace, options.name);
  const done = await reveal(workspace.ports, { name, participant, bytes, where: String(options.file) });
  const text = done.stillSealed
    ? `The sealed text of ${participant} is back; it shows when the phase closes.`
    : `The contribution of ${participant} to round ${done.tour} is revealed.`;
  return { json: { name, ...done }, text };
};

function reasonFrom(options: Options, example: string): string {
  const why = typeof options.why === 'string' ? oneLine(options.why, 500) : '';
  if (why !== '') return why;
  throw new CouncilError('usage', 'A reason is needed: it goes into the archive.', { hint: example });
}
