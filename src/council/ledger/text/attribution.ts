// Finds whom a quote is said to be of: "Ada writes:", "— Participant B", "(ada, claim 3)".
import type { Stretch } from './stretch.ts';

/** A name as it was written, "participant-b" for a label, and perhaps the number of a claim. */
export interface Attribution {
  name: string;
  number: number | null;
}

const NAME = String.raw`(?:@|(participant)[ \u00A0]|)([\p{L}\p{N}][\p{L}\p{N}-]{0,80})`;
const NUMBER = String.raw`(?:[,.]? ?(?:claim|point|item|affirmation|argument|no\.|n°|#|§)? ?#?(\d{1,4}))?`;
const SAYS =
  '(?:writes?|wrote|says?|said|claims?|claimed|argues?|argued|states?|stated|asserts?|asserted|holds?|admits?|admitted|concedes?|notes?|thinks?|believes?|maintains?|insists?|écrit|dit|affirme|soutient|prétend|avance|note|admet|reconnaît|pense)';
/** Words in front of a quote: a name and nothing more, or a name and a verb of saying. */
const BEFORE = new RegExp(
  String.raw`(?:^|[.!?|\n]\s*)[\s*_>#|\d.)(–—-]*(?:(?:as|when|re|on|regarding|from|selon|comme|quand|d['’]après) )?${NAME}${NUMBER}[*_)]*(?:['’]s (?:claim|point)s?(?: ?#?\d{1,4})?)?(?: \([^()\n]{1,40}\))?[*_]*(?: ${SAYS}(?: [\p{L}'’]+){0,3})?[\s:：,|*_(—–-]*["“„«‘']?$`,
  'iu',
);
/** Words behind it. */
const AFTER = new RegExp(
  String.raw`^["”“»’'*_.,;\s>]*(?:[—–]|--?|\()\s*[*_]*${NAME}[*_]*${NUMBER}\s*[*_)]*[.,]?(?:\s*$|\n| \|)`,
  'iu',
);

/** Who is named right in front of a quote or right behind it; undefined where nobody is. */
export function attributionOf(text: string, quote: Stretch, from: number): Attribution | undefined {
  const before = text.slice(Math.max(from, quote.start - 160), quote.start);
  const behind = quote.end - 100;
  const last = text.slice(Math.max(quote.start, behind), quote.end);
  const line = last.slice(last.lastIndexOf('\n') + 1).replace(/^[ \t>]+/, '');
  return (
    named(BEFORE.exec(before)) ??
    named(AFTER.exec(text.slice(quote.end, quote.end + 120))) ??
    named(AFTER.exec(line.replace(/^- ?(?=[@*\p{Lu}])/u, '— '))) ??
    named(AFTER.exec(/["”»’'][*_]*\s*((?:[—–]|--|\().*)$/su.exec(last)?.[1] ?? ''))
  );
}

function named(found: RegExpExecArray | null): Attribution | undefined {
  const [, label, name, number] = found ?? [];
  if (name === undefined) return undefined;
  // A letter alone is a word before it is anybody's label.
  if (label === undefined && name.length === 1 && !found![0].includes('@')) return undefined;
  const whole = label === undefined ? name : `${label}-${name}`;
  return { name: whole.toLowerCase(), number: number === undefined ? null : Number(number) };
}

const LINE_NAME = String.raw`(?:\*{0,2}@?(?:[Pp]articipant [A-Za-z]{1,2}|\p{Lu}[\p{L}\p{N}_-]*(?: \p{Lu}[\p{L}\p{N}_-]*){0,2}|@[\p{L}\p{N}_-]+)\*{0,2})`;
const DETAIL = String.raw`(?:[,.]? ?\(?(?:(?:[Cc]laim|[Pp]oint|[Aa]ffirmation) ?)?[#.]?\d{1,4}\)?| ?\([^()\r\n]{1,40}\))?`;
/** A last line that says whose words they are. Behind a hyphen, which begins an item as well, it has to look like a name. */
const LAST_LINE = new RegExp(
  String.raw`[\r\n]+[ \t>]*(?:[—–-]{1,2}[ \t]*${LINE_NAME}|(?:[—–]|--)[ \t]*[\p{L}\p{N}_-]+)${DETAIL}[.]?\s*$`,
  'u',
);
/** The same behind the mark that closes the whole. */
const BEHIND_MARK = new RegExp(
  String.raw`[ \t]*(?:\([^()\r\n]{1,60}\)|[—–-]{1,2}[ \t]*(?:${LINE_NAME}|[\p{L}\p{N}_-]+)${DETAIL})[.,]?\s*$`,
  'u',
);
const WHOLE =
  /^[\s>*_]*(?:(?:[-*+•]|\d{1,3}[.)])[ ]+)?[\s>*_]*(?:"[^"]+"|“[^“”]+”|«[^«»]+»|„[^„“”]+[“”]|[‘'](?:[^'‘’]|(?<=\p{L})['’](?=\p{L}))+['’])[*_.,]*$/u;

/** A quote without what says whose words they are. It is cut at its end only: a search through all of it takes the square of its length. */
export function withoutAttribution(quote: string): string {
  const [begin, end] = [quote.slice(0, -200), quote.slice(-200)];
  const cut = begin + end.replace(LAST_LINE, '');
  if (cut !== quote) return cut;
  const found = BEHIND_MARK.exec(end);
  const words = found ? begin + end.slice(0, found.index) : quote;
  return found && words.length <= MAX_WHOLE && WHOLE.test(words) ? words : quote;
}

/** In a longer text no mark is looked for that closes the whole. */
const MAX_WHOLE = 5000;
