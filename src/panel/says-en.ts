// Offline panel: its sentences in English.
const s = (count: number): string => (count === 1 ? '' : 's');

const listCountsEn = (counts: [number, string][]): string =>
  counts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${count} ${noun}${s(count)}`)
    .join(', ') || 'the words';

export const en = {
  // The form of a finding
  line: 'Line',
  lines: 'Lines',
  first: 'first',
  worth: 'worth checking',
  colon: ': ',
  about: (words: string) => `"${words}": `,
  // What carries its proof
  notInCalendar: (date: string) => `${date} is not in the calendar.`,
  wrongWeekday: (date: string, weekday: string) => `${date} is a ${weekday}.`,
  backwards: (date: string, before: string) => `${date} comes after ${before}, and is earlier.`,
  endsBeforeStart: (end: string, start: string) => `it ends (${end}) before it starts (${start}).`,
  wrongPeriod: (written: string, days: number) => `${written} → that is ${days} day${s(days)}.`,
  wrongSum: (given: string, sum: string) => `${given} is given as the sum, and the parts make ${sum}.`,
  wrongShare: (part: string, whole: string, share: string) => `${part} of ${whole} is ${share}.`,
  wrongChange: (written: string, share: string) => `${written} → the change is ${share}.`,
  overHundred: (parts: string, sum: string) => `these shares of one thing make ${parts} = ${sum}.`,
  wrongProduct: (written: string, sum: string) => `${written} → gives ${sum}.`,
  wrongRow: (given: string, sum: string) => `${given} → by the other rows this would be ${sum}.`,
  wrongUnit: (one: string, other: string) => `${one} is ${other}.`,
  wrongCount: (given: string, counted: number) =>
    `"${given}" is announced, and ${counted} follow${counted === 1 ? 's' : ''}.`,
  leadsNowhere: 'no heading here has this name: the link leads nowhere.',
  undefinedReference: 'reads as a link, and nothing here gives its address.',
  undefinedFootnote: 'there is no such footnote.',
  noSection: 'the sections here are numbered, and none has this number.',
  emptyLink: 'the link has no address.',
  noScheme: 'the address lacks "https://": it is looked for beside this file.',
  brokenLink: 'the brackets of this link are broken.',
  placeholder: 'left to be filled in.',
  emptySection: 'nothing stands under this heading.',
  lacksSection: (kind: string, section: string) =>
    `this reads like ${kind}: where is its section "${section}"?`,
  // What is worth checking
  twoValues: (one: string, other: string) => `${one} here, ${other} there: is it the same thing?`,
  atOnce: (time: string) => `at once, or within ${time}?`,
  offAndUsed: (words: string) => `"${words}" is switched off in one place and relied on in the other.`,
  manyItems: (given: string, counted: number) => `"${given}" is announced; ${counted} things follow.`,
  claim: 'a claim without a figure or a source.',
  noneConsidered: 'no other option was considered: is that so?',
  missing: (what: string) => `nothing about ${what}.`,
  noTitle: 'the document has no title.',
  twiceDefined: 'the name is defined twice; only the first counts.',
  alternatives: 'alternatives',
  cost: 'cost or effort',
  risk: 'risks',
  rollback: 'a rollback (the way back)',
  owner: 'who is responsible',
  decision: 'Decision',
  consequences: 'Consequences',
  adr: 'a decision record',
  // Contributions
  found: (all: number, first: number) =>
    all === 0 ? 'I found nothing.' : `${all} thing${s(all)} to look at${ofThem(first)}.`,
  read: (count: number, others: number) =>
    `I read ${count} finding${s(count)} of ${others} other${s(others)}`,
  noneCollides: 'none collides with what I know.',
  challenged: (count: number) => `and challenge ${count}.`,
  toWhom: (label: string) => `to ${label}`,
  nothingToAnswer: 'I have no findings, so there is nothing to answer.',
  unchallenged: (count: number) => `nobody challenged my ${count} finding${s(count)}; they stand.`,
  answered: (withdrawn: number, upheld: number) =>
    `I withdraw ${withdrawn} and keep ${upheld} of the challenged findings.`,
  more: (count: number) => `Not listed: ${count} more.`,
  unread: (count: number) => `${count} line${s(count)} could not be read (too long, or nested too deep).`,
  tooDeep: 'The document nests too deep to be read.',
  origin: 'Fixed rules, no model: they see numbers, words and markup, not meaning.',
  notText: 'This looks like a binary file, not like text.',
  empty: 'The document is empty.',
  otherLanguage: 'My rules know English and French only, and this looks like neither.',
  notADocument:
    'This is a question, not a document, so there is nothing to check. People can answer it, or a program that runs a model.',
  // Synthesis
  headline: (all: number, first: number) =>
    all === 0 ? 'Nothing to point at' : `${all} thing${s(all)} to look at${ofThem(first)}`,
  headlineNote: 'This is no verdict: the programs see numbers, dates, words and markup, not meaning.',
  headingFirst: 'First',
  headingWorth: 'Worth checking',
  headingWithdrawn: (count: number) => `Withdrawn after a challenge: ${count}.`,
  headingContested: (count: number) => `Challenged and kept: ${count}.`,
  restInArchive: (count: number) => `${count} more in the archive.`,
  lookedAt: (of: { dates: number; numbers: number; tables: number; links: number }) =>
    `Looked at ${listCountsEn([
      [of.numbers, 'number'],
      [of.dates, 'date'],
      [of.links, 'link'],
      [of.tables, 'table'],
    ])}.`,
  by: (names: string) => `Read by ${names}.`,
  nobody: 'Nobody contributed, so there is nothing to put together.',
  freeWords: (names: string) => `Said in free words, see the archive: ${names}.`,
};

/** What comes first among them; nothing where nothing does. */
const ofThem = (first: number): string => (first === 0 ? '' : `, ${first} of them first`);
