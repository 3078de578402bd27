// Checks whether a new council's expected usage fits its budget.
import type { Config } from '../../base/config.ts';
import { CouncilError } from '../../base/errors.ts';
import { fill, loadWords } from '../../base/words/words.ts';
import type { Amount } from '../../council/state/budget.ts';
import { MEASURES } from '../../council/state/budget.ts';
import { computeWorstCase } from '../../heartbeat/launch/reserve.ts';
import type { App } from '../app.ts';
import { hasBudget } from '../convene.ts';
import type { CouncilToStart } from '../convene.ts';
import type { Workspace } from '../workspace.ts';
import { buildCollectPrompts, estimateCouncilUsage } from './council-estimate.ts';
import type { EstimatedPrompt, CouncilEstimate } from './council-estimate.ts';

/** A budget compared with the expected usage. */
export interface BudgetFit {
  usd: number | null;
  tokens: number | null;
  /** Expected usage of the council, including plain commands, and of its first round alone. */
  expected: Amount;
  collect: Amount;
  /** Not even the first round fits: nothing is started. */
  startsNothing: boolean;
  /** Sentences about what does not fit, and how to fix it; empty if all fits. */
  says: string[];
}

/** Undefined without a budget. */
export async function computeBudgetFit(
  workspace: Workspace,
  config: Pick<Config, 'prices'>,
  council: CouncilToStart,
  prompts: ReadonlyMap<string, EstimatedPrompt>,
): Promise<BudgetFit | undefined> {
  if (!hasBudget(council)) return undefined;
  const { usd = null, tokens = null } = council.budget ?? {};
  const estimated = await estimateCouncilUsage(workspace, config, council, prompts, {
    isCounted: ({ runner }) => runner !== 'human',
  });
  const collect = sumCollect(estimated);
  const { inputTokens, outputTokens, costUsd } = estimated;
  const expected = { inputTokens, outputTokens, costUsd };
  const worst = council.agents.flatMap((agent) => {
    const prompt = agent.runner === 'human' ? undefined : prompts.get(agent.id);
    const none = { records: [], reserved: [] };
    return prompt ? [{ agent, most: computeWorstCase(agent, config.prices, prompt.bytes, none) }] : [];
  });
  const words = loadWords(council.lang);
  const w = words.before;
  const says: string[] = [];
  let startsNothing = false;
  for (const { key, show: tell, measure } of MEASURES) {
    const limit = { usd, tokens }[key] ?? Infinity;
    const show = (amount: number): string => tell(formatAmount(amount), words);
    const all = measure(expected);
    const first = measure(collect);
    const unfit = worst.filter(
      ({ agent, most }) => measure(most) > Math.min(limit, agent.budget[key] ?? limit),
    );
    const isOver = first > limit || (worst.length > 0 && worst.every(({ most }) => measure(most) > limit));
    if (all > limit)
      says.push(fill(w.exceeds, { needed: show(all), collect: show(first), limit: show(limit) }));
    if (first <= limit)
      for (const { agent, most } of unfit)
        says.push(
          fill(w.neverFits, {
            id: agent.id,
            needed: show(measure(most)),
            limit: show(Math.min(limit, agent.budget[key] ?? limit)),
          }),
        );
    if (all > limit || isOver) says.push(fill(w.fitsWith, { option: OPTIONS[key] }));
    startsNothing ||= isOver;
  }
  return { usd, tokens, expected, collect, startsNothing, says };
}

const OPTIONS = { usd: '--budget-usd', tokens: '--budget-tokens' } as const;

/** Sums the first launch of every participant, with its cost by its share of the tokens. */
function sumCollect({ by }: CouncilEstimate): Amount {
  const first = by
    .filter(({ isCoordinator }) => !isCoordinator)
    .map(({ prompts: [inputTokens = 0], launches, costUsd, ...all }) => {
      const outputTokens = all.outputTokens / launches;
      const share = (inputTokens + outputTokens) / (all.inputTokens + all.outputTokens);
      return { inputTokens, outputTokens, costUsd: (costUsd ?? 0) * share };
    });
  const sum = (key: keyof Amount): number => first.reduce((total, one) => total + one[key], 0);
  return {
    inputTokens: Math.round(sum('inputTokens')),
    outputTokens: Math.round(sum('outputTokens')),
    costUsd: sum('costUsd'),
  };
}

const formatAmount = (amount: number): number =>
  amount < 1 ? Number(amount.toPrecision(2)) : Math.ceil(amount * 100) / 100;

/** Reports what exceeds the budget before anyone is asked. Throws `usage` if the first round already does. */
export async function checkBudget(
  app: Pick<App, 'note'>,
  workspace: Workspace,
  config: Config,
  council: CouncilToStart,
): Promise<void> {
  const fit = await computeBudgetFit(
    workspace,
    config,
    council,
    buildCollectPrompts(council, config.houseRules),
  );
  if (!fit) return;
  const { says, startsNothing } = fit;
  if (!startsNothing) return says.forEach((line) => app.note(line));
  const hint = says.pop();
  throw new CouncilError('usage', `Not started. ${says.join(' ')}`, { hint });
}
