// Joins findings with the same cause, keeping all wordings, and numbers them.
import { sha256 } from '../core/base/ids.ts';
import type { Change } from './change.ts';
import { placeFinding, squeezeSpace } from './place-finding.ts';
import type { PlacingResult } from './place-finding.ts';
import type { SaidFinding } from './read-findings.ts';
import { SEVERITIES } from './report.ts';
import type { Category, Place, Severity, Wording } from './report.ts';

/** A finding of one or more reviewers, before it is judged. */
export interface FoundFinding {
  id: string;
  fingerprint: string;
  /** Median of the finders' severities. */
  severity: Severity;
  category: Category;
  title: string;
  file: string | null;
  place: Place | undefined;
  quote: string;
  kind: PlacingResult['kind'];
  wordings: Wording[];
  /** The findings as parsed; each of the others matches the first. */
  said: ReviewerFinding[];
}

interface ReviewerFinding {
  by: string;
  finding: SaidFinding;
}

/** A finding of one reviewer, located in the change. */
interface LookedUpFinding extends ReviewerFinding {
  placed: PlacingResult;
  file: string | null;
  /** Normalized for comparison. */
  quote: string;
}

interface Group {
  known?: FoundFinding;
  looked: [LookedUpFinding, ...LookedUpFinding[]];
}

/**
 * Returns every finding once, numbered. `said` is in the order of the seats. `known` findings come first and
 * keep their ids when others are added to them.
 */
export function mergeFindings(
  said: readonly ReviewerFinding[],
  change: Pick<Change, 'files'>,
  known: readonly FoundFinding[] = [],
): FoundFinding[] {
  const groups = known.map((one): Group => {
    const [first, ...others] = one.said.map((each) => lookUp(each, change));
    return { known: one, looked: [first!, ...others] };
  });
  const byFile = Map.groupBy(groups, ({ looked: [{ file }] }) => file);
  for (const one of said) {
    const looked = lookUp(one, change);
    // Compared only with the first of a group: if A is like B and B like C, A need not be like C.
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

function lookUp({ by, finding }: ReviewerFinding, change: Pick<Change, 'files'>): LookedUpFinding {
  const placed = placeFinding(finding, change);
  const file = placed.kind === 'placed' ? placed.place.file : finding.file;
  return { by, finding, placed, file, quote: squeezeSpace(placed.quote) };
}

/** Returns whether findings in one file have the same cause: overlapping lines or, without a place, equal words. */
function isSame(a: LookedUpFinding, b: LookedUpFinding): boolean {
  if (a.placed.kind === 'placed' && b.placed.kind === 'placed')
    return isOfOneKind(a, b) && isOverlapping(a.placed.place, b.placed.place);
  return isSameCode(a, b) || (isOfOneKind(a, b) && a.quote === b.quote && isSameTitle(a, b));
}

/** Returns whether both quote the same code, wherever it is; false without code. */
const isSameCode = (a: LookedUpFinding, b: LookedUpFinding): boolean =>
  a.quote !== '' && a.quote === b.quote && isOfOneKind(a, b);

/** Returns whether both have the same kind of place and no differing categories. */
function isOfOneKind(a: LookedUpFinding, b: LookedUpFinding): boolean {
  const [one, other] = [a.finding.category, b.finding.category];
  return a.placed.kind === b.placed.kind && (one === null || other === null || one === other);
}

const isSameTitle = (a: LookedUpFinding, b: LookedUpFinding): boolean =>
  a.finding.title.toLowerCase() === b.finding.title.toLowerCase();

const isOverlapping = (a: Place, b: Place): boolean =>
  a.side === b.side && a.start <= b.end && b.start <= a.end;

/** If a reviewer says the same in two parts, it counts once. */
function listWordings(group: readonly LookedUpFinding[]): Pick<FoundFinding, 'wordings' | 'said'> {
  const wordings = group.map(({ by, finding: { severity, title, text, fix } }): [string, Wording] => {
    const wording = { by, severity, title, text, ...(fix !== undefined && { fix }) };
    return [JSON.stringify(wording), wording];
  });
  return {
    wordings: [...new Map(wordings).values()],
    said: group.map(({ by, finding }) => ({ by, finding })),
  };
}

function toFound(group: Group['looked']): Omit<FoundFinding, 'id'> {
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
 * Gives each finding a number derived only from its fingerprint, independent of other findings. On a
 * collision, one takes the next number. `found` is sorted by line, which distinguishes findings with the same
 * quote. `taken` contains ids already in use.
 */
export function numberFindings<One extends Pick<FoundFinding, 'fingerprint'>>(
  found: readonly One[],
  taken: Iterable<string> = [],
): (One & Pick<FoundFinding, 'id'>)[] {
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
      // Past F9999 only if all before it are taken.
      while (used.has(`F${number}`)) number = number === 9999 && used.size < 9000 ? 1000 : number + 1;
      used.add(`F${number}`);
      return { ...one, id: `F${number}` };
    });
}

/** Returns sixteen hex digits that are stable as long as file, quote and category are. */
export const computeFingerprint = (file: string | null, quote: string, category: string): string =>
  hashKey([file, squeezeSpace(quote), category]);

const hashKey = (key: unknown): string => sha256(JSON.stringify(key)).slice(0, 16);

/** Returns the median severity; for an even count, the worse of the middle two. */
export function computeMedian(severities: readonly Severity[]): Severity {
  const ranks = severities.map((one) => SEVERITIES.indexOf(one)).toSorted((a, b) => a - b);
  return SEVERITIES[ranks[Math.floor((ranks.length - 1) / 2)]!]!;
}
