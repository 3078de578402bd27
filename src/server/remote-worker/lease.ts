// Use cases `lease` and `renew`: a remote worker asks for launches, and reports that it is alive.
import { awaited, getSeat } from '../../core/council/state/state.ts';
import type { Snapshot } from '../../core/council/use/council-access.ts';
import { atWork } from '../../core/heartbeat/launch/heartbeat-row.ts';
import { buildLaunchInput } from '../../core/heartbeat/launch/launch-input.ts';
import { lendLaunch } from './lend-launch.ts';
import type { LaunchLoan } from './lend-launch.ts';
import { getRunnerId } from '../../core/heartbeat/launch/result.ts';
import { runTick } from '../../core/heartbeat/tick.ts';
import type { HeartbeatPorts } from '../../core/heartbeat/ports.ts';
import { overrideApp } from '../../core/app/app.ts';
import type { App, Result } from '../../core/app/app.ts';
import type { LeaseInput, RenewInput } from '../input.ts';
import { openWorkspace } from '../../core/app/workspace.ts';
import { hasOpenTasks } from '../../team/feature.ts';
import type { LentLaunch, LentTask } from './server-replies.ts';
import type { LentTasks } from './lend-tasks.ts';
import {
  recordLentLaunch,
  requireOwnRow,
  getCallerTokenId,
  openWorkerPorts,
  buildHeartbeatRow,
  here,
  requireSpoken,
} from './worker-ports.ts';

export interface LeaseDocument {
  version: string;
  speaks: number;
  launches: LentLaunch[];
  /** For workers that do tasks. */
  tasks: LentTask[];
  /** The leases of the worker's tasks that are no longer valid. */
  over: string[];
  /** Milliseconds before the next request. */
  againMs: number;
}

const SOON_MS = 2000;
const LATER_MS = 10_000;

/** Passes over all councils like a tick, with launches for the calling worker, and renews its row. */
export async function lease(app: App, input: LeaseInput): Promise<Result<LeaseDocument>> {
  requireSpoken(input);
  const ports = await openWorkerPorts(overrideApp(app, { via: 'tick' }), input);
  const row = buildHeartbeatRow(app, input);
  await requireOwnRow(ports.heartbeats, row);
  await ports.heartbeats.renew(row);
  // Other leases in the name of this worker never reached it and are free again.
  for (const id of input.held) atWork.add(id);
  const launches: LentLaunch[] = [];
  const onProgress = app.progress;
  const ticks = await runTick(ports, {
    launch: false,
    listed: 0,
    concurrency: 1,
    startedAt: ports.clock.now(),
    signal: app.interruption(),
    onProgress,
    onLaunchable: async (snapshots) => {
      for (const one of listLaunchableSeats(snapshots)) {
        if (launches.length >= input.most) return;
        const lent = await lendLaunch(ports, one.state, one.participant, { onProgress });
        if (!lent) continue;
        // Binds the launch to the worker's token.
        await recordLentLaunch(
          ports.privateFiles,
          { conversationId: lent.state.conversationId, lease: lent.lease.id },
          { token: getCallerTokenId(app), participant: lent.participant, tour: lent.state.tour },
        );
        launches.push(await buildLentLaunch(ports, lent));
      }
    },
  });
  const { tasks, over, isOpen } = await lendOpenTasks(app, input, input.most - launches.length);
  const againMs = ticks.length > 0 || isOpen ? SOON_MS : LATER_MS;
  return { document: { ...here, launches, tasks, over, againMs } };
}

/** Loads nothing if there are no open tasks. */
async function lendOpenTasks(app: App, input: LeaseInput, most: number): Promise<LentTasks> {
  if (input.working.length === 0 && !(await hasOpenTasks(app, openWorkspace(app))))
    return { tasks: [], over: [], isOpen: false };
  return (await import('./lend-tasks.ts')).lendTasks(app, input, most);
}

const listLaunchableSeats = (snapshots: readonly Snapshot[]) =>
  snapshots.flatMap(({ council: { state } }) =>
    awaited(state)
      .filter((id) => getSeat(state, id).runner !== 'human')
      .map((participant) => ({ state, participant })),
  );

async function buildLentLaunch(ports: HeartbeatPorts, lent: LaunchLoan): Promise<LentLaunch> {
  const { state, participant, lease: held, timeoutAt } = lent;
  const { view, system } = await buildLaunchInput(ports, lent, {});
  return {
    lease: held.id,
    name: state.name,
    conversationId: state.conversationId,
    tour: state.tour,
    phase: state.currentPhase,
    participant,
    runner: getRunnerId(lent),
    attempt: held.attempt,
    leftMs: timeoutAt - ports.clock.now(),
    prompt: view.prompt,
    view,
    system,
    repair: ports.repair,
  };
}

/** Reports that a worker is alive, or that it ends. */
export async function renew(app: App, input: RenewInput) {
  requireSpoken(input);
  const rows = openWorkspace(app).keeping.heartbeats();
  const row = buildHeartbeatRow(app, input);
  await requireOwnRow(rows, row);
  await (input.over ? rows.remove(input.id) : rows.renew(row));
  return { document: here } satisfies Result;
}
