// Server-sent events: hints that a council has changed. A slow reader gets only the newest per council, not a queue.
import type { ServerResponse } from 'node:http';
import type { Hono } from 'hono';
import { isId } from '../../core/base/ids.ts';
import type { CouncilChange, ChangeHints } from '../remote/change-events.ts';
import { isParticipantToken } from '../remote/perform-call.ts';
import type { Caller } from '../remote/perform-call.ts';
import { notifyEnd } from './connections.ts';
import { API_PATH, refuse } from './context.ts';
import type { Ctx, Env } from './context.ts';
import type { Measures } from './observe.ts';

export const EVENTS_PATH = `${API_PATH}/events`;

/** Milliseconds between checks that a token is still valid and the reader still connected. */
const READER_LOOK_MS = 2000;
const BEAT_MS = 15_000;
const STUCK_MS = 60_000;
/** Allows for clock differences between machines: changes around a reconnection are sent twice. */
const OVERLAP_MS = 5000;

export interface Events {
  hints: ChangeHints;
  measures: Measures;
  stop: AbortSignal;
}

interface Following {
  /** One council, or undefined for all. */
  name: string | undefined;
  /** For a seat: its very council. */
  conversationId: string | undefined;
  /** A seat is not told who has spoken, which would reveal the author of an anonymous text. */
  isSeat: boolean;
}

/** What ends a stream, and what to do then. */
interface StreamEnding {
  outgoing: ServerResponse;
  isValid: () => Promise<boolean>;
  onEnd: () => void;
}

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

/** Adds `GET /api/v1/events`, for every role. */
export function addEvents(app: Hono<Env>, events: Events): void {
  app.get(EVENTS_PATH, streamEvents(events));
}

export const streamEvents =
  (events: Events) =>
  async (c: Ctx): Promise<Response> => {
    const caller = c.get('caller');
    const name = isParticipantToken(caller) ? caller.council : c.req.query('name');
    const asked = c.req.query('name');
    if (asked !== undefined && !isId(asked))
      return refuse(c, { status: 422, code: 'invalid_id', detail: 'name must be the name of a council.' });
    if (asked !== undefined && asked !== name)
      return refuse(c, { status: 403, code: 'forbidden', detail: 'This token is that of another council.' });
    const account = c.get('account');
    const end = account.stream();
    if (!end)
      return refuse(c, {
        status: 429,
        code: 'too_many_requests',
        detail: 'This token has as many streams as it may.',
        headers: { 'Retry-After': '5' },
      });
    // Changes during the first read must not be missed.
    const missed: CouncilChange[] = [];
    const unfollow = events.hints.follow((change) => void missed.push(change));
    const begun = await readFirstChanges(c, events.hints, name, caller).finally(() => setImmediate(unfollow));
    if (begun instanceof Response) {
      end();
      return begun;
    }
    // A HEAD request has no stream whose end would release its place.
    if (c.req.method === 'HEAD') {
      end();
      return c.body(null, 200, HEADERS);
    }
    begun.first.push(...missed.filter((change) => isFollowed(begun.following, change)));
    const counted = events.measures.stream();
    const body = createEventStream(events, begun, {
      outgoing: c.env.outgoing,
      isValid: c.get('isStill'),
      onEnd: () => (end(), counted()),
    });
    return c.body(body, 200, HEADERS);
  };

/**
 * Returns the first events: one for each council whose head has changed since the last event that the client read.
 */
async function readFirstChanges(
  c: Ctx,
  hints: ChangeHints,
  name: string | undefined,
  caller: Caller,
): Promise<{ following: Following; first: CouncilChange[] } | Response> {
  const last = c.req.header('last-event-id');
  if (name === undefined) {
    const since = /^t(\d{1,15})$/.exec(last ?? '')?.[1];
    const moved = (await hints.heads()).filter(
      ({ at }) => since === undefined || at > Number(since) - OVERLAP_MS,
    );
    return { following: { name, conversationId: undefined, isSeat: false }, first: moved };
  }
  const head = await hints.head(name);
  const isOwn = caller.conversationId === undefined || head?.conversationId === caller.conversationId;
  if (!head || !isOwn) {
    // 204 stops a browser from reconnecting to a council that has ended.
    if (last !== undefined) return c.body(null, 204);
    return refuse(c, {
      status: 404,
      code: 'unknown_council',
      detail: `There is no active council "${name}".`,
    });
  }
  const conversationId = isParticipantToken(caller) ? (head.conversationId ?? undefined) : undefined;
  return {
    following: { name, conversationId, isSeat: isParticipantToken(caller) },
    first: String(head.revision) === last ? [] : [head],
  };
}

function createEventStream(
  { hints, stop }: Events,
  { following, first }: { following: Following; first: CouncilChange[] },
  { outgoing, isValid, onEnd }: StreamEnding,
): ReadableStream<Uint8Array> {
  const pending = new Map<string, CouncilChange>();
  const newest = new Map<string, number>();
  const add = (change: CouncilChange): void => {
    // A watch may report a revision twice.
    if (change.revision <= (newest.get(change.name) ?? -1)) return;
    newest.set(change.name, change.revision);
    pending.delete(change.name);
    pending.set(change.name, change);
  };
  first.forEach(add);
  const encoder = new TextEncoder();
  let wake = (): void => undefined;
  let isOver = false;
  let beat = true;
  let pulledAt = performance.now();
  let control: ReadableStreamDefaultController<Uint8Array>;
  const unfollow = hints.follow((change) => {
    if (!isFollowed(following, change)) return following.name === change.name ? finish() : undefined;
    add(change);
    wake();
    return undefined;
  });
  const look = setInterval(() => {
    if (performance.now() - pulledAt > STUCK_MS && pending.size > 0) return finish();
    isValid().then((still) => still || finish(), finish);
  }, READER_LOOK_MS).unref();
  const beats = setInterval(() => {
    beat = true;
    wake();
  }, BEAT_MS).unref();
  const finish = (): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(look);
    clearInterval(beats);
    unfollow();
    stop.removeEventListener('abort', finish);
    onEnd();
    wake();
    // Pending events are dropped.
    try {
      control.close();
    } catch {
      // The reader has disconnected.
    }
  };
  stop.addEventListener('abort', finish, { once: true });
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        control = controller;
        if (stop.aborted) finish();
        else notifyEnd(outgoing, finish);
      },
      async pull(controller) {
        pulledAt = performance.now();
        while (pending.size === 0 && !beat && !isOver) await new Promise<void>((resolve) => (wake = resolve));
        if (isOver) return;
        const [next] = pending.values();
        beat = false;
        if (next) pending.delete(next.name);
        controller.enqueue(encoder.encode(next ? renderServerEvent(next, following) : ': \n\n'));
      },
      cancel: finish,
    },
    { highWaterMark: 0 },
  );
}

/** A seat receives only changes of its own council, not of a later one with the same name. */
const isFollowed = ({ name, conversationId }: Following, change: CouncilChange): boolean =>
  (name === undefined || name === change.name) &&
  (conversationId === undefined ||
    change.conversationId === null ||
    change.conversationId === conversationId);

function renderServerEvent(
  { name, revision, phase, at, ...change }: CouncilChange,
  following: Following,
): string {
  const id = following.name === undefined ? `t${at}` : String(revision);
  const spoken = following.isSeat ? [] : change.spoken;
  return `id: ${id}\nevent: council\ndata: ${JSON.stringify({ name, revision, phase, spoken })}\n\n`;
}
