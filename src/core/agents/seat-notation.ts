// Seats of a table: the notation of one entry of --agents, and which seats share a model.
import type { Agent } from './agent.ts';

/** A parsed entry, before checking that it exists. */
interface SeatNotation {
  /** An agent or an agent program; null for a model that council calls itself. */
  program: string | null;
  /** The model of the program, or PROVIDER/NAME. */
  model: string | null;
  persona: string | null;
}

/**
 * Parses PROGRAM, PROGRAM:MODEL or PROVIDER/MODEL, each with an optional @PERSONA. A slash before the first
 * colon makes it a provider's model, whose name may contain colons.
 */
export function parseSeat(text: string): SeatNotation {
  // Versions follow an @, too (opus@20250805): a persona starts with a letter.
  const [, seat = text, persona = null] = /^(.*?)(?:@(\p{L}[^@]*))?$/su.exec(text) ?? [];
  const colon = seat.indexOf(':');
  const slash = seat.indexOf('/');
  if (slash !== -1 && (colon === -1 || slash < colon)) return { program: null, model: seat, persona };
  if (colon === -1) return { program: seat, model: null, persona };
  return { program: seat.slice(0, colon), model: seat.slice(colon + 1), persona };
}

/** The inverse of `parseSeat`. */
export function renderSeat({ program, model, persona }: SeatNotation): string {
  const seat = [program, model].filter((part) => part !== null).join(':');
  return persona === null ? seat : `${seat}@${persona}`;
}

const LONGEST = 200;

/** Whether a text may be an entry at all: one word without a comma. */
export const isSeatText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= LONGEST && /^[^\s,]+$/.test(value);

/** Returns a key that is equal for agents with the same program and model. */
export const formatModelKey = ({ runner, command, model }: Agent): string =>
  JSON.stringify([runner, command, model]);

/** Whether this agent's program and model answer for two seats or more. `seated`: the agent of each seat. */
export const sharesModel = (agent: Agent, seated: readonly Agent[]): boolean =>
  seated.filter((one) => formatModelKey(one) === formatModelKey(agent)).length > 1;
