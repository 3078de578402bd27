// Offline panel: findings with their challenges and answers.
import { oneLine } from '../core/base/text.ts';
import { parseStatedClaims } from './challenge.ts';
import { parseExchanges, parseQuotations } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { renderFindingHead, parseHead, sameFinding } from './finding.ts';
import type { Finding } from './finding.ts';
import { REVIEWER_IDS } from './reviewer.ts';
import { PHASES } from './view.ts';
import type { Phase, View } from './view.ts';

/** One finding with everything that was said about it. */
export interface Case {
  finding: Finding;
  /** The name of the voice that raised it. */
  owner: string;
  label: string;
  challenges: { by: string; reason: string; words: string }[];
  /** The owner's answers. */
  answers: Exchange[];
  outcome: 'stands' | 'contested' | 'withdrawn';
}

/** Who spoke. */
export interface Voice {
  label: string;
  /** The reviewer's id, as its contributions give it; else the label. */
  name: string;
  /** Contributions without a single line in the panel's form. */
  free: { phase: Phase; opening: string; characters: number }[];
}

/** The findings of COLLECT with their challenges and answers. */
export function buildCases(view: View): Case[] {
  const names = new Map(collectVoices(view).map(({ label, name }) => [label, name]));
  const cases = parseStatedClaims(view.contributions).map(({ label, finding }): Case => ({
    finding,
    label,
    owner: names.get(label) ?? label,
    challenges: [],
    answers: [],
    outcome: 'stands',
  }));
  for (const { label, phase, text } of view.contributions) {
    if (phase === 'CHALLENGE') {
      for (const { quoted, reason = 'free-words', words } of parseQuotations(text)) {
        const head = parseHead(quoted);
        const found = cases.find(
          (one) =>
            one.label !== label &&
            (head ? sameFinding(head, one.finding) : renderFindingHead(one.finding) === quoted),
        );
        found?.challenges.push({ by: label, reason, words });
      }
    } else if (phase === 'RESOLVE') {
      // Only its author can withdraw a finding.
      for (const answer of parseExchanges(text)) {
        if (answer.kind !== 'Challenge')
          cases
            .find((one) => one.label === label && sameFinding(answer.finding, one.finding))
            ?.answers.push(answer);
      }
    }
  }
  for (const one of cases) {
    if (one.answers.some(({ kind }) => kind === 'Withdrawn')) one.outcome = 'withdrawn';
    else if (one.challenges.length > 0) one.outcome = 'contested';
  }
  return cases;
}

const PANEL = new RegExp(`^\\*\\*(${REVIEWER_IDS.join('|')})\\*\\*: `, 'm');

/** Who spoke, and what they said in free words. */
export function collectVoices(view: View): Voice[] {
  const voices = new Map<string, Voice>();
  const ordered = PHASES.flatMap((phase) => view.contributions.filter((said) => said.phase === phase));
  for (const { label, phase, text } of ordered) {
    const voice = voices.get(label) ?? { label, name: oneLine(label, 80), free: [] };
    voices.set(label, voice);
    const id = PANEL.exec(text.slice(0, 4000))?.[1];
    if (id) voice.name = id;
    else if (parseStatedClaims([{ label, phase: 'COLLECT', text }]).length === 0)
      voice.free.push({ phase, opening: excerptOpening(text), characters: text.length });
  }
  return [...voices.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

const excerptOpening = (text: string): string =>
  oneLine(
    text
      .slice(0, 5000)
      .replace(/^---\r?\n[^]*?\n---\r?\n/, '')
      .slice(0, 400),
    160,
  );
