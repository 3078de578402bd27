// Tells whether words above, below or inside a form say that it is another's, an example, or does not stand as it is.
import { beginsCondition, isConditional, readAnswer } from './answer-words.ts';
import type { Pair } from './form-lines.ts';
import { saysOwn, speaksOfAnother } from './form-names.ts';
import { asItems } from './form-value-words.ts';

/** A longer line argues, in characters. */
export const isShort = (line: string): boolean => line.trim().length <= 80;

export const LEADS_ON = /[:：][*_\s]*$/;
export const SENTENCE = /[.!?。！？][*_)"”»」]*\s*$/;

/** A heading by which its author may say that what follows is not the own form, or a line ending in a colon that does not say it is: it names a participant, too. */
export function announcesAnother(line: string): boolean {
  const leadsOn = LEADS_ON.test(line);
  if (!leadsOn && SENTENCE.test(line) && /\s/.test(line.trim())) return false;
  return speaksOfAnother(line) || /\bparticipant [A-Z]{1,2}\b/i.test(line) || (leadsOn && !saysOwn(line));
}

/** Whether an unknown key says on what a form depends, or that it does not stand: "Only if: …", "Caveat: only if …", "Status: withdrawn". */
export function takesBack({ key, value }: Pick<Pair, 'key' | 'value'>): boolean {
  const isClause = key.trim().split(/\s+/).length > 2;
  if (!isClause && beginsCondition(key)) return value === '' || asItems(value).length > 0;
  if (limits(value)) return true;
  const answer = readAnswer(value);
  const isVerdict = answer !== undefined && /^[\s.!]*$/.test(value.slice(answer.length));
  const isTold = speaksOfAnother(value) && !/\s.*\s/.test(value);
  return (isVerdict || isTold) && !/\d/.test(key + value);
}

/** Whether words are no more than a condition: "only if ops agrees", "But not before May". In a longer sentence, a reason may begin so. */
export const limits = (words: string): boolean =>
  isShort(words) && isConditional(words) && !/^(?:\S+\s+){2,}\S*,|^[^，、]{5,}[，、]/.test(words.trim());
