import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DAY_MS = 86_400_000;
/** So many messages a day, of so many senders. */
const PER_DAY = 1000;
const SENDERS = 10;

/** Of so many of the newest messages every tenth is for `ben`: as much waits in a short channel as in a long one. */
const WAITING_AMONG = 1000;

/** The message that later ones answer, and every how many of them do: both counted from the newest one. */
const ASKED = 500;
const EVERY = 25;

export interface LongChannel {
  /** The id of a message of the last day. */
  thread: string;
  /** How many messages answer it. */
  answers: number;
}

/** Writes a channel in its own layout, the newest message of yesterday. */
export function writeChannel(shared: string, channel: string, count: number): LongChannel {
  const folder = join(shared, 'channels', channel);
  const last = Math.floor(Date.now() / DAY_MS) * DAY_MS - 1000;
  const idAt = (at: number): { id: string; time: string; day: string; from: string } => {
    const back = Math.floor((count - 1 - at) / PER_DAY) * DAY_MS;
    const inDay = ((count - 1 - at) % PER_DAY) * 60_000;
    const time = new Date(last - back - inDay).toISOString();
    const from = `agent-${at % SENDERS}`;
    const second = time.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
    return { id: `msg-${second}-${from}-0000`, time, day: time.slice(0, 10), from };
  };
  const thread = idAt(count - ASKED).id;
  let answers = 0;
  let made = '';
  for (let at = 0; at < count; at++) {
    const { id, time, day, from } = idAt(at);
    const isAnswer = at > count - ASKED && (count - at) % EVERY === 0;
    if (isAnswer) answers++;
    const message = {
      id,
      timestamp: time,
      session_id: channel,
      from,
      to: at % SENDERS === 0 && at >= count - WAITING_AMONG ? 'ben' : `agent-${(at + 1) % SENDERS}`,
      type: 'chat',
      content: { text: `Message ${at}: the queue is done, please look at it.`, code: null, artifacts: [] },
      metadata: { mode: 'chat', turn: from, ...(isAnswer && { in_reply_to: thread }) },
    };
    if (day !== made) mkdirSync(join(folder, day), { recursive: true });
    made = day;
    writeFileSync(join(folder, day, `${id}.json`), `${JSON.stringify(message, null, 2)}\n`);
  }
  return { thread, answers };
}
