// Keeps the presence of an agent while its watcher works; use case `who`: which agents are awake.
import { serializePresence, RENEW_MS, listPresences } from '../presence.ts';
import type { Presence } from '../presence.ts';
import { CouncilError } from '../../../core/base/errors.ts';
import { identifyThisProcess, isAlive } from '../../../core/store/local/liveness.ts';
import type { Presences } from '../../../core/store/small-files.ts';
import type { App, Result } from '../../../core/app/app.ts';
import { openWorkspace } from '../../../core/app/workspace.ts';
import { createOffice } from './open-office.ts';
import { formatCount, quoteShellWord } from '../../../core/base/text.ts';
import { DEAD_LETTERS, formatSecondPrefix } from '../channel.ts';
import type { Workspace } from '../../../core/app/workspace.ts';
import type { DoctorPlace } from '../../../core/app/feature.ts';
import { createFindingReporter } from '../../../core/app/doctor/finding.ts';
import type { Finding } from '../../../core/app/doctor/finding.ts';

export interface PresenceKeeper {
  setSubstate(substate: Presence['substate']): Promise<void>;
  end(): Promise<void>;
}

/** Writes the presence, and renews it until `end`. A failed write only calls `warn`. */
export async function keepPresence(
  presences: Presences,
  { agent, channel }: { agent: string; channel: string },
  warn: (line: string) => void,
): Promise<PresenceKeeper> {
  let substate: Presence['substate'] = 'IDLE';
  const write = async (state: Presence['state']): Promise<void> => {
    const presence: Presence = {
      agent_id: agent,
      timestamp: new Date().toISOString(),
      state,
      substate: state === 'AWAKE' ? substate : null,
      watcher_pid: process.pid,
      channel,
    };
    try {
      await presences.write(agent, serializePresence(presence, identifyThisProcess()));
    } catch (error) {
      if (!(error instanceof CouncilError)) throw error;
      warn(`The presence of ${agent} could not be written: ${error.message}`);
    }
  };
  const [before] = (await listPresences(presences, Date.now(), isAlive)).filter(
    (one) => one.agent_id === agent,
  );
  if (before?.lost)
    warn(
      `The last watcher of ${agent} (process ${before.watcher_pid ?? 'unknown'}) ended without a word after ${before.timestamp}: it was killed, or crashed.`,
    );
  await write('AWAKE');
  const timer = setInterval(() => void write('AWAKE'), RENEW_MS);
  timer.unref();
  return {
    async setSubstate(next) {
      substate = next;
      await write('AWAKE');
    },
    async end() {
      clearInterval(timer);
      await write('OFFLINE');
    },
  };
}

/** Returns all agents that were ever awake here; an agent is offline as soon as its process is gone. */
export async function showPresences(app: App): Promise<Result<{ agents: Presence[] }>> {
  const presences = openWorkspace(app).keeping.presences();
  return { document: { agents: await listPresences(presences, app.startedAt, isAlive) } };
}

/** Maximum age of dead letters worth a warning. */
const DAYS = 7;
const DAY_MS = 86_400_000;
const MOST_COUNTED = 1000;

/** Returns warnings about undeliverable messages and lost watchers. */
export async function checkMessages(app: App, { workspace }: DoctorPlace): Promise<Finding[]> {
  if (!workspace) return [];
  const lost = await checkWatchers(app, workspace);
  const from = formatSecondPrefix(app.startedAt - DAYS * DAY_MS);
  const names = await createOffice(app, workspace).log.names(DEAD_LETTERS, { from, limit: MOST_COUNTED });
  if (names.length === 0) return lost;
  const many =
    names.length === MOST_COUNTED ? `${MOST_COUNTED} messages or more` : formatCount(names.length, 'message');
  return [
    ...lost,
    createFindingReporter('messages').warning(
      `${many} of the last ${DAYS} days could not be delivered.`,
      `council channel show ${DEAD_LETTERS}`,
    ),
  ];
}

/** Warns of watchers that were recently killed or crashed, and not replaced: messages to their agents wait. */
async function checkWatchers(app: App, workspace: Workspace): Promise<Finding[]> {
  const there = await listPresences(workspace.keeping.presences(), app.startedAt, isAlive);
  return there
    .filter(({ lost, timestamp }) => lost && Date.parse(timestamp) > app.startedAt - DAYS * DAY_MS)
    .map(({ agent_id: agent, timestamp, channel }) =>
      createFindingReporter('messages').warning(
        `The watcher of ${agent} was killed, or crashed, after ${timestamp}: messages to it wait.`,
        `council watch-channel ${agent}${channel === null ? '' : ` --channel ${quoteShellWord(channel)}`}`,
      ),
    );
}
