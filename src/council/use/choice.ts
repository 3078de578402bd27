// Reads what a form chooses: vote, approvals, a new position, positions that are the same.
import { onFirstUse } from '../../base/remember.ts';
import { oneLine } from '../../base/text.ts';
import { asItems, asShare, bare } from '../ledger/text/form-values.ts';
import type { Field } from '../ledger/text/form-fields.ts';
import type { FieldName } from '../ledger/text/form-names.ts';
import { ballotSentence, numberOf } from '../state/ballot.ts';
import { normalisePosition } from '../state/position.ts';
import type { BallotLine, Choice } from '../state/state.ts';

export type Read = Pick<Field, 'name' | 'value'>;

/** What the words of one vote mean: a number of the ballot, or why they mean none. */
export type Meant = { id: string } | 'nothing' | 'unknown' | 'ambiguous';

const NUMBERED = onFirstUse(
  () =>
    /^(?:(?:number|option|position|vote(?: for)?|pour|n[°º]|no\.)[ ]*)?#?P ?(\d{1,4})(?![\p{L}\p{N}_])[ ]*(.*)$/isu,
);
const ABSTAINED = new Set([
  'none',
  'abstain',
  'abstention',
  'no vote',
  'n/a',
  'null',
  '~',
  '-',
  '–',
  'aucun',
  'aucune',
]);

/**
 * What the words of a vote mean on this ballot: the number alone, the number with its own sentence or with a reason behind it,
 * or the sentence alone. Where other words follow, or a number and a sentence point to two positions, nothing is certain.
 */
