// Doctor: messages that were never delivered, and watchers that are gone.
import { formatCount, shellWord } from '../../../core/base/text.ts';
import { DEAD_LETTERS, formatSecondPrefix } from '../channel.ts';
import type { App } from '../../../core/app/app.ts';
import { isAlive } from '../../../core/store/local/liveness.ts';
import type { Workspace } from '../../../core/app/workspace.ts';
import { whoIsThere } from '../presence.ts';
import { openPresences, postOffice } from './ports.ts';
import type { DoctorPlace } from '../../../core/app/feature.ts';
import { about } from '../../../core/app/doctor/finding.ts';
import type { Finding } from '../../../core/app/doctor/finding.ts';

/** How far back dead letters are worth a warning. */
const DAYS = 7;
const DAY_MS = 86_400_000;
const MOST = 1000;

/** Empty if no message was given up lately and no watcher is lost. */
export async function messageFindings(app: App, { workspace }: DoctorPlace): Promise<Finding[]> {
  if (!workspace) return [];
  const lost = await watcherFindings(app, workspace);
  const from = formatSecondPrefix(app.startedAt - DAYS * DAY_MS);
  const names = await postOffice(app, workspace).log.names(DEAD_LETTERS, { from, limit: MOST });
  if (names.length === 0) return lost;
  const many = names.length === MOST ? `${MOST} messages or more` : formatCount(names.length, 'message');
  return [
    ...lost,
    about('messages').warning(
      `${many} of the last ${DAYS} days could not be delivered.`,
      `council channel show ${DEAD_LETTERS}`,
    ),
  ];
}

/** Watchers that were killed or crashed lately and were not replaced: messages to their agents wait. */
async function watcherFindings(app: App, workspace: Workspace): Promise<Finding[]> {
  const there = await whoIsThere(openPresences(workspace), app.startedAt, isAlive);
  return there
    .filter(({ lost, timestamp }) => lost && Date.parse(timestamp) > app.startedAt - DAYS * DAY_MS)
    .map(({ agent_id: agent, timestamp, channel }) =>
      about('messages').warning(
        `The watcher of ${agent} was killed, or crashed, after ${timestamp}: messages to it wait.`,
        `council watch-channel ${agent}${channel === null ? '' : ` --channel ${shellWord(channel)}`}`,
      ),
    );
}
