// A follow-up question to an agent of a worker, for missing parts; and the spools of its answers.
import { buildLaunchInput } from '../../core/heartbeat/launch/launch-input.ts';
import type { LaunchPorts } from '../../core/heartbeat/launch/ports.ts';
import { chooseQuestion, joinAnswers } from '../../core/heartbeat/launch/repair.ts';
import { getRunnerId } from '../../core/heartbeat/launch/result.ts';
import type { Launch, LaunchResult } from '../../core/heartbeat/launch/result.ts';
import { createSpool } from '../../core/heartbeat/launch/spool.ts';

/** A follow-up question for the worker's agent. */
export interface FollowUpQuestion {
  prompt: string;
  /** The same as data, for agents with `input: json`. */
  view: unknown;
  /** Timeout in milliseconds. */
  ms: number;
  /** Maximum output in bytes. */
  maxOutput: number;
  /** What is missing; not set while the phase is blind. */
  missing?: string[];
}

const openPartSpool = ({ privateFiles }: LaunchPorts, { state, lease }: Launch, part: number) =>
  createSpool(privateFiles, state.conversationId, lease.id, part);

/** Reads an earlier upload of the same part. */
export const readEarlierPart = (
  ports: LaunchPorts,
  launch: Launch,
  part: number,
): Promise<LaunchResult | undefined> => openPartSpool(ports, launch, part).read();

/** Joins all earlier parts under the same lease; undefined for the first part. */
export async function readEarlierParts(
  ports: LaunchPorts,
  launch: Launch,
  part: number,
): Promise<LaunchResult | undefined> {
  let whole: LaunchResult | undefined;
  for (let before = 1; before < part; before++) {
    const told = await openPartSpool(ports, launch, before).read();
    if (told) whole = whole ? joinAnswers(whole, told) : told;
  }
  return whole;
}

/**
 * Stores the result of a launch like a local one: while a phase is blind, only its spool records the usage, and if
 * this process or the worker dies, or the phase ends, the spool's content is recorded.
 */
export async function keepPart(
  ports: LaunchPorts,
  launch: Launch,
  { part, handedIn }: { part: number; handedIn: LaunchResult },
): Promise<void> {
  const spool = openPartSpool(ports, launch, part);
  // Uploaded again by a worker that got no answer.
  if (!(await spool.read())) await spool.write(handedIn);
}

/** Returns the next question about the answer, or undefined if it is to be recorded. */
export async function findFollowUp(
  ports: LaunchPorts,
  launch: Launch,
  whole: LaunchResult,
): Promise<FollowUpQuestion | undefined> {
  if (!ports.agents.find(getRunnerId(launch))) return undefined;
  const again = await chooseQuestion(ports, launch, whole);
  if (!again) return undefined;
  const { view } = await buildLaunchInput(ports, launch, { again });
  const { blind, currentPhase } = launch.state;
  return {
    ...{ prompt: view.prompt, view, ms: again.timeout, maxOutput: again.maxOutput },
    ...(!(blind && currentPhase === 'COLLECT') && { missing: again.read.missing }),
  };
}
