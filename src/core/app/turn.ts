// Answers in which turn this process works, and for whom it may speak.
import fs from 'node:fs';
import { crypto } from '../base/ids.ts';
import { findOpenTurn, findTurnOfPeer, openTurnRegister } from '../store/file/turn-register.ts';
import type { Turn, TurnRegister } from '../store/local/turns.ts';
import { findProject, layOutProject, sharingProject } from '../store/local/project.ts';
import type { Project } from '../store/local/project.ts';
import type { App } from './app.ts';

export type { NewTurn, Turn, TurnRegister } from '../store/local/turns.ts';

/** Where launches of a project are written down. */
export const turnRegister = ({ env }: Pick<App, 'env'>, root: string): TurnRegister =>
  openTurnRegister(
    { env, projectRoot: root },
    { now: Date.now, randomBytes: (size) => crypto().randomBytes(size) },
  );

/** The turn in which something is asked, here or by a client of this machine; undefined for a person and their scripts. */
export function findTurn({ env, caller }: Pick<App, 'env' | 'caller'>): Turn | undefined {
  const { connection, secret } = caller?.turn ?? {};
  return (
    (connection && findTurnOfPeer(env, connection)) ??
    findOpenTurn(secret === undefined ? env : { ...env, COUNCIL_TURN: secret })
  );
}

/**
 * Whether a turn belongs to the project of this call. The same id is another agent in another project. Linked worktrees of git are one
 * project, and a turn that a server had launched may call any server.
 */
export function isTurnHere(
  {
    cwd,
    env,
    root,
    caller,
    serverUrl,
  }: Pick<App, 'cwd' | 'env' | 'root' | 'caller'> & { serverUrl?: string | undefined },
  turn: Turn,
): boolean {
  if (serverUrl !== undefined || (turn.server !== undefined && caller?.turn)) return true;
  const here = findProject({ cwd, env, root });
  const resolveRoot = (project: Project): string => fs.realpathSync(sharingProject(project).root);
  return here === undefined || resolveRoot(here) === resolveRoot(layOutProject(turn.root));
}
