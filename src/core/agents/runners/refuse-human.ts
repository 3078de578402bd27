// Refuses to launch a human, who is waited for instead.
import { CouncilError } from '../../base/errors.ts';
import type { Agent } from '../agent.ts';

/** Throws `usage` with how a person answers: people are never launched. */
export function refuseHuman(agent: Agent): never {
  throw new CouncilError('usage', `${agent.id} is a human and cannot be launched: humans are waited for.`, {
    hint: `To speak as ${agent.id}: council respond ${agent.id} --file answer.md. To launch a program instead, set council.runner and council.command in ${agent.path}.`,
  });
}
