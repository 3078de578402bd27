// Parses a start time: a point in time, or how long ago.
import { parseDuration } from '../../../core/base/duration.ts';
import { CouncilError } from '../../../core/base/errors.ts';

/** A time, or how long ago; in milliseconds since the epoch. Throws `usage`. */
export function sinceWhen(text: string, now: number): number {
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : NaN;
  if (!Number.isNaN(at)) return at;
  try {
    return now - parseDuration(text);
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    throw new CouncilError(
      'usage',
      `--since must be a time or how long ago; received ${JSON.stringify(text)}.`,
      {
        hint: 'For example: --since 2h, --since 2026-11-01, --since 2026-11-01T12:00:00Z',
      },
    );
  }
}
