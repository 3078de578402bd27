// One more question to an agent of a worker, for what its answer lacks; and the spools of what it has said.
import { buildLaunchInput } from '../../core/heartbeat/launch/launch-input.ts';
import type { LaunchPorts } from '../../core/heartbeat/launch/ports.ts';
import { whatToAsk, withAdded } from '../../core/heartbeat/launch/repair.ts';
import { getRunnerId } from '../../core/heartbeat/launch/result.ts';
import type { Launch, LaunchResult } from '../../core/heartbeat/launch/result.ts';
import { createSpool } from '../../core/heartbeat/launch/spool.ts';

/** What its worker asks it once more. */
export interface AskedAgain {
  prompt: string;
  /** The same as data, for agents with `input: json`. */
  view: unknown;
  /** Milliseconds that it may take. */
  ms: number;
  /** The most bytes that are accepted. */
  maxOutput: number;
  /** What is missing; not told while the phase is blind. */
  missing?: string[];
}

const openPartSpool = ({ privateFiles }: LaunchPorts, { state, lease }: Launch, part: number) =>
  createSpool(privateFiles, state.conversationId, lease.id, part);

/** What was handed in as that part before. */
export const readEarlierPart = (
  ports: LaunchPorts,
  launch: Launch,
  part: number,
): Promise<LaunchResult | undefined> => openPartSpool(ports, launch, part).read();

/** What was handed in before under the same lease, as one answer; undefined for the first part. */
export async function earlierParts(
  ports: LaunchPorts,
  launch: Launch,
  part: number,
): Promise<LaunchResult | undefined> {
  let whole: LaunchResult | undefined;
  for (let before = 1; before < part; before++) {
    const told = await openPartSpool(ports, launch, before).read();
    if (told) whole = whole ? withAdded(whole, told) : told;
  }
  return whole;
}

/**
 * Keeps how a launch ended, as that of this machine is kept: while a phase is blind only its spool tells what was used up, and
 * should this process or the worker die, or the phase end, what lies there is recorded.
 */
export async function keepPart(
  ports: LaunchPorts,
  launch: Launch,
  { part, handedIn }: { part: number; handedIn: LaunchResult },
): Promise<void> {
  const spool = openPartSpool(ports, launch, part);
  // Handed in again by a worker that has not heard what became of it.
  if (!(await spool.read())) await spool.write(handedIn);
}

/** What to ask next about what was handed in; undefined where it is to be recorded. */
export async function askedAgain(
  ports: LaunchPorts,
  launch: Launch,
  whole: LaunchResult,
): Promise<AskedAgain | undefined> {
  if (!ports.agents.find(getRunnerId(launch))) return undefined;
  const again = await whatToAsk(ports, launch, whole);
  if (!again) return undefined;
  const { view } = await buildLaunchInput(ports, launch, { again });
  const { blind, currentPhase } = launch.state;
  return {
    ...{ prompt: view.prompt, view, ms: again.timeout, maxOutput: again.maxOutput },
    ...(!(blind && currentPhase === 'COLLECT') && { missing: again.read.missing }),
  };
}
