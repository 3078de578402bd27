// Plays an agent in its turn: what a command is started with that comes from a launched program.
import { randomBytes } from 'node:crypto';
import { openTurnRegister } from '../../src/core/store/file/turn-register.ts';
import type { OpenTurn, Work } from '../../src/core/store/local/turns.ts';
import type { Project } from './cli.ts';

export const COUNCIL: Work = {
  kind: 'council',
  council: 'c',
  conversationId: '00000000-0000-4000-8000-000000000000',
  tour: 1,
};

/** A turn that is open as long as the test runs. */
export const beginTurn = (
  { root, env }: Pick<Project, 'root' | 'env'>,
  agent: string,
  work: Work = COUNCIL,
): OpenTurn =>
  openTurnRegister({ env, projectRoot: root }, { now: Date.now, randomBytes }).begin({ agent, work });

/** The variables of such a turn. */
export const openTurn = (...of: Parameters<typeof beginTurn>): { COUNCIL_TURN: string } => ({
  COUNCIL_TURN: beginTurn(...of).secret,
});

export const TASK: Work = { kind: 'task', task: 'T1', session: 'S1', wire: 'W1' };
