// What a contribution says to people, beside its form and its reasoning.
import { formOf } from './form.ts';
import { withoutReasoning } from './reasoning.ts';

/** The words of a contribution behind its form, without reasoning in tags. The file keeps all of it. */
export const spokenWords = (text: string): string => {
  const behind = text.slice(formOf(text)?.end ?? 0).replace(/^\uFEFF/, '');
  return withoutReasoning(behind)
    .replace(/^[ \t]*<\/?(?:answer|contribution|response|output|final|final_answer|reply)>[ \t]*$/gim, '')
    .trim();
};
