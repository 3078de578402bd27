// What the outputs of a review share: which findings count, and how one is told in plain text.
import { fill } from '../../core/base/words/words.ts';
import type { Words } from '../../core/base/words/words.ts';
import { formatPlace } from '../render-review.ts';
import type { Finding, Review } from '../report.ts';

/** Those that may be acted upon: their code stands in the change, and the table did not turn them down. */
export const listLiveFindings = ({ findings }: Review): Finding[] =>
  findings.filter(({ standing }) => ['contested', 'blocking', 'open'].includes(standing));

/** What a person reads of a finding in an editor or beside a line. */
export function describeFinding({ title, wordings, place, finders }: Finding, words: Words): string {
  const say = words.comment;
  const first = wordings[0];
  return [
    title,
    ...(first ? [first.text] : []),
    ...(first?.fix === undefined ? [] : [fill(say.fix, { text: first.fix })]),
    ...(place?.side === 'old' ? [formatPlace(place)] : []),
    fill(say.finders, { who: finders.join(', ') }),
  ].join('\n');
}
