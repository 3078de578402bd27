// Doctor: agents whose labels no heartbeat has.
import type { AgentRegistry } from '../../agents/registry.ts';
import { loadWords } from '../../base/words/words.ts';
import type { Language } from '../../base/words/words.ts';
import { alive } from '../../heartbeat/launch/heartbeat-row.ts';
import { hasHeartbeatWithLabels, missingHeartbeats } from '../missing-heartbeats.ts';
import type { Workspace } from '../workspace.ts';
import { about } from './finding.ts';
import type { Finding } from './finding.ts';

/** Nothing where no agent needs a label. */
export async function heartbeatFindings(
  { keeping }: Workspace,
  registry: AgentRegistry,
  lang: Language,
): Promise<Finding[]> {
  const needy = registry
    .list()
    .flatMap(({ id, 'runs-on': labels }) => (labels.length > 0 ? [{ participant: id, labels }] : []));
  if (needy.length === 0) return [];
  const there = alive(await keeping.heartbeats().list());
  const missing = needy.filter(({ labels }) => !hasHeartbeatWithLabels(labels, there));
  return missingHeartbeats(missing, loadWords(lang)).map(({ sentence, command }) =>
    about('heartbeats').warning(sentence, command),
  );
}
