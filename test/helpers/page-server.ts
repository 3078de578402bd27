// A server of pages for tests, without a project: what it is asked is noted, and answered as the test says.
import { onTestFinished } from 'vitest';
import type { UnknownCaller } from '../../src/server/remote/token-lookup.ts';
import type { PageServices } from '../../src/server/page/use/page-data.ts';
import type { Host } from '../../src/server/remote/host.ts';
import type { RemoteCall, Caller, CallOutcome } from '../../src/server/remote/perform-call.ts';
import type { LogLine } from '../../src/server/http/observe.ts';
import { CouncilError, toErrorDocument } from '../../src/core/base/errors.ts';
import { findCallerLimits } from '../../src/server/http/limits.ts';
import { serveHttp } from '../../src/server/http/server.ts';

export const INVITED = '0123-4567-89AB-CDEF';
const ADA: Caller = {
  role: 'participant',
  id: 'ada',
  participant: 'ada',
  council: 'queue',
  conversationId: 'x',
  ownArchive: 'x',
};
export const UNKNOWN: UnknownCaller = { unknown: 'unknown_token' };

/** A server whose admin has the token "admin", and whose doors are open where it is said. */
export async function pageServer({
  isOpen = false,
  publicUrl,
  light,
  messages,
  records = { records: [], origins: [] },
  data: own = {},
  answer = () => ({ document: { councils: [] }, failed: false }),
}: {
  isOpen?: boolean;
  publicUrl?: string;
  light?: boolean;
  messages?: number;
  records?: Awaited<ReturnType<PageServices['records']>>;
  /** Other data of the pages. */
  data?: Partial<PageServices>;
  answer?: (asked: RemoteCall) => CallOutcome;
} = {}) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const state = { isOpen, ada: ADA as Caller | UnknownCaller };
  const asked: RemoteCall[] = [];
  let lookedAt = 0;
  const perform: Host['perform'] = async (one) => {
    asked.push(one);
    return answer(one);
  };
  const here: RemoteCall[] = [];
  const host: Host = {
    ...{ version: '1', stop: stop.signal, note: () => undefined, perform },
    here: async (one) => (here.push(one), answer(one)),
    ...(light !== undefined && { isLight: async () => light }),
    findTrouble: async () => undefined,
    holder: async () => undefined,
  };
  const hints = {
    heads: async () => [],
    head: async () => undefined,
    follow: () => () => undefined,
  };
  const doors = {
    isOpen: async () => state.isOpen,
    holder: async (token: string): Promise<Caller | UnknownCaller> =>
      token === 'admin' ? { role: 'admin' } : UNKNOWN,
    findInvited: async (code: string) => (lookedAt++, code === INVITED ? state.ada : UNKNOWN),
  };
  const data: PageServices = {
    project: () => 'shop',
    away: async () => undefined,
    isBeating: async () => true,
    find: async () => Promise.reject(new CouncilError('unknown_archive', 'Nothing is there.')),
    render: async () => Promise.reject(new Error('nothing is drawn')),
    exportText: async () => Promise.reject(new Error('nothing is exported')),
    archives: async () => [],
    records: async () => records,
    channels: async () => [],
    channel: async () => null,
    standings: async () => new Map(),
    endings: async () => new Map(),
    invite: async () => Promise.reject(new Error('nobody is invited')),
    retry: async () => Promise.reject(new Error('nobody is launched')),
    findRecorded: async () => null,
    seatable: async () => ({ agents: [], modes: [] }),
    refusal: (_caller, error) => ({ document: { error: toErrorDocument(error) }, failed: true }),
    ...own,
  };
  const pages = {
    doors,
    publicUrl: publicUrl === undefined ? undefined : new URL(publicUrl),
    secret: 's',
    data,
  };
  const lines: LogLine[] = [];
  const log = (line: LogLine): void => void lines.push(line);
  const serving = { hostname: '127.0.0.1', port: 0, doors, onlyMcp: false, log, hints, pages };
  const { url } = await serveHttp(host, serving, {
    ...(messages !== undefined && {
      limits: (caller) => ({ ...findCallerLimits(caller), messages: { burst: messages, perSecond: 1e-9 } }),
    }),
  });
  return { url, state, asked, here, lines, looked: () => lookedAt, port: new URL(url).port };
}
