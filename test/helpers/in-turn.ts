// Plays an agent in its turn: what a command is started with that comes from a launched program.
import { randomBytes } from 'node:crypto';
import { turnRegisterIn } from '../../src/store/file/turn-register.ts';
import type { Work } from '../../src/store/local/turns.ts';
import type { Project } from './cli.ts';

export const COUNCIL: Work = {
  kind: 'council',
  council: 'c',
  conversationId: '00000000-0000-4000-8000-000000000000',
  tour: 1,
};

/** The variables of a turn that is open as long as the test runs. */
export function openTurn(
  { root, env }: Pick<Project, 'root' | 'env'>,
  agent: string,
  work = COUNCIL,
): { COUNCIL_TURN: string } {
  const register = turnRegisterIn({ env, projectRoot: root }, { now: Date.now, randomBytes });
  return { COUNCIL_TURN: register.begin({ agent, work }).secret };
}

export const TASK: Work = { kind: 'task', task: 'T1', session: 'S1', isOrchestrator: false };
