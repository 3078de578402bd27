// Use case `eval`: asks questions with known answers, records every answer, and reports.
import { parse as parsePath, relative, resolve } from 'node:path';
import pLimit from 'p-limit';
import type { App, Result } from '../core/app/app.ts';
import { listenForInterruption } from '../core/app/app.ts';
import { CouncilError } from '../core/base/errors.ts';
import { quoteShellWord } from '../core/base/text.ts';
import type { Language } from '../core/base/words/words.ts';
import type { SittingResult, ArmSpending } from './arms.ts';
import type { EvalInput } from './input.ts';
import { openRecordedTable, openTable } from './open-table.ts';
import type { EvalTable, Sitting } from './play-sitting.ts';
import { readQuestions } from './questions.ts';
import type { Question } from './questions.ts';
import { readSetup } from './record.ts';
import type { EvalSetup, LaunchLine } from './record.ts';
import { createReport } from './report.ts';
import type { EvalReport } from './report.ts';
import { renderReport } from './render-report.ts';
import { loadEvalWords } from './words.ts';
import type { PhaseName, Rule } from '../core/council/state/allowed-values.ts';
import type { Mode } from '../core/council/state/mode.ts';
import type { Council } from '../core/council/state/state.ts';
import { decide } from '../core/council/vote/decision.ts';
import { computeDecision } from '../core/council/vote/outcome.ts';
import { blindVotes, collectVotes } from '../core/council/vote/votes.ts';
import type { Vote } from '../core/council/vote/votes.ts';
import { playSitting } from './play-sitting.ts';

export interface EvalProgress {
  played: number;
  asked: number;
  launches: number;
  costUsd: number;
}

export interface EvalResult extends Result<EvalReport & { record: string }> {
  text: string;
  lang: Language;
}

/**
 * Plays what is not recorded yet, and reports on everything. Throws `usage` for invalid questions or another
 * eval's record, `interrupted`, and `failed` if a program cannot be launched or the budget is used up; all
 * answers are kept.
 */
export async function runEval(
  app: App,
  input: EvalInput,
  onProgress: (progress: EvalProgress) => void = () => undefined,
): Promise<EvalResult> {
  const { folder, given, known } = findRecord(app, input);
  const where = quoteShellWord(relative(app.cwd, folder) || '.');
  const budget = input.budgetUsd === undefined ? '' : ` --budget-usd ${input.budgetUsd}`;
  const resume = `council eval --record ${where}${budget}`;
  const signal = listenForInterruption(app);
  const table =
    input.replay === undefined
      ? await openTable(app, input, { folder, known, questions: given!, signal })
      : openRecordedTable(app, known!, { folder, signal });
  app.setResumeCommand(resume);
  const results = await playQuestions(table, table.record.setup, onProgress).catch((error: unknown) =>
    throwWithResume(error, resume, `council eval --replay ${where}`),
  );
  const { setup } = table.record;
  const seats = setup.seats.map(({ id }) => id);
  const report = createReport(results, { seats, asked: listTurns(setup).length });
  const files = renderReport(report, setup.lang);
  table.record.write(files);
  return {
    document: { ...report, record: relative(app.cwd, folder) },
    text: files['report.md']!,
    lang: setup.lang,
  };
}

/** Returns the folder, its setup, and the given questions, or else the recorded ones. */
function findRecord(
  app: App,
  { questions, record, replay }: EvalInput,
): { folder: string; known: EvalSetup | undefined; given: Question[] | undefined } {
  const named = replay ?? record;
  if (questions === undefined && named === undefined)
    throw new CouncilError('usage', 'An eval needs questions, or a folder with its record.', {
      hint: 'council eval questions.jsonl, or council eval --replay questions.eval. See: council eval --help',
    });
  const folder = resolve(app.cwd, named ?? `${parsePath(questions!).name}.eval`);
  const known = readSetup(folder);
  const given = questions === undefined ? known?.questions : readQuestions(app.cwd, questions);
  if (!known && (replay !== undefined || !given))
    throw new CouncilError('usage', `${folder} has no record of an eval.`, {
      hint: 'Record one there: council eval QUESTIONS --record FOLDER',
    });
  if (known && JSON.stringify(known.questions) !== JSON.stringify(given))
    throw new CouncilError('usage', `${folder} has the record of other questions.`, {
      hint: 'Go on with those without naming any, or name another folder with --record.',
    });
  return { folder, known, given };
}

