import { CouncilError } from '../../base/errors.ts';
import { beat } from '../../heartbeat/heartbeat-loop.ts';
import { plainLines } from '../../app/progress.ts';
import { interruptible } from '../../app/interrupted.ts';
import type { Cli } from '../io.ts';
import type { LegacyCommand } from '../spec.ts';
import { heartbeatPorts, loadConfig, openWorkspace } from '../../app/workspace.ts';

export const heartbeatCommand: LegacyCommand = async (cli, _args, options) => {
  if (cli.json)
    throw new CouncilError('usage', 'heartbeat runs until it is stopped: it has no one document.', {
      hint: 'For one pass: council tick --json',
    });
  const workspace = openWorkspace({ ...cli, via: 'tick' });
  const config = await loadConfig(cli, workspace, options);
  const ports = await heartbeatPorts(cli, workspace, config);
  const every = String(options.every ?? '*/30 * * * *');
  const active = String(options.active ?? '*/5 * * * *');
  const signal = interruptible(cli);
  cli.onLeaving('council heartbeat');
  const told = new Set<string>();
  // What is wrong with a file, and what waits for trust, is said once, not at every tick.
  const quiet: Cli = { ...cli, note: (line) => void (told.has(line) || (told.add(line), cli.note(line))) };
  await beat(ports, {
    every,
    active,
    concurrency: config.concurrency,
    fresh: async () => heartbeatPorts(quiet, workspace, await loadConfig(quiet, workspace, options)),
    signal,
    onProgress: (progress) => plainLines(progress.type === 'untrusted' ? quiet : cli)(progress),
    onReady: () =>
      cli.note(
        `Heartbeat in ${workspace.project.root}: "${active}" while a council is active, "${every}" otherwise, and when a contribution lands. Ctrl-C stops it.`,
      ),
    onError: (message) => cli.note(message),
  });
  return { json: null, text: 'Heartbeat stopped.' };
};
