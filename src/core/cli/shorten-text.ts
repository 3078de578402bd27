// Shortens what a run shows: a long text to a screen, and lines to what was not told before.
import type { Progress } from '../app/app.ts';
import { nameFailure } from '../base/words/reasons.ts';

/** A shorter beginning would say nothing. */
const LEAST_ROWS = 12;
/** Its heading and the lines around it. */
const AROUND = 6;

/** As much of a long text as leaves room for what stands below it, and the command that shows the rest. */
export function showFirstScreen(text: string, { rows, rest }: { rows: number; rest: string }): string {
  const lines = text.trimEnd().split('\n');
  const most = Math.max(LEAST_ROWS, rows - AROUND);
  if (lines.length <= most + 1) return text;
  return [...lines.slice(0, most), `… ${lines.length - most} more lines: ${rest}`].join('\n');
}

/**
 * Hands each event on, but a failure that was told already: of that nothing but its name, and of the absence it led to nothing,
 * unless the program's own words could not be told before.
 */
export function dropToldFailures(): (progress: Progress) => Progress | undefined {
  const told = new Map<string, string>();
  return (progress) => {
    if (progress.type === 'attempt_failed') {
      const { participant, reason } = progress;
      const key = `${participant} ${nameFailure(reason)}`;
      if (told.has(key)) return { ...progress, reason: nameFailure(reason) };
      told.set(key, reason);
      return progress;
    }
    if (progress.type !== 'notice' || progress.notice.type !== 'absent') return progress;
    const { participant, reason } = progress.notice;
    const why = reason.replace(/^failed: /, '');
    const key = `${participant} ${nameFailure(why)}`;
    const before = told.get(key);
    if (before === undefined) return progress;
    const said = /^\. It said: (.*)/s.exec(why.startsWith(before) ? why.slice(before.length) : '')?.[1];
    if (said === undefined) return undefined;
    told.set(key, why);
    return { ...progress, notice: { ...progress.notice, reason: `failed: it said “${said}”` } };
  };
}
