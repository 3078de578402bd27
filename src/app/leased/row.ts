// The row of a worker's heartbeat: that of its token, and of no other one.
import { CouncilError } from '../../base/errors.ts';
import type { Beating, Heartbeat, Heartbeats } from '../../store/heartbeats.ts';
import type { App } from '../app.ts';

/** The id of the token by which a worker came in. */
export const tokenOf = ({ caller }: Pick<App, 'caller'>): string => caller?.id ?? '';

/** Whether a row may be renewed or ended by this one's token. */
function isOwn(row: Beating, heartbeat: Heartbeat): boolean {
  if (row.token !== undefined) return row.token === heartbeat.token;
  // An older server has written none: the very same process may go on.
  const { host, bootId, pid, startTime } = heartbeat;
  return row.host === host && row.bootId === bootId && row.pid === pid && row.startTime === startTime;
}

/** Throws `forbidden` where the row of this id is somebody else's. */
export async function requireOwnRow(rows: Pick<Heartbeats, 'list'>, heartbeat: Heartbeat): Promise<void> {
  const row = (await rows.list()).find(({ id }) => id === heartbeat.id);
  if (!row || isOwn(row, heartbeat)) return;
  throw new CouncilError('forbidden', `The heartbeat ${heartbeat.id} is not one of this token.`, {
    hint: 'Start the worker anew: each has an id of its own.',
  });
}
