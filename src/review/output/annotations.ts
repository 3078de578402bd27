// A review as annotations of GitHub Actions, which the runner reads from what a step prints.
import type { Words } from '../../core/base/words/words.ts';
import type { Finding, Review } from '../report.ts';
import { describeFinding, listLiveFindings } from './finding.ts';

/** GitHub shows no more of a kind for each step. */
const MAX_OF_A_KIND = 10;

/**
 * The first line of a step: until `renderAnnotations` nothing that is printed is a command for the runner, whatever agents and
 * the change say. `token` is random and known to nobody.
 */
export const stopCommands = (token: string): string => `::stop-commands::${token}`;

/** A review as people read it (`text`), and then what blocks as errors and what is contested or not as bad as warnings. */
export function renderAnnotations(
  review: Review,
  words: Words,
  { text, token }: { text: string; token: string },
): string {
  const findings = listLiveFindings(review);
  const errors = findings.filter(({ standing }) => standing === 'blocking');
  const warnings = findings.filter(({ standing }) => standing !== 'blocking');
  return [
    text,
    `::${token}::`,
    ...errors.slice(0, MAX_OF_A_KIND).map((finding) => renderCommand('error', finding, words)),
    ...warnings.slice(0, MAX_OF_A_KIND).map((finding) => renderCommand('warning', finding, words)),
  ].join('\n');
}

function renderCommand(kind: 'error' | 'warning', finding: Finding, words: Words): string {
  const { place, id, severity, title } = finding;
  const properties = {
    ...(place && { file: place.file }),
    // Removed lines have other numbers than those that GitHub shows.
    ...(place?.side === 'new' && { line: place.start, endLine: place.end }),
    title: `${id} ${severity}: ${title}`,
  };
  const listed = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(String(value))}`);
  return `::${kind} ${listed.join(',')}::${escapeData(describeFinding(finding, words))}`;
}

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
