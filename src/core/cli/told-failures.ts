// Leaves out of the lines of a run what was told of a failure before.
import type { Progress } from '../app/app.ts';
import { nameFailure } from '../base/words/reasons.ts';
import { fill, loadWords } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';

/**
 * Hands each event on, but a failure that was told already: of that nothing but its name, and of the absence it led to nothing,
 * unless the program's own words could not be told before.
 */
export function dropToldFailures(
  words: () => Words = () => loadWords('en'),
): (progress: Progress) => Progress | undefined {
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
    return {
      ...progress,
      notice: { ...progress.notice, reason: `failed: ${fill(words().progress.saidWords, { words: said })}` },
    };
  };
}
