// Use case `review`: a table reviews a change part by part, a rule gives the verdict; --dry-run shows plan and price.
import { overrideApp, listenForInterruption } from '../core/app/app.ts';
import type { App, Result } from '../core/app/app.ts';
import { checkInput } from '../core/app/input/check-input.ts';
import { runFields } from '../core/app/input/council.ts';
import type { RunInput } from '../core/app/input/council.ts';
import { findOwnAgents, planTable } from '../core/app/open-table.ts';
import { nameAfterQuestion } from '../core/app/question.ts';
import { openRun, playCouncil } from '../core/app/play-council.ts';
import type { RunView } from '../core/app/play-council.ts';
import { readRunResult } from '../core/app/run.ts';
import { summarizeRun } from '../core/app/run-summary.ts';
import { findWorkspace } from '../core/app/workspace.ts';
import { toSaid } from '../core/archive/archive.ts';
import type { Archive } from '../core/archive/archive.ts';
import { CouncilError } from '../core/base/errors.ts';
import { fill } from '../core/base/words/words.ts';
import type { Language } from '../core/base/words/words.ts';
import { renderBrief, cutChange } from './brief.ts';
import type { Assignment } from './brief.ts';
import type { Change } from './change.ts';
import { composeParts, joinParts } from './compose-review.ts';
import { FAILURES } from './decide-findings.ts';
import type { ReviewInput } from './input.ts';
import { addLastFindings, findBegunParts } from './last-review.ts';
import type { BegunPart } from './last-review.ts';
import { publishReview, requirePostable } from './publish-review.ts';
import { readSubject } from './read-subject.ts';
import type { Review } from './report.ts';
import { planRun } from '../core/app/cost-estimate/dry-run.ts';
import type { PlanDocument } from '../core/app/cost-estimate/dry-run.ts';
import { loadReviewWords } from './words.ts';
import type { ReviewWords } from './words.ts';

export interface ReviewResult extends Result<Review> {
  /** Launches, tokens, cost and time of each council, in words. */
  spent: string[];
  lang: Language;
  /** The outcome of posting to GitHub, in lines of text. */
  posted: string[];
}

/** Reviews a change and archives the councils. Throws like `run`. */
export async function reviewChange(app: App, input: ReviewInput, view?: RunView): Promise<ReviewResult> {
  if (input.post) requirePostable(app, input);
  const signal = listenForInterruption(app);
  try {
    const table = await prepareTable(app, input);
    const { lang } = table;
    const words = loadReviewWords(lang);
    const { change, shown, last } = await readSubject(app, input, words.reviewTitle);
    const assignments = assignParts(change, input);
    const begun = input.resume
      ? await findBegunParts(
          app,
          assignments.map((assignment) => renderBrief(assignment, lang)),
        )
      : [];
    const parts: { archive: Archive; path: string; spent: string }[] = [];
    for (const [at, assignment] of assignments.entries()) {
      const { path, archive } = await reviewPart(app, { table, assignment, begun: begun[at] }, signal, view);
      parts.push({ archive, path, spent: summarizeRun(archive).spent });
    }
    const review = joinParts(composeParts(parts.map(({ archive }) => toSaid(archive))), {
      change,
      archives: parts.map(({ path }) => path),
      notes: parts[0] ? describeFamilies(parts[0].archive, words) : [],
    });
    const document = last ? await addLastFindings(last.git, review, last.review, lang) : review;
    const isLate = parts.some(({ archive }) => archive.meta.status === 'TIMEOUT');
    const failed = document.verdict === 'none' && isLate ? 'timed_out' : FAILURES[document.verdict];
    const posted = input.post ? await publishReview(app, input, { ...document, files: shown }, lang) : [];
    return { document, lang, posted, failed, spent: parts.map(({ spent }) => spent) };
  } catch (error) {
    if (!(error instanceof CouncilError) || error.code !== 'interrupted') throw error;
    throw new CouncilError('interrupted', error.message, {
      hint: 'Go on with the same command and --resume.',
    });
  } finally {
    await view?.settle();
  }
}

/** Plays or resumes the council of one part, and reads its archive. */
async function reviewPart(
  app: App,
  { table, assignment, begun }: { table: ReviewTable; assignment: Assignment; begun: BegunPart | undefined },
  signal: AbortSignal,
  view: RunView | undefined,
): Promise<{ archive: Archive; path: string }> {
  if (begun && 'archive' in begun) return begun;
  const input = begun
    ? { ...table.seated, name: begun.name, resume: true }
    : await toRunInput(app, table, assignment);
  const playing = await openRun(app, input, signal, view);
  const played = await playCouncil(app, playing, signal).finally(playing.end);
  const { result, archive } = await readRunResult(playing, played);
  return { archive, path: result.document.archive };
}

