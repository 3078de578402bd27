// Log entries of councils: launches and their ends, contributions, absences, and closed phases.
import { CouncilError } from '../../core/base/errors.ts';
import { formatIso } from '../../core/base/clock.ts';
import { COUNCIL } from '../messages/channel.ts';
import { getSeat } from '../../core/council/state/state.ts';
import type { Contribution, CouncilState } from '../../core/council/state/state.ts';
import { readCouncil } from '../../core/council/use/council-access.ts';
import type { App } from '../../core/app/app.ts';
import type { Workspace } from '../../core/app/workspace.ts';
import type { ArchiveMeta } from '../../core/archive/archive.ts';
import { findArchive } from '../../core/archive/read.ts';
import { buildLogEntry } from './log-entry.ts';
import type { LogEntry } from './log-entry.ts';

/** Fields that both a state and an archive have; an archive's front matter has no absences. */
type CouncilHistory = Pick<CouncilState, 'name' | 'transitions'> &
  Partial<Pick<CouncilState, 'usage' | 'absences'>> & { id?: string };
type ContributionMark = Pick<Contribution, 'by' | 'phase' | 'tour' | 'at'>;

/**
 * Returns the entries of all councils. Contributions of archives are included only if `about` names the
 * archive, because that takes reading the whole file.
 */
export async function collectCouncilEntries(
  app: App,
  { store, ports }: Workspace,
  { metas, about }: { metas: readonly ArchiveMeta[]; about: string | undefined },
): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  const isActive = new Set<string>();
  for (const name of await store.list('', { look: false })) {
    try {
      const { state, contributions } = (await readCouncil(ports, name)).council;
      isActive.add(state.conversationId);
      entries.push(...listCouncilEntries(state, [...contributions, ...findSealed(state, contributions)]));
    } catch (error) {
      // A council that cannot be read, or has just been archived, must not hide the others.
      if (!(error instanceof CouncilError)) throw error;
      app.note(`council "${name}": ${error.message}`);
    }
  }
  for (const meta of metas) {
    if (isActive.has(meta.conversationId)) continue;
    const isMeant = about !== undefined && [meta.name, meta.id].includes(about);
    const whole = isMeant ? (await findArchive(ports.archives, meta.path)).archive : undefined;
    entries.push(
      ...listCouncilEntries(
        { ...meta, ...(whole && { absences: whole.absences }) },
        whole?.contributions ?? [],
      ),
    );
  }
  return entries;
}

/** Returns who has spoken in an open sealed phase; their contributions are not in the document yet. */
const findSealed = (state: CouncilState, known: readonly ContributionMark[]): ContributionMark[] =>
  state.order.flatMap((by) => {
    const { status, lastAction: at } = getSeat(state, by);
    const isKnown = known.some((one) => one.by === by && one.tour === state.tour);
    return status === 'WAITING' || at === null || isKnown
      ? []
      : [{ by, at, phase: state.currentPhase, tour: state.tour }];
  });

function listCouncilEntries(
  { name, id, usage = [], absences = [], transitions }: CouncilHistory,
  said: readonly ContributionMark[],
): LogEntry[] {
  const from = COUNCIL;
  const formatRound = ({ phase, tour }: Pick<ContributionMark, 'phase' | 'tour'>): string =>
    `${phase} (round ${tour})`;
  const own = { council: name, ...(id !== undefined && { archive: id }) };
  const by = { ...own, to: COUNCIL };
  return [
    ...usage.flatMap(({ participant, at, ms, ok, cancelled, ...round }) => {
      const agent = { agent: participant, ...own, summary: formatRound(round) };
      const began = formatIso(Date.parse(at) - ms);
      const event = ok ? 'answered' : cancelled ? 'interrupted' : 'failed';
      return [
        buildLogEntry('launch', { ...agent, timestamp: began, event: 'begun', from, to: participant }),
        buildLogEntry('attempt', {
          ...{ ...agent, timestamp: at, event, from: participant, to: COUNCIL },
          status: event === 'failed' ? 'failed' : 'success',
        }),
      ];
    }),
    ...said.map((one) =>
      buildLogEntry('result', {
        ...{ ...by, timestamp: one.at, event: 'contributed', from: one.by, agent: one.by },
        summary: formatRound(one),
      }),
    ),
    ...absences.map((one) =>
      buildLogEntry('result', {
        ...{ ...by, timestamp: one.at, event: 'absent', from: one.participant, agent: one.participant },
        ...{ summary: formatRound(one), error: one.reason },
        status: one.reason === 'cancelled' ? 'success' : 'failed',
      }),
    ),
    ...transitions.map(({ from: phase, to, reason, tour, at }) =>
      buildLogEntry('result', {
        ...{ ...own, timestamp: at, event: to === 'ARCHIVED' ? 'archived' : 'closed', from, to: name },
        summary: `${formatRound({ phase, tour })}: ${reason}`,
      }),
    ),
  ];
}
