// Translates the notices that councils post to their channels into the language of the page.
import { escapePattern } from '../../../core/base/hide-paths.ts';
import { translateAbsence } from '../../../core/base/words/reasons.ts';
import { fill, LANGUAGES, loadWords } from '../../../core/base/words/words.ts';
import { isFromCouncil } from '../../../team/messages/use/announcer.ts';
import { formatTime, translatePhase } from '../../page/page-formats.ts';
import type { PageWords } from '../../page/words.ts';

/** Returns the text of a message; a notice of council, stored in the council's language, in that of the page. */
export function translateNotice(message: { from: string; text: string }, w: PageWords): string {
  const { text } = message;
  if (!isFromCouncil(message)) return text;
  for (const lang of LANGUAGES)
    for (const [kind, template] of Object.entries(loadWords(lang).notice)) {
      const found = compileTemplate(template).exec(text);
      if (!found) continue;
      const { phase = '', reason = '', deadline = '', ...values } = found.groups ?? {};
      const shown = { phase: translatePhase(phase, w), reason: translateAbsence(reason, w) };
      const told = { ...values, ...shown, deadline: formatTime(deadline, w) };
      return fill(w.notice[kind as keyof typeof w.notice], told) + found.at(-1)!;
    }
  return text;
}

/** The last group is of those who are mentioned behind the sentence. */
const compileTemplate = (template: string): RegExp =>
  new RegExp(`^${escapePattern(template).replace(/\\\{(\w+)\\\}/g, '(?<$1>.*)')}((?: @\\S+)*)$`);
