// The human-readable part of the state file: generated, never read back.
import { isBlindNow, getSeat } from '../state/state.ts';
import type { Contribution, Council, CouncilState, Participant } from '../state/state.ts';
import { toSafeLine, renderSeatName, renderTable } from './markers.ts';
import { translateReason, namePhase } from '../../base/words/reasons.ts';
import { fill, loadWords } from '../../base/words/words.ts';
import type { Words } from '../../base/words/words.ts';
import type { AbsenceReason, PhaseName } from '../state/allowed-values.ts';
import { formatOutcomeSentence } from '../vote/explain.ts';
import { collectVoteMarks } from '../vote/outcome.ts';
import { blindVotes, asVotes, tally } from '../vote/votes.ts';

/** Returns the decision rules for the metadata; rules that are off are left out. */
function buildRuleRows(state: CouncilState, w: Words): [label: string, value: string][] {
  const { rule, options, vetoes, recused, weighted, repeat, tie } = state.rules;
  const { advocate } = state;
  const rows: [string, string | false | null][] = [
    [w.state.rule, `${w.ruleName[rule]} (${w.rule[rule]})`],
    [w.state.tie, tie !== undefined && w.state[tie]],
    [w.state.options, options && options.map(toSafeLine).join(', ')],
    [w.state.weighted, weighted && w.common.yes],
    [w.state.vetoes, vetoes.length > 0 && vetoes.map((id) => renderSeatName(state, id)).join(', ')],
    [
      w.state.recused,
      recused.length > 0 &&
        recused
          .map(({ participant, why }) =>
            fill(w.state.reasoned, { participant: renderSeatName(state, participant), why: toSafeLine(why) }),
          )
          .join(', '),
    ],
    [w.state.repeat, repeat > 1 && fill(w.state.times, { count: repeat })],
    [
      w.state.advocate,
      advocate &&
        fill(w.state.advocateDrawn, {
          ...advocate,
          participant: renderSeatName(state, advocate.participant),
        }),
    ],
  ];
  return rows.flatMap(([label, value]): [string, string][] => (value ? [[label, value]] : []));
}

/** Returns why the council continued, the decision, and the blind vote that the debate started from. */
function renderDecisionLines({ state, contributions }: Council, w: Words): string[] {
  const { decision, held, rules, blind } = state;
  const votes = (counted: Record<string, number>) =>
    Object.entries(counted)
      .map(([position, count]) => `${toSafeLine(position)} ${count}`)
      .join(', ') || w.common.none;
  const row = (label: string, value: string): string => `- ${fill(w.common.labelled, { label, value })}`;
  const lines = held === null ? [] : [row(w.state.held, toSafeLine(held))];
  if (!decision) return lines;
  const { denominator } = decision;
  const outcome = formatOutcomeSentence(decision, w, {
    name: (id) => renderSeatName(state, id),
    text: toSafeLine,
  });
  const stated = blindVotes({ state, contributions }, collectVoteMarks(state)).flatMap(
    ({ by, position, kind }) =>
      position === null || kind === 'recused' ? [] : [{ by, position, weight: 1 }],
  );
  return [
    ...lines,
    row(w.state.decision, outcome),
    row(fill(w.state.votes, { denominator }), votes(decision.votes)),
    // After an open start the first vote was not blind.
    ...(blind ? [row(w.state.blindVote, votes(asVotes(tally(stated, rules.options))))] : []),
  ];
}

export { toSafeLine, toSafeBeginning, renderSeatName } from './markers.ts';

/** The human-readable part of the state file: regenerated at every commit, never read back. */
export interface Page {
  head: string;
  participants: string;
  responses: { heading: string; said: { title: string; contribution: Contribution }[] }[];
  tail: string;
}

/** Renders the human-readable part of the state file, in Markdown. */
export function renderStatePage(council: Council): Page {
  const { state } = council;
  const w = loadWords(state.lang);
  return {
    head: [
      `# ${fill(w.state.title, { topic: toSafeLine(state.topic) })}`,
      `## ${w.state.metadata}`,
      renderMetadata(state, w),
      `## ${w.state.brief}`,
    ].join('\n\n'),
    participants: `## ${w.state.participants}\n\n${renderParticipantsTable(state, w)}`,
    responses: renderResponses(council, w),
    tail: [
      ...renderLedgerSection(state, w),
      `## ${w.state.convergence}`,
      [...renderConvergence(state, w), ...renderDecisionLines(council, w)].join('\n'),
      `## ${w.state.nextPhase}`,
      describeNextPhase(state, w),
    ].join('\n\n'),
  };
}

