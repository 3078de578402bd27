// Use case `heartbeat`: ticks on a schedule and on changes until interrupted.
import { beat } from '../heartbeat/heartbeat-loop.ts';
import { repeatWhenDue } from '../heartbeat/repeat.ts';
import { describeThrown } from '../base/errors.ts';
import { overrideApp } from './app.ts';
import type { App } from './app.ts';
import type { HeartbeatInput } from './input/council.ts';
import { interruptible } from './interruption-signal.ts';
import { createLaunchingProcess } from './launching-process.ts';
import { pinnedRoot } from './store-trouble.ts';
import { throwIfGone, watchStore } from './store-watch.ts';
import { heartbeatPorts, loadConfig, openWorkspace } from './workspace.ts';

/** Ticks on a schedule, and when a contribution lands, until it is interrupted. It has no document. */
export async function heartbeat(
  app: App,
  { every, active, concurrency, labels }: HeartbeatInput,
): Promise<void> {
  const workspace = openWorkspace(overrideApp(app, { via: 'tick', root: pinnedRoot(app) }));
  const config = await loadConfig(app, workspace, { concurrency });
  const told = new Set<string>();
  const once = (line: string, say: () => void): void => {
    if (!told.has(line)) say();
    told.add(line);
  };
  const stores = watchStore(workspace.keeping.judge, app.note);
  // Where the store is away, that is the reason of every failure, and is told already.
  const onFailure = (why: string): void =>
    void stores.isUsable().then((isUsable) => isUsable && once(why, () => app.note(why)));
  const own = createLaunchingProcess(app, workspace, labels, onFailure);
  const ports = await heartbeatPorts(app, workspace, config, own);
  await own.heart.begin();
  const signal = AbortSignal.any([interruptible(app), stores.gone]);
  app.onLeaving('council heartbeat');
  // What is wrong with a file, and what waits for trust, is said once, not at every tick.
  const quiet: App = overrideApp(app, { note: (line) => void (told.has(line) || onFailure(line)) });
  const over = new AbortController();
  const background = app.features.flatMap((feature) => feature.background ?? []);
  const settling = background.map(({ settleDue }) =>
    repeatWhenDue(
      () => settleDue(quiet, workspace).catch((error: unknown) => void onFailure(describeThrown(error))),
      AbortSignal.any([signal, over.signal]),
    ),
  );
  await beat(ports, {
    every,
    active,
    concurrency: config.concurrency,
    fresh: async () =>
      heartbeatPorts(quiet, workspace, await loadConfig(quiet, workspace, { concurrency }), own),
    signal,
    onProgress: (progress) =>
      progress.type === 'untrusted'
        ? once(JSON.stringify(progress), () => app.progress(progress))
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
    over.abort();
    stores.stop();
    return own.heart.end();
  });
  await Promise.all(settling);
  throwIfGone(stores);
}
