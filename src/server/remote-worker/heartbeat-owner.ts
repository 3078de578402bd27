// Guards heartbeat rows: a worker may only change the rows of its own token.
import { CouncilError } from '../../core/base/errors.ts';
import { alive } from '../../core/heartbeat/launch/heartbeat-row.ts';
import type { Beating, Heartbeat, Heartbeats } from '../../core/store/heartbeats.ts';
import type { App } from '../../core/app/app.ts';

/** The id of the token by which a worker came in. */
export const getCallerTokenId = ({ caller }: Pick<App, 'caller'>): string => caller?.id ?? '';

/** Whether a row may be renewed or ended by this one's token. */
function isOwn(row: Beating, heartbeat: Heartbeat): boolean {
  if (row.token !== undefined) return row.token === heartbeat.token;
  // An older server has written none: the very same process may go on.
  const { host, bootId, pid, startTime } = heartbeat;
  return row.host === host && row.bootId === bootId && row.pid === pid && row.startTime === startTime;
}

/** Bytes of a row: every page and every call may read all of them. Some hundred agents take half of it. */
const MOST_BYTES = 64 * 1024;

/** Most heartbeats per token, because creating one is free for the caller. */
const MOST = 256;

/**
 * Throws `forbidden` if the row belongs to another token, `too_large` if it is too big, `conflict`
 * if the token has too many. A new row replaces dead ones of its token.
 */
export async function requireOwnRow(rows: Heartbeats, heartbeat: Heartbeat): Promise<void> {
  if (Buffer.byteLength(JSON.stringify(heartbeat)) > MOST_BYTES)
    throw new CouncilError('too_large', 'This heartbeat has more agents and labels than a row holds.', {
      hint: `A row has ${MOST_BYTES / 1024} KiB at most: let several workers have some of the agents each.`,
    });
  const all = await rows.list();
  const row = all.find(({ id }) => id === heartbeat.id);
  if (row && isOwn(row, heartbeat)) return;
  if (row)
    throw new CouncilError('forbidden', `The heartbeat ${heartbeat.id} is not one of this token.`, {
      hint: 'Start the worker anew: each has an id of its own.',
    });
  const theirs = all.filter(({ token }) => token === heartbeat.token);
  const living = alive(theirs);
  for (const one of theirs) if (!living.includes(one)) await rows.remove(one.id);
  if (living.length < MOST) return;
  throw new CouncilError('conflict', `This token has ${MOST} heartbeats already.`, {
    hint: 'Make another one for more machines: council token create --role worker',
  });
}
