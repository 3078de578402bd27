// Use case `tick`: one pass of the heartbeat.
import { tick as tickOnce, tickUntilIdle } from '../heartbeat/tick.ts';
import type { CouncilTick } from '../heartbeat/tick.ts';
import { interrupted } from './app.ts';
import type { App, Result } from './app.ts';
import type { TickInput } from './input/council.ts';
import { interruptible } from './interrupted.ts';
import { heartbeatPorts, loadConfig, openWorkspace } from './workspace.ts';

export type { CouncilTick };

/** One pass of the heartbeat: close, launch, wait, record. Throws `interrupted`. */
export async function tick(app: App, input: TickInput): Promise<Result<{ councils: CouncilTick[] }>> {
  const workspace = openWorkspace({ ...app, via: 'tick' });
  const config = await loadConfig(app, workspace, { concurrency: input.concurrency });
  const ports = await heartbeatPorts(app, workspace, config);
  const { name, launch } = input;
  const { concurrency } = config;
  const signal = interruptible(app);
  const shared = { name, launch, concurrency, signal, onProgress: app.progress };
  app.onLeaving('council tick');
  const councils = input.untilIdle
    ? await tickUntilIdle(ports, shared)
    : await tickOnce(ports, { ...shared, startedAt: app.startedAt });
  if (signal.aborted) throw interrupted('council tick');
  await (await import('./messages/open-office.ts')).roundsOf(app, workspace);
  for (const { name: council, error } of councils)
    if (error) app.note(`council "${council}": ${error.message}${error.hint ? `\n${error.hint}` : ''}`);
  return { document: { councils }, failed: councils.some(({ error }) => error) ? 'failed' : undefined };
}
