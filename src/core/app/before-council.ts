// What is said before a council begins: who of its table cannot speak, and what so few voices can come to.
import type { Agent } from '../agents/agent.ts';
import { checkAgents } from '../agents/check.ts';
import { findLaunchBlock } from '../agents/circuit-breaker.ts';
import { commandFinder } from '../agents/runners/find-command.ts';
import { loginMark } from '../agents/runners/login-fingerprint.ts';
import { oneLine } from '../base/text.ts';
import { fill, loadWords } from '../base/words/words.ts';
import type { HeartbeatPorts } from '../heartbeat/ports.ts';
import type { Health } from '../store/agent-health.ts';
import type { App } from './app.ts';
import type { ToStart } from './convene.ts';

type Ports = Pick<HeartbeatPorts, 'agents' | 'health' | 'clock' | 'root'>;

/** Notes who cannot speak, as this machine and the last launches show, and what so few seats, or an even number, can come to. */
export async function tellBeforehand(
  app: Pick<App, 'note' | 'env'>,
  ports: Ports,
  { agents, rules, mode, lang }: Pick<ToStart, 'agents' | 'rules' | 'mode' | 'lang'>,
): Promise<void> {
  const words = loadWords(lang).before;
  const health = await ports.health.read();
  for (const agent of agents) {
    const why = agent.runner === 'human' ? undefined : findHindrance(app, ports, { agent, health });
    if (why !== undefined) app.note(fill(words.cannotSpeak, { id: agent.id, why }));
  }
  const voters = agents.filter(({ id }) => !rules.recused?.some(({ participant }) => participant === id));
  const rule = rules.rule ?? mode.rule;
  if (voters.length === 1 && rule !== 'none') app.note(words.oneVoice);
  if (mode.ranks && voters.length === 3) app.note(words.threeRankers);
  const table = { count: voters.length, agents: voters.map(({ id }) => id).join(',') };
  if (voters.length === 2 && (rule === 'majority' || rule === 'blind-first'))
    app.note(fill(words.twoVoices, table));
  // Four seats cost nothing where the position that led blind stands without a majority.
  else if (voters.length > 0 && voters.length % 2 === 0 && rule === 'majority')
    app.note(fill(words.evenVoices, table));
}

/** Why a launch would fail now, with what mends it; undefined where nothing is known against it. */
function findHindrance(
  { env }: Pick<App, 'env'>,
  { agents, clock, root }: Ports,
  { agent, health }: { agent: Agent; health: Record<string, Health> },
): string | undefined {
  const [check] = checkAgents(agents, { env, findCommand: commandFinder(root, env) }, [agent.id]).agents;
  const broken = check?.findings.find(({ level }) => level === 'error');
  if (broken) return broken.message.replace(/\.$/, '');
  const known = Object.hasOwn(health, agent.id) ? health[agent.id] : undefined;
  const block = known && findLaunchBlock(known, { now: clock.now(), since: 0, login: loginMark(agent, env) });
  return block && oneLine(block.reason, 400);
}
