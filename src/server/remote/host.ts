// What a server needs from its host: performing calls, finding callers, and stopping.
import manifest from '../../../package.json' with { type: 'json' };
import { storeAway } from '../../core/store/trouble.ts';
import { overrideApp } from '../../core/app/app.ts';
import type { App } from '../../core/app/app.ts';
import { createJudge, judgeProjectFolder, whileReadable } from '../../core/app/store-trouble.ts';
import type { StoreTrouble } from '../../core/app/store-trouble.ts';
import { createFolderHider } from '../../core/app/hidden-folders.ts';
import { holderFinder } from './seat-token-holders.ts';
import { findTurn } from '../../core/app/turn.ts';
import { toCallerRefusal } from './perform-call.ts';
import type { RemoteCall, Caller, Done } from './perform-call.ts';

/** What a server needs from the program that starts it. */
export interface Host {
  version: string;
  /** Like `performCall`. `gone` aborts when the client has left. */
  perform(asked: RemoteCall, gone: AbortSignal): Promise<Done>;
  /** The same in this process, for what is light: a page that is looked at must not cost the start of a process. */
  here?: Host['perform'];
  /** Whether a call only reads, and little enough not to delay others. */
  isLight?(asked: RemoteCall): Promise<boolean>;
  /** Why the store of the project cannot be used now; see `Keeping`. */
  judge(): Promise<StoreTrouble | undefined>;
  /** Who a participant's token belongs to, over all active councils. */
  holder(token: string): Promise<Caller | undefined>;
  /** A line for the person who started the server. */
  note(line: string): void;
  /** Aborted when the server is to stop. */
  stop: AbortSignal;
}

/** The host of a server, and when the calls it has begun are over (a tick that is stopped gives its leases back). */
export function createHost(
  app: App,
  stop: AbortSignal,
  perform: Host['perform'],
): Host & { idle(): Promise<unknown> } {
  const going = new Set<Promise<Done>>();
  const holder = holderFinder(app);
  const judge = createJudge(app);
  return {
    judge,
    version: manifest.version,
    note: app.note,
    stop,
    idle: () => Promise.allSettled(going),
    perform(asked, gone) {
      const performing = unlessGone(app, asked, () => perform(asked, gone));
      going.add(performing);
      void performing.finally(() => going.delete(performing));
      return performing;
    },
    async holder(token) {
      const found = await whileReadable(judge, holder(token));
      return found && { role: 'participant', ...found, token, ownArchive: found.conversationId };
    },
  };
}

/** Performs a call unless the folder of the project has gone: what stands in its place now is another one, or nothing. */
export async function unlessGone(
  app: App,
  { caller }: RemoteCall,
  perform: () => Promise<Done>,
): Promise<Done> {
  const trouble = await judgeProjectFolder(app);
  return trouble ? toCallerRefusal(app, caller, storeAway(trouble)) : perform();
}

/**
 * Notes go to the user who started the server. With a participant's token, that is the participant,
 * so folders are hidden.
 */
export function hidingNotes(app: App): App {
  if (!app.env.COUNCIL_TOKEN) return app;
  return overrideApp(app, { note: (line) => app.note(createFolderHider(app)({ error: line }).error) });
}

/**
 * The caller of a single-client server: the participant whose token is in the environment, or the
 * user who started it.
 */
export async function callerOfEnv(app: App, host: Host): Promise<Caller> {
  const { COUNCIL_PARTICIPANT: participant, COUNCIL_NAME: council, COUNCIL_TOKEN: token } = app.env;
  if (!token) return { role: 'admin', participant: participant || findTurn(app)?.agent };
  // What the environment says besides must fit the token: the refusal says so at the first call.
  const holder = await host.holder(token);
  return {
    participant: participant || holder?.participant,
    council: council || holder?.council,
    token,
    role: 'participant',
    // One that opens no seat opens no archive either.
    ownArchive: holder?.ownArchive ?? '',
  };
}