/** Returns the parts of a change in order; none if nothing in it can be reviewed. */
export function assignParts(
  change: Change,
  { failOn, focus }: Pick<ReviewInput, 'failOn' | 'focus'>,
): Assignment[] {
  const parts = cutChange(change);
  const words = focus?.split(',').map((word) => word.trim()) ?? [];
  return parts.map((files, at) => ({
    change: { ...change, files },
    failOn,
    focus: words.filter((word) => word !== ''),
    part: at + 1,
    parts: parts.length,
  }));
}

/** Common to all parts of a review: the seats and their language. */
interface ReviewTable {
  seated: RunInput;
  lang: Language;
}

/**
 * Throws `usage` if no seat can review code (the offline panel, used when there is no agent, cannot), and
 * `no_verdict` if there is only one seat; both before anything is paid for.
 */
async function prepareTable(app: App, input: ReviewInput): Promise<ReviewTable> {
  const { agents, table, name, timeout, budgetUsd, budgetTokens, lang, concurrency, labels } = input;
  const all = checkInput(
    runFields,
    { mode: 'code', coordinator: '', advocate: false },
    { command: 'review', env: {}, isOwnCommandLine: false, text: () => undefined },
  );
  const seated = {
    ...all,
    ...{ agents, table, name, timeout, budgetUsd, budgetTokens, lang, concurrency, labels },
    ...{ trust: input.trust, yes: input.yes, quiet: input.quiet },
  };
  const silent = overrideApp(app, { note: () => undefined, ask: undefined });
  const planned = await planTable(silent, seated, '# Review', { findsPrograms: true, isDryRun: true });
  if (planned.input.panel !== undefined)
    throw new CouncilError(
      'usage',
      'No agent here can review code: agents/ is empty, and no agent program is on PATH.',
      {
        hint: 'Name models: council review --agents mistral/mistral-large-latest,openai/gpt-5; or see what is missing: council doctor',
      },
    );
  const { lang: spoken, agents: named } = planned.config;
  const seats = named ?? (await findOwnAgents(silent, planned.workspace)).map(({ id }) => id);
  if (seats.length === 1)
    throw new CouncilError('no_verdict', loadReviewWords(spoken).comment.alone, {
      hint: `For example: council review --agents ${seats[0]},codex`,
    });
  return { seated, lang: spoken };
}

async function toRunInput(
  app: App,
  { seated, lang }: ReviewTable,
  assignment: Assignment,
): Promise<RunInput> {
  const { title } = assignment.change;
  const { part, parts } = assignment;
  const { review } = loadReviewWords(lang);
  const topic = fill(parts > 1 ? review.topicPart : review.topic, { title, part, parts });
  const taken = new Set(await findWorkspace(app)?.store.list(''));
  const name = seated.name !== undefined && parts > 1 ? `${seated.name}-${part}` : seated.name;
  return {
    ...seated,
    topic,
    name: name ?? nameAfterQuestion(topic, taken),
    brief: { from: title, bytes: async () => Buffer.from(renderBrief(assignment, lang)) },
  };
}

/** Names seats of the same model family, whose agreement is worth less. */
function describeFamilies({ meta: { participants, rules } }: Archive, { comment }: ReviewWords): string[] {
  const known = participants.flatMap(({ id }) => {
    const family = rules.families[id];
    return typeof family === 'string' ? [{ id, family }] : [];
  });
  return [...Map.groupBy(known, ({ family }) => family)].flatMap(([family, seats]) =>
    seats.length < 2 ? [] : [fill(comment.family, { who: seats.map(({ id }) => id).join(', '), family })],
  );
}

export interface ReviewPlan extends Pick<Review, 'base' | 'head' | 'title' | 'leftOut'> {
  parts: { files: string[]; council: PlanDocument }[];
}

/** Returns what a review would launch and show, part by part, without launching anything. */
export async function planReview(app: App, input: ReviewInput): Promise<Result<ReviewPlan>> {
  const table = await prepareTable(app, input);
  const { change } = await readSubject(app, input, loadReviewWords(table.lang).reviewTitle);
  const { base, head, title, leftOut } = change;
  const parts: ReviewPlan['parts'] = [];
  for (const assignment of assignParts(change, input)) {
    const { document } = await planRun(app, await toRunInput(app, table, assignment));
    parts.push({ files: assignment.change.files.map(({ path }) => path), council: document });
  }
  return { document: { base, head, title, leftOut, parts } };
}
