// The output of `run --dry-run` and `ask --dry-run`: table, phases, prompts with sizes, and the estimate.
import { describeLimit } from '../app/state-document.ts';
import { formatDollars } from '../app/cost-estimate/ask-first.ts';
import type { Result } from '../app/app.ts';
import { planRun } from '../app/cost-estimate/dry-run.ts';
import type { PlanDocument, SeatPlan } from '../app/cost-estimate/dry-run.ts';
import type { RunInput } from '../app/input/council.ts';
import { formatDuration } from '../base/duration.ts';
import { toOneLine } from '../base/text.ts';
import type { Cli } from './io.ts';
import { toTextOutcome } from './print.ts';
import type { Outcome } from './print.ts';

/** Runs `run --dry-run`. */
export const runPlanCommand = async (cli: Cli, input: RunInput): Promise<Outcome> =>
  toPlanOutcome(await planRun(cli, input));

export const toPlanOutcome = (result: Result<PlanDocument>): Outcome =>
  toTextOutcome(result, renderPlanLines(result.document).join('\n'));

export function renderPlanLines(document: PlanDocument): string[] {
  const { name, mode, topic, phases, phaseTimeout, rule, read, wouldWrite, context } = document;
  return [
    'Dry run: nothing is launched and nothing is written.',
    '',
    `Council "${name}" (${mode}): ${topic}`,
    `Phases: ${phases.join(', ')}; up to ${formatDuration(phaseTimeout)} each. Decided by: ${rule}.`,
    `Programs may read the project's files: ${read === 'project' ? 'yes' : 'no (--read project)'}.`,
    ...context.map((one) => `Given: ${toOneLine(one.name)}, ${one.bytes} bytes, SHA-256 ${one.sha256}`),
    ...(wouldWrite.length > 0 ? [`Would be written first: ${wouldWrite.join(', ')}`] : []),
    '',
    ...renderPlanTable(document),
    '',
    ...renderEstimate(document),
    ...document.tooLong.map(renderTooLong),
    '',
    ...renderPlanPrompts(document.table),
  ];
}

function renderPlanTable({ table, estimate }: PlanDocument): string[] {
  const rows = table.map(({ id, runner, program, model, isCoordinator, prompt }) => {
    const used = estimate.by.find((one) => one.id === id);
    return [
      `${id}${isCoordinator ? ' (coordinator)' : ''}`,
      runner === 'human' ? 'a person' : (program ?? runner),
      model ?? (runner === 'human' || runner === 'command' ? '' : 'its own'),
      prompt ? `${prompt.bytes} bytes` : '',
      used ? String(used.launches) : '',
      used ? `${used.inputTokens} + ${used.outputTokens}` : '',
      used ? (used.costUsd === null ? 'unknown' : formatDollars(used.costUsd)) : '',
      used && used.earlier > 0 ? `${used.earlier} earlier` : '',
    ];
  });
  return alignColumns([
    ['who', 'program', 'model', 'prompt', 'launches', 'tokens in + out', 'about', 'from'],
    ...rows,
  ]);
}

function renderEstimate({ estimate, askAboveUsd, budget }: PlanDocument): string[] {
  const fit = renderBudgetFit(budget);
  const { launches, inputTokens, cacheableTokens, outputTokens, costUsd, unknownCost, pricesOf } = estimate;
  if (launches === 0) return ['Estimate: nothing; nobody here is launched as a model.', ...fit];
  const cost = costUsd === null ? 'cost unknown' : `about ${formatDollars(costUsd)}`;
  return [
    `Estimate: ${launches} launches, ${inputTokens} tokens in, ${outputTokens} out, ${cost}.`,
    `Cacheable: ${Math.round((100 * cacheableTokens) / inputTokens)} % of what goes in begins like an earlier prompt to the same program and model, and may be billed as cached.`,
    'Tokens are estimated as bytes / 4, answers as earlier ones or 800 tokens; what programs add by themselves, and second questions, are not counted.',
    `Costs are those of earlier launches, else prices of ${pricesOf}, or of "prices" in COUNCIL.md.`,
    ...(unknownCost.length > 0 && costUsd !== null
      ? [`Not counted, as nobody knows its price: ${unknownCost.join(', ')}.`]
      : []),
    askAboveUsd === null
      ? 'Nothing is asked before it starts ("askAboveUsd" in COUNCIL.md is not set).'
      : `You are asked before it starts above ${formatDollars(askAboveUsd)} (--yes).`,
    ...fit,
  ];
}

const renderTooLong = ({ id, prompt, window }: PlanDocument['tooLong'][number]): string =>
  `A prompt of about ${prompt} tokens will not fit in the ${window} that the model of ${id} takes: shorten the brief, or name another model.`;

function renderBudgetFit(fit: PlanDocument['budget']): string[] {
  if (!fit) return [];
  if (fit.says.length === 0) return [`It fits in the budget of ${describeLimit(fit) || 'every agent'}.`];
  return [...fit.says, ...(fit.startsNothing ? ['It would not be started.'] : [])];
}

/** Renders the first prompt in full, and only the differing lines of the others. */
function renderPlanPrompts(table: SeatPlan[]): string[] {
  const asked = table.flatMap(({ id, prompt }) => (prompt ? [{ id, ...prompt }] : []));
  const [first, ...others] = asked;
  if (!first) return [];
  const known = new Set(first.text.split('\n'));
  const rule = (id: string, bytes: number, tokens: number): string =>
    `----- COLLECT, ${id}: ${bytes} bytes, about ${tokens} tokens -----`;
  return [
    rule(first.id, first.bytes, first.tokens),
    ...(first.system === '' ? [] : ['(as its system prompt)', first.system, '(as its prompt)']),
    first.text.trimEnd(),
    ...others.flatMap(({ id, bytes, tokens, text, system }) => [
      '',
      rule(id, bytes, tokens),
      `Like that of ${first.id}, but:`,
      ...(system === '' ? [] : ['(as its system prompt)', system]),
      ...text.split('\n').filter((line) => !known.has(line) && !line.includes('council-text-')),
    ]),
  ];
}

function alignColumns(rows: string[][]): string[] {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((cells) => cells[at]!.length)));
  return rows.map((cells) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  );
}
