// Computes the digest that replaces a missing synthesis.
import { safe, safeBeginning } from '../council/document/page.ts';
import { translateReason } from '../base/words/reasons.ts';
import { fill, loadWords } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import { spokenWords } from '../council/ledger/text/spoken-words.ts';
import type { Archive, WithoutSynthesis } from './archive.ts';
import { renderParticipantName } from './archive.ts';
import { outcomeInWords } from './decision-section.ts';
import { unansweredList } from './ledger-section.ts';
import { moves, standings, support } from './positions.ts';
import { absencesList, blockingList, dissentList, moversList } from './sections.ts';

const FIRST_WORDS = 300;

/** Computes the Markdown that replaces a missing synthesis: facts of the council, and why there is none. */
export function computeDigest(facts: WithoutSynthesis): string {
  const w = loadWords(facts.meta.lang);
  const all = standings(facts);
  const sections: [string, string][] = [
    [w.digest.outcome, outcome(facts, w)],
    // Of a ranking, the outcome and the table of pairs say who stands where.
    [w.digest.positions, facts.meta.rules.ranks ? '' : lastPositions(facts, w)],
    [w.digest.changes, moves(all).length > 0 ? moversList(facts, w) : ''],
    [w.digest.blockingIssues, blockingList(facts, w)],
    [w.digest.dissent, dissentList(facts, w)],
    [w.digest.challenges, unansweredList(facts, w)],
    [w.digest.firstWords, firstWords(facts, w)],
    [w.digest.absences, absencesList(facts, w)],
  ];
  const written = sections
    .filter(([, body]) => body !== '')
    .map(([title, body]) => `### ${title}\n\n${body}`);
  return [`${w.digest.intro} ${whyNobodyWrote(facts, w)}`, ...written].join('\n\n');
}

/** Removes the absences, the last section of the digest, for readers who have already seen them. */
function withoutAbsences(digest: string, w: Words): string {
  const at = digest.lastIndexOf(`\n\n### ${w.digest.absences}\n`);
  return at === -1 ? digest : digest.slice(0, at);
}

/** Returns the synthesis without absences. One that does not mention the decision is quoted below the facts. */
export function synthesisInWords(archive: Archive, w: Words): string {
  const { text, by, silent } = archive.synthesis;
  const shown = by === null ? withoutAbsences(text, w) : text;
  const words = spokenWords(shown) || shown;
  return silent
    ? `${withoutAbsences(computeDigest(archive), w)}\n\n${words.trim().replace(/^/gm, '> ')}`
    : words;
}

function whyNobodyWrote({ meta, absences }: WithoutSynthesis, w: Words): string {
  if (meta.status === 'CANCELLED') return w.digest.cancelled;
  if (meta.coordinator === null) return w.digest.noCoordinator;
  const participant = renderParticipantName(meta, meta.coordinator);
  if (meta.synthesis?.silent) return fill(w.digest.coordinatorSilent, { participant });
  const reason = absences.findLast((a) => a.participant === meta.coordinator)?.reason ?? 'timeout';
  const detail = inSentence(safe(translateReason(reason.slice(reason.indexOf(': ') + 2), w)));
  if (reason.startsWith('failed: ')) return fill(w.digest.coordinatorFailed, { participant, detail });
  if (reason.startsWith('budget: ')) return fill(w.digest.coordinatorBudget, { participant, detail });
  if (reason.startsWith('excused: ')) return fill(w.digest.coordinatorExcused, { participant, detail });
  return fill(w.digest.coordinatorTimeout, { participant });
}

function outcome(facts: WithoutSynthesis, w: Words): string {
  const { meta } = facts;
  const all = standings(facts);
  const spoken = all.filter((s) => s.spoke).length;
  const lines = [
    ...(meta.decision ? [outcomeInWords(meta, meta.decision, w)] : []),
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
const inSentence = (text: string): string => text.replace(/(?<!\.)\.$/, '');

function lastPositions(facts: WithoutSynthesis, w: Words): string {
  const groups = support(standings(facts));
  if (groups.length === 0) return w.archive.noPositions;
  return groups
    .map(({ position, participants }) => {
      const names = participants.map((id) => renderParticipantName(facts.meta, id)).join(', ');
      return `- ${fill(w.digest.support, { position: inSentence(safe(position)), participants: names })}`;
    })
    .join('\n');
}

/** Lists the first paragraph of each participant's last contribution, as an overview before the transcript. */
function firstWords({ meta, contributions }: WithoutSynthesis, w: Words): string {
  return meta.participants
    .flatMap(({ id }) => {
      const last = contributions.findLast((c) => c.by === id);
      const words = last ? firstParagraph(last.text) : '';
      if (words === '') return [];
      const value = safeBeginning(words, FIRST_WORDS);
      return [`- ${fill(w.common.labelled, { label: renderParticipantName(meta, id), value })}`];
    })
    .join('\n');
}

function firstParagraph(text: string): string {
  const lines = spokenWords(text).split('\n');
  const start = lines.findIndex(
    (line) => /[^\s#>*_`~=|+-]/.test(line) && !/^\s*(#{1,6}\s|>|```|~~~)/.test(line),
  );
  if (start === -1) return '';
  const length = lines.slice(start).findIndex((line) => line.trim() === '');
  return lines.slice(start, length === -1 ? undefined : start + length).join(' ');
}
