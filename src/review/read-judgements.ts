// Reads what a reviewer says of the findings of others.
import type { Change } from './change.ts';
import { CONFIRMS, findSeverity, REJECTS } from './finding-words.ts';
import { isQuoted } from './place-finding.ts';
import { splitBody } from './read-findings.ts';
import { SEVERITIES } from './report.ts';
import type { Judgement } from './report.ts';

/** What one reviewer said of one finding. */
export type SaidJudgement = Omit<Judgement, 'by'> & { id: string };

export interface ReadJudgements {
  judgements: SaidJudgement[];
  /** Pairs of findings that are called the same. */
  same: [string, string][];
}

const IDS = 'F\\d+(?:\\s*(?:,|and|et|&|=)\\s*F\\d+)*';
/** `F3: reject`, `- **F3**: reject`, `### F1, F2 – confirm`, `| F3 | reject |`, `"F3": "reject"`. */
const HEAD = new RegExp(`^[\\s#*_>|{"-]*(${IDS})[*_\`"]*\\s*(?:[:：–—|-]|\\(|\\s)\\s*[*_\`"]*(.*)$`, 'iu');
const SAME = /^(?:is |est )?(?:the )?(?:same as|duplicate of|=|identique à|pareil que)\s*(F\d+)/iu;

/** Reads a whole answer of the cross-round. Of two judgements of one finding the stricter one counts. */
export function readJudgements(text: string, change: Pick<Change, 'files'>): ReadJudgements {
  const found = new Map<string, SaidJudgement>();
  const same: [string, string][] = [];
  for (const { ids, verdict, body } of splitJudgements(text)) {
    const twin = SAME.exec(verdict)?.[1];
    if (twin !== undefined) same.push(...ids.map((id): [string, string] => [id, toId(twin)]));
    const judged = readVerdict(verdict, body, change);
    if (!judged) continue;
    for (const id of ids) {
      const known = found.get(id);
      if (!known || rankStrictness(judged) < rankStrictness(known)) found.set(id, { id, ...judged });
    }
  }
  return { judgements: [...found.values()], same };
}

const toId = (id: string): string => id.toUpperCase();

function splitJudgements(text: string): { ids: string[]; verdict: string; body: string[] }[] {
  const found: { ids: string[]; verdict: string; body: string[] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, ids, rest = ''] = HEAD.exec(line) ?? [];
    if (ids === undefined) found.at(-1)?.body.push(line);
    else found.push({ ids: ids.match(/F\d+/giu)!.map(toId), verdict: rest.trim(), body: [] });
  }
  return found;
}

function readVerdict(
  verdict: string,
  body: readonly string[],
  change: Pick<Change, 'files'>,
): Omit<SaidJudgement, 'id'> | undefined {
  const { quotes } = splitBody([verdict, ...body]);
  const reason = verdict.replace(/^\p{L}+[\s*_`:：,.–—-]*/u, '');
  const text = [reason, ...body].join('\n').trim();
  const severity = findSeverity(/^\p{L}+/u.exec(verdict)?.[0] ?? '');
  if (severity) return { kind: 'severity', severity, text, counted: true };
  if (CONFIRMS.test(verdict)) return { kind: 'confirm', text, counted: true };
  // A reason without code of the change is shown, and counts for nothing.
  if (REJECTS.test(verdict)) return { kind: 'reject', text, counted: isQuoted(quotes, change) };
  return undefined;
}

/** Lower is stricter: what holds a finding goes before what rejects it. */
const rankStrictness = ({ kind, severity }: Pick<SaidJudgement, 'kind' | 'severity'>): number =>
  kind === 'severity' ? SEVERITIES.indexOf(severity!) : kind === 'confirm' ? SEVERITIES.length : 100;