/** Returns an absence's reason as a sentence; `fit` escapes quoted text for the output. */
export function describeAbsenceReason(
  reason: AbsenceReason,
  w: Pick<Words, 'absenceReason' | 'reasons' | 'reasonParts' | 'common'>,
  fit: (text: string) => string = toSafeLine,
): string {
  const colon = reason.indexOf(': ');
  const key = (colon === -1 ? reason : reason.slice(0, colon)) as keyof Words['absenceReason'];
  // Unknown reasons, as in an edited file, are shown as they are.
  if (!Object.hasOwn(w.absenceReason, key)) return fit(reason);
  return fill(w.absenceReason[key], {
    detail: colon === -1 ? '' : fit(translateReason(reason.slice(colon + 2), w)),
  });
}

function renderMetadata(state: CouncilState, w: Words): string {
  const yesNo = (value: boolean) => (value ? w.common.yes : w.common.no);
  const rows: [string, string][] = [
    [w.state.conversationId, state.conversationId],
    [w.state.name, state.name],
    [w.state.mode, state.mode],
    [w.state.phase, namePhase(state.currentPhase, state.rules)],
    [w.state.tour, String(state.tour)],
    [w.state.status, `${state.status} (${w.councilStatus[state.status]})`],
    [w.state.coordinator, state.coordinator ? renderSeatName(state, state.coordinator) : w.common.none],
    [w.state.createdAt, state.createdAt],
    [w.state.updatedAt, state.updatedAt],
    // Without a coordinator, SYNTHESIZE waits for no participant.
    ...(state.currentPhase === 'SYNTHESIZE' && state.coordinator === null
      ? []
      : [[w.state.timeoutAt, state.timeoutAt] satisfies [string, string]]),
    [w.state.blind, yesNo(state.blind)],
    [w.state.anonymous, yesNo(state.anonymous)],
    ...buildRuleRows(state, w),
  ];
  return rows.map(([label, value]) => `- ${fill(w.common.labelled, { label, value })}`).join('\n');
}

function renderParticipantsTable(state: CouncilState, w: Words): string {
  const { participant, id, status, lastAction, position, absent } = w.state;
  const rows = state.order.map((key) => {
    const one = getSeat(state, key);
    const known = rowOf.get(one);
    if (known?.lang === state.lang && known.row[1] === key) return known.row;
    const row = [
      renderSeatName(state, key),
      key,
      one.status,
      one.lastAction ?? '',
      one.position ? toSafeLine(one.position) : '',
      one.absent ? describeAbsenceReason(one.absent, w) : '',
    ];
    rowOf.set(one, { lang: state.lang, row });
    return row;
  });
  return renderTable([participant, id, status, lastAction, position, absent], rows);
}

/** Cached, because few rows of a large table change between revisions. */
const rowOf = new WeakMap<Participant, { lang: CouncilState['lang']; row: string[] }>();

function renderResponses({ state, contributions }: Council, w: Words): Page['responses'] {
  const rounds = new Map<number, PhaseName>(state.transitions.map((t) => [t.tour, t.from]));
  if (!state.closing) rounds.set(state.tour, state.currentPhase);
  for (const c of contributions) rounds.set(c.tour, c.phase);
  return [...rounds]
    .sort(([a], [b]) => a - b)
    .map(([tour, phase]) => {
      const said = contributions
        .filter((c) => c.tour === tour)
        .map((contribution) => ({ title: `### ${renderSeatName(state, contribution.by)}`, contribution }));
      const title = `## ${fill(w.state.responses, { phase, tour: String(tour) })}`;
      if (said.length > 0) return { heading: title, said };
      const count = String(state.order.filter((id) => getSeat(state, id).commitment).length);
      const sealed = isBlindNow(state) && tour === state.tour;
      const note = sealed
        ? fill(w.state.sealed, { count, total: String(state.order.length) })
        : w.state.noResponses;
      return { heading: `${title}\n\n${note}`, said };
    });
}

