// Extensions of the core by other rooms. The core imports no other room: `src/features.ts` lists them, and an
// App carries the list.
import type { Config } from '../base/config.ts';
import type { ModeReading } from '../council/state/mode-reading.ts';
import type { Notifier } from '../notify/notifier.ts';
import type { Project } from '../store/local/project.ts';
import type { SearchSource } from '../archive/search.ts';
import type { App, Result } from './app.ts';
import type { Check, Finding } from './doctor/finding.ts';
import type { Deliberation } from './find-deliberation.ts';
import type { HeartbeatInput } from './input/council.ts';
import type { DocumentSettings, StoragePorts, StorageApp, DocumentKind } from './storage/ports.ts';
import type { WatchedCouncils } from './watch.ts';
import type { Workspace } from './workspace.ts';

/** A room's extensions of the core. Heavy code is loaded on use. */
export interface Feature {
  /** Opens another store, if this project is kept there; else undefined. Throws `invalid_config`. */
  openStore?(app: StorageApp, project: Project): StoragePorts | undefined;
  /** Its documents beside the councils, so that they are moved along with a project. */
  documentKinds?(): Promise<Partial<Record<DocumentKind, DocumentSettings>>>;
  /** Listeners to events in councils. */
  notifiers?(app: App, workspace: Workspace, config: Pick<Config, 'lang'>): Promise<Notifier[]>;
  /** Parsers of contributions, by the name of a mode whose contributions are no positions. */
  modeReadings?: Readonly<Record<string, () => Promise<ModeReading>>>;
  /** Further work for a tick and a heartbeat. */
  background?: Background;
  /** An additional source for `search`. */
  searchSource?(workspace: Pick<Workspace, 'project'>): Promise<SearchSource>;
  /** Additional checks for `doctor`, by the name of the finding. */
  doctorChecks?: Readonly<Partial<Record<Check, (app: App, place: DoctorPlace) => Promise<Finding[]>>>>;
  /** Renders a council or an archive as a page or a picture. */
  exportPage?(found: Deliberation, format: 'html' | 'svg'): Promise<string>;
  /** Commands that a server runs instead of this machine. */
  client?(): Promise<ServerClient>;
}

/** Input of `doctor` checks. */
export interface DoctorPlace {
  project: Project;
  /** Undefined outside of a project. */
  workspace: Workspace | undefined;
  /** The councils in files as stored; without a text if they have ended. */
  councils: readonly { key: string; revision: number; text: string | null }[];
}

export interface Background {
  /** Called at every tick: loads nothing if there is no work. */
  hasWork(app: App, workspace: Workspace): Promise<boolean>;
  /** Continues unfinished work as far as possible now. `quiet` gets what every pass would repeat. */
  play(
    app: App,
    workspace: Workspace,
    options: {
      signal: AbortSignal;
      concurrency: number | undefined;
      labels: readonly string[] | undefined;
      quiet?: App;
    },
  ): Promise<BackgroundTask[]>;
  /** Calls `wake` when work can continue. Returns the stop function. */
  watchWork(app: App, workspace: Workspace, wake: () => void): Promise<() => void>;
  /** Does what is due between two passes. Resolves to the next due time (ms since the epoch). */
  settleDue(app: App, workspace: Workspace): Promise<number | undefined>;
}

/** Unfinished work after a pass, as `tick` shows it. */
export interface BackgroundTask {
  id: string;
  session: string;
  /** The letter of its state in the line protocol. */
  state: string;
  /** Its state in a few words. */
  standing: string;
}

/** Calls to a server for the command line. */
export interface ServerClient {
  ask(
    app: App,
    asked: { server: string; command: string; input: Readonly<Record<string, unknown>> },
  ): Promise<Result & { page?: unknown }>;
  watch(
    app: App,
    asked: { server: string; only: string | undefined },
    show: (seen: WatchedCouncils, isFirst: boolean) => void | Promise<void>,
  ): Promise<void>;
  /** Launches agents for a server until interrupted. */
  work(app: App, server: string, input: HeartbeatInput): Promise<void>;
}

/** Loads the client for servers. Throws if no room has one, which is a bug. */
export async function loadServerClient({ features }: Pick<App, 'features'>): Promise<ServerClient> {
  const load = features.find(({ client }) => client)?.client;
  if (!load) throw new Error('No feature speaks to servers.');
  return load();
}
