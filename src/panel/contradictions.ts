// Offline panel: finds possible contradictions, for a reader to judge.
import { findAmounts, classifyUnit } from './amounts.ts';
import type { Amount } from './amounts.ts';
import type { Document } from './document.ts';
import { locate } from './reviewer.ts';
import type { Located } from './reviewer.ts';
import { listSentences, intersectStems, collectStems, shiftSpan } from './place.ts';
import type { Sentence } from './place.ts';

interface StemmedSentence extends Sentence {
  stems: Set<string>;
}

/** Maximum number of sentences compared, since the time is quadratic: only a book has more. */
const COMPARED = 1500;

/** The number of sentences that contain each stem. */
type Frequency = ReadonlyMap<string, number>;

/** Finds a quantity with two values, "at once" next to a duration, and something switched off but relied on. */
export function findContradictions(document: Document): Located[] {
  const read = listSentences(document)
    .filter(({ block }) => block.kind === 'paragraph' && block.linked * 2 <= block.words)
    .slice(0, COMPARED)
    .map((sentence): StemmedSentence => ({ ...sentence, stems: collectStems(sentence.text) }));
  const often = new Map<string, number>();
  for (const { stems } of read) for (const stem of stems) often.set(stem, (often.get(stem) ?? 0) + 1);
  return [findTwoValues, findTimingClashes, findUseOfSwitchedOff]
    .flatMap((rule) => rule(document, read, often))
    .slice(0, 40);
}

/** Words that set a limit: only with them do two values contradict each other. */
const LIMIT =
  /\b(?:valid|expires?|expired|kept|keep|stored|retention|retain|timeout|time out|ends? after|at most|maximum|max|limit|older than|last|lasts|within|up to|no more than|deleted after|answers? in|valable|expirent?|conserv\p{L}*|durée|maximum|au plus|limite|dans les|réponse|répond|délai)(?![\p{L}])/iu;

function findTwoValues(document: Document, read: readonly StemmedSentence[], often: Frequency): Located[] {
  const limits = read.flatMap((sentence) => {
    if (!LIMIT.test(sentence.text)) return [];
    const amounts = findAmounts(sentence.text, document.language);
    const [amount, ...others] = amounts.filter(({ unit }) => ['time', 'data'].includes(classifyUnit(unit)));
    if (amount) return others.length === 0 ? [{ sentence, amount }] : [];
    const [bare] = amounts;
    return bare && amounts.length === 1 && bare.unit === '' ? [{ sentence, amount: bare }] : [];
  });
  const found: Located[] = [];
  for (const [at, one] of limits.entries()) {
    const other = limits
      .slice(at + 1)
      .find(
        (later) =>
          isOther(one.amount, later.amount) &&
          (isSameName(one, later) ||
            (one.amount.unit !== '' &&
              !haveOtherNames(one, later) &&
              isSameThing(one.sentence, later.sentence, often))),
      );
    if (!other) continue;
    const words = ({ sentence, amount }: typeof one): string => sentence.text.slice(amount.start, amount.end);
    const advice = document.say.twoValues(words(one), words(other));
    found.push(locate(document, one.sentence, 'two-values', advice, { also: [other.sentence] }));
  }
  return found;
}

interface StatedLimit {
  sentence: StemmedSentence;
  amount: Amount;
}

/** Matches the subject in "the read timeout is", before its value. */
const LIMITED_THING =
  /(?:^|[\s(])(?:the|our|its|le|la|les|notre|l['’])\s?((?:[\p{L}-]+\s){0,2}[\p{L}-]+)\s(?:is|are|was|est|sont)(?:\s(?:set to|fixée? à|de|d['’]))?\s$/iu;

function nameLimitedThing({ sentence, amount }: StatedLimit): string | undefined {
  const name = LIMITED_THING.exec(sentence.text.slice(0, amount.start))?.[1]?.toLowerCase();
  // Without a unit, the counted noun is part of the name.
  const counted = amount.unit === '' ? /^\s\p{L}{3,}/u.exec(sentence.text.slice(amount.end))?.[0] : '';
  return name === undefined || counted === undefined ? undefined : name + counted;
}

/** Matches "The timeout is 30 s" with "the timeout is 60 s". */
function isSameName(a: StatedLimit, b: StatedLimit): boolean {
  const name = nameLimitedThing(a);
  return name !== undefined && name === nameLimitedThing(b);
}

