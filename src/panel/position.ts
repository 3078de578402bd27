// Offline panel: positions and confidence that follow from findings.
import type { Finding, Severity } from './finding.ts';

/** The scale, from content to not. `abstain` stands beside it: nothing could be judged. */
export const SCALE = ['approve', 'minor-changes', 'major-changes'] as const;
export type Position = (typeof SCALE)[number] | 'abstain';

const WEIGHT: Record<Severity, number> = { major: 5, minor: 2, note: 1 };
/** Weighted findings per 1,000 words: below the first is `approve`, from the second on `major-changes`. */
export const THRESHOLDS = { minor: 5, major: 25 };
/** A shorter text counts as this long, so that one note in a short mail is not a catastrophe. */
const FEWEST_WORDS = 300;

/** The weight of all findings per 1,000 words of prose, to one decimal. */
export function weightOf(findings: readonly Finding[], words: number): number {
  const weight = findings.reduce((sum, { severity }) => sum + WEIGHT[severity], 0);
  return Math.round((weight * 10_000) / Math.max(FEWEST_WORDS, words)) / 10;
}

/** The position that follows from findings. A major finding is never approved. */
export function positionOf(findings: readonly Finding[], words: number): Position {
  const weight = weightOf(findings, words);
  if (weight >= THRESHOLDS.major) return 'major-changes';
  return weight >= THRESHOLDS.minor || findings.some(({ severity }) => severity === 'major')
    ? 'minor-changes'
    : 'approve';
}

/**
 * How far rules can be trusted here, 0 to 0.9: it grows with the words they could read,
 * and shrinks with the share of findings that had to be withdrawn.
 */
export function confidenceOf(words: number, kept: number, withdrawn: number): number {
  // One more on both sides: a reviewer that lost its only finding is less sure, not clueless.
  const share = (kept + 1) / (kept + withdrawn + 1);
  return Math.round(Math.min(0.9, words / (words + 200)) * share * 100) / 100;
}

export interface Stance {
  position: Position;
  confidence: number;
  agreed?: boolean;
  blocking?: readonly string[];
}

/** Front matter and body of a contribution. */
export function withStance(stance: Stance, body: string): string {
  const lines = ['---', `position: ${stance.position}`, `confidence: ${stance.confidence}`];
  if (stance.agreed) lines.push('agreed: true');
  if (stance.blocking && stance.blocking.length > 0)
    lines.push(`blocking: ${JSON.stringify(stance.blocking)}`);
  return `${lines.join('\n')}\n---\n${body.trim()}\n`;
}

/** The position somebody states, from front matter, or from a line "Position: …" where a view leaves front matter out. */
export function statedPosition(text: string): string | undefined {
  const front = /^\uFEFF?---\r?\n([^]{0,4000}?)\r?\n---/.exec(text)?.[1];
  const stated = /^position:[ \t]*(.+)$/m.exec(front ?? '')?.[1] ?? /^Position: ([a-z-]+)/m.exec(text)?.[1];
  return (
    stated
      ?.trim()
      .replace(/^["']|["']$/g, '')
      .slice(0, 60) || undefined
  );
}

/** The strictest position that at least half of those on the scale want, or want more than; words outside the scale do not count. */
export function majority(positions: readonly string[]): Position | undefined {
  const ranks = positions
    .map((stated) => SCALE.findIndex((position) => position === stated))
    .filter((rank) => rank >= 0);
  return SCALE[ranks.sort((a, b) => a - b)[Math.floor(ranks.length / 2)] ?? -1];
}

/** True when a position is at most one step of the scale away from what most want. */
export function canLiveWith(own: Position, wanted: Position | undefined): boolean {
  if (own === 'abstain' || wanted === undefined || wanted === 'abstain') return true;
  return Math.abs(SCALE.indexOf(own) - SCALE.indexOf(wanted)) <= 1;
}
