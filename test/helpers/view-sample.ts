import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../src/core/base/ids.ts';
import { EMPTY_LEDGER } from '../../src/core/council/state/state.ts';
import type {
  Ledger,
  Contribution,
  Council,
  CouncilState,
  Rules,
} from '../../src/core/council/state/state.ts';
import { PHASES } from '../../src/core/council/state/allowed-values.ts';
import type { PhaseName } from '../../src/core/council/state/allowed-values.ts';
import { parseMode } from '../../src/core/council/state/mode.ts';
import type { Mode } from '../../src/core/council/state/mode.ts';
import { createState } from '../../src/core/council/state/new-state.ts';
import type { NewSeat } from '../../src/core/council/state/new-state.ts';
import { rulesOf } from '../core/council/fixtures.ts';

interface Sample {
  ids: string[];
  phase?: PhaseName;
  anonymous?: boolean;
  coordinator?: string | null;
  blind?: boolean;
  conversationId?: string;
  lang?: 'en' | 'fr';
  brief?: string;
  contributions?: Contribution[];
  rules?: Partial<Rules>;
  ledger?: Ledger;
}

const seated = (id: string): NewSeat => ({
  id,
  title: id[0]!.toUpperCase() + id.slice(1),
  emoji: '🦉',
  runner: 'command',
});

/** A council in the middle of things, with what was said so far. */
export function councilOf(sample: Sample): Council {
  const {
    ids,
    phase = 'COLLECT',
    coordinator = null,
    conversationId = '1b4e28ba-2fa1-4d5e-883f-0016d3cca427',
  } = sample;
  const council = {
    conversationId,
    name: 'tabs',
    topic: 'Tabs or spaces?',
    mode: 'debate',
    phases: [...PHASES],
    phaseTimeout: 3_600_000,
    earlyConvergence: true,
    anonymous: sample.anonymous ?? false,
    quorum: 0.5,
    blind: sample.blind ?? true,
    lang: sample.lang ?? 'en',
    rules: rulesOf(sample.rules),
    participants: ids.map(seated),
    coordinator: coordinator === null ? null : seated(coordinator),
  };
  const state: CouncilState = {
    ...createState(council, Date.parse('2026-03-01T10:00:00.000Z')),
    revision: 7,
    currentPhase: phase,
    tour: PHASES.indexOf(phase) + 1,
    updatedAt: '2026-03-01T10:30:00.000Z',
    ledger: sample.ledger ?? EMPTY_LEDGER,
  };
  return {
    state,
    brief: sample.brief ?? 'Which of the two, and why?',
    contributions: sample.contributions ?? [],
  };
}

export function said(by: string, phase: PhaseName, text: string): Contribution {
  const bytes = Buffer.byteLength(text);
  return {
    by,
    phase,
    tour: PHASES.indexOf(phase) + 1,
    at: '2026-03-01T10:15:00.000Z',
    bytes,
    sha256: sha256(text),
    text,
  };
}

/** One of the shipped modes. */
export function shippedMode(name: string): Mode {
  const path = join(import.meta.dirname, '../../templates/modes', `${name}.md`);
  return parseMode(readFileSync(path, 'utf8'), path);
}
