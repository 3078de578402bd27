// Joins what several reviewers have found of one cause, without losing a word of it, and numbers it.
import { sha256 } from '../core/base/ids.ts';
import type { Change } from './change.ts';
import { placeFinding, squeezeSpace } from './place-finding.ts';
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
  /** As it was read, the first one first: of the others each is the same as that. */
  said: Said[];
}

interface Said {
  by: string;
  finding: SaidFinding;
}

/** A finding of one reviewer, looked up. */
interface Looked extends Said {
  placed: Placed;
  file: string | null;
  /** As it is compared. */
  quote: string;
}

interface Group {
  known?: Found;
  looked: [Looked, ...Looked[]];
}

/**
 * Every finding of every reviewer once, numbered. `said` is in the order of the seats. `known` come first and keep their numbers,
 * whatever is added to them.
 */
export function mergeFindings(
  said: readonly Said[],
  change: Pick<Change, 'files'>,
  known: readonly Found[] = [],
): Found[] {
  const groups = known.map((one): Group => {
    const [first, ...others] = one.said.map((each) => lookUp(each, change));
    return { known: one, looked: [first!, ...others] };
  });
  const byFile = Map.groupBy(groups, ({ looked: [{ file }] }) => file);
  for (const one of said) {
    const looked = lookUp(one, change);
    // Compared with the first alone: A like B and B like C do not make A like C.
    const near = byFile.get(looked.file) ?? [];
    byFile.set(looked.file, near);
    const same =
      near.find(({ looked: [first] }) => isSame(first, looked)) ??
      near.find(({ looked: [first] }) => first.by !== one.by && isSameCode(first, looked));
    if (same) same.looked.push(looked);
    else {
      near.push({ looked: [looked] });
      groups.push(near.at(-1)!);
    }
  }
  const kept = groups.flatMap(({ known: one, looked }) => (one ? { ...one, ...listWordings(looked) } : []));
  const fresh = groups.flatMap(({ known: one, looked }) => (one ? [] : toFound(looked)));
  const inOrder = fresh.toSorted((a, b) => (a.place?.start ?? 0) - (b.place?.start ?? 0));
  return [
    ...kept,
    ...numberFindings(
      inOrder,
      kept.map(({ id }) => id),
    ),
  ];
}

function lookUp({ by, finding }: Said, change: Pick<Change, 'files'>): Looked {
  const placed = placeFinding(finding, change);
  const file = placed.kind === 'placed' ? placed.place.file : finding.file;
  return { by, finding, placed, file, quote: squeezeSpace(placed.quote) };
}

/** Whether two findings in one file have one cause: the same lines or, without a place, the same words. */
function isSame(a: Looked, b: Looked): boolean {
  if (a.placed.kind === 'placed' && b.placed.kind === 'placed')
    return isOfOneKind(a, b) && overlaps(a.placed.place, b.placed.place);
  return isSameCode(a, b) || (isOfOneKind(a, b) && a.quote === b.quote && isSameTitle(a, b));
}

/** The same code, wherever it stands; no code is none. */
const isSameCode = (a: Looked, b: Looked): boolean =>
  a.quote !== '' && a.quote === b.quote && isOfOneKind(a, b);

/** Looked up with the same result, and not of two categories. */
function isOfOneKind(a: Looked, b: Looked): boolean {
  const [one, other] = [a.finding.category, b.finding.category];
  return a.placed.kind === b.placed.kind && (one === null || other === null || one === other);
}

const isSameTitle = (a: Looked, b: Looked): boolean =>
  a.finding.title.toLowerCase() === b.finding.title.toLowerCase();

const overlaps = (a: Place, b: Place): boolean => a.side === b.side && a.start <= b.end && b.start <= a.end;

/** What one reviewer says in the same words of two parts counts once. */
function listWordings(group: readonly Looked[]): Pick<Found, 'wordings' | 'said'> {
  const wordings = group.map(({ by, finding: { severity, title, text, fix } }): [string, Wording] => {
    const wording = { by, severity, title, text, ...(fix !== undefined && { fix }) };
    return [JSON.stringify(wording), wording];
  });
  return {
    wordings: [...new Map(wordings).values()],
    said: group.map(({ by, finding }) => ({ by, finding })),
  };
}

function toFound(group: Group['looked']): Omit<Found, 'id'> {
  const category = group.map(({ finding }) => finding.category).find((one) => one !== null) ?? 'correctness';
  const [{ placed, finding, file }] = group;
  const told = listWordings(group);
  return {
    fingerprint: computeFingerprint(file, placed.quote || finding.title, category),
    severity: computeMedian(told.wordings.map(({ severity }) => severity)),
    category,
    title: finding.title,
    file,
    place: placed.kind === 'placed' ? placed.place : undefined,
    quote: placed.quote,
    kind: placed.kind,
    ...told,
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
  hashKey([file, squeezeSpace(quote), category]);

const hashKey = (key: unknown): string => sha256(JSON.stringify(key)).slice(0, 16);

/** The severity in the middle, the worse of two. */
export function computeMedian(severities: readonly Severity[]): Severity {
  const ranks = severities.map((one) => SEVERITIES.indexOf(one)).toSorted((a, b) => a - b);
  return SEVERITIES[ranks[Math.floor((ranks.length - 1) / 2)]!]!;
}
