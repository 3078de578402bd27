// Names a council after its question.
import { slug } from '../base/ids.ts';

/** Characters: it is typed in commands. */
const LONGEST_NAME = 40;

/** Words of the question; a number is added where another council has that name. */
export function nameAfterQuestion(topic: string, taken: ReadonlySet<string>): string {
  const words = slug(topic, 'question').slice(0, LONGEST_NAME + 1);
  const short = words.length > LONGEST_NAME ? words.replace(/-[^-]*$/, '') : words;
  const free = [short, ...Array.from(taken, (_, at) => `${short}-${at + 2}`)];
  return free.find((name) => !taken.has(name))!;
}
