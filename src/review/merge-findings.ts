// Joins what several reviewers have found of one cause, without losing a word of it, and numbers it.
import { sha256 } from '../core/base/ids.ts';
import type { Change } from './change.ts';
import { placeFinding } from './place-finding.ts';
import type { Placed } from './place-finding.ts';
import type { SaidFinding } from './read-findings.ts';
import { SEVERITIES } from './report.ts';
import type { Category, Place, Severity, Wording } from './report.ts';

/** What was found, by one or by several, before anybody has judged it. */
export interface Found {
  id: string;
  fingerprint: string;
  /** The median of the finders. */
  severity: Severity;
  category: Category;
  title: string;
  file: string | null;
  place: Place | undefined;
  quote: string;
  kind: Placed['kind'];
  wordings: Wording[];
}

/** A finding of one reviewer, looked up. */
interface Looked {
  by: string;
  said: SaidFinding;
  placed: Placed;
  /** As it is compared. */
  quote: string;
}

/** Every finding of every reviewer once, numbered. `said` is in the order of the seats. */
export function mergeFindings(
  said: readonly { by: string; findings: readonly SaidFinding[] }[],
  change: Pick<Change, 'files'>,
): Found[] {
  const groups: Looked[][] = [];
  const byFile = new Map<string | null, Looked[][]>();
  for (const { by, findings } of said)
    for (const one of findings) {
      const placed = placeFinding(one, change);
      const looked: Looked = { by, said: one, placed, quote: normalizeQuote(placed.quote) };
      // Compared with the first alone: A like B and B like C do not make A like C.
      const file = findFile(looked);
      const near = byFile.get(file) ?? [];
      byFile.set(file, near);
      const same =
        near.find(([first]) => isSame(first!, looked)) ??
        near.find(
          ([first]) => first!.by !== by && isOfOneKind(first!, looked) && first!.quote === looked.quote,
        );
      if (same) same.push(looked);
      else {
        groups.push([looked]);
        near.push(groups.at(-1)!);
      }
    }
  const found = groups.map(toFound).toSorted((a, b) => (a.place?.start ?? 0) - (b.place?.start ?? 0));
  return numberFindings(found);
}

/** Whether two findings in one file have one cause: the same lines or, without a place, the same words. */
function isSame(a: Looked, b: Looked): boolean {
  if (!isOfOneKind(a, b)) return false;
  if (a.placed.kind === 'placed' && b.placed.kind === 'placed')
    return overlaps(a.placed.place, b.placed.place);
  return a.quote === b.quote && (a.quote !== '' || isSameTitle(a, b));
}

/** Looked up with the same result, and not of two categories. */
function isOfOneKind(a: Looked, b: Looked): boolean {
  const [one, other] = [a.said.category, b.said.category];
  return a.placed.kind === b.placed.kind && (one === null || other === null || one === other);
}

const isSameTitle = (a: Looked, b: Looked): boolean =>
  a.said.title.toLowerCase() === b.said.title.toLowerCase();

const overlaps = (a: Place, b: Place): boolean => a.side === b.side && a.start <= b.end && b.start <= a.end;

const normalizeQuote = (quote: string): string => quote.replace(/\s+/g, ' ').trim();

const findFile = ({ said, placed }: Looked): string | null =>
  placed.kind === 'placed' ? placed.place.file : said.file;

function toFound(group: Looked[]): Omit<Found, 'id'> {
  const [first] = group as [Looked];
  const category = group.map(({ said }) => said.category).find((one) => one !== null) ?? 'correctness';
  const { placed, said } = first;
  const file = findFile(first);
  const wordings = group.map(({ by, said: { severity, title, text, fix } }) => ({
    ...{ by, severity, title, text },
    ...(fix !== undefined && { fix }),
  }));
  return {
    fingerprint: computeFingerprint(file, placed.quote || said.title, category),
    severity: computeMedian(wordings.map(({ severity }) => severity)),
    category,
    title: said.title,
    file,
    place: placed.kind === 'placed' ? placed.place : undefined,
    quote: placed.quote,
    kind: placed.kind,
    wordings,
  };
}

/**
 * Gives each finding a number that comes from its fingerprint alone: what else is found changes none. Of two that meet, one takes
 * the next. `found` is in the order of the lines, which tells findings with the same quote apart. `taken` is in use elsewhere.
 */
export function numberFindings<One extends Pick<Found, 'fingerprint'>>(
  found: readonly One[],
  taken: Iterable<string> = [],
): (One & Pick<Found, 'id'>)[] {
  const seen = new Map<string, number>();
  const used = new Set(taken);
  return found
    .map((one) => {
      const { fingerprint } = one;
      const count = (seen.get(fingerprint) ?? 0) + 1;
      seen.set(fingerprint, count);
      return count === 1 ? one : { ...one, fingerprint: hashKey([fingerprint, count]) };
    })
    .toSorted((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1))
    .map((one) => {
      let number = 1000 + (parseInt(one.fingerprint.slice(0, 8), 16) % 9000);
      while (used.has(`F${number}`)) number++;
      used.add(`F${number}`);
      return { ...one, id: `F${number}` };
    });
}

/** Sixteen hex digits that stay the same for a finding while its file, quote and category do. */
export const computeFingerprint = (file: string | null, quote: string, category: string): string =>
  hashKey([file, normalizeQuote(quote), category]);

const hashKey = (key: unknown): string => sha256(JSON.stringify(key)).slice(0, 16);

/** The severity in the middle, the worse of two. */
export function computeMedian(severities: readonly Severity[]): Severity {
  const ranks = severities.map((one) => SEVERITIES.indexOf(one)).toSorted((a, b) => a - b);
  return SEVERITIES[ranks[Math.floor((ranks.length - 1) / 2)]!]!;
}
