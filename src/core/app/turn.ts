// Answers in which turn this process works, and for whom it may speak.
import { crypto } from '../base/ids.ts';
import { findOpenTurn, findTurnOfPeer, openTurnRegister } from '../store/file/turn-register.ts';
import type { Turn, TurnRegister } from '../store/local/turns.ts';
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
  const { turn: shown } = caller ?? {};
  if (typeof shown === 'string') return findOpenTurn({ ...env, COUNCIL_TURN: shown });
  return (shown && findTurnOfPeer(env, shown)) ?? findOpenTurn(env);
}