/** Lists all turns in order; the repeats of a question are adjacent. */
function listTurns({ questions, repeat, limit }: EvalSetup) {
  return questions.slice(0, limit).flatMap((question, at) =>
    Array.from({ length: repeat }, (_, before) => ({
      question,
      repeat: before + 1,
      name: `q${at + 1}-r${before + 1}`,
    })),
  );
}

/** Plays several questions at a time, but one by one with a budget, so that each starts with what the others left. */
async function playQuestions(
  given: EvalTable,
  setup: EvalSetup,
  onProgress: (progress: EvalProgress) => void,
): Promise<SittingResult[]> {
  const failed = new AbortController();
  const asked = listTurns(setup);
  const { lines, add } = given.record;
  let played = 0;
  const tell = (): void =>
    onProgress({
      ...{ played, asked: asked.length, launches: lines.length },
      costUsd: lines.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0),
    });
  const table: EvalTable = {
    ...given,
    record: { ...given.record, add: (line) => (add(line), tell()) },
    signal: AbortSignal.any([given.signal, failed.signal]),
  };
  const places = pLimit(table.budgetUsd === null ? table.concurrency : 1);
  tell();
  const outcomes = await Promise.all(
    asked.map(({ question, ...turn }) =>
      places(async () => {
        if (table.signal.aborted) return { error: new CouncilError('interrupted', 'Interrupted.') };
        try {
          const result = await playQuestion(table, question, turn);
          played++;
          tell();
          return { result };
        } catch (error) {
          failed.abort();
          return { error: error as Error };
        }
      }),
    ),
  );
  const errors = outcomes.flatMap(({ error }) => (error === undefined ? [] : [error]));
  const isInterruption = (error: Error) => error instanceof CouncilError && error.code === 'interrupted';
  const error = errors.find((one) => !isInterruption(one)) ?? errors[0];
  if (error !== undefined) throw error;
  return outcomes.flatMap(({ result }) => result ?? []);
}

function throwWithResume(error: unknown, resume: string, report: string): never {
  if (!(error instanceof CouncilError)) throw error;
  throw new CouncilError(error.code, `${error.message} Every answer that came is recorded.`, {
    hint: `Go on with: ${resume}. Report on what there is: ${report}`,
    cause: error,
  });
}

/** Returns undefined in a replay if an answer is not recorded. Throws like `playSitting`. */
export async function playQuestion(
  table: EvalTable,
  question: Question,
  { name, repeat }: { name: string; repeat: number },
): Promise<SittingResult | undefined> {
  const { seats, mode } = table;
  const sitting = { name: `${name}-debate`, question, seats, mode };
  const debate = await playSitting(table, sitting);
  if (!debate) return undefined;
  const blind = blindVotes(debate);
  const later = listLaterPhases(table, debate);
  const revised = await playRevise(table, { ...sitting, name }, { debate, later });
  const more = revised && (await playMore(table, { ...sitting, name }, [...later.values()].flat().length));
  if (!more) return undefined;
  const quorum = mode.quorum;
  return {
    question,
    repeat,
    solo: blind.map(({ position }) => position),
    arms: {
      vote: countVotes(blind, 'plurality', quorum),
      voteMajority: countVotes(blind, 'majority', quorum),
      revise: countVotes(revised, 'plurality', quorum),
      more: countVotes([...blind, ...more], 'plurality', quorum),
      debate: decideByRule(debate, 'plurality'),
      debateMajority: decideByRule(debate, 'majority'),
      blindFirst: decideByRule(debate, 'blind-first'),
    },
    spent: splitSpent(table.record.lines, name),
  };
}