function renderConvergence(state: CouncilState, w: Words): string[] {
  const { responseRate, hasConsensus, blockingIssues } = state.convergence;
  const formatLabelled = (label: string, value: string) => fill(w.common.labelled, { label, value });
  const row = (label: string, value: string) => `- ${formatLabelled(label, value)}`.trimEnd();
  // In French, these items are feminine except for blocking issues.
  const list = (label: string, items: string[], none = w.ledger.none) =>
    items.length === 0
      ? row(label, none)
      : [row(label, ''), ...items.map((item) => `  - ${item}`)].join('\n');
  return [
    row(w.state.responseRate, fill(w.common.percent, { value: String(Math.round(responseRate * 100)) })),
    row(w.state.consensus, hasConsensus ? w.common.yes : w.common.no),
    list(
      w.state.blockingIssues,
      blockingIssues.map(({ by, issue }) => formatLabelled(renderSeatName(state, by), toSafeLine(issue))),
      w.common.none,
    ),
    list(
      w.state.absences,
      state.absences.map((a) =>
        fill(w.state.absence, {
          participant: renderSeatName(state, a.participant),
          phase: a.phase,
          tour: String(a.tour),
          reason: describeAbsenceReason(a.reason, w),
        }),
      ),
    ),
    list(
      w.state.transitions,
      state.transitions.map((t) =>
        fill(w.state.transition, {
          from: t.from,
          to: t.to,
          tour: String(t.tour),
          at: t.at,
          reason: w.closeReason[t.reason],
        }),
      ),
    ),
  ];
}

function describeNextPhase(state: CouncilState, w: Words): string {
  if (state.closing) return fill(w.state.closing, { path: toSafeLine(state.closing.path) });
  const next = state.phases[state.phases.indexOf(state.currentPhase) + 1];
  const lines = next
    ? [fill(w.state.nextIs, { phase: next, meaning: w.phases[next], deadline: state.timeoutAt })]
    : [
        fill(state.coordinator ? w.state.nextArchive : w.state.nextArchiveNoCoordinator, {
          deadline: state.timeoutAt,
        }),
      ];
  return [
    ...lines,
    fill(w.state.howToSee, { name: state.name }),
    fill(w.state.howToRespond, { name: state.name }),
  ]
    .map((line) => `- ${line}`)
    .join('\n');
}

// The human-readable part of the state file: tables of the ledger.

/**
 * Renders the ledger as tables: counts of claims and challenges, the status of each challenge, the moves and
 * their reasons. Omits the texts, which are above; needs only the state, because every commit writes it.
 */
function renderLedgerSection(state: CouncilState, w: Words): string[] {
  const { claims, challenges, moves } = state.ledger;
  if (claims.length + challenges.length + moves.length === 0) return [];
  const getName = (id: string) => renderSeatName(state, id);
  const counts = state.order.map((id) => {
    const made = claims.filter(({ by }) => by === id).length;
    const raised = challenges.filter(({ by }) => by === id).length;
    const met = challenges.filter(({ against }) => against === id).length;
    return [getName(id), String(made), String(raised), String(met)];
  });
  const exchanged = challenges.map(({ id, by, target, against, quote, status }) => {
    const aim = target ?? (against === null ? w.common.nobody : getName(against));
    return [id, getName(by), aim, w.ledger[quote], w.ledger[status]];
  });
  const moved = moves.map(({ by, phase, tour, from, to, because }) => {
    const [before, after] = [toSafeLine(from ?? ''), toSafeLine(to ?? '')];
    return [getName(by), `${phase} (${tour})`, before, after, because ?? w.ledger.unexplained];
  });
  const { challenge, by, target, quote, status, phase, from, to, because } = w.ledger;
  return [
    `## ${w.state.ledger}`,
    renderTable([w.state.participant, w.state.claims, w.state.raised, w.state.met], counts),
    ...(exchanged.length > 0 ? [renderTable([challenge, by, target, quote, status], exchanged)] : []),
    ...(moved.length > 0 ? [renderTable([by, phase, from, to, because], moved)] : []),
  ];
}
