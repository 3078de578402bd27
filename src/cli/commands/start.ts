import { when } from '../../base/when.ts';
import { EXIT_CODES } from '../../base/errors.ts';
import { projectionPath } from '../../app/result.ts';
import { convene, humanTokens, questionOf, tokenLines } from '../../app/convene.ts';
import type { Command } from '../spec.ts';
import { heartbeatPorts, loadConfig } from '../../app/workspace.ts';
import { openOrInitWorkspace } from '../../app/prepare.ts';
import { silent } from '../../app/progress.ts';

export const startCommand: Command = async (cli, [topic], options) => {
  const question = await questionOf(cli, options, topic);
  const workspace = await openOrInitWorkspace(cli);
  const config = await loadConfig(cli, workspace, options);
  const ports = await heartbeatPorts(cli, workspace, config);
  const state = await convene(cli, ports, config, options, question, silent(cli));
  const path = projectionPath(workspace, state.name);
  const tokens = await humanTokens(ports, state);
  const { name, conversationId, currentPhase: phase, tour, timeoutAt, revision } = state;
  return {
    // The council is open, and the tokens are told now or never; only its notice was cut short.
    exitCode: cli.interruption().aborted ? EXIT_CODES.interrupted : 0,
    json: { name, conversationId, path, phase, tour, timeoutAt, revision, ...(tokens && { tokens }) },
    text: [
      `The council "${name}" is open: ${state.topic}`,
      `  ${phase}, round ${tour}; deadline ${when(timeoutAt, Date.now())}. Participants: ${state.order.join(', ')}. Coordinator: ${state.coordinator ?? 'none'}.`,
      `  ${path}`,
      ...tokenLines(tokens ?? {}),
      `Next: council tick (launches agents), council respond AGENT (people), council watch.`,
    ].join('\n'),
  };
};
