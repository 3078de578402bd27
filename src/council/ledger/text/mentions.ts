// Recognizes the ids of claims and challenges in a contribution.

/** A claim as a contribution names it: `@sage.2`, or `@b.2` where the reader knew its author as Participant B. */
export interface Mention {
  name: string;
  number: number;
}

/** Brackets and emphasis may stand around it; `@sage.2.1` and `@sage.2-b` are something else. */
const AT_START = /^[\s*_`[({"']*@([a-z0-9][a-z0-9-]{0,80})\.(\d{1,4})(?![\w-]|\.\d)[*_`\])}:]*/i;
const LEAD =
  "^[\\s*_`[({\"'>#-]*(?:(?:on|re|regarding|about|against|concerning|as to|to|sur|contre|concernant|quant à|à propos de)[ :]+)?(?:(?:the |l['’])?(?:claim|affirmation) )?";
const MARK =
  '[*_`\\])}]*(?: ?\\([^)\\n]{1,60}\\))?[*_`]*(?:[ \\u00A0\\u202F]?[:：—–][*_`]*|[ ]-(?=[ ])|,(?=[ ])|\\.?$)';
const WHO = '(?:@|(participant) |)([a-z0-9][a-z0-9-]{0,80})';
const NUMBER = '(?:no\\. ?|n° ?|#)?(\\d{1,4})';
/** The id alone, where a mark says that the words behind it are about that claim. */
const NAMED_AT_START = new RegExp(`${LEAD}@?([a-z0-9][a-z0-9-]{0,80})\\.(\\d{1,4})${MARK}`, 'im');
/** "[ada.2] the two hours are invented" */
const BRACKETED = /^[\s*_>#-]*[[(]@?([a-z0-9][a-z0-9-]{0,80})\.(\d{1,4})[\])][*_:]*/i;
/** "ada, claim 2:" and "claim 2 of ada:". */
const SPELLED = [
  new RegExp(`${LEAD}${WHO}[*_]*(?:['’]s)?,? (?:claim|point|affirmation) ${NUMBER}${MARK}`, 'im'),
  new RegExp(`${LEAD}(?:claim|point|affirmation) ${NUMBER} (?:of|by|from|de) ${WHO}${MARK}`, 'im'),
] as const;
const ANYWHERE = /(?<![\w.@-])@?(?:([a-z0-9][a-z0-9-]{0,80})\.(\d{1,4})|(c\d{1,6}))(?![\w-]|\.\d)/gi;
/** The claim that a paragraph, list item or line is addressed to, and how long the address is. */
export function addressOf(text: string): (Mention & { length: number }) | undefined {
  const [whole = '', name, number] = AT_START.exec(text.slice(0, 200)) ?? [];
  return name === undefined
    ? undefined
    : { name: name.toLowerCase(), number: Number(number), length: whole.length };
}

/** The same for an id without `@`, which only counts where there is such a claim: "ada.2: the figure is invented". */
export function namedAtStart(text: string): (Mention & { length: number }) | undefined {
  const words = text.slice(0, 200);
  const found = NAMED_AT_START.exec(words) ?? BRACKETED.exec(words);
  if (found) return { name: found[1]!.toLowerCase(), number: Number(found[2]), length: found[0].length };
  const [first, second] = SPELLED.map((pattern) => pattern.exec(words));
  const [whole, label, name, number] = first ?? (second ? [second[0], second[2], second[3], second[1]] : []);
  if (whole === undefined || name === undefined) return undefined;
  const called = label === undefined ? name : `${label}-${name}`;
  return { name: called.toLowerCase(), number: Number(number), length: whole.length };
}

/** The claim that a cell of a table names, and nothing beside it. */
export function namedInCell(cell: string): Mention | undefined {
  const found = /^[\s*_`[(]*@?([a-z0-9][a-z0-9-]{0,80})\.(\d{1,4})[\s*_`\])]*$/i.exec(cell);
  return found ? { name: found[1]!.toLowerCase(), number: Number(found[2]) } : undefined;
}

/** Every claim (`sage.2`, `@sage.2`) and challenge (`c3`) that a text names, in order. */
export function mentionsIn(text: string): (Mention | { challenge: string })[] {
  return [...text.matchAll(ANYWHERE)].map(([, name = '', number, challenge]) =>
    challenge === undefined
      ? { name: name.toLowerCase(), number: Number(number) }
      : { challenge: challenge.toLowerCase() },
  );
}
