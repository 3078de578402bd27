// Modes: the type, and the parser of mode files.
import { basename } from 'node:path';
import { asDuration } from '../../base/duration.ts';
import { CouncilError } from '../../base/errors.ts';
import { readFrontMatter } from '../../base/front-matter.ts';
import type { FrontMatter } from '../../base/front-matter.ts';
import { isId } from '../../base/ids.ts';
import type { Language } from '../../base/words/words.ts';
import { RANKS, RULES, PHASES, TIES } from './allowed-values.ts';
import type { Rule, PhaseName } from './allowed-values.ts';
import type { Rules } from './state.ts';

/** Bytes of a contribution shown to others, unless the mode sets it. */
export const DEFAULT_SHOWN_BYTES = 24 * 1024;

/** How a council deliberates: which phases, how long, and what each asks for. */
export interface Mode {
  /** The file name without extension. */
  name: string;
  description: string;
  phases: PhaseName[];
  /** Milliseconds a phase may last. */
  timeout: number;
  /** Whether general agreement may skip the remaining phases. */
  earlyConvergence: boolean;
  /** Share of the participants that must have spoken for a decision to count, 0 to 1. */
  quorum: number;
  /** Whether participants see each other under labels instead of names. */
  anonymous: boolean;
  /** How positions become a decision. */
  rule: Rule;
  /** What may break a tie; null for nothing. */
  tie: Rules['tie'] | null;
  /** What the participants rank under `ranked`; null for positions. */
  ranks: Rules['ranks'] | null;
  /** How often CHALLENGE and RESOLVE are played at most. */
  repeat: number;
  /** Bytes of a contribution shown to others, in addition to its form and its claims. */
  shown: number | 'all';
  prompts: Record<Language, Partial<Record<PhaseName, string>>>;
}

const KEYS = [
  'description',
  'phases',
  'timeout',
  'earlyConvergence',
  'quorum',
  'anonymous',
  'rule',
  'tie',
  'ranks',
  'repeat',
  'shown',
] as const;
type Key = (typeof KEYS)[number];

/**
 * Parses a mode file. Only `phases` and a prompt for each of them are required; a prompt in only one language
 * is used for both. Throws `invalid_mode` with path, key, and expected and received values.
 */
export function parseMode(text: string, path: string): Mode {
  const { data, body } = readModeFile(text, path);
  refuseMisspelled(data, path);
  const read = <T>(
    key: Key,
    expected: string,
    accept: (value: unknown) => T | undefined,
    fallback?: T,
  ): T => {
    const value = data[key];
    const accepted = value === undefined || value === null ? fallback : accept(value);
    if (accepted === undefined) throw createInvalidModeError(path, key, expected, value);
    return accepted;
  };
  const bool = (value: unknown) => (typeof value === 'boolean' ? value : undefined);
  const phases = read(
    'phases',
    `a list of ${PHASES.join(', ')} in this order, with the first and the last`,
    asPhases,
  );
  return {
    name: parseModeName(path),
    description: read('description', 'one line of text', asLine, ''),
    phases,
    timeout: read('timeout', 'a duration such as 30m or 1h', asDuration, 3_600_000),
    earlyConvergence: read('earlyConvergence', 'true or false', bool, false),
    quorum: read('quorum', 'a number from 0 to 1', asShare, 0.5),
    anonymous: read('anonymous', 'true or false', bool, false),
    rule: read('rule', `one of ${RULES.join(', ')}`, (v) => RULES.find((rule) => rule === v), 'none'),
    tie: read('tie', TIES.join(' or '), (v) => TIES.find((tie) => tie === v), null),
    ranks: read('ranks', RANKS.join(' or '), (v) => RANKS.find((ranks) => ranks === v), null),
    repeat: read('repeat', 'a whole number from 1 to 9', asRepeat, 1),
    shown: read('shown', 'a whole number of bytes from 1024, or all', asShownBytes, DEFAULT_SHOWN_BYTES),
    prompts: selectPhasePrompts(phases, parsePhaseSections(body, path), path),
  };
}

function readModeFile(text: string, path: string): FrontMatter {
  try {
    return readFrontMatter(text, path);
  } catch (error) {
    if (!(error instanceof CouncilError) || error.code !== 'invalid_config') throw error;
    throw new CouncilError('invalid_mode', error.message, { hint: error.hint, cause: error });
  }
}

function parseModeName(path: string): string {
  const name = basename(path, '.md');
  if (isId(name)) return name;
  throw createInvalidModeError(path, 'file name', 'lower-case letters, digits and hyphens, then .md', name);
}

const asLine = (value: unknown) => (typeof value === 'string' ? value.trim() : undefined);

function asPhases(value: unknown): PhaseName[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const places = value.map((phase) => PHASES.indexOf(String(phase).toUpperCase() as PhaseName));
  const ordered = places.every((place, i) => place >= 0 && (i === 0 || place > places[i - 1]!));
  if (!ordered || places[0] !== 0 || places.at(-1) !== PHASES.length - 1) return undefined;
  return places.map((place) => PHASES[place]!);
}

