// Applies an agent's circuit breaker during a turn.
import {
  checkAdmission,
  addFailure,
  releaseTrial,
  findLastingBlock,
  blockDuringTrial,
} from '../../agents/circuit-breaker.ts';
import type { Admission, LaunchBlock } from '../../agents/circuit-breaker.ts';
import { formatIso } from '../../base/clock.ts';
import type { Health } from '../../store/agent-health.ts';
import type { LaunchPorts } from './ports.ts';
import { launchTime } from './lease.ts';
import { isUnableToSpeak } from './result.ts';
import type { LaunchResult } from './result.ts';

/** The part of a launch result that says something about the agent. */
export type HealthEvidence = Pick<LaunchResult, 'ok' | 'failure' | 'safeReason'> &
  Partial<Pick<LaunchResult, 'known' | 'retryAfterMs'>> & {
    /** False if no program was launched. */
    wasLaunched: boolean;
  };

export const toHealthEvidence = (result: LaunchResult): HealthEvidence => ({
  ...result,
  wasLaunched: result.record !== null,
});

/** One agent's circuit breaker during one turn. Writes nothing for an agent that stays healthy. */
export interface CircuitBreaker {
  /**
   * Whether it may be launched now; a trial is reserved for this turn. `atOnce`: a pause does not delay the
   * launch, but allows only one attempt instead of three.
   */
  admit(atOnce: boolean): Promise<Admission>;
  /**
   * Returns why a launch would fail again, as shown by one since `since` (ms): it is not logged in, its model
   * is unknown, or its limit still applies.
   */
  findKnownBlock(since: number): Promise<LaunchBlock | undefined>;
  /** Returns a trial that was not made. */
  giveBack(): Promise<void>;
  /** Records the result of the launch. */
  note(result: HealthEvidence): Promise<void>;
}

type BreakerPorts = Pick<LaunchPorts, 'health' | 'clock' | 'agents'> & Partial<Pick<LaunchPorts, 'env'>>;

/** Longer rate limits are recorded. */
const LASTING_MS = 60_000;

/** Creates the circuit breaker of one agent; every change takes changes by other turns into account. */
export function createCircuitBreaker(ports: BreakerPorts, id: string): CircuitBreaker {
  const { health: book, clock } = ports;
  let known: Health | undefined;
  let isRead = false;
  let isOnTrial = false;
  const set = async (change: (health: Health | undefined) => Health | undefined): Promise<void> => {
    known = await book.change(id, (health) => {
      const next = change(health);
      return { next, result: next };
    });
  };
  const giveBack = async (): Promise<void> => {
    if (isOnTrial) await set((health) => health && releaseTrial(health, clock.now()));
    isOnTrial = false;
  };
  const read = async (): Promise<void> => {
    if (!isRead) known = (await book.read())[id];
    isRead = true;
  };
  // It loads the table of programs, which a tick with healthy agents does not need.
  const readLoginFingerprint = async (): Promise<string | undefined> => {
    const agent = ports.agents.find(id);
    const { fingerprintLogin } = await import('../../agents/runners/login-fingerprint.ts');
    return agent && ports.env && fingerprintLogin(agent, ports.env);
  };
  return {
    giveBack,
    async findKnownBlock(since) {
      await read();
      // Nothing is looked up for a healthy agent.
      return (
        known && findLastingBlock(known, { now: clock.now(), since, login: await readLoginFingerprint() })
      );
    },
    async admit(atOnce) {
      await read();
      // A person has fixed what the agent was paused for.
      const isMended = known?.login !== undefined && known.login !== (await readLoginFingerprint());
      const mayTry = atOnce || isMended;
      const admitted = judgeHealth(known, { atOnce: mayTry, now: clock.now() });
      if (!admitted.go || !admitted.isTrial) return admitted;
      const claimed = await claimTrial(ports, id, mayTry);
      isOnTrial = claimed.go && claimed.isTrial;
      return claimed;
    },
    async note({ ok, failure, safeReason, wasLaunched, known: told, retryAfterMs }) {
      // A refusal or a truncated text is an answer: the agent works. A rate limit says nothing about the agent.
      const works = ok || failure === 'refusal' || failure === 'limit';
      const isFault = !ok && wasLaunched && ['failed', 'timeout', 'config'].includes(failure ?? '');
      if (works && (known || !isRead)) await set(() => undefined);
      else if (isFault) {
        const mark = isUnableToSpeak({ failure, known: told }) ? await readLoginFingerprint() : undefined;
        await set((health) => ({
          ...addFailure(health, safeReason ?? '', clock.now()),
          ...(mark !== undefined && { login: mark }),
        }));
      } else if (failure === 'rate-limit' && wasLaunched && (retryAfterMs ?? 0) >= LASTING_MS) {
        const [now, reason] = [clock.now(), safeReason ?? 'rate limit'];
        const until = formatIso(now + (retryAfterMs ?? 0));
        await set((health) => ({
          failures: health?.failures ?? 0,
          at: formatIso(now),
          until,
          reason,
          isLimit: true,
        }));
      } else await giveBack();
      isOnTrial = false;
    },
  };
}

function judgeHealth(
  health: Health | undefined,
  { atOnce, now }: { atOnce: boolean; now: number },
): Admission {
  const judged = checkAdmission(health, now);
  return atOnce && !judged.go ? { go: true, isTrial: true } : judged;
}

/** If several turns see the pause end, one makes the trial. */
const claimTrial = (ports: BreakerPorts, id: string, atOnce: boolean): Promise<Admission> =>
  ports.health.change(id, (health) => {
    const now = ports.clock.now();
    const result = judgeHealth(health, { atOnce, now });
    const isTrial = health !== undefined && result.go && result.isTrial;
    return { next: isTrial ? blockDuringTrial(health, launchTime(ports, id), now) : health, result };
  });