/** Distinguishes "The connect timeout" from "the read timeout". */
function haveOtherNames(a: StatedLimit, b: StatedLimit): boolean {
  const [one, other] = [nameLimitedThing(a), nameLimitedThing(b)];
  return one !== undefined && other !== undefined && !one.includes(other) && !other.includes(one);
}

const isOther = (a: Amount, b: Amount): boolean =>
  classifyUnit(a.unit) === classifyUnit(b.unit) && (a.unit !== b.unit || a.value !== b.value);

/** Requires enough common words, some of them rare in the document. */
function isSameThing(a: StemmedSentence, b: StemmedSentence, often: Frequency): boolean {
  const common = intersectStems(a.stems, b.stems);
  const rare = common.filter((stem) => (often.get(stem) ?? 0) <= 4);
  return common.length >= 2
    ? rare.length >= 1
    : rare.length === 1 && Math.min(a.stems.size, b.stems.size) <= 5;
}

const AT_ONCE =
  /(?<![\p{L}])(?:immediately|immediate|instantly|instantaneous|at once|in real time|real-time|immédiatement|aussitôt|instantanément|en temps réel)(?![\p{L}])/iu;
const LATER =
  /(?<![\p{L}])(?:within|every|up to|takes?|after|toutes les|chaque|en moins de|jusqu['’]à|dans les|au bout de|prend)\s(?:about |up to |environ )?\d/iu;

/** How many sentences before and after are searched. */
const NEAR = 20;

function findTimingClashes(
  document: Document,
  read: readonly StemmedSentence[],
  often: Frequency,
): Located[] {
  return read.flatMap((sentence, at) => {
    const word = AT_ONCE.exec(sentence.text);
    if (!word) return [];
    const from = Math.max(0, at - NEAR);
    const other = read.slice(from, at + NEAR + 1).find((one, index) => {
      if (!LATER.test(one.text)) return false;
      const time = findAmounts(one.text, document.language).some(({ unit }) => classifyUnit(unit) === 'time');
      const beside = Math.abs(from + index - at) <= 1 && one.block === sentence.block;
      return time && (one === sentence || beside || isSameThing(sentence, one, often));
    });
    if (!other) return [];
    const time = findAmounts(other.text, document.language).find(({ unit }) => unit !== '');
    const advice = document.say.atOnce(time ? other.text.slice(time.start, time.end) : '');
    const span = shiftSpan(sentence, word.index, word.index + word[0].length);
    return [locate(document, span, 'at-once', advice, { subject: word[0], also: [other] })];
  });
}

const OFF =
  /(?<![\p{L}])(?:(?:is|are|was|were|be|been|being|will be|gets?)\s(?:(?:now|then|all)\s)?(?:switched|turned|shut)\s(?:off|down)|(?:is|are|will be|gets?)\s(?:disabled|deactivated|retired|decommissioned)|(?:est|sont|sera|seront)\s(?:désactivée?s?|arrêtée?s?|coupée?s?))(?![\p{L}])/iu;
const USED =
  /(?<![\p{L}])(?:runs? on|use[sd]?|using|rel(?:y|ies) on|takes? over|falls? back|reprend\p{L}*|depends? on|through the|via the|restor\p{L}*|recover\p{L}* from|go back to|restaur\p{L}*|depuis l[ae]s?|by the|with the|from the|set|filled by|utilis\p{L}*|grâce (?:à|au)|par l[ae']|s'appuie|en secours)(?![\p{L}])/iu;

function findUseOfSwitchedOff(
  document: Document,
  read: readonly StemmedSentence[],
  often: Frequency,
): Located[] {
  return read.flatMap((sentence) => {
    const off = OFF.exec(sentence.text);
    if (!off) return [];
    const subject = sentence.text.slice(0, off.index);
    const stems = collectStems(subject.split(/\s+/).slice(-5).join(' '));
    const other = read.find((one) => {
      if (one === sentence || OFF.test(one.text) || !USED.test(one.text)) return false;
      const common = intersectStems(stems, one.stems);
      const isRare = common.some((stem) => (often.get(stem) ?? 0) <= 5);
      return isRare && (common.length >= Math.min(2, stems.size) || one.block === sentence.block);
    });
    if (!other) return [];
    const words = subject.trim().split(/\s+/).slice(-3).join(' ');
    const advice = document.say.offAndUsed(words);
    return [locate(document, sentence, 'off-and-used', advice, { also: [other] })];
  });
}