export function meantBy(words: string, ballot: readonly BallotLine[]): Meant {
  const said = bare(words).replace(/\s+/g, ' ').trim();
  const bySentence = numberOf(ballot, ballotSentence(said));
  // "**P2** (Use Redis)"
  const numbered = said.replace(/^([*_`]{1,3})((?:option |position )?P ?\d{1,4})\1(?![\p{L}\p{N}])/iu, '$2');
  const [, digits, behind = ''] = NUMBERED().exec(numbered) ?? [];
  if (digits === undefined) {
    if (bySentence !== undefined) return { id: bySentence };
    return said === '' || ABSTAINED.has(said.toLowerCase().replace(/[.!]$/, '')) ? 'nothing' : 'unknown';
  }
  const line = ballot.find(({ id }) => id === `P${Number(digits)}`);
  if (!line) return bySentence === undefined ? 'unknown' : { id: bySentence };
  if (/^[ .]*$/.test(behind)) return { id: line.id };
  if (bySentence !== undefined) return bySentence === line.id ? { id: line.id } : 'ambiguous';
  const sentence = bare(behind.replace(/^[ ]*[(:.,=—–-]+[ ]*/, '').replace(/\)$/, ''));
  if (isBeginning(sentence, line.position)) return { id: line.id };
  return REASON.test(behind) && !TAKEN_BACK().test(behind) ? { id: line.id } : 'ambiguous';
}

/** The sentence of a position, or enough of its beginning to know it. */
function isBeginning(words: string, position: string): boolean {
  const [said, whole] = [normalisePosition(words.replace(/(?:…|\.\.\.)$/, '')), normalisePosition(position)];
  return said === whole || (said.split(' ').length >= 3 && whole.startsWith(`${said} `));
}

/** A reason that stands behind a number; anything else may take it back: "P2, but only if …", "P2 is wrong", "P2?". */
const REASON = /^[ ]*(?:[—–-]+[ ]|,?[ ]*(?:because|since|parce que?|car|puisque)[ ])/i;
const TAKEN_BACK = onFirstUse(
  () =>
    /\?|P ?\d|(?<![\p{L}])(?:if|unless|but|only|not|no|never|except|provided|wrong|against|until|maybe|perhaps|would|reject\w*|refus\w*|oppos\w*|mistake|otherwise|however|instead|under|or|si|sauf|mais|pas|jamais|contre|seulement|peut-être|rejet\w*|erreur|sinon|ou|n['’])(?![\p{L}])/iu,
);

/** The choice in the fields of a form. `hasOptions`: positions are declared, and nobody may add one. */
export function choiceOf(
  fields: readonly Read[],
  ballot: readonly BallotLine[],
  hasOptions: boolean,
  warnings: string[],
): Choice {
  const of = (name: FieldName) => fields.filter((field) => field.name === name);
  const vote = voteIn(of('vote'), ballot, warnings);
  const approve = of('approve').length > 0 ? approvalsIn(of('approve'), ballot, warnings) : undefined;
  const added = newIn(of('new'), hasOptions, warnings);
  const same = of('same').flatMap(({ value }) => samesIn(value, ballot, warnings));
  const confidence = confidenceOf(of('confidence'), warnings);
  return {
    ...(vote !== undefined && { vote }),
    ...(approve && { approve }),
    ...(added !== undefined && { new: added }),
    ...(same.length > 0 && { same }),
    ...(confidence !== undefined && { confidence }),
  };
}

function voteIn(
  votes: readonly Read[],
  ballot: readonly BallotLine[],
  warnings: string[],
): string | undefined {
  // Before there is a ballot it is the author's position.
  if (ballot.length === 0) return undefined;
  const words = votes.flatMap(({ value }) => value).filter((value) => bare(value) !== '');
  const meant = words.map((value) => meantBy(value, ballot));
  for (const [at, one] of meant.entries())
    if (one === 'nothing')
      warnings.push(`"vote: ${oneLine(words[at] ?? '', 80)}" is no vote; one that you gave before stands.`);
    else if (typeof one === 'string') warnings.push(unread('vote', words[at] ?? '', one));
  const ids = new Set(meant.flatMap((one) => (typeof one === 'object' ? one.id : [])));
  if (ids.size > 1) warnings.push(`Two votes are given: ${words.join('; ')}. None of them is recorded.`);
  return ids.size === 1 && meant.every((one) => typeof one === 'object') ? [...ids][0] : undefined;
}

function approvalsIn(
  approvals: readonly Read[],
  ballot: readonly BallotLine[],
  warnings: string[],
): string[] | undefined {
  const items = approvals.flatMap(({ value }) => asItems(value));
  const meant = items.flatMap((item) => {
    const whole = meantBy(item, ballot);
    if (typeof whole === 'object') return [{ words: item, meant: whole }];
    return item.split(/[,;&+]|\band\b|\bet\b/).map((words) => ({ words, meant: meantBy(words, ballot) }));
  });
  for (const { words, meant: one } of meant)
    if (one === 'unknown' || one === 'ambiguous') warnings.push(unread('approve', words, one));
  const ids = meant.flatMap(({ meant: one }) => (typeof one === 'object' ? one.id : []));
  // "None" is an answer; words that name nothing on the ballot are not.
  return ids.length === 0 && meant.some(({ meant: one }) => one !== 'nothing') ? undefined : inOrder(ids);
}

const inOrder = (ids: readonly string[]): string[] =>
  [...new Set(ids)].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));

function newIn(added: readonly Read[], hasOptions: boolean, warnings: string[]): string | undefined {
  const sentences = added
    .flatMap(({ value }) => value)
    .map((value) => ballotSentence(bare(value)))
    .filter((value) => asItems(value).length > 0 && !/^(?:<[^<>]*>|\.{3}|…)$/.test(value));
  const [sentence] = sentences;
  if (sentence === undefined) return undefined;
  if (new Set(sentences.map(normalisePosition)).size > 1) {
    warnings.push(`Two new positions are stated: ${sentences.join('; ')}. None of them is recorded.`);
    return undefined;
  }
  if (hasOptions) {
    warnings.push(`"new" is not possible here: the options are declared. Vote for one of them.`);
    return undefined;
  }
  return sentence;
}

const SAME = /^P ?\d{1,4}(?: *(?:=+|≡|~|and|et|&|is|same as) *P ?\d{1,4})+$/i;

/** "P1 = P3 = P5" says so of each two of them. */
function samesIn(
  value: string | string[],
  ballot: readonly BallotLine[],
  warnings: string[],
): [string, string][] {
  const items = asItems(value).flatMap((item) => item.split(/[;,]/));
  const read = items.map((item): [string, string][] | null => {
    const words = bare(item).replace(/[.]$/, '');
    const ids = inOrder([...words.matchAll(/P ?(\d+)/gi)].map(([, digits]) => `P${Number(digits)}`));
    const isKnown = ids.length > 1 && ids.every((id) => ballot.some((line) => line.id === id));
    if (!SAME.test(words) || !isKnown) return null;
    return ids.flatMap((a, at) => ids.slice(at + 1).map((b): [string, string] => [a, b]));
  });
  if (read.every((pairs) => pairs !== null)) return read.flat();
  warnings.push(
    `"same: ${oneLine(items.join(', '), 80)}" is not recorded: write two numbers of the ballot, joined by =, such as same: P1 = P3.`,
  );
  return [];
}

function confidenceOf(fields: readonly Read[], warnings: string[]): number | undefined {
  const stated = fields.filter(({ value }) => bare([value].flat().join(' ')) !== '');
  const values = stated.map(({ value }) => (typeof value === 'string' ? asShare(value) : undefined));
  if (stated.length > 0 && new Set(values).size === 1 && values[0] !== undefined) return values[0];
  const said = stated.map(({ value }) => oneLine([value].flat().join(', '), 80)).join('; ');
  if (stated.length > 0)
    warnings.push(
      values.includes(undefined)
        ? `"confidence: ${said}" is not recorded: write a number from 0 to 1, such as confidence: 0.8, or 80 %.`
        : `Two confidences are stated: ${said}. None of them is recorded.`,
    );
  return undefined;
}

const unread = (field: string, words: string, why: 'unknown' | 'ambiguous'): string =>
  why === 'unknown'
    ? `"${field}: ${oneLine(words, 80)}" names no position of the ballot: not recorded.`
    : `"${field}: ${oneLine(words, 80)}" could mean two positions of the ballot: not recorded. Write one number, such as ${field}: P1.`;
