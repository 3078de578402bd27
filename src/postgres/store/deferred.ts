// PostgreSQL driver: ports that open their database on the first call.
import type { AccessTokens } from '../../core/store/access-tokens.ts';
import type { Archives } from '../../core/store/archives.ts';
import type { Documents } from '../../core/store/documents.ts';
import type { MessageLog } from '../../core/store/message-log.ts';
import type { PrivateTexts } from '../../core/store/small-files.ts';
import { isSealed } from '../../core/store/small-files.ts';
import type { PostgresStore } from './open.ts';
import { isMark, formatPrivatePath } from './place.ts';

type Method = (...given: unknown[]) => Promise<unknown>;

/** Wraps asynchronous methods of a driver; each waits until it is open. */
function deferMethods<T extends object, Names extends keyof T>(
  open: () => Promise<T>,
  names: readonly Names[],
): Pick<T, Names> {
  const methods = names.map((name): [Names, Method] => [
    name,
    async (...given) => ((await open())[name] as Method)(...given),
  ]);
  return Object.fromEntries(methods) as unknown as Pick<T, Names>;
}

/** Starts watching once it is open; the driver itself waits for an unreachable server. */
function watchWhenOpen(start: () => Promise<() => void>): () => void {
  let isStopped = false;
  let stop: (() => void) | undefined;
  start().then(
    (opened) => {
      stop = opened;
      if (isStopped) stop();
    },
    () => undefined,
  );
  return () => {
    isStopped = true;
    stop?.();
  };
}

/** What is available without a database. */
export interface ImmediateParts {
  /** Where the project is kept, without user and password. */
  displayName: string;
  /** Knows without waiting where a private text is on this machine: an exiting process has no time to wait. */
  local: PrivateTexts;
  archives: Pick<Archives, 'dir' | 'absolute' | 'getPulledPath' | 'facts'>;
}

/** Creates the ports of a database that `open` opens on first use. */
export function deferStore(
  open: () => Promise<PostgresStore>,
  { displayName, local, archives }: ImmediateParts,
) {
  const deferPort = <T extends object, Names extends keyof T>(
    pick: (store: PostgresStore) => T,
    ...names: readonly Names[]
  ) => deferMethods(() => open().then(pick), names);
  const watchOnceOpen = (start: (store: PostgresStore) => () => void) =>
    watchWhenOpen(() => open().then(start));
  const documents = (kind: string): Documents => ({
    ...deferPort((one) => one.documents(kind), 'read', 'revision', 'commit', 'list', 'versions'),
    ...deferPort((one) => one.documents(kind), 'readVersion', 'remove', 'update'),
    watch: (prefix, onChange) => watchOnceOpen((one) => one.documents(kind).watch(prefix, onChange)),
  });
  const privateTexts = (): PrivateTexts => ({
    ...local,
    ...deferPort((one) => one.privateTexts(local), 'read', 'list', 'size', 'markArchived', 'sweep', 'remove'),
    write: async (conversation, name, bytes, options) =>
      (isMark(name) || isSealed(name) ? (await open()).privateTexts(local) : local).write(
        conversation,
        name,
        bytes,
        options,
      ),
    path: (conversation, name) => formatPrivatePath(displayName, local, conversation, name),
    sealing: deferPort((one) => one.privateTexts(local).sealing!, 'check', 'close', 'isClosed', 'same'),
  });
  return {
    documents,
    histories: (kind: string) =>
      deferPort((one: PostgresStore) => one.histories(kind), 'keys', 'hash', 'receive'),
    archives: (): Archives => ({
      ...deferPort((one) => one.archives, 'create', 'read', 'list', 'paths'),
      ...archives,
    }),
    lateFiles: () => deferPort(({ lateFiles }: PostgresStore) => lateFiles, 'keep', 'list', 'sizes'),
    privateTexts,
    messages: (): MessageLog => ({
      ...deferPort((one) => one.messages, 'create', 'channels', 'append', 'names', 'read'),
      watch: (channel, onChange) => watchOnceOpen((one) => one.messages.watch(channel, onChange)),
    }),
    presences: () => deferPort(({ presences }: PostgresStore) => presences, 'write', 'list'),
    due: () => deferPort(({ due }: PostgresStore) => due, 'begin'),
    accessTokens: (machine: AccessTokens) =>
      deferPort((one: PostgresStore) => one.accessTokens(machine), 'list', 'add', 'revoke'),
    heartbeats: () => deferPort(({ heartbeats }: PostgresStore) => heartbeats, 'renew', 'list', 'remove'),
    pins: () => deferPort(({ pins }: PostgresStore) => pins, 'keep', 'read'),
  };
}
