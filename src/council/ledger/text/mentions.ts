/** A claim as a contribution names it: `@sage.2`, or `@b.2` where the reader knew its author as Participant B. */
export interface Mention {
  name: string;
  number: number;
}

/** Brackets and emphasis may stand around it; `@sage.2.1` and `@sage.2-b` are something else. */
const AT_START = /^[\s*_`[({"']*@([a-z0-9][a-z0-9-]{0,80})\.(\d{1,4})(?![\w-]|\.\d)[*_`\])}:]*/i;
const ANYWHERE = /(?<![\w.@-])@?(?:([a-z0-9][a-z0-9-]{0,80})\.(\d{1,4})|(c\d{1,6}))(?![\w-]|\.\d)/gi;
// The three words alone settle something. Between id and word a colon or a dash, after the word punctuation.
const VERDICT = 'answered|conceded|rejected|répondue?|concédée?|rejetée?';
const GAP = '[ \\u00A0\\u202F]';
const ANSWER = new RegExp(
  `^[\\s*_\`[(]*@?(c\\d{1,6})[*_\`\\])]*` +
    `(?:${GAP}[*_\`]*(${VERDICT})[*_\`]*${GAP}?[:.,;—–-]` +
    `|(?:${GAP}?:${GAP}|${GAP}?[—–-]${GAP})[*_\`]*(${VERDICT})[*_\`]*(?=[\\s:.,;—–-]|$))[*_\`:]*`,
  'i',
);

/** The claim that a paragraph, list item or line is addressed to, and how long the address is. */
export function addressOf(text: string): (Mention & { length: number }) | undefined {
  const [whole = '', name, number] = AT_START.exec(text.slice(0, 200)) ?? [];
  return name === undefined
    ? undefined
    : { name: name.toLowerCase(), number: Number(number), length: whole.length };
}

/** Every claim (`sage.2`, `@sage.2`) and challenge (`c3`) that a text names, in order. */
export function mentionsIn(text: string): (Mention | { challenge: string })[] {
  return [...text.matchAll(ANYWHERE)].map(([, name = '', number, challenge]) =>
    challenge === undefined
      ? { name: name.toLowerCase(), number: Number(number) }
      : { challenge: challenge.toLowerCase() },
  );
}

/** The answer that a line starts with (`c1 conceded: …`, `**c1**: rejected …`), and how long that start is. */
export function answerAt(
  line: string,
): { challenge: string; status: 'answered' | 'conceded' | 'rejected'; length: number } | undefined {
  const found = ANSWER.exec(line.slice(0, 200).normalize('NFC'));
  if (!found) return undefined;
  const [whole, challenge = '', before, after = ''] = found;
  const word = (before ?? after).toLowerCase();
  const status = /^(?:a|rép)/.test(word) ? 'answered' : word.startsWith('con') ? 'conceded' : 'rejected';
  return { challenge: challenge.toLowerCase(), status, length: whole.length };
}
