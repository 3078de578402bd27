// Computes the digest that replaces a missing synthesis.
import { toSafeLine, toSafeBeginning } from '../council/document/state-page.ts';
import { translateReason } from '../base/words/reasons.ts';
import { fill, loadWords } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import { extractSpokenWords } from '../council/ledger/text/spoken-words.ts';
import type { Archive, WithoutSynthesis } from './archive.ts';
import { renderParticipantName } from './archive.ts';
import { renderOutcomeSentence } from './decision-section.ts';
import { renderUnansweredList } from './ledger-section.ts';
import { listMoves, computeStandings, groupByPosition } from './positions.ts';
import { renderAbsencesList, renderBlockingList, renderDissentList, renderMoversList } from './sections.ts';

const FIRST_WORDS = 300;

/** Computes the Markdown that replaces a missing synthesis: facts of the council, and why there is none. */
export function computeDigest(facts: WithoutSynthesis): string {
  const w = loadWords(facts.meta.lang);
  const all = computeStandings(facts);
  const sections: [string, string][] = [
    [w.digest.outcome, renderOutcome(facts, w)],
    // Of a ranking, the outcome and the table of pairs say who stands where.
    [w.digest.positions, facts.meta.rules.ranks ? '' : renderLastPositions(facts, w)],
    [w.digest.changes, listMoves(all).length > 0 ? renderMoversList(facts, w) : ''],
    [w.digest.blockingIssues, renderBlockingList(facts, w)],
    [w.digest.dissent, renderDissentList(facts, w)],
    [w.digest.challenges, renderUnansweredList(facts, w)],
    [w.digest.firstWords, renderFirstWords(facts, w)],
    [w.digest.absences, renderAbsencesList(facts, w)],
  ];
  const written = sections
    .filter(([, body]) => body !== '')
    .map(([title, body]) => `### ${title}\n\n${body}`);
  return [`${w.digest.intro} ${explainMissingSynthesis(facts, w)}`, ...written].join('\n\n');
}

/** Removes the absences, the last section of the digest, for readers who have already seen them. */
function removeAbsences(digest: string, w: Words): string {
  const at = digest.lastIndexOf(`\n\n### ${w.digest.absences}\n`);
  return at === -1 ? digest : digest.slice(0, at);
}

/** Returns the synthesis without absences. One that does not mention the decision is quoted below the facts. */
export function renderSynthesisText(archive: Archive, w: Words): string {
  const { text, by, silent } = archive.synthesis;
  const shown = by === null ? removeAbsences(text, w) : text;
  const words = extractSpokenWords(shown) || shown;
  return silent
    ? `${removeAbsences(computeDigest(archive), w)}\n\n${words.trim().replace(/^/gm, '> ')}`
    : words;
}

function explainMissingSynthesis({ meta, absences }: WithoutSynthesis, w: Words): string {
  if (meta.status === 'CANCELLED') return w.digest.cancelled;
  if (meta.coordinator === null) return w.digest.noCoordinator;
  const participant = renderParticipantName(meta, meta.coordinator);
  if (meta.synthesis?.silent) return fill(w.digest.coordinatorSilent, { participant });
  const reason = absences.findLast((a) => a.participant === meta.coordinator)?.reason ?? 'timeout';
  const detail = dropFullStop(toSafeLine(translateReason(reason.slice(reason.indexOf(': ') + 2), w)));
  if (reason.startsWith('failed: ')) return fill(w.digest.coordinatorFailed, { participant, detail });
  if (reason.startsWith('budget: ')) return fill(w.digest.coordinatorBudget, { participant, detail });
  if (reason.startsWith('excused: ')) return fill(w.digest.coordinatorExcused, { participant, detail });
  return fill(w.digest.coordinatorTimeout, { participant });
}

function renderOutcome(facts: WithoutSynthesis, w: Words): string {
  const { meta } = facts;
  const all = computeStandings(facts);
  const spoken = all.filter((s) => s.spoke).length;
  const lines = [
    ...(meta.decision ? [renderOutcomeSentence(meta, meta.decision, w)] : []),
    ...(meta.status === 'CONVERGED'
      ? [w.digest.consensus]
      : meta.decision?.decided
        ? []
        : [w.digest.noConsensus]),
    fill(w.digest.spoke, { count: spoken, total: all.length }),
    ...all
      .filter((s) => !s.spoke)
      .map((s) => fill(w.digest.silent, { participant: renderParticipantName(meta, s.participant) })),
  ];
  if (meta.quorum > 0) {
    const quorum = fill(w.common.percent, { value: Math.round(meta.quorum * 100) });
    const met = meta.decision ? meta.decision.quorum.met : spoken >= meta.quorum * all.length;
    lines.push(fill(met ? w.digest.quorumMet : w.digest.quorumMissed, { quorum }));
  }
  return lines.map((line) => `- ${line}`).join('\n');
}

/** Removes the full stop, because the sentence continues. */
const dropFullStop = (text: string): string => text.replace(/(?<!\.)\.$/, '');

function renderLastPositions(facts: WithoutSynthesis, w: Words): string {
  const groups = groupByPosition(computeStandings(facts));
  if (groups.length === 0) return w.archive.noPositions;
  return groups
    .map(({ position, participants }) => {
      const names = participants.map((id) => renderParticipantName(facts.meta, id)).join(', ');
      return `- ${fill(w.digest.support, { position: dropFullStop(toSafeLine(position)), participants: names })}`;
    })
    .join('\n');
}

/** Lists the first paragraph of each participant's last contribution, as an overview before the transcript. */
function renderFirstWords({ meta, contributions }: WithoutSynthesis, w: Words): string {
  return meta.participants
    .flatMap(({ id }) => {
      const last = contributions.findLast((c) => c.by === id);
      const words = last ? extractFirstParagraph(last.text) : '';
      if (words === '') return [];
      const value = toSafeBeginning(words, FIRST_WORDS);
      return [`- ${fill(w.common.labelled, { label: renderParticipantName(meta, id), value })}`];
    })
    .join('\n');
}

function extractFirstParagraph(text: string): string {
  const lines = extractSpokenWords(text).split('\n');
  const start = lines.findIndex(
    (line) => /[^\s#>*_`~=|+-]/.test(line) && !/^\s*(#{1,6}\s|>|```|~~~)/.test(line),
  );
  if (start === -1) return '';
  const length = lines.slice(start).findIndex((line) => line.trim() === '');
  return lines.slice(start, length === -1 ? undefined : start + length).join(' ');
}
