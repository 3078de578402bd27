// Use case `review`: a table reviews a change, part by part, and a rule gives the verdict.
import { overrideApp } from '../core/app/app.ts';
import type { App, Result } from '../core/app/app.ts';
import { checkInput } from '../core/app/input/check-input.ts';
import { runFields } from '../core/app/input/council.ts';
import type { RunInput } from '../core/app/input/council.ts';
import { interruptible } from '../core/app/interruption-signal.ts';
import { planTable } from '../core/app/open-table.ts';
import { nameAfterQuestion } from '../core/app/name-council.ts';
import { openRun, playCouncil } from '../core/app/play-council.ts';
import type { RunView } from '../core/app/play-council.ts';
import { readRunResult } from '../core/app/run.ts';
import { findWorkspace } from '../core/app/workspace.ts';
import type { Archive } from '../core/archive/archive.ts';
import { CouncilError } from '../core/base/errors.ts';
import type { ErrorCode } from '../core/base/errors.ts';
import type { Language } from '../core/base/words/words.ts';
import { renderBrief } from './brief.ts';
import type { Assignment } from './brief.ts';
import type { Change } from './change.ts';
import { composePart, joinParts } from './compose-review.ts';
import type { ReviewedPart } from './compose-review.ts';
import { cutChange } from './cut-change.ts';
import type { ReviewInput } from './input.ts';
import { addLastFindings, toSaid } from './last-review.ts';
import { publishReview, requirePostable } from './publish-review.ts';
import { readSubject } from './read-subject.ts';
import type { Review } from './report.ts';

export interface ReviewResult extends Result<Review> {
  /** Launches, tokens, money and time of each council, in words. */
  spent: string[];
  lang: Language;
  /** What became of it at GitHub, in lines. */
  posted: string[];
}

/** Reviews a change and archives what was said. Throws like `run`. */
export async function reviewChange(app: App, input: ReviewInput, view?: RunView): Promise<ReviewResult> {
  if (input.post) requirePostable(app, input);
  const signal = interruptible(app);
  try {
    const { change, shown, last } = await readSubject(app, input);
    const assignments = assignParts(change, input);
    const parts: (ReviewedPart & { archive: Archive; path: string; spent: string })[] = [];
    for (const assignment of assignments) {
      const playing = await openRun(app, await toRunInput(app, input, assignment), signal, view);
      const played = await playCouncil(app, playing, signal).finally(playing.end);
      const { result, archive } = await readRunResult(playing, played);
      const part = composePart(toSaid(archive));
      parts.push({ ...part, archive, path: result.document.archive, spent: result.ending.spent });
    }
    const review = joinParts(parts, {
      change,
      archives: parts.map(({ path }) => path),
      notes: parts[0] ? describeFamilies(parts[0].archive) : [],
    });
    const lang = parts[0]?.archive.meta.lang ?? (input.lang === 'fr' ? 'fr' : 'en');
    const document = last ? await addLastFindings(last.git, review, last.review, lang) : review;
    const isLate = parts.some(({ archive }) => archive.meta.status === 'TIMEOUT');
    const failed = document.verdict === 'none' && isLate ? 'timed_out' : FAILURES[document.verdict];
    const posted = input.post ? await publishReview(app, input, { ...document, files: shown }, lang) : [];
    return { document, lang, posted, failed, spent: parts.map(({ spent }) => spent) };
  } finally {
    await view?.settle();
  }
}

const FAILURES: Readonly<Record<Review['verdict'], ErrorCode | undefined>> = {
  pass: undefined,
  block: 'failed',
  none: 'no_verdict',
};

/** The parts of a change, in their order; none where nothing of it can be reviewed. */
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

/** The input of the council that reviews one part. Throws `usage` where no seat can review code. */
export async function toRunInput(app: App, input: ReviewInput, assignment: Assignment): Promise<RunInput> {
  const { title } = assignment.change;
  const { part, parts } = assignment;
  const { agents, table, timeout, budgetUsd, budgetTokens, lang, concurrency, labels } = input;
  const all = checkInput(
    runFields,
    { mode: 'code', coordinator: '', advocate: false },
    { command: 'review', env: {}, isOwnCommandLine: false, text: () => undefined },
  );
  const seated = {
    ...all,
    ...{ agents, table, timeout, budgetUsd, budgetTokens, lang, concurrency, labels },
    ...{ trust: input.trust, yes: input.yes, quiet: input.quiet },
  };
  const spoken = await requireReviewers(app, seated);
  const topic = `Review of ${title}${parts > 1 ? `, part ${part} of ${parts}` : ''}`;
  const taken = new Set(await findWorkspace(app)?.store.list(''));
  const named = input.name !== undefined && parts > 1 ? `${input.name}-${part}` : input.name;
  return {
    ...seated,
    topic,
    name: named ?? nameAfterQuestion(topic, taken),
    brief: { from: title, bytes: async () => Buffer.from(renderBrief(assignment, spoken)) },
  };
}

/** The language of the table. The offline panel, which sits where there is no agent, reviews no code. */
async function requireReviewers(app: App, input: RunInput): Promise<Language> {
  const silent = overrideApp(app, { note: () => undefined, ask: undefined });
  const options = { findsPrograms: true, isDryRun: true };
  const { input: seated, config } = await planTable(silent, input, '# Review', options);
  if (seated.panel !== undefined)
    throw new CouncilError(
      'usage',
      'No agent here can review code: agents/ is empty, and no agent program is on PATH.',
      {
        hint: 'Name models: council review --agents mistral/mistral-large-latest,openai/gpt-5; or see what is missing: council doctor',
      },
    );
  return config.lang;
}

/** Names seats of one model family, whose agreement is worth less. */
function describeFamilies({ meta: { participants, rules } }: Archive): string[] {
  const known = participants.flatMap(({ id }) => {
    const family = rules.families[id];
    return typeof family === 'string' ? [{ id, family }] : [];
  });
  return [...Map.groupBy(known, ({ family }) => family)].flatMap(([family, seats]) =>
    seats.length < 2
      ? []
      : [
          `${seats.map(({ id }) => id).join(' and ')} are of one model family (${family}): what they agree on counts for less.`,
        ],
  );
}
