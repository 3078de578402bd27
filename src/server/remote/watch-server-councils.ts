// Watches the councils of a server elsewhere, for the command line: its events say when to look again.
import { setTimeout as delay } from 'node:timers/promises';
import { CouncilError } from '../../core/base/errors.ts';
import type { ArchiveExport } from '../../core/archive/export.ts';
import type { ArchiveListing } from '../../core/archive/read.ts';
import type { App } from '../../core/app/app.ts';
import { describeDecisionOutcome } from '../../core/app/state-document.ts';
import type { StatusDocument } from '../../core/app/status.ts';
import type { EndedCouncil, Seen } from '../../core/app/watch.ts';
import type { CallName } from './calls.ts';
import { askServer, buildApiUrl } from './client.ts';

const AGAIN_MS = 1000;

/** Like `watch`, of a server: shows again and again until those that were seen have ended, or it is interrupted. */
export async function watchElsewhere(
  app: App,
  { server, only }: { server: string; only: string | undefined },
  show: (seen: Seen, isFirst: boolean) => void | Promise<void>,
): Promise<void> {
  const known = new Set<string>();
  const ended: EndedCouncil[] = [];
  const ask = async <T>(name: CallName, input: Record<string, unknown> = {}): Promise<T> =>
    (
      await askServer(
        { ...app, note: () => undefined, interruption: app.interruption },
        { server, name, input },
      )
    ).document as T;
  const look = async (isFirst: boolean): Promise<boolean> => {
    const { councils, unreadable: broken = [] } = await ask<StatusDocument>('status');
    const states = councils.filter(({ name }) => only === undefined || name === only);
    const active = new Set(states.map(({ conversationId }) => conversationId));
    for (const id of known) {
      const end = active.has(id) ? undefined : await findServerCouncilEnd(ask, id);
      if (end && known.delete(id)) ended.push(end);
    }
    for (const id of active) known.add(id);
    const unreadable = broken.map(({ name, message }) => ({
      name: String(name),
      error: new CouncilError('corrupt', String(message), {
        hint: 'Where the server is, council doctor says more.',
      }),
    }));
    await show({ states, unreadable, documents: async () => states, ended }, isFirst);
    return ended.length > 0 && known.size === 0 && unreadable.length === 0;
  };
  await look(true);
  for await (const isThere of followServerEvents(app, buildApiUrl(server, 'events')))
    if (isThere && (await look(false).catch(unlessGone))) return;
}

/** A server that is away for a moment is waited for. */
function unlessGone(error: unknown): false {
  if (error instanceof CouncilError && error.code === 'unreachable') return false;
  throw error;
}

/** True whenever something may have changed, false where the server cannot be reached; ends with the interruption. */
async function* followServerEvents(app: App, url: string): AsyncGenerator<boolean> {
  const signal = app.interruption();
  const { COUNCIL_TOKEN: token } = app.env;
  const headers = { ...(token && { Authorization: `Bearer ${token}` }) };
  while (!signal.aborted) {
    try {
      const answer = await fetch(url, { headers, redirect: 'error', signal });
      // What its status calls are told says why it is not let in.
      yield true;
      if (answer.ok) for await (const _chunk of answer.body ?? []) yield true;
    } catch (error) {
      if (error instanceof CouncilError) throw error;
      yield false;
    }
    await delay(AGAIN_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function findServerCouncilEnd(
  ask: <T>(name: CallName, input?: Record<string, unknown>) => Promise<T>,
  conversationId: string,
): Promise<EndedCouncil | undefined> {
  try {
    const { meta } = await ask<ArchiveExport>('show', { archive: conversationId });
    const { archives } = await ask<{ archives: ArchiveListing[] }>('list');
    const { name, topic, status, why, id } = meta;
    const path = archives.find((one) => one.id === id)?.path ?? id;
    return { name, topic, status, why, outcome: describeDecisionOutcome(meta), id, archive: path };
  } catch (error) {
    if (error instanceof CouncilError && error.code === 'unknown_archive') return undefined;
    throw error;
  }
}
