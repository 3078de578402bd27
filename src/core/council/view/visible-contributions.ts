// Selects the contributions that a reader may see in the open phase.
import { toOneLine } from '../../base/text.ts';
import { abridgeChallenges, abridgeText } from './abridge.ts';
import type { Abridgement, ShownBytes } from './abridge.ts';
import { createExcerptReader, maskForReader } from './excerpt.ts';
import type { SeenChallenge, SeenClaim, ShowText } from './excerpt.ts';
import { getLabels, mapClaimPrefixes, labelSeed, shuffleBySeed } from '../naming/labels.ts';
import { splitParts } from '../ledger/text/spoken-words.ts';
import { countUnmaskedNames, getMask } from '../naming/mask.ts';
import type { Mask, UnmaskedNames } from '../naming/mask.ts';
import { isBlindNow, formatTurnKey } from '../state/state.ts';
import type { BallotLine, Contribution, Council, CouncilState } from '../state/state.ts';
import type { PhaseName } from '../state/allowed-values.ts';
import { normalisePosition } from '../state/ballot.ts';
import { findFieldName } from '../ledger/text/form-names.ts';
import { asShare } from '../ledger/text/form-value-words.ts';
import { readForm } from '../ledger/text/form.ts';
import type { Field } from '../ledger/text/form.ts';
import { readLooseJson } from '../ledger/text/loose-json.ts';
import { removeReasoning } from '../ledger/text/reasoning.ts';
import { makeOnFirstUse } from '../../base/memoize.ts';

export interface OwnContribution {
  phase: PhaseName;
  tour: number;
  text: string;
  /** Its claims with their first words; the reader's own only in RESOLVE. */
  claims: SeenClaim[];
  /** Written on request as the opposing case: not its author's own position. */
  advocate?: true;
  /** Set if only its form and its beginning are shown. */
  abridged?: Abridgement;
}

/** Another participant's text, as the reader may see it. */
export interface SeenContribution extends OwnContribution {
  label: string;
}

/** Texts revealed together. */
export interface SeenRound {
  tour: number;
  others: SeenContribution[];
  own: OwnContribution[];
}

/** Everything one reader may see of the contributions. */
export interface Material {
  contributions: SeenContribution[];
  own: OwnContribution[];
  /** The votable positions by number; others' answers by label if answers are ranked; empty during COLLECT. */
  ballot: Omit<BallotLine, 'author'>[];
  /** In a mode with its own reading rules: shown instead of the others' contributions. */
  findings?: string;
  /** In RESOLVE: unanswered challenges to the reader. */
  challenges: SeenChallenge[];
  /** True if the reader is asked for the strongest case against the common position. */
  advocate: boolean;
  /** Number of names replaced by labels in the contributions. */
  replaced: number;
  notes: UnmaskedNames[];
}

/** Maximum length of a position on the ballot, in characters. */
const LONGEST_POSITION = 200;

/**
 * Collects the closed rounds; everything if an unsealed COLLECT is open or the coordinator writes the
 * synthesis; only the reader's own texts in a blind phase.
 */
export function buildMaterial(
  council: Council,
  reader: string,
  mask: Mask,
  limit: ShownBytes,
): Material & { rounds: SeenRound[] } {
  const { state } = council;
  const isResolve = state.currentPhase === 'RESOLVE';
  const labels = getLabels(state);
  const visible = council.contributions
    .filter((said) => isVisible(said, state, reader))
    .map((said) => ({ ...said, text: stripPartsForOthers(said) }));
  const rounds = listRounds(council, reader, visible);
  const own = visible.filter(({ by }) => by === reader);
  const seen = maskForReader(
    own.map(({ text }) => text),
    mask,
  );
  const seenIn = new Map(
    rounds.flatMap((round) => round.said.map((one) => [formatTurnKey(one), round.seen])),
  );
  const excerpts = createExcerptReader(council, (span) => seenIn.get(formatTurnKey(span)) ?? seen, reader);
  const readOwn = (said: Contribution): OwnContribution =>
    toOwnContribution(said, abridgeText(said.text, limit.own), isResolve ? excerpts.claims(said) : []);
  const others = rounds.map((round) =>
    round.said
      .filter(({ by }) => by !== reader)
      .map((said) => {
        const masked = round.seen(said.text);
        const label = labels.get(said.by) ?? said.by;
        return {
          masked,
          shown: {
            label,
            ...toOwnContribution(said, abridgeText(masked.text, limit.others), excerpts.claims(said)),
          },
        };
      }),
  );
  const stated = own.flatMap((said) => [said.position, said.new].filter((one) => one !== undefined));
  const isOwn = (position: string) =>
    stated.some((one) => normalisePosition(one) === normalisePosition(position));
  const put = state.ledger.challenges.filter(
    ({ against, status }) => against === reader && (status === 'open' || status === 'unanswered'),
  );
  const seenRounds = rounds.map(({ tour, said }, at) => ({
    tour,
    others: others[at]!.map(({ shown }) => shown),
    own: said.filter(({ by }) => by === reader).map(readOwn),
  }));
  return {
    rounds: seenRounds,
    contributions: seenRounds.flatMap((round) => round.others),
    own: seenRounds.flatMap((round) => round.own),
    ballot: listSeenLines(state, reader).map((line) => {
      const position = toOneLine(line.position, LONGEST_POSITION);
      // A label in the reader's own sentence would tell them whose it is.
      return { ...line, position: isOwn(line.position) ? position : seen(position).text };
    }),
    challenges: isResolve ? abridgeChallenges(put.map(excerpts.challenge), limit.others) : [],
    advocate: state.advocate?.participant === reader && state.advocate.tour === state.tour,
    replaced: others.flat().reduce((sum, { masked }) => sum + masked.replaced.length, 0),
    notes: [
      ...others.flat().flatMap(({ shown, masked }) => countUnmaskedNames(masked.left, shown.label, reader)),
      ...own.flatMap(({ text }) => countUnmaskedNames(mask.find(text), 'own', reader)),
    ],
  };
}

