// What councils tell the log: launches and how they ended, contributions, absences, and phases that closed.
import { CouncilError } from '../../core/base/errors.ts';
import { iso } from '../../core/base/clock.ts';
import { COUNCIL } from '../messages/channel.ts';
import { seat } from '../../core/council/state/state.ts';
import type { Contribution, CouncilState } from '../../core/council/state/state.ts';
import { readCouncil } from '../../core/council/use/update-council.ts';
import type { App } from '../../core/app/app.ts';
import type { Workspace } from '../../core/app/workspace.ts';
import type { ArchiveMeta } from '../../core/archive/archive.ts';
import { findArchive } from '../../core/archive/read.ts';
import { buildLogEntry } from './log-entry.ts';
import type { LogEntry } from './log-entry.ts';

/** What both a state and an archive say; of absences an archive's front matter does not. */
type Past = Pick<CouncilState, 'name' | 'transitions'> &
  Partial<Pick<CouncilState, 'usage' | 'absences'>> & { id?: string };
type ContributionMark = Pick<Contribution, 'by' | 'phase' | 'tour' | 'at'>;

/** Of all councils; of archives the contributions only where `about` names one, because each is read whole for that. */
export async function councilEntries(
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
      // One that cannot be read, or was archived since, hides no other.
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

/** Who has spoken in an open phase that is sealed; what they said has no place in the document yet. */
const findSealed = (state: CouncilState, known: readonly ContributionMark[]): ContributionMark[] =>
  state.order.flatMap((by) => {
    const { status, lastAction: at } = seat(state, by);
    const isKnown = known.some((one) => one.by === by && one.tour === state.tour);
    return status === 'WAITING' || at === null || isKnown
      ? []
      : [{ by, at, phase: state.currentPhase, tour: state.tour }];
  });

function listCouncilEntries(
  { name, id, usage = [], absences = [], transitions }: Past,
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
      const began = iso(Date.parse(at) - ms);
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
