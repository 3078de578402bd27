// Use case `heartbeat`: ticks on a schedule and on changes until interrupted, and reports when the store fails and recovers.
import { runHeartbeatLoop } from '../heartbeat/heartbeat-loop.ts';
import { repeatWhenDue } from '../heartbeat/launch/rest.ts';
import { describeThrown, CouncilError } from '../base/errors.ts';
import { overrideApp, listenForInterruption } from './app.ts';
import type { App } from './app.ts';
import type { HeartbeatInput } from './input/council.ts';
import { createLaunchingProcess } from './launching-process.ts';
import { pinRoot } from './project-folder.ts';
import { createHeartbeatPorts, loadConfig, openWorkspace } from './workspace.ts';
import { measureUptime } from '../store/local/system.ts';
import { storeAway } from '../store/availability.ts';
import type { StoreTrouble } from '../store/availability.ts';

/** Ticks on a schedule, and after each recorded contribution, until interrupted. Returns no document. */
export async function runHeartbeat(
  app: App,
  { every, active, concurrency, labels }: HeartbeatInput,
): Promise<void> {
  const workspace = openWorkspace(overrideApp(app, { via: 'tick', root: pinRoot(app) }));
  const config = await loadConfig(app, workspace, { concurrency });
  const told = new Set<string>();
  const sayOnce = (line: string, say: () => void): void => {
    if (!told.has(line)) say();
    told.add(line);
  };
  const stores = watchStore(workspace.keeping.findTrouble, app.note);
  // While the store is away, every failure has that reason, which was reported already.
  const onFailure = (why: string): void =>
    void stores.isUsable().then((isUsable) => isUsable && sayOnce(why, () => app.note(why)));
  const own = createLaunchingProcess(app, workspace, labels, onFailure);
  const ports = await createHeartbeatPorts(app, workspace, config, own);
  await own.heart.begin();
  stores.onBack(() => own.heart.renew());
  const signal = AbortSignal.any([listenForInterruption(app), stores.gone]);
  app.setResumeCommand('council heartbeat');
  // Problems of files, and programs waiting for trust, are reported once, not at every tick.
  const quiet: App = overrideApp(app, { note: (line) => void (told.has(line) || onFailure(line)) });
  const finished = new AbortController();
  const background = app.features.flatMap((feature) => feature.background ?? []);
  const settling = background.map(({ settleDue }) =>
    repeatWhenDue(
      () => settleDue(quiet, workspace).catch((error: unknown) => void onFailure(describeThrown(error))),
      AbortSignal.any([signal, finished.signal]),
    ),
  );
  await runHeartbeatLoop(ports, {
    every,
    active,
    concurrency: config.concurrency,
    fresh: async () =>
      createHeartbeatPorts(quiet, workspace, await loadConfig(quiet, workspace, { concurrency }), own),
    signal,
    onProgress: (progress) =>
      progress.type === 'untrusted'
        ? sayOnce(JSON.stringify(progress), () => app.progress(progress))
        : app.progress(progress),
    more: {
      isOpen: async () => {
        for (const { hasWork } of background) if (await hasWork(quiet, workspace)) return true;
        return false;
      },
      async watch(wake) {
        const stops = await Promise.all(background.map((one) => one.watchWork(quiet, workspace, wake)));
        return () => stops.forEach((stop) => stop());
      },
      play: async () => {
        for (const { hasWork, play } of background)
          if (await hasWork(quiet, workspace))
            await play(app, workspace, { signal, concurrency, labels, quiet });
      },
    },
    onReady: () =>
      app.note(
        `Heartbeat in ${workspace.project.root}: "${active}" while a council is active, "${every}" otherwise, and when a contribution lands. Ctrl-C stops it.`,
      ),
    onError: (message) => void stores.isUsable().then((isUsable) => isUsable && app.note(message)),
    isUsable: stores.isUsable,
    onBack: stores.onBack,
  }).finally(() => {
    finished.abort();
    stores.stop();
    return own.heart.end();
  });
  await Promise.all(settling);
  throwIfGone(stores);
}

const LOOK_AGAIN_MS = 2000;
/** The process ends after this long without its folder. Started again, it looks for the folder anew. */
const GONE_FOR_GOOD_MS = 60_000;

export interface StoreWatch {
  /** Whether the store can be used now. If not, checks it repeatedly until it can. */
  isUsable(): Promise<boolean>;
  /** Calls `call` each time the store can be used again. */
  onBack(call: () => void): void;
  /** Aborts once the project's folder has been missing for a minute; the reason is the error to end with. */
  gone: AbortSignal;
  stop(): void;
}

/** Watches whether the store can be used; while it cannot, calls `findTrouble` every two seconds. `note` informs people. */
export function watchStore(
  findTrouble: () => Promise<StoreTrouble | undefined>,
  note: (line: string) => void,
): StoreWatch {
  const gone = new AbortController();
  let told: StoreTrouble | undefined;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  const backs: (() => void)[] = [];
  const look = async (): Promise<boolean> => {
    const trouble = await findTrouble();
    if (trouble && trouble.message !== told?.message) note(`${trouble.message} ${trouble.hint}`);
    if (!trouble && told) note('The store can be used again.');
    if (trouble && trouble.kind !== told?.kind) since = measureUptime();
    told = trouble;
    const isFolder = trouble?.kind === 'gone' || trouble?.kind === 'replaced';
    if (isFolder && measureUptime() - since >= GONE_FOR_GOOD_MS) gone.abort(storeAway(trouble));
    return trouble === undefined;
  };
  const lookAgain = async (): Promise<void> => {
    timer = undefined;
    if (await isUsable()) for (const call of backs) call();
  };
  const isUsable = async (): Promise<boolean> => {
    const isThere = await look();
    if (!isThere && !gone.signal.aborted) timer ??= setTimeout(() => void lookAgain(), LOOK_AGAIN_MS);
    return isThere;
  };
  return {
    gone: gone.signal,
    isUsable,
    onBack: (call) => void backs.push(call),
    stop: () => clearTimeout(timer),
  };
}

/** Throws the reason if the watch has ended its process. */
export function throwIfGone({ gone }: Pick<StoreWatch, 'gone'>): void {
  if (gone.aborted && gone.reason instanceof CouncilError) throw gone.reason;
}
