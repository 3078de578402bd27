// Warnings about participants who cannot speak, and handling of councils with too few voices.
import type { Agent } from '../agents/agent.ts';
import { checkAgents } from '../agents/check.ts';
import { findLastingBlock } from '../agents/circuit-breaker.ts';
import { chooseModel } from '../agents/providers.ts';
import { createCommandFinder } from '../agents/runners/find-command.ts';
import { fingerprintLogin } from '../agents/runners/login-fingerprint.ts';
import { toOneLine } from '../base/text.ts';
import { translateAbsence, translateReason } from '../base/words/reasons.ts';
import { fill, loadWords } from '../base/words/words.ts';
import type { HeartbeatPorts, TickOptions } from '../heartbeat/ports.ts';
import type { Health } from '../store/agent-health.ts';
import type { App } from './app.ts';
import type { CouncilToStart } from './convene.ts';
import { findCloseReason } from '../council/machine/close.ts';
import { getSeat } from '../council/state/state.ts';
import type { CouncilState } from '../council/state/state.ts';
import { applyEvent } from '../council/use/council-access.ts';
import { countVoices, isQuorumOutOfReach, isQuorumMissing } from '../council/vote/quorum.ts';
import { retryParticipant } from './steer-council.ts';

type Ports = Pick<HeartbeatPorts, 'agents' | 'health' | 'clock' | 'root'>;

/**
 * Warns about participants who cannot speak, judged by this machine and the last launches, and about too few,
 * or an even number of seats. Skips a table for which `isTold` is true; returns the table that was reported
 * now.
 */
export async function tellBeforehand(
  app: Pick<App, 'note' | 'env'>,
  ports: Ports,
  { agents, rules, mode, lang }: Pick<CouncilToStart, 'agents' | 'rules' | 'mode' | 'lang'>,
  isTold: (what: string) => Promise<boolean>,
): Promise<string | undefined> {
  const w = loadWords(lang);
  const words = w.before;
  const health = await ports.health.read();
  for (const agent of agents) {
    const why = agent.runner === 'human' ? undefined : findHindrance(app, ports, { agent, health });
    if (why !== undefined) app.note(fill(words.cannotSpeak, { id: agent.id, why: translateReason(why, w) }));
  }
  const voters = agents.filter(({ id }) => !rules.recused?.some(({ participant }) => participant === id));
  const rule = rules.rule ?? mode.rule;
  if (voters.length === 1 && rule !== 'none') app.note(words.oneVoice);
  if (mode.ranks && voters.length === 3) app.note(words.threeRankers);
  const table = { count: voters.length, agents: voters.map(({ id }) => id).join(',') };
  const isPair = voters.length === 2 && (rule === 'majority' || rule === 'blind-first');
  // Four seats cost nothing if the leading blind position stands without a majority.
  const isEven = voters.length > 0 && voters.length % 2 === 0 && rule === 'majority';
  if ((!isPair && !isEven) || (await isTold(table.agents))) return undefined;
  app.note(fill(isPair ? words.twoVoices : words.evenVoices, table));
  return table.agents;
}

/** Returns why a launch would fail now, with its fix; undefined if no reason is known. */
function findHindrance(
  { env }: Pick<App, 'env'>,
  { agents, clock, root }: Ports,
  { agent, health }: { agent: Agent; health: Record<string, Health> },
): string | undefined {
  const [check] = checkAgents(agents, { env, findCommand: createCommandFinder(root, env) }, [
    agent.id,
  ]).agents;
  const broken = check?.findings.find(({ level }) => level === 'error');
  if (broken) return broken.message.replace(/\.$/, '');
  // A warning where another machine may have the key; this one is about to ask.
  const choice = agent.runner === 'model' ? chooseModel(agent, env) : undefined;
  if (choice && 'problem' in choice) return choice.problem;
  const known = Object.hasOwn(health, agent.id) ? health[agent.id] : undefined;
  const block =
    known && findLastingBlock(known, { now: clock.now(), since: 0, login: fingerprintLogin(agent, env) });
  return block && toOneLine(block.reason, 400);
}

/** Decisions about one council that is played; without a terminal it ends at once. */
interface FewVoices {
  /** For the tick: whether the open phase closes as usual, waits for an answer, or ends the council. */
  atClose: NonNullable<TickOptions['atClose']>;
  /** Asks the person at the terminal if the phase waits for that. Returns whether it did. */
  ask(state: CouncilState): Promise<boolean>;
}

/** `settle` ends what is drawn on the terminal. */
export function watchFewVoices(
  app: Pick<App, 'ask'>,
  ports: HeartbeatPorts,
  settle: () => Promise<void>,
): FewVoices {
  let isEnding = false;
  const isShort = (state: CouncilState): boolean => isQuorumOutOfReach(state) || isQuorumMissing(state);
  return {
    atClose: (state) => (!isShort(state) ? 'close' : app.ask && !isEnding ? 'wait' : 'end'),
    async ask(state) {
      const { clock } = ports;
      if (!app.ask || isEnding || !isShort(state) || !findCloseReason(state, clock.now(), [], clock.clocks()))
        return false;
      await settle();
      const { heard, unheard } = countVoices(state);
      const failed = unheard.filter((id) => getSeat(state, id).absent?.startsWith('failed'));
      const answer = (await app.ask(formatQuestion(state, heard, failed))).trim().toLowerCase();
      if (answer === 'g' && heard.length > 0)
        await applyEvent(ports, state.name, { type: 'recuse_failed' }, { by: null });
      else if (answer === 'r')
        for (const participant of failed) await retryParticipant(ports, ports.health, { state, participant });
      else isEnding = true;
      return true;
    },
  };
}

/** Includes the reason for the question, so that it is printed even with --quiet. */
function formatQuestion(state: CouncilState, heard: readonly string[], failed: readonly string[]): string {
  const { needed } = countVoices(state);
  const w = loadWords(state.lang);
  const { opening } = w;
  const reasons = failed.map((id) => `  ${id}: ${translateAbsence(getSeat(state, id).absent!, w)}`);
  const facts = { heard: heard.length, count: state.order.length, needed };
  return [
    fill(opening.tooFew, facts),
    ...reasons,
    ...(heard.length > 0 ? [fill(opening.goOnAlone, { who: heard.join(', ') })] : []),
    fill(opening.tryAgain, { who: failed.join(', ') }),
    opening.endHere,
    opening.whatNow,
  ].join('\n');
}
