// Use case `logs`: the full output of an agent's launches, for the user who launched them.
import { CouncilError } from '../../core/base/errors.ts';
import type { App, Result } from '../../core/app/app.ts';
import { findDeliberation } from '../../core/app/find-deliberation.ts';
import type { LogsInput } from '../../core/app/input/archive.ts';
import { openWorkspace } from '../../core/app/workspace.ts';
import { LAST } from '../../core/base/unknown-name.ts';
import { readLogs } from '../../core/heartbeat/launch/launch-log.ts';
import type { LoggedLaunch } from '../../core/heartbeat/launch/launch-log.ts';
import type { Workspace } from '../../core/app/workspace.ts';

export type { LoggedLaunch };

export interface LogsDocument {
  name: string;
  conversationId: string;
  participant: string;
  kept: number;
  /** The last launches, oldest first. */
  launches: LoggedLaunch[];
}

/**
 * Returns what an agent's programs printed, how they ended, and how long they took. Read from the private
 * folder of the user who launched them. It includes what a blind phase hides, so an agent in its turn sees only
 * its own.
 */
export async function readLaunchLogs(app: App, input: LogsInput): Promise<Result<LogsDocument>> {
  const workspace = openWorkspace(app);
  const { agent: participant, last } = input;
  const { name, conversationId } = await resolveLoggedCouncil(app, workspace, input);
  const all = await readLogs(workspace.ports.privateFiles, conversationId, participant);
  if (all.length === 0)
    throw new CouncilError('failed', `No launch of ${participant} in "${name}" is kept for you here.`, {
      hint: 'What agents print is shown only to the user who launched them, on that machine, until 30 days after the archive. See who sits there: council status, council show',
    });
  return {
    document: { name, conversationId, participant, kept: all.length, launches: all.slice(-last) },
  };
}

/** Returns the named council; else the active one that is meant; else the newest archive. */
async function resolveLoggedCouncil(
  app: App,
  { store }: Pick<Workspace, 'store'>,
  { council, name }: LogsInput,
): Promise<{ name: string; conversationId: string }> {
  const isNoneMeant = council === undefined && name === undefined && (await store.list()).length === 0;
  const found = await findDeliberation(app, { council: isNoneMeant ? LAST : council, name });
  return 'council' in found ? found.council.state : found.archive.meta;
}
