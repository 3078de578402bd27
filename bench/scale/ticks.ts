// Very many passes in one process: what they cost, and whether memory stays flat.
import { join } from 'node:path';
import { costOne } from '../measure.ts';
import type { ProcessCost } from '../measure.ts';
import type { Project } from '../projects.ts';

/** So many passes in a process of their own, each with ports and settings of its own, as the heartbeat has them. */
export function ticks({ root, env }: Project, passes: number): ProcessCost & { facts: string } {
  const src = (path: string): string => JSON.stringify(join(import.meta.dirname, '../../src', path));
  const text = `
    const { heartbeatPorts, loadConfig, openWorkspace } = await import(${src('core/app/workspace.ts')});
    const { tick } = await import(${src('core/heartbeat/tick.ts')});
    const { FEATURES } = await import(${src('features.ts')});
    const app = { features: FEATURES, cwd: process.cwd(), env: process.env, via: 'tick', root: undefined, startedAt: Date.now(),
      note() {}, progress() {}, onLeaving() {}, ask: undefined };
    const workspace = openWorkspace(app);
    const signal = new AbortController().signal;
    for (let pass = 0; pass < ${passes}; pass++) {
      const ports = await heartbeatPorts(app, workspace, await loadConfig(app, workspace, {}));
      await tick(ports, { launch: true, concurrency: 4, listed: 0, startedAt: Date.now(), signal, onProgress() {} });
    }`;
  const cost = costOne({
    command: process.execPath,
    args: ['--input-type=module', '-e', text],
    cwd: root,
    env,
  });
  return { ...cost, facts: `${(cost.cpu / passes).toFixed(2)} ms each` };
}
