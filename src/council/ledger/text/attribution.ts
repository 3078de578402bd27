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
