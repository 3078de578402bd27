// PostgreSQL driver: ports that open their database with the first call.
import type { AccessTokens } from '../../core/store/keys.ts';
import type { Archives } from '../../core/store/archives.ts';
import type { Documents, Histories } from '../../core/store/documents.ts';
import type { DueIndex } from '../../core/store/due-index.ts';
import type { Heartbeats } from '../../core/store/heartbeats.ts';
import type { LateFiles, Pins, Presences } from '../../core/store/small-files.ts';
import type { MessageLog } from '../../core/store/message-log.ts';
import type { PrivateTexts } from '../../core/store/private-texts.ts';
import { isSealed } from '../../core/store/private-texts.ts';
import { isMark, privatePath } from './private-path.ts';

type Asked<T, Names extends keyof T> = { [Name in Names]: T[Name] };
type Method = (...given: unknown[]) => Promise<unknown>;

/** The methods of a driver that may wait; each waits until it is open. */
function deferMethods<T extends object, Names extends keyof T>(
  open: () => Promise<T>,
  names: readonly Names[],
): Asked<T, Names> {
  const methods = names.map((name): [Names, Method] => [
    name,
    async (...given) => ((await open())[name] as Method)(...given),
  ]);
  return Object.fromEntries(methods) as unknown as Asked<T, Names>;
}

/** Begins to watch as soon as it is open; a server that is away is waited for by the driver itself. */
function watchingOnceOpen(start: () => Promise<() => void>): () => void {
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

export const deferredDocuments = (open: () => Promise<Documents>): Documents => ({
  ...deferMethods(open, [
    'read',
    'revision',
    'commit',
    'list',
    'versions',
    'readVersion',
    'remove',
    'update',
  ]),
  watch: (prefix, onChange) => watchingOnceOpen(async () => (await open()).watch(prefix, onChange)),
});

export const deferredMessages = (open: () => Promise<MessageLog>): MessageLog => ({
  ...deferMethods(open, ['create', 'channels', 'append', 'names', 'read']),
  watch: (channel, onChange) => watchingOnceOpen(async () => (await open()).watch(channel, onChange)),
});

export const deferredArchives = (
  open: () => Promise<Archives>,
  atOnce: Pick<Archives, 'dir' | 'absolute' | 'pulled' | 'facts'>,
): Archives => ({ ...deferMethods(open, ['create', 'read', 'list', 'paths']), ...atOnce });

export const deferredLateFiles = (open: () => Promise<LateFiles>): LateFiles =>
  deferMethods(open, ['keep', 'list', 'sizes']);

export const deferredHistories = (open: () => Promise<Histories>): Histories =>
  deferMethods(open, ['keys', 'hash', 'receive']);

export const deferredPresences = (open: () => Promise<Presences>): Presences =>
  deferMethods(open, ['write', 'list']);

export const deferredDue = (open: () => Promise<DueIndex>): DueIndex => deferMethods(open, ['begin']);

export const deferredAccessTokens = (open: () => Promise<AccessTokens>): AccessTokens =>
  deferMethods(open, ['list', 'add', 'revoke']);
export const deferredHeartbeats = (open: () => Promise<Heartbeats>): Heartbeats =>
  deferMethods(open, ['renew', 'list', 'remove']);

export const deferredPins = (open: () => Promise<Pins>): Pins => deferMethods(open, ['keep', 'read']);

/** `local` answers at once where such a text lies on this machine: a process that is ending writes with no time to wait. */
export const deferredPrivateTexts = (
  open: () => Promise<PrivateTexts>,
  local: PrivateTexts,
  told: string,
): PrivateTexts => ({
  ...local,
  ...deferMethods(open, ['read', 'list', 'size', 'markArchived', 'sweep', 'remove']),
  write: async (conversation, name, bytes, options) =>
    (isMark(name) || isSealed(name) ? await open() : local).write(conversation, name, bytes, options),
  path: (conversation, name) => privatePath(told, local, conversation, name),
  sealing: deferMethods(async () => {
    const { sealing } = await open();
    if (!sealing) throw new Error('a database guards what is sealed');
    return sealing;
  }, ['check', 'close', 'isClosed', 'same']),
});
