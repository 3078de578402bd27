// Asks before starting a council that may cost more than its project's threshold.
import { formatMoney, isYes, loadWords } from '../../base/words/words.ts';
import type { Config } from '../../base/config.ts';
import { CouncilError } from '../../base/errors.ts';
import type { App } from '../app.ts';
import type { CouncilToStart } from '../convene.ts';
import type { Workspace } from '../workspace.ts';

/** Throws `usage` if the estimate for all councils exceeds `askAboveUsd` of COUNCIL.md and nobody confirms it. */
export async function askFirst(
  app: App,
  workspace: Workspace,
  config: Config,
  { council, yes, times = 1 }: { council: CouncilToStart; yes: boolean; times?: number },
): Promise<void> {
  const { askAboveUsd } = config;
  if (askAboveUsd === null || yes) return;
  const { estimateCouncilUsage, buildCollectPrompts } = await import('./council-estimate.ts');
  const prompts = buildCollectPrompts(council, config.houseRules);
  const one = await estimateCouncilUsage(workspace, config, council, prompts);
  const { unknownCost } = one;
  const costUsd = one.costUsd === null ? null : one.costUsd * times;
  const launches = Math.round(one.launches * times);
  if (unknownCost.length > 0)
    app.note(
      `What ${unknownCost.join(', ')} will cost is not known, and not counted in the limit of COUNCIL.md.`,
    );
  if (costUsd === null || costUsd <= askAboveUsd) return;
  const may = `This may cost about ${formatDollars(costUsd)} (${launches} launches), more than ${formatDollars(askAboveUsd)} (askAboveUsd in COUNCIL.md).`;
  const hint = 'Go on without being asked: --yes. See what it is made of: --dry-run';
  if (!app.ask) throw new CouncilError('usage', `${may} Nobody is here to be asked.`, { hint });
  const answer = await app.ask(`${may}\nStart it? [y/N] `);
  if (!isYes(answer)) throw new CouncilError('usage', `Not started: ${may}`, { hint });
}

/** Formats a cost for texts that are only in English. */
export const formatDollars = (usd: number): string => formatMoney(usd, loadWords('en').common);
