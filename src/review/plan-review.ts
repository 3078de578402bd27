// Use case `review --dry-run`: what would be reviewed, in how many parts, by whom and for what price. Launches and writes nothing.
import type { App, Result } from '../core/app/app.ts';
import { plan } from '../core/app/cost-estimate/dry-run.ts';
import type { PlanDocument } from '../core/app/cost-estimate/dry-run.ts';
import { loadWords } from '../core/base/words/words.ts';
import type { ReviewInput } from './input.ts';
import { readSubject } from './read-subject.ts';
import type { Review } from './report.ts';
import { assignParts, prepareTable, toRunInput } from './review-change.ts';

export interface ReviewPlan extends Pick<Review, 'base' | 'head' | 'title' | 'leftOut'> {
  /** The councils that would be held, one after the other. */
  parts: { files: string[]; council: PlanDocument }[];
}

export async function planReview(app: App, input: ReviewInput): Promise<Result<ReviewPlan>> {
  const table = await prepareTable(app, input);
  const { change } = await readSubject(app, input, loadWords(table.lang).reviewTitle);
  const { base, head, title, leftOut } = change;
  const parts: ReviewPlan['parts'] = [];
  for (const assignment of assignParts(change, input)) {
    const { document } = await plan(app, await toRunInput(app, table, assignment));
    parts.push({ files: assignment.change.files.map(({ path }) => path), council: document });
  }
  return { document: { base, head, title, leftOut, parts } };
}
