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
}

/** Every finding of every reviewer once, numbered. `said` is in the order of the seats. */
export function mergeFindings(
  said: readonly { by: string; findings: readonly SaidFinding[] }[],
  change: Pick<Change, 'files'>,
): Found[] {
  const groups: Looked[][] = [];
  for (const { by, findings } of said)
    for (const one of findings) {
      const looked: Looked = { by, said: one, placed: placeFinding(one, change) };
      // Compared with the first alone: A like B and B like C do not make A like C.
      const same = groups.find(([first]) => isSame(first!, looked));
      if (same) same.push(looked);
      else groups.push([looked]);
    }
  return numberFindings(groups.map(toFound));
}

function isSame(a: Looked, b: Looked): boolean {
  const [one, other] = [a.said.category, b.said.category];
  if (one !== null && other !== null && one !== other) return false;
  if (a.placed.kind === 'placed' && b.placed.kind === 'placed')
    return overlaps(a.placed.place, b.placed.place) || isSameQuote(a, b);
  if (a.placed.kind !== b.placed.kind) return false;
  return a.placed.quote === '' ? a.said.file === b.said.file && isSameTitle(a, b) : isSameQuote(a, b);
}

const isSameQuote = (a: Looked, b: Looked): boolean =>
  findFile(a) === findFile(b) && normalizeQuote(a.placed.quote) === normalizeQuote(b.placed.quote);

const isSameTitle = (a: Looked, b: Looked): boolean =>
  a.said.title.toLowerCase() === b.said.title.toLowerCase();

const overlaps = (a: Place, b: Place): boolean =>
  a.file === b.file && a.side === b.side && a.start <= b.end && b.start <= a.end;

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
  const key = [file, normalizeQuote(placed.quote) || said.title, category];
  return {
    fingerprint: sha256(JSON.stringify(key)).slice(0, 16),
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

/** F1, F2 … by file, quote and category, so that lines that move change no number. */
function numberFindings(found: Omit<Found, 'id'>[]): Found[] {
  const key = ({ file, quote, category, fingerprint }: Omit<Found, 'id'>): string =>
    [file ?? '', normalizeQuote(quote), category, fingerprint].join('\n');
  const rank = ({ kind }: Omit<Found, 'id'>): number => (kind === 'refuted' || kind === 'outside' ? 1 : 0);
  return found
    .toSorted((a, b) => rank(a) - rank(b) || (key(a) < key(b) ? -1 : 1))
    .map((one, at) => ({ ...one, id: `F${at + 1}` }));
}

/** The severity in the middle, the worse of two. */
export function computeMedian(severities: readonly Severity[]): Severity {
  const ranks = severities.map((one) => SEVERITIES.indexOf(one)).toSorted((a, b) => a - b);
  return SEVERITIES[ranks[Math.floor((ranks.length - 1) / 2)]!]!;
}
