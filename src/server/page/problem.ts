// Why something could not be done, in the words of a page.
import type { Words } from '../../core/base/words/words.ts';

/** By the code of a refusal. */
export const findProblemWords = (code: string, { problem }: Pick<Words, 'problem'>): string =>
  Object.hasOwn(problem, code) ? problem[code as keyof typeof problem] : problem.failed;
