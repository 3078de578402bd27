// Offline panel: writes and parses challenges and answers.
import { oneLine } from '../core/base/text.ts';
import { renderFindingHead, parseHead } from './finding.ts';
import type { Finding } from './finding.ts';
import { says } from './says.ts';

/** A challenge to a finding, or the answer to one. */
export interface Exchange {
  kind: 'Challenge' | 'Withdrawn' | 'Upheld';
  /** Which argument it is; answers repeat the challenge's. */
  reason: string;
  finding: Finding;
  words: string;
}

/** A quoted line, with the paragraph that follows it. */
export interface Quotation {
  quoted: string;
  words: string;
  /** What stands above the quote, where it has our form. */
  kind: Exchange['kind'] | undefined;
  reason: string | undefined;
}

const MARK = /^\*\*(Challenge|Withdrawn|Upheld)\*\* · `([a-z][a-z-]{0,60})`(?: · .*)?$/;

/** An exchange as Markdown: what it is, the finding word for word, and why. `to` names whose finding it is. */
export function formatExchange({ kind, reason, finding, words }: Exchange, to = ''): string {
  const mark = `**${kind}** · \`${reason}\`${to === '' ? '' : ` · ${says(finding.language).toWhom(oneLine(to, 80))}`}`;
  return `${mark}\n\n> ${renderFindingHead(finding)}\n\n${oneLine(words, 600)}`;
}

/** Every quoted line of a contribution with what is said about it. */
export function parseQuotations(text: string): Quotation[] {
  const lines = text.split(/\r?\n/);
  return lines.flatMap((line, index) => {
    if (!line.startsWith('> ') || line.length > 4000) return [];
    const above = lines[index - 1] === '' ? lines[index - 2] : lines[index - 1];
    const [, kind, reason] = MARK.exec((above ?? '').slice(0, 300)) ?? [];
    const below = lines[index + 1] === '' ? lines[index + 2] : lines[index + 1];
    return [
      {
        quoted: line.slice(2).trim(),
        words: oneLine(below ?? '', 600),
        kind: kind as Exchange['kind'] | undefined,
        reason,
      },
    ];
  });
}

/** The exchanges of a contribution that have our form. */
export function parseExchanges(text: string): Exchange[] {
  return parseQuotations(text).flatMap(({ quoted, words, kind, reason }) => {
    const finding = parseHead(quoted);
    return finding && kind && reason ? [{ kind, reason, finding, words }] : [];
  });
}
