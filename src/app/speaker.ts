// Who speaks: the agent in whose turn this process works, which speaks for itself alone.
import { CouncilError } from '../base/errors.ts';

/** Whether this process was started by an agent inside its turn: it may speak for its seat, and rule over nothing. */
export const inTurn = ({ COUNCIL_PARTICIPANT, COUNCIL_NAME, COUNCIL_TOUR }: NodeJS.ProcessEnv): boolean =>
  Boolean(COUNCIL_PARTICIPANT && COUNCIL_NAME && COUNCIL_TOUR);

/** The agent in whose turn this process works: at a seat, at a message or at a task; undefined for a person. */
export const speakerOf = (env: NodeJS.ProcessEnv): string | undefined =>
  inTurn(env)
    ? env.COUNCIL_PARTICIPANT
    : env.COUNCIL_MESSAGE_ID || env.COUNCIL_TASK
      ? env.COUNCIL_AGENT || undefined
      : undefined;

/** Throws `forbidden` for an agent that speaks for another; `instead` says how it speaks for itself. */
export function refuseOtherSpeaker(
  env: NodeJS.ProcessEnv,
  given: string,
  instead: (own: string) => string,
): void {
  const own = speakerOf(env);
  if (own === undefined || own === given) return;
  throw new CouncilError('forbidden', `${own} speaks for itself, not for ${given}.`, { hint: instead(own) });
}
