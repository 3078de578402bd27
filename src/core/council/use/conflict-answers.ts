// Finds and takes over answers recorded on another machine that are missing from the newest revision here.
import { transition } from '../machine/transition.ts';
import { pickChoice, openBallot } from '../state/ballot.ts';
import type { PhaseName } from '../state/allowed-values.ts';
import type { Contribution, Council, CouncilState } from '../state/state.ts';
import { isBlindNow } from '../state/state.ts';
import { amendCouncil } from './commit-change.ts';
import type { Ports } from './ports.ts';

export interface AsideAnswer {
  by: string;
  phase: PhaseName;
  tour: number;
  /** The file that contains it. */
  path: string;
  /** Undefined if it is sealed there. */
  said?: Contribution;
  /** The commitment of a text in a blind phase, and the text's location. */
  sealed?: { commitment: string; at: string };
  /** The ballot whose numbers its votes use. */
  ballot: ReturnType<typeof openBallot>;
}

/** Returns the file name of a contribution among the late texts. */
export const formatLateName = ({ by, phase, tour, sha256 }: Omit<Contribution, 'text'>): string =>
  `${by}-${phase}-${tour}-${sha256.slice(0, 16)}`;

/** Returns answers in `aside` that are neither in the newest revision's history nor among the late texts. */
export function findAsideAnswers(
  line: readonly Council[],
  aside: readonly { path: string; council: Council }[],
  late: readonly string[],
): AsideAnswer[] {
  const known = new Set([
    ...line.flatMap((council) => collectAnswers(council, '')).flatMap(listKeys),
    ...late,
  ]);
  return aside
    .flatMap(({ path, council }) => collectAnswers(council, path))
    .filter((answer) => {
      const isKnown = listKeys(answer).some((key) => known.has(key));
      listKeys(answer).forEach((key) => known.add(key));
      return !isKnown;
    });
}

/** Answers are the same if their text or their seal is. */
const listKeys = ({ said, sealed }: AsideAnswer): string[] => [
  ...(said ? [formatLateName(said)] : []),
  ...(sealed ? [sealed.commitment] : []),
];

function collectAnswers({ state, contributions }: Council, path: string): AsideAnswer[] {
  const ballot = openBallot(state);
  const pickSeal = (by: string, commitment: string | null | undefined): Pick<AsideAnswer, 'sealed'> =>
    commitment ? { sealed: { commitment, at: state.participants[by]?.sealedAt ?? 'another machine' } } : {};
  const { tour, currentPhase: phase } = state;
  return [
    ...contributions.map((said) => ({ ...said, said, path, ballot, ...pickSeal(said.by, said.commitment) })),
    ...(isBlindNow(state) ? state.order : []).map((by) => ({
      ...{ by, phase, tour, path, ballot },
      ...pickSeal(by, state.participants[by]?.commitment),
    })),
    ...state.absences.map(({ participant: by, commitment, ...then }) => ({
      ...{ by, phase: then.phase, tour: then.tour, path, ballot },
      ...pickSeal(by, commitment),
    })),
  ].flatMap(({ by, phase, tour, said, sealed, ballot }: Partial<AsideAnswer> & Omit<AsideAnswer, 'path'>) =>
    said || sealed ? { by, phase, tour, path, ballot, ...(said && { said }), ...(sealed && { sealed }) } : [],
  );
}

/** What happened to the other machine's answers. */
export interface MergedAsideAnswers {
  revision: number;
  /** Now part of the open phase. */
  taken: AsideAnswer[];
  /** Paths of those that came too late for it. */
  kept: string[];
  /** Answers left in their file: their round has not begun here, or their phase is blind and open. */
  left: AsideAnswer[];
}

/**
 * Records the answers that the open phase still waits for, unchanged; in a blind phase only the commitment,
 * whose text `reveal` supplies. Others join the late texts. Throws `phase_closed` if the council is being
 * archived.
 */
export async function takeAside(
  ports: Ports,
  name: string,
  answers: readonly AsideAnswer[],
): Promise<MergedAsideAnswers> {
  const note = { action: 'adopt', by: null };
  const { result, council, revision } = await amendCouncil(ports, name, note, (now) => {
    let next = now;
    const taken = answers.filter((answer) => {
      const done = isWanted(next.state, answer) && transition(next, toEvent(next, answer), ports.clock.now());
      if (done && done.ok) next = done.council;
      return done && done.ok;
    });
    return { result: taken, ...(taken.length > 0 && { next }) };
  });
  const rest = answers.filter((answer) => !result.includes(answer));
  const isLate = ({ said, tour }: AsideAnswer): boolean =>
    said !== undefined && !isBlindNow(council.state) && tour <= council.state.tour;
  const kept: string[] = [];
  for (const { said } of rest.filter(isLate))
    kept.push(
      await ports.lateFiles.keep(
        council.state.conversationId,
        formatLateName(said!),
        Buffer.from(said!.text),
      ),
    );
  return { revision, taken: result, kept, left: rest.filter((answer) => !isLate(answer)) };
}

/** Whether the open phase still waits for this answer. A vote requires equal numbers on both ballots. */
function isWanted(state: CouncilState, { by, phase, tour, said, sealed, ballot }: AsideAnswer): boolean {
  const seat = state.participants[by];
  if (state.closing || phase !== state.currentPhase || tour !== state.tour || seat?.status !== 'WAITING')
    return false;
  if (isBlindNow(state)) return sealed !== undefined;
  return said !== undefined && JSON.stringify(ballot ?? []) === JSON.stringify(openBallot(state) ?? []);
}

function toEvent(
  { state }: Council,
  { by, tour, said, sealed }: AsideAnswer,
): Parameters<typeof transition>[1] {
  const { agreed = false, done = false, position = null, blocking = [] } = said ?? {};
  return {
    ...{ type: 'respond', participant: by, tour, replace: false, leaseId: null, repeat: 'first' },
    verdict: { agreed, done, position, blocking, ...(said && pickChoice(said)) },
    ...(isBlindNow(state) ? { said: null, sealed: sealed! } : { said: said!, sealed: null }),
  };
}