function asShare(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : undefined;
}

const asShownBytes = (value: unknown): Mode['shown'] | undefined =>
  value === 'all' || (Number.isInteger(value) && Number(value) >= 1024) ? (value as number) : undefined;

function asRepeat(value: unknown): number | undefined {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 9 ? Number(value) : undefined;
}

function selectPhasePrompts(phases: PhaseName[], found: Prompts, path: string): Prompts {
  const prompts: Prompts = { en: {}, fr: {} };
  for (const phase of phases) {
    const en = found.en[phase] || found.fr[phase];
    const fr = found.fr[phase] || found.en[phase];
    if (!en || !fr)
      throw createInvalidModeError(path, `## ${phase}`, 'a section with the prompt of this phase', undefined);
    prompts.en[phase] = en;
    prompts.fr[phase] = fr;
  }
  return prompts;
}

// Other unknown keys are ignored, but a misspelled `early_convergence` would silently change the rules.
function refuseMisspelled(data: Record<string, unknown>, path: string): void {
  const normalizeKey = (key: string) => key.toLowerCase().replace(/[-_ ]/g, '');
  for (const key of Object.keys(data)) {
    const meant = KEYS.find((known) => normalizeKey(known) === normalizeKey(key));
    if (meant !== undefined && meant !== key)
      throw createInvalidModeError(path, key, `the spelling ${meant}`, key);
  }
}

function createInvalidModeError(
  path: string,
  key: string,
  expected: string,
  received: unknown,
): CouncilError {
  const got =
    received === undefined || received === null ? 'nothing' : JSON.stringify(received).slice(0, 120);
  return new CouncilError(
    'invalid_mode',
    `${path}: ${JSON.stringify(key)} must be ${expected}; received ${got}.`,
    {
      hint: 'Compare with a mode that works: council modes debate',
      details: { path, key, expected, received: got },
    },
  );
}

// Reads the prompts for phases from the body of a mode file.

/** The prompts in a mode file; a language may lack some. */
type Prompts = Record<Language, Partial<Record<PhaseName, string>>>;

const HEADING = /^##[ \t]+(.*)$/;
const PHASE_HEADING = new RegExp(`^(${PHASES.join('|')})(?:[ \\t]*\\((en|fr)\\))?$`, 'i');
const LIKE_A_PHASE = new RegExp(`^(${PHASES.join('|')})\\b`, 'i');
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/**
 * Returns the prompts under the headings `## COLLECT` (English), `## COLLECT (fr)` … of a mode's body. Any
 * other `##` heading is part of its prompt, and so is everything in fenced code. Throws `invalid_mode` for an
 * invalid or duplicate phase heading.
 */
function parsePhaseSections(body: string, path: string): Prompts {
  const prompts: Prompts = { en: {}, fr: {} };
  const lines = body.split(/\r?\n/);
  const starts = findPhaseHeadings(lines, path);
  starts.forEach(({ phase, lang, line }, i) => {
    if (prompts[lang][phase] !== undefined)
      throw createHeadingError(path, lines[line]!, 'one section per phase and language');
    prompts[lang][phase] = lines
      .slice(line + 1, starts[i + 1]?.line)
      .join('\n')
      .trim();
  });
  return prompts;
}

interface Start {
  phase: PhaseName;
  lang: Language;
  line: number;
}

function findPhaseHeadings(lines: string[], path: string): Start[] {
  const starts: Start[] = [];
  let fence = '';
  lines.forEach((text, line) => {
    fence = trackFence(text, fence);
    const title =
      fence === ''
        ? HEADING.exec(text)?.[1]
            ?.trimEnd()
            .split(/[ \t]#+$/)[0]
            ?.trim()
        : undefined;
    if (title === undefined || !LIKE_A_PHASE.test(title)) return;
    const found = PHASE_HEADING.exec(title);
    if (!found) throw createHeadingError(path, text, '"## PHASE" or "## PHASE (fr)"');
    const lang = found[2]?.toLowerCase() === 'fr' ? 'fr' : 'en';
    starts.push({ phase: found[1]!.toUpperCase() as PhaseName, lang, line });
  });
  return starts;
}

/** Returns the fence that is open after this line: its characters, or '' outside fenced code. */
function trackFence(line: string, open: string): string {
  const [, mark, rest] = FENCE.exec(line) ?? [];
  if (mark === undefined || rest === undefined) return open;
  if (open === '') return mark.startsWith('`') && rest.includes('`') ? '' : mark;
  return mark.startsWith(open) && rest.trim() === '' ? '' : open;
}

function createHeadingError(path: string, line: string, expected: string): CouncilError {
  const received = line.trim().slice(0, 80);
  return new CouncilError(
    'invalid_mode',
    `${path}: the heading ${JSON.stringify(received)} is not understood: expected ${expected}.`,
    {
      hint: `The phases are ${PHASES.join(', ')}; other headings inside a prompt must not begin with their names.`,
      details: { path, key: 'sections', expected, received },
    },
  );
}
