// Reads contributions in the mode `code`, shows findings to the other reviewers, and summarizes them.
import { fill } from '../core/base/words/words.ts';
import { loadReviewWords } from './words.ts';
import type { ReviewWords } from './words.ts';
import { getMask } from '../core/council/naming/mask.ts';
import type { ModeReading } from '../core/council/state/mode-reading.ts';
import {
  collectFindings,
  composeParts,
  joinParts,
  readAnswer,
  selectFindingsToJudge,
} from './compose-review.ts';
import type { ReviewedPart } from './compose-review.ts';
import { countReadersNeeded, FAILURES } from './decide-findings.ts';
import type { FoundFinding } from './merge-findings.ts';
import { readJudgements } from './read-judgements.ts';
import { SEVERITIES } from './report.ts';
import {
  describeVerdict,
  formatPath,
  formatPlace,
  quoteLines,
  renderPieces,
  renderReview,
} from './render-review.ts';

export const codeReading: ModeReading = {
  renderOthers(council, participant) {
    if (council.state.currentPhase !== 'CHALLENGE') return '';
    const toJudge = selectFindingsToJudge(collectFindings(council), participant);
    const words = loadReviewWords(council.state.lang);
    const mask = getMask(council);
    // Locations are not masked: a name in code is not the name of a participant.
    return toJudge.map((found) => renderFinding(found, words, (text) => mask(text).text)).join('\n\n');
  },

  findGaps(council, { by, phase, text }) {
    const { review } = loadReviewWords(council.state.lang);
    if (phase === 'SYNTHESIZE') return [];
    const collected = collectFindings(council);
    const { assignment } = collected;
    if (phase !== 'COLLECT') {
      const { judgements, unclear } = readJudgements(text, assignment.change);
      const missing = selectFindingsToJudge(collected, by)
        .map(({ id }) => id)
        .filter((id) => judgements.length === 0 || unclear.includes(id));
      const [first] = missing;
      if (first === undefined) return [];
      const ask = fill(review.unjudged, { ids: missing.join(', '), id: first });
      return missing.map((what) => ({ what, ask }));
    }
    const { findings, saysNothing } = readAnswer(text, assignment);
    if (findings.length === 0) return saysNothing ? [] : [{ what: 'findings', ask: review.unread }];
    const { failOn } = assignment;
    return findings
      .filter(
        ({ file, quotes, severity }) =>
          // A finding without a quote cannot block.
          quotes.length === 0 &&
          (file === null || SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(failOn)),
      )
      .map(({ title }) => ({ what: 'code', ask: fill(review.incomplete, { title }) }));
  },

  findSettled(council) {
    if (council.state.currentPhase !== 'COLLECT') return [];
    const collected = collectFindings(council);
    const ids = collected.reviewers.map(({ id }) => id);
    const read = collected.reviewers.filter(({ status }) => status === 'read').length;
    // Skip the cross-round if there are too few readers for a verdict.
    if (read < countReadersNeeded(ids.length)) return ids;
    return ids.filter((id) => selectFindingsToJudge(collected, id).length === 0);
  },

  summarize(said) {
    const [part] = composeParts([said]) as [ReviewedPart];
    const { change } = part.assignment;
    const whole = joinParts([part], { change, archives: [], notes: [] });
    const words = loadReviewWords(said.state.lang);
    const verdict = describeVerdict(whole, words);
    return {
      // Shown in lists next to other councils; the command's verdict may take more findings into account.
      result: change.since === undefined ? verdict : fill(words.comment.newsAlone, { verdict }),
      text: renderReview(whole, words),
      pieces: renderPieces(whole, words, change.files),
      failed: FAILURES[whole.verdict],
    };
  },
};

function renderFinding(
  { id, severity, category, title, file, place, quote, wordings }: FoundFinding,
  { comment: say }: ReviewWords,
  mask: (text: string) => string,
): string {
  const [first] = wordings;
  return [
    `### ${id} ${severity}, ${category}: ${mask(title)}`,
    place ? formatPlace(place) : formatPath(file ?? ''),
    quoteLines(quote),
    mask(first?.text ?? ''),
    first?.fix === undefined ? '' : fill(say.fix, { text: mask(first.fix) }),
  ]
    .filter((part) => part !== '')
    .join('\n');
}
