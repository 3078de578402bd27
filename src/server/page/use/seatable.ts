// Lists the agents for a new council with their recent cost per launch, and the modes.
import { formatRunnableKey } from '../../../core/agents/runnable-trust.ts';
import type { App } from '../../../core/app/app.ts';
import { reportCost } from '../../../core/app/ledger.ts';
import { findModes } from '../../../core/app/modes.ts';
import { listCouncilRunnables, createTrustChecks } from '../../../core/app/trust.ts';
import { openProjectHealth, loadAgents, openWorkspace } from '../../../core/app/workspace.ts';
import type { Health } from '../../../core/store/agent-health.ts';

export interface Seatable {
  agents: {
    id: string;
    emoji: string;
    title: string;
    isPerson: boolean;
    /** What is launched: "claude · opus". */
    program: string;
    /** Its recent failures on this machine; null if the last launch succeeded. */
    health: Health | null;
    /** Comes with council: needs no model, and costs nothing. */
    isBuiltIn: boolean;
    /** Whether its owner has trusted it; true for a person. */
    isTrusted: boolean;
    /** US$ per launch in the last weeks; null if unknown. */
    costUsd: number | null;
  }[];
  modes: string[];
}

const LATELY_MS = 30 * 24 * 3_600_000;

/** Lists the seatable agents with their recent cost and what keeps them from running. */
export async function readSeatable(app: App): Promise<Seatable> {
  const workspace = openWorkspace(app);
  const since = new Date(Date.now() - LATELY_MS).toISOString().slice(0, 10);
  const { rows } = (await reportCost(app, { council: undefined, by: 'agent', since })).document;
  const registry = await loadAgents(app, workspace);
  const waiting = createTrustChecks(app, workspace.project.root).listWaiting(
    listCouncilRunnables(registry.list(), null),
  );
  const health = await openProjectHealth(workspace).read();
  const untrusted = new Set(waiting.map(({ key }) => formatRunnableKey(key)));
  return {
    agents: registry.list().map(({ id, emoji, title, runner, model, command, source }) => {
      const spent = rows.find(({ key }) => key === id);
      const known = spent && spent.costUsd !== null && spent.launches > 0;
      return {
        id,
        emoji,
        title,
        isPerson: runner === 'human',
        program: [runner === 'command' ? (command[0] ?? runner) : runner, model ?? []].flat().join(' · '),
        health: (Object.hasOwn(health, id) ? health[id] : undefined) ?? null,
        isBuiltIn: source === 'built-in',
        isTrusted: !untrusted.has(id),
        costUsd: known ? spent.costUsd! / spent.launches : null,
      };
    }),
    modes: findModes(workspace.project).map(({ name }) => name),
  };
}
