// What another room adds to the core. The core imports no other room: `src/features.ts` lists them, and an App carries the list.
import type { Config } from '../base/config.ts';
import type { ModeReading } from '../council/state/mode-reading.ts';
import type { Notifier } from '../notify/notifier.ts';
import type { Project } from '../store/local/project.ts';
import type { SearchSource } from '../archive/search.ts';
import type { App, Result } from './app.ts';
import type { Check, Finding } from './doctor/finding.ts';
import type { Deliberation } from './find-deliberation.ts';
import type { HeartbeatInput } from './input/council.ts';
import type { DocumentSettings, Keeping, KeepingApp, DocumentKind } from './storage/ports.ts';
import type { Seen } from './watch.ts';
import type { Workspace } from './workspace.ts';

/** One room's part in what the core does. Everything heavy behind it is loaded when it is called. */
export interface Feature {
  /** Another store: where this project is kept; undefined when it is not kept there. Throws `invalid_config`. */
  openStore?(app: KeepingApp, project: Project): Keeping | undefined;
  /** The documents that it keeps beside the councils, so that they move with a project. */
  documentKinds?(): Promise<Partial<Record<DocumentKind, DocumentSettings>>>;
  /** Listeners to what happens in councils. */
  notifiers?(app: App, workspace: Workspace, config: Pick<Config, 'lang'>): Promise<Notifier[]>;
  /** How contributions are read, by the name of a mode whose contributions are no positions. */
  modeReadings?: Readonly<Record<string, () => Promise<ModeReading>>>;
  /** Work that a tick and a heartbeat do beside councils. */
  background?: Background;
  /** What `search` looks through beside the archives. */
  searchSource?(workspace: Pick<Workspace, 'project'>): Promise<SearchSource>;
  /** What `doctor` looks at beside the core, by the name of the finding. */
  doctorChecks?: Readonly<Partial<Record<Check, (app: App, place: DoctorPlace) => Promise<Finding[]>>>>;
  /** A council or an archive as a page, or as a picture. */
  exportPage?(found: Deliberation, format: 'html' | 'svg'): Promise<string>;
  /** Commands that a server does in place of this machine. */
  client?(): Promise<ServerClient>;
}

/** Where `doctor` looks. */
export interface DoctorPlace {
  project: Project;
  /** Undefined outside of a project. */
  workspace: Workspace | undefined;
  /** The councils of the files as they lie there; without a text when they have ended. */
  councils: readonly { key: string; revision: number; text: string | null }[];
}

export interface Background {
  /** Asked at every tick: loads nothing where there is nothing to do. */
  hasWork(app: App, workspace: Workspace): Promise<boolean>;
  /** Plays what is unfinished, as far as it goes now. `quiet` gets what every pass would say again. */
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
  /** Calls `wake` when work can go on. Returns the stop function. */
  watchWork(app: App, workspace: Workspace, wake: () => void): Promise<() => void>;
  /** Does what is due between two passes. Resolves to when something is due next (ms since the epoch). */
  settleDue(app: App, workspace: Workspace): Promise<number | undefined>;
}

/** Unfinished work after a pass, as `tick` shows it. */
export interface BackgroundTask {
  id: string;
  session: string;
  /** The letter of its state, as in the line protocol. */
  state: string;
  /** How it stands, in a few words. */
  standing: string;
}

/** Calls of a server for the command line. */
export interface ServerClient {
  ask(
    app: App,
    asked: { server: string; command: string; input: Readonly<Record<string, unknown>> },
  ): Promise<Result & { page?: unknown }>;
  watch(
    app: App,
    asked: { server: string; only: string | undefined },
    show: (seen: Seen, isFirst: boolean) => void | Promise<void>,
  ): Promise<void>;
  /** Launches agents for a server until it is interrupted. */
  work(app: App, server: string, input: HeartbeatInput): Promise<void>;
}

/** The client of servers. Throws where no room has one, which is a bug. */
export async function loadServerClient({ features }: Pick<App, 'features'>): Promise<ServerClient> {
  const load = features.find(({ client }) => client)?.client;
  if (!load) throw new Error('No feature speaks to servers.');
  return load();
}
