import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../src/base/ids.ts';
import { EMPTY_LEDGER } from '../../src/council/ledger-types.ts';
import type { Ledger } from '../../src/council/ledger-types.ts';
import { parseMode } from '../../src/council/mode.ts';
import type { Mode } from '../../src/council/mode.ts';
import { PHASES } from '../../src/council/state.ts';
import type {
  Contribution,
  Council,
  CouncilState,
  Participant,
  PhaseName,
  Rules,
} from '../../src/council/state.ts';
import { participant, rulesOf } from '../council/fixtures.ts';

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

const seated = (id: string): Participant =>
  participant({ title: id[0]!.toUpperCase() + id.slice(1), runner: 'command' });

/** A council in the middle of things, with what was said so far. */
export function councilOf(sample: Sample): Council {
  const {
    ids,
    phase = 'COLLECT',
    coordinator = null,
    conversationId = '1b4e28ba-2fa1-4d5e-883f-0016d3cca427',
  } = sample;
  const state: CouncilState = {
    schema: 1,
    revision: 7,
    textSha256: '',
    conversationId,
    name: 'tabs',
    topic: 'Tabs or spaces?',
    mode: 'debate',
    currentPhase: phase,
    tour: PHASES.indexOf(phase) + 1,
    createdAt: '2026-03-01T10:00:00.000Z',
    updatedAt: '2026-03-01T10:30:00.000Z',
    timeoutAt: '2026-03-01T11:00:00.000Z',
    status: 'ACTIVE',
    coordinator,
    participants: Object.fromEntries(ids.map((id) => [id, seated(id)])),
    convergence: { responseRate: 0, hasConsensus: false, blockingIssues: [] },
    order: ids,
    synthesizer: coordinator === null ? null : seated(coordinator),
    phases: [...PHASES],
    phaseTimeout: 3_600_000,
    earlyConvergence: true,
    anonymous: sample.anonymous ?? false,
    quorum: 0.5,
    blind: sample.blind ?? true,
    lang: sample.lang ?? 'en',
    rules: rulesOf(sample.rules),
    ledger: sample.ledger ?? EMPTY_LEDGER,
    advocate: null,
    held: null,
    decision: null,
    absences: [],
    transitions: [],
    closing: null,
    change: { action: 'start', by: null, actor: 'test' },
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