const countVotes = (votes: readonly Vote[], rule: Rule, quorum: number): string | null =>
  decide({ votes, rule, quorum, order: votes.map(({ by }) => by), vetoes: [], options: null }).position;

const decideByRule = (council: Council, rule: Rule): string | null =>
  computeDecision({ ...council, state: { ...council.state, rules: { ...council.state.rules, rule } } })
    .position;

/** Returns, for each participant, the phases after COLLECT in which the record has an answer of theirs. */
function listLaterPhases({ record }: EvalTable, { state }: Council): Map<string, PhaseName[]> {
  const asked = record.lines.filter(({ sitting }) => sitting === state.name);
  return new Map(
    state.order.map((id) => [
      id,
      state.transitions.flatMap(({ from, tour }) =>
        tour > 1 && asked.some((line) => line.seat === id && line.tour === tour) ? [from] : [],
      ),
    ]),
  );
}

/** Asks each seat to reconsider its own blind answer alone, as often as it was asked in the debate. */
async function playRevise(
  table: EvalTable,
  { name, question, mode }: Sitting,
  { debate, later }: { debate: Council; later: ReadonlyMap<string, PhaseName[]> },
): Promise<Vote[] | undefined> {
  const votes: Vote[] = [];
  for (const [at, vote] of blindVotes(debate).entries()) {
    const phases = later.get(vote.by) ?? [];
    const council =
      phases.length > 0 &&
      (await playSitting(table, {
        name: `${name}-revise-${at + 1}`,
        question,
        seats: table.seats.filter(({ id }) => id === vote.by),
        mode: toReviseMode(mode, phases),
        blindOf: debate.state.name,
      }));
    if (council === undefined) return undefined;
    votes.push(...(council ? collectVotes(council, { upTo: council.state.tour }) : [vote]));
  }
  return votes;
}

/** Returns the mode without early convergence, with prompts that mention no other participant. */
function toReviseMode(mode: Mode, phases: readonly PhaseName[]): Mode {
  const prompts = { ...mode.prompts };
  for (const lang of ['en', 'fr'] as const) {
    const { reconsider } = loadEvalWords(lang).eval;
    prompts[lang] = { ...prompts[lang], CHALLENGE: reconsider, RESOLVE: reconsider };
  }
  return { ...mode, phases: ['COLLECT', ...phases, 'SYNTHESIZE'], earlyConvergence: false, prompts };
}

/** Collects `count` more blind answers, seat by seat in turn; each counts as a separate vote. */
async function playMore(
  table: EvalTable,
  { name, question, mode }: Sitting,
  count: number,
): Promise<Vote[] | undefined> {
  const votes: Vote[] = [];
  for (let round = 1; votes.length < count; round++) {
    const seats = table.seats.slice(0, count - votes.length);
    const sitting = { name: `${name}-more-${round}`, question, seats, mode, reach: 'answers' } as const;
    const council = await playSitting(table, sitting);
    if (!council) return undefined;
    votes.push(...blindVotes(council).map((vote) => ({ ...vote, by: `${vote.by}#${round}` })));
  }
  return votes;
}

function splitSpent(lines: readonly LaunchLine[], name: string): SittingResult['spent'] {
  const debate = lines.filter(({ sitting }) => sitting === `${name}-debate`);
  const filterByArm = (arm: string): LaunchLine[] =>
    lines.filter(({ sitting }) => sitting.startsWith(`${name}-${arm}-`));
  return {
    blind: sumSpent(debate.filter(({ tour }) => tour === 1)),
    debate: sumSpent(debate.filter(({ tour }) => tour > 1)),
    revise: sumSpent(filterByArm('revise')),
    more: sumSpent(filterByArm('more')),
  };
}

const sumSpent = (lines: readonly LaunchLine[]): ArmSpending => ({
  turns: new Set(lines.map(({ sitting, seat, tour }) => `${sitting} ${seat} ${tour}`)).size,
  launches: lines.length,
  costUsd: lines.reduce<number | null>(
    (sum, { costUsd }) => (sum === null || costUsd === null ? null : sum + costUsd),
    0,
  ),
});
