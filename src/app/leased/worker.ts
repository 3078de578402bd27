// `heartbeat --server`: leases launches from a server, makes them here, and hands in what came of them.
import type { Agent } from '../../agents/agent.ts';
import { runnableOf } from '../../agents/runnable.ts';
import { CouncilError, messageOf } from '../../base/errors.ts';
import { rest } from '../../heartbeat/launch/rest.ts';
import { heartOf } from '../../heartbeat/launch/heart.ts';
import { findProject } from '../../store/local/project.ts';
import { thisProcess } from '../../store/local/liveness.ts';
import type { App } from '../app.ts';
import { changed } from '../app.ts';
import type { HeartbeatInput } from '../input/council.ts';
import { interruptible } from '../interrupted.ts';
import { loadAgents } from '../load-agents.ts';
import { askServer } from '../remote/client.ts';
import { newId } from '../self.ts';
import { trustIn } from '../trust.ts';
import { handIn } from './hand-in.ts';
import { here, requireSpoken } from './speaks.ts';
import type { LeaseDocument, LentLaunch } from './lease.ts';
import { launchHere } from './launch-here.ts';
import type { Worker } from './working.ts';

/** After a server that did not answer. */
const AWAY_MS = 5000;
/** Programs that run at once where nothing is said. */
const CONCURRENCY = 4;
/** What a server says of somebody whom no other answer would let in. */
const FINAL = ['forbidden', 'usage', 'invalid_id'];

/** Works for a server until it is interrupted. Throws what that refuses for good: a token that opens nothing, a version. */
export async function workFor(app: App, server: string, input: HeartbeatInput): Promise<void> {
  const project = findProject({ cwd: app.cwd, env: app.env, root: app.root });
  if (!project)
    throw new CouncilError('no_project', `There is no council project in ${app.cwd} or above it.`, {
      hint: 'A worker runs the agents/ of a project of its own: council init, or name one with --root.',
    });
  const { root } = project;
  const { concurrency = CONCURRENCY, labels = [] } = input;
  const id = newId();
  const { mayRun } = trustIn(app, root);
  const may = async (): Promise<Agent[]> =>
    (await loadAgents(app, { project })).list().filter((agent) => {
      const what = runnableOf(agent);
      return what && mayRun(what) && agent['runs-on'].every((label) => labels.includes(label));
    });
  const row = async () => ({
    id,
    ...thisProcess(),
    ...(labels.length > 0 && { labels }),
    agents: (await may()).map(declared),
    ...here,
  });
  const heart = heartOf(rowsAt(app, server, row), id, { row: rowlessOf(id), note: app.note });
  const worker: Worker = { app, server, root, signal: interruptible(app), heart, atWork: new Map() };
  app.onLeaving('council heartbeat');
  await begun(worker);
  app.note(`Heartbeat of ${root} for ${server}. Ctrl-C stops it.`);
  while (!worker.signal.aborted) {
    const most = heart.inTouch().aborted ? 0 : concurrency - worker.atWork.size;
    const leased = await leasedFrom(worker, { ...(await row()), held: [...worker.atWork.keys()], most });
    for (const one of leased?.launches ?? []) begin(worker, one, await may());
    await Promise.race([rest(leased?.againMs ?? AWAY_MS, worker.signal), ...worker.atWork.values()]);
  }
  await Promise.all(worker.atWork.values());
  await heart.end();
}

/** As its server is told of it: ID RUNNER MILLISECONDS SHA256. */
const declared = (agent: Agent): string =>
  [agent.id, agent.runner, agent.timeout, runnableOf(agent)?.sha256 ?? ''].join(' ');

/** The rows of heartbeats, behind the server: only its own. */
function rowsAt(app: App, server: string, row: () => Promise<Record<string, unknown>>) {
  // Also while this process is being interrupted.
  const calm = () => changed(app, { interruption: () => AbortSignal.timeout(AWAY_MS) });
  const renew = async (more = {}): Promise<void> => {
    await askServer(calm(), { server, name: 'renew', input: { ...(await row()), ...more } });
  };
  return { renew: () => renew(), list: () => Promise.resolve([]), remove: () => renew({ over: true }) };
}

/** What its server makes a row of comes with each call. */
const rowlessOf = (id: string) => () => ({
  id,
  ...thisProcess(),
  labels: [],
  agents: {},
  ...here,
});

/** Waits for a server that is away; one that refuses refuses for good. */
async function begun({ heart, app, signal }: Worker): Promise<void> {
  for (let isTold = false; !signal.aborted; isTold = true)
    try {
      return await heart.begin();
    } catch (error) {
      if (error instanceof CouncilError && FINAL.includes(error.code)) throw error;
      if (!isTold) app.note(`${messageOf(error)} Waiting for it.`);
      await rest(AWAY_MS, signal);
    }
}

async function leasedFrom(
  { app, server, signal }: Worker,
  input: Record<string, unknown>,
): Promise<LeaseDocument | undefined> {
  try {
    const { document } = await askServer(app, { server, name: 'lease', input });
    const leased = document as LeaseDocument;
    requireSpoken(leased);
    return leased;
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    if (FINAL.includes(error.code)) throw error;
    if (!signal.aborted) app.note(error.message);
    return undefined;
  }
}

/** Makes a launch, and hands in what came of it, beside all others. */
function begin(worker: Worker, launch: LentLaunch, agents: readonly Agent[]): void {
  const { app, atWork } = worker;
  const { name: council, participant, attempt } = launch;
  app.progress({ type: 'launched', council, participant, attempt, of: 3 });
  const working = launchHere(worker, launch, agents)
    .then((result) => handIn(worker, launch, result))
    .catch((error: unknown) => app.note(`${participant}: ${messageOf(error)}`))
    .finally(() => atWork.delete(launch.lease));
  atWork.set(launch.lease, working);
}