/** Returns the ballot lines; while answers are ranked, the others' answers under their letters or ids. */
function listSeenLines(state: CouncilState, reader: string): Omit<BallotLine, 'author'>[] {
  const lines = state.ballot ?? [];
  if (state.rules.ranks !== 'answers' || state.currentPhase === 'SYNTHESIZE')
    return lines.map(({ author: _, ...line }) => line);
  const handles = mapClaimPrefixes(state);
  return lines
    .flatMap(({ author, ...line }) => {
      if (author === undefined || author === reader) return [];
      return [{ ...line, id: state.anonymous ? handles.get(author)!.toUpperCase() : author }];
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Each part may have its own form, with a confidence. */
const stripPartsForOthers = (said: Contribution): string => splitParts(said).map(stripForOthers).join('');

function isVisible({ by, tour }: Contribution, state: Council['state'], reader: string): boolean {
  if (by === reader) return true;
  if (isBlindNow(state)) return false;
  const isSynthesis = state.currentPhase === 'SYNTHESIZE' && reader === state.coordinator;
  return state.currentPhase === 'COLLECT' || isSynthesis || tour < state.tour;
}

function toOwnContribution(
  { phase, tour, advocate }: Contribution,
  shown: Pick<OwnContribution, 'text' | 'abridged'>,
  claims: SeenClaim[],
): OwnContribution {
  return { phase, tour, ...shown, claims, ...(advocate && { advocate }) };
}

// What views show of a contribution to others: neither its reasoning nor its author's confidence.

/** Returns a contribution as others see it. The file keeps it verbatim. */
export const stripForOthers = (text: string): string => removeConfidence(removeReasoning(text));

/**
 * Removes the form's `confidence`, so that readers do not just follow the most confident voice. The same word
 * in prose stays, like everything else.
 */
export function removeConfidence(text: string): string {
  const { fields, found } = readForm(text);
  const isShare = ({ value }: Field) => typeof value === 'string' && asShare(value) !== undefined;
  const sure = [
    ...fields.filter(({ name, isMember }) => name === 'confidence' && !isMember),
    ...found.filter((field) => field.isMember === true || (field.name === 'confidence' && isShare(field))),
  ];
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, isMember } of sure.toSorted((a, b) => a.start - b.start)) {
    if (start < from) continue;
    parts.push(text.slice(from, start), isMember ? removeConfidenceMember(text.slice(start, end)) : '');
    from = end;
  }
  return parts.join('') + text.slice(from);
}

const isConfidence = (key: string): boolean => findFieldName(key) === 'confidence';

/** Rewrites the JSON if it contains a confidence: the key may be duplicated or escaped. */
function removeConfidenceMember(object: string): string {
  let isTelling = false;
  const told = JSON.stringify(readLooseJson(object, 0)?.data ?? {}, (key, value: unknown) => {
    isTelling ||= isConfidence(key);
    return isConfidence(key) ? undefined : value;
  });
  return isTelling ? told : object;
}

/** Texts revealed together. */
interface Round {
  tour: number;
  /** In the order of one reader: the others, then their own. */
  said: Contribution[];
  /** How that reader sees them. Permanent: words they write later change nothing. */
  seen: ShowText;
}

/** Returns the rounds of texts visible to `reader`, as others see them: past rounds, then the open one. */
function listRounds(council: Council, reader: string, visible: readonly Contribution[]): Round[] {
  const { reveals = [], tour: open } = council.state;
  const findPlace = ({ by, tour }: Contribution): number => {
    const late = reveals.findIndex((one) => one.tour === tour && one.late === by);
    const place =
      late === -1 ? reveals.findIndex((one) => one.tour === tour && one.late === undefined) : late;
    // Rounds of older councils have no recorded place.
    return place === -1 && tour >= open ? reveals.length : place;
  };
  // Slow in a large council, and while it is blind there is nothing to order.
  const ranks = makeOnFirstUse(() => rankReaders(council, reader));
  const known: string[] = [];
  const groups = Map.groupBy(
    visible.toSorted((a, b) => findPlace(a) - findPlace(b) || a.tour - b.tour || ranks()(a) - ranks()(b)),
    (said) => `${findPlace(said)} ${said.tour}`,
  );
  return [...groups.values()].map((said) => {
    const { tour } = said[0]!;
    known.push(...said.filter(({ by }) => by === reader).map(({ text }) => text));
    return { tour, said, seen: maskForReader([...known], maskAtClose(council, tour)) };
  });
}

/** Orders by seat, or differently per reader in an anonymous council; the reader's own texts come last. */
function rankReaders({ state }: Council, reader: string): (said: Contribution) => number {
  const seed = [labelSeed(state), reader];
  const order = state.anonymous ? shuffleBySeed(state.order, seed, (id) => id) : state.order;
  const ranks = new Map(order.map((id, rank) => [id, rank]));
  ranks.set(reader, Infinity);
  return ({ by }) => ranks.get(by) ?? order.length;
}

/** Returns the mask as of the close of a round: models launched later change nothing. */
export function maskAtClose({ state, ...council }: Council, round: number): Mask {
  const closed = state.transitions.find((one) => one.tour === round)?.at;
  if (closed === undefined || !state.usage) return getMask({ state, ...council });
  return getMask({ state: { ...state, usage: state.usage.filter(({ at }) => at <= closed) }, ...council });
}
