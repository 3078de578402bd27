// Use case `tick`: one pass of the heartbeat.
import { sha256 } from '../base/ids.ts';
import { runTick, tickUntilIdle } from '../heartbeat/tick.ts';
import type { HeartbeatPorts, CouncilTick } from '../heartbeat/ports.ts';
import { systemClock } from '../store/local/system.ts';
import { overrideApp, createInterruptedError, withReason, listenForInterruption } from './app.ts';
import type { App, Result } from './app.ts';
import type { TickInput } from './input/council.ts';
import type { BackgroundTask } from './feature.ts';
import { createLaunchingProcess } from './launching-process.ts';
import { resolveCouncilName } from './council-reference.ts';
import { createHeartbeatPorts, loadConfig, openWorkspace } from './workspace.ts';
import type { Workspace } from './workspace.ts';
import { join } from 'node:path';
import { CouncilError, ignoreRefusal } from '../base/errors.ts';
import { parseJsonSafely } from '../base/text.ts';
import { openOwnerFolder } from '../store/file/owner-folder.ts';
import type { OwnerPlace } from '../store/file/owner-folder.ts';
import { findNamedRoot, findProject } from '../store/local/project.ts';
import { readBytes } from '../store/local/read.ts';
import { replaceFile } from '../store/local/temps.ts';

export type { CouncilTick };

/** What a tick did; `tasks` are those of open sessions, if any. */
export interface TickDocument {
  councils: CouncilTick[];
  tasks?: BackgroundTask[];
}

/**
 * One pass of the heartbeat: close, launch, wait, record. If more than `listed` councils only wait, they are counted (`resting`)
 * instead of listed. Throws `interrupted`.
 */
export async function tick(
  app: App,
  input: TickInput,
  { listed = Infinity } = {},
): Promise<Result<TickDocument> & { resting: number }> {
  const workspace = openWorkspace(withReason(overrideApp(app, { via: 'tick' }), input.why));
  const config = await loadConfig(app, workspace, { concurrency: input.concurrency });
  const own = createLaunchingProcess(app, workspace, input.labels);
  const ports = await createHeartbeatPorts(app, workspace, config, own);
  const { launch } = input;
  const name = input.name === undefined ? undefined : await resolveCouncilName(workspace, input.name);
  const { concurrency } = config;
  const signal = listenForInterruption(app);
  let resting = 0;
  const shared = {
    ...{ name, launch, concurrency, signal, listed },
    onProgress: app.progress,
    onResting: (count: number) => void (resting = count),
  };
  app.setResumeCommand('council tick');
  const ticking = input.untilIdle
    ? tickUntilIdle(ports, shared)
    : runTick(ports, { ...shared, startedAt: computeCallStart(app, ports) });
  const councils = await ticking.finally(own.heart.end);
  const tasks =
    name === undefined && launch
      ? await playBackground(app, workspace, { signal, concurrency, labels: input.labels })
      : [];
  if (signal.aborted) throw createInterruptedError('council tick');
  for (const { background } of app.features) await background?.settleDue(app, workspace);
  for (const { name: council, error } of councils)
    if (error) app.note(`council "${council}": ${error.message}${error.hint ? `\n${error.hint}` : ''}`);
  const document = { councils, ...(tasks.length > 0 && { tasks }) };
  return { document, resting, failed: councils.some(({ error }) => error) ? 'failed' : undefined };
}

/** When this call began, by the clock of the phases. */
const computeCallStart = (app: App, { clock }: HeartbeatPorts): number =>
  clock.now() - (systemClock.now() - app.startedAt);

/** Plays the unfinished work of the rooms beside the core. */
async function playBackground(
  app: App,
  workspace: Workspace,
  options: { signal: AbortSignal; concurrency: number; labels: readonly string[] | undefined },
): Promise<BackgroundTask[]> {
  const played = [];
  for (const { background } of app.features)
    if (await background?.hasWork(app, workspace))
      played.push(...(await background!.play(app, workspace, options)));
  return played;
}

const LONGEST = 256 * 1024;

interface ToldLines {
  /** Prints a line, unless the previous tick printed it. */
  note(line: string): void;
  /** Whether the previous tick failed in the same way. */
  isKnown(failure: CouncilError): boolean;
  /** Prints which problems are over, and stores the current ones for the next tick: `$XDG_STATE_HOME/council/told/<project>.json`. */
  end(): void;
}

/** The lines of the previous tick; undefined without a project, or a private folder to keep them in: then all are printed. */
export function openToldLines(app: Pick<App, 'cwd' | 'env' | 'root' | 'note'>): ToldLines | undefined {
  return ignoreRefusal(() => {
    // A missing folder is reported once, too.
    const projectRoot = findNamedRoot(app) ?? findProject(app)?.root;
    return projectRoot === undefined ? undefined : openLines({ env: app.env, projectRoot }, app.note);
  });
}

function openLines(place: OwnerPlace, note: App['note']): ToldLines {
  const { dir, temps, makeFolder, isThere } = openOwnerFolder(place, 'told');
  const path = join(dir, `${sha256(place.projectRoot).slice(0, 32)}.json`);
  const bytes = isThere(dir) ? readBytes(path, { limit: LONGEST, links: 'refuse' }) : undefined;
  const before = new Set(bytes ? readLines(bytes.toString('utf8')) : []);
  const now = new Set<string>();
  const noteFound = (line: string): boolean => (now.add(line), before.has(line));
  return {
    note: (line) => void (noteFound(line) || note(line)),
    isKnown: ({ message }) => noteFound(message),
    end() {
      for (const line of before) if (!now.has(line)) note(`Over now: ${line}`);
      if (now.size === before.size && [...now].every((line) => before.has(line))) return;
      makeFolder(dir);
      replaceFile(temps, path, Buffer.from(JSON.stringify([...now])), false);
    },
  };
}

function readLines(text: string): string[] {
  try {
    const read = parseJsonSafely(text);
    return Array.isArray(read) ? read.filter((line) => typeof line === 'string') : [];
  } catch (error) {
    // An incomplete file: print everything again.
    if (error instanceof SyntaxError || error instanceof CouncilError) return [];
    throw error;
  }
}
