// Answers in which turn this process works, and for whom it may speak.
import { crypto } from '../base/crypto.ts';
import { findOpenTurn, turnRegisterIn } from '../store/file/turn-register.ts';
import type { Turn, TurnRegister } from '../store/local/turns.ts';
import type { App } from './app.ts';

export type { NewTurn, Turn, TurnRegister } from '../store/local/turns.ts';

/** Where launches of a project are written down. */
export const turnRegister = ({ env }: Pick<App, 'env'>, root: string): TurnRegister =>
  turnRegisterIn(
    { env, projectRoot: root },
    { now: Date.now, randomBytes: (size) => crypto().randomBytes(size) },
  );

/** The turn in which this process works; undefined for a person and their scripts. */
export const findTurn = ({ env }: Pick<App, 'env'>): Turn | undefined => findOpenTurn(env);
