// Whether a worker may call a tool: by the risk that the project gives its name, a person decides.
import type { Permission, ToolCall } from '../../core/agents/tools/tool.ts';
import type { Config } from '../../core/base/config.ts';
import { RISKS } from '../../core/base/config-values.ts';
import type { Risk } from '../../core/base/config-values.ts';
import { parseGlob } from '../../core/base/glob.ts';
import { sha256OfParts } from '../../core/base/ids.ts';
import { fill, loadWords } from '../../core/base/words/words.ts';
import type { ApprovalDesk } from '../tasks/approval-store.ts';
import { mustWait } from '../tasks/approvals.ts';

interface ToolPermissionRequest {
  desk: Pick<ApprovalDesk, 'mayRun'>;
  config: Pick<Config, 'toolRisks' | 'lang'>;
  agent: string;
  task: string;
  /** What is this risky, or more, waits for a person. */
  threshold: Risk;
}

/** The highest risk among the patterns that a tool's name matches; undefined where none does. */
export function findToolRisk(name: string, risks: Config['toolRisks']): Risk | undefined {
  const matching = Object.entries(risks).filter(
    ([pattern]) => parseGlob(pattern)?.matches(name) ?? pattern === name,
  );
  return RISKS.findLast((risk) => matching.some(([, one]) => one === risk));
}

/** Asks for what is risky. An approval is bound to agent, tool and arguments, and the same call may go on with it. */
export const createToolPermissionCheck =
  ({ desk, config, agent, task, threshold }: ToolPermissionRequest) =>
  async ({ id, tool, input }: ToolCall): Promise<Permission> => {
    const risk = findToolRisk(tool.name, config.toolRisks);
    if (risk === undefined || !mustWait(risk, threshold)) return { allowed: true };
    const asked = {
      kind: tool.kind,
      operation: tool.name,
      details: { tool: tool.name, input },
      risk,
      requester: agent,
      hash: sha256OfParts([agent, tool.name, JSON.stringify(input)]),
      task,
    };
    const said = await desk.mayRun(asked, { attempt: id });
    const words = loadWords(config.lang).tools;
    switch (said.verdict) {
      case 'allowed':
        return { allowed: true };
      case 'waiting':
        return { waits: said.approval.id };
      case 'rejected':
        return { denied: fill(words.rejected, { reason: said.reason }) };
      case 'expired':
        return { denied: words.expired };
    }
  };
