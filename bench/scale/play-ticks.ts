// Plays as many ticks as its argument says in the project of its working directory, each with ports and settings of its own.
import { createHeartbeatPorts, loadConfig, openWorkspace } from '../../src/core/app/workspace.ts';
import type { App } from '../../src/core/app/app.ts';
import { runTick } from '../../src/core/heartbeat/tick.ts';
import { FEATURES } from '../../src/features.ts';

const { signal } = new AbortController();
const app: App = {
  features: FEATURES,
  cwd: process.cwd(),
  env: process.env,
  via: 'tick',
  root: undefined,
  startedAt: Date.now(),
  note() {},
  progress() {},
  setResumeCommand() {},
  interruption: () => signal,
  ask: undefined,
};
const workspace = openWorkspace(app);
for (let pass = 0; pass < Number(process.argv[2]); pass++) {
  const ports = await createHeartbeatPorts(app, workspace, await loadConfig(app, workspace, {}));
  const startedAt = Date.now();
  await runTick(ports, { launch: true, concurrency: 4, listed: 0, startedAt, signal, onProgress() {} });
}
