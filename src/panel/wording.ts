// Offline panel: phrases that the contributions share, such as counts and the closing line.
import type { Document } from './document.ts';
import type { Finding, Severity } from './finding.ts';
import { SEVERITIES } from './finding.ts';
import type { Reviewer } from './reviewer.ts';

/** "1 finding", "2 findings", "1,200 words". */
export const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;

/** "1 major, 4 minor, 2 notes", without the empty ones. */
export function severities(findings: readonly Finding[]): string {
  const parts = SEVERITIES.flatMap((severity: Severity) => {
    const number = findings.filter((one) => one.severity === severity).length;
    if (number === 0) return [];
    return [severity === 'note' ? count(number, 'note') : `${number} ${severity}`];
  });
  return parts.join(', ');
}

/** How often each rule was met: "`simplify` 5, `long-sentence` 3". */
export function perRule(findings: readonly { rule: string }[]): string {
  const counts = new Map<string, number>();
  for (const { rule } of findings) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([rule, number]) => `\`${rule}\` ${number}`)
    .join(', ');
}

/** How the closing line of every contribution begins, whoever reads it under whatever name. */
export const ORIGIN = '*This comes from fixed rules';

/** The closing line of every contribution. */
export const origin = (reviewer: Reviewer): string =>
  `${ORIGIN} (${reviewer.sources}), not from a model: they see words and markup, not meaning.*`;

/** What was left out of the reading; empty when nothing was. */
export const unread = (document: Document): string =>
  document.unread > 0 && !document.binary
    ? `${count(document.unread, 'line')} could not be read (too long, nested too deep, beyond the first 256 KiB, 12,500 lines or 1,500 lists and quotes).`
    : '';
