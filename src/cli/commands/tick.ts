import { tick, tickUntilIdle } from '../../heartbeat/tick.ts';
import type { CouncilTick } from '../../heartbeat/tick.ts';
import { requireId } from '../../base/ids.ts';
import { oneLine } from '../../base/text.ts';
import { interrupted } from '../../app/app.ts';
import { interruptible } from '../../app/interrupted.ts';
import { plainLines, silent } from '../../app/progress.ts';
import type { Command } from '../spec.ts';
import { heartbeatPorts, loadConfig, openWorkspace } from '../../app/workspace.ts';

export const tickCommand: Command = async (cli, _args, options) => {
  const workspace = openWorkspace({ ...cli, via: 'tick' });
  const config = await loadConfig(cli, workspace, options);
  const ports = await heartbeatPorts(cli, workspace, config);
  const shared = {
    name: typeof options.name === 'string' ? requireId(options.name, 'council name') : undefined,
    launch: options.launch !== false,
    concurrency: config.concurrency,
    signal: interruptible(cli),
    onProgress: cli.json ? silent(cli) : plainLines(cli),
  };
  cli.onLeaving('council tick');
  const councils =
    options.untilIdle === true
      ? await tickUntilIdle(ports, shared)
      : await tick(ports, { ...shared, startedAt: cli.startedAt });
  if (shared.signal.aborted) throw interrupted('council tick');
  for (const { name, error } of councils)
    if (error) cli.note(`council "${name}": ${error.message}${error.hint ? `\n${error.hint}` : ''}`);
  // What could not even be read has no phase to tell of.
  const lines = councils.filter(({ to }) => to !== '').map(line);
  return {
    json: { councils },
    text: councils.length === 0 ? 'No council is active.' : lines.join('\n'),
    exitCode: councils.some((c) => c.error) ? 1 : 0,
  };
};

function line({ name, from, to, reason, launched, failed, archive }: CouncilTick): string {
  const step = reason ? `${from} -> ${to} (${reason})` : to;
  const waiting = failed.filter(({ kind }) => kind === 'untrusted').map(({ id }) => id);
  const facts = [
    launched.length > 0 && `asked ${launched.join(', ')}`,
    waiting.length > 0 && `waiting for trust: ${waiting.join(', ')}`,
    ...failed
      .filter(({ kind }) => kind !== 'untrusted')
      .map((f) => `${f.id} failed: ${oneLine(f.reason, 200)}`),
    archive,
  ];
  return [`${name}: ${step}`, ...facts.filter(Boolean)].join('; ');
}
