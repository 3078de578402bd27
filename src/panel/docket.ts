// Offline panel: findings with their challenges and answers, and positions by phase.
import { oneLine } from '../base/text.ts';
import { claimsOf } from './challenge.ts';
import { parseExchanges, parseQuotations } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { headOf, parseHead, sameFinding } from './finding.ts';
import type { Finding } from './finding.ts';
import { statedPosition } from './position.ts';
import { ORIGIN } from './wording.ts';
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

/** Where one participant stood, phase by phase. */
export interface Voice {
  label: string;
  /** The reviewer's id, as its contributions give it; else the label. */
  name: string;
  positions: { phase: Phase; position: string }[];
  blocking: string[];
  /** Contributions without a single line in the panel's form. */
  free: { phase: Phase; opening: string; characters: number }[];
}

/** The findings of COLLECT with their challenges and answers. */
export function casesOf(view: View): Case[] {
  const names = new Map(voicesOf(view).map(({ label, name }) => [label, name]));
  const cases = claimsOf(view.contributions).map(({ label, finding }): Case => ({
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
            one.label !== label && (head ? sameFinding(head, one.finding) : headOf(one.finding) === quoted),
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

const PANEL = /^\*\*(Plain language|Precision|Structure|Inclusion)\*\*: /m;

/** Who spoke, and where they stood. */
export function voicesOf(view: View): Voice[] {
  const voices = new Map<string, Voice>();
  const ordered = PHASES.flatMap((phase) => view.contributions.filter((said) => said.phase === phase));
  for (const { label, phase, text } of ordered) {
    const voice = voices.get(label) ?? {
      label,
      name: oneLine(label, 80),
      positions: [],
      blocking: [],
      free: [],
    };
    voices.set(label, voice);
    const title = PANEL.exec(text.slice(0, 4000))?.[1];
    // Where names are hidden, the title is a label like everybody's.
    const isPanel = title !== undefined || text.includes(`\n${ORIGIN} (`);
    if (title) voice.name = title.toLowerCase().replace(' ', '-');
    const position = statedPosition(text);
    if (position) voice.positions.push({ phase, position: oneLine(position, 60) });
    voice.blocking = blockingOf(text);
    if (!isPanel && claimsOf([{ label, phase: 'COLLECT', text }]).length === 0) {
      voice.free.push({ phase, opening: opening(text), characters: text.length });
    }
  }
  return [...voices.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** `blocking: ["…"]` on one line of the front matter, as the panel and JSON writers put it. */
function blockingOf(text: string): string[] {
  const list =
    /^---\r?\n[^]{0,4000}?^blocking:[ \t]*\[(.*)\][ \t]*\r?$/m.exec(text.slice(0, 5000))?.[1] ?? '';
  return [...list.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((match) =>
    oneLine((match[1] ?? '').replace(/\\(.)/g, '$1'), 300),
  );
}

const opening = (text: string): string =>
  oneLine(
    text
      .slice(0, 5000)
      .replace(/^---\r?\n[^]*?\n---\r?\n/, '')
      .slice(0, 400),
    160,
  );
