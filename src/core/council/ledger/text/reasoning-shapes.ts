// How reasoning and the words of others are marked. Data only.
import { MARKER } from '../../../base/text.ts';

/** What reasoning is called between brackets of any kind, behind any prefix: `</mm:think>`, `<|end_of_thought|>`. */
const NAME = String.raw`[\w.:-]*?(?:think(?:ing)?|thoughts?|reasoning)`;
export const CLOSE = [
  String.raw`[<[◁][|]?[ ]*(?:\/|end[ _-]?)[ ]*${NAME}[ ]*[|]?[>\]▷]`,
  String.raw`<[|]channel[|]>[ ]*final\b[^<\n]*<[|]message[|]>`,
  String.raw`(?:\.\.\.|…)[ ]?done thinking\.?`,
].join('|');
const OPEN = [
  String.raw`[<◁][|]?${NAME}\b[^>▷\n]*[>▷]`,
  String.raw`\[${NAME}\](?!\()`,
  String.raw`(?:<[|]start[|]>\w*)?<[|]channel[|]>[ ]*(?:analysis|commentary)\b[^<\n]*<[|]message[|]>`,
].join('|');
/** What hides something, or is a place where a mark is only spoken of. */
export const MARKS = new RegExp(
  [
    `(?<close>${CLOSE})`,
    `(?<open>^[ \\t]*(?:${OPEN}))`,
    '^[ \\t]*<(?<tag>scratchpad|analysis|reflection|blockquote|cite)\\b[^>\\n]*>',
    '(?<comment><!--)',
    // A text that the prompt showed, given back.
    `(?<shown>^BEGIN ${MARKER})`,
    `(?<shownEnd>^END ${MARKER}.*$)`,
    '^ {0,3}(?<fence>`{3,}|~{3,})',
    '^ {0,3}>.*',
    '(?<quote>`+|["“„«「『])',
  ].join('|'),
  'gim',
);
export const MARKED = new RegExp(`[<[◁]|done thinking|${MARKER}`, 'i');
