// The prompts of a whole debate, in the order in which they are asked, and how much of them a provider can have seen before.
import { placePersona } from '../../src/core/council/view/prompt.ts';
import { measureCacheable } from './measure-cacheable.ts';
import type { Asked } from './measure-cacheable.ts';
import { formatModelKey } from '../../src/core/agents/seat-notation.ts';
import { measureBeginning, planPromptCache } from '../../src/core/heartbeat/launch/prompt-cache.ts';
import type { Agent } from '../../src/core/agents/agent.ts';
import { parseAgent } from '../../src/core/agents/agent.ts';
import { PHASES } from '../../src/core/council/state/allowed-values.ts';
import type { Council } from '../../src/core/council/state/state.ts';
import { viewFor } from '../../src/core/council/view/view.ts';
import { playedTo } from './debate-sample.ts';
import { councilOf, said, shippedMode } from './view-sample.ts';

const USED = { model: null, inputTokens: null, outputTokens: null, costUsd: null, ms: 1, ok: true };
/** A minute behind every launch. */
const NOW = Date.parse('2026-11-21T12:01:00.000Z');

export interface AskedPhase extends Asked {
  participant: string;
  phase: (typeof PHASES)[number];
  /** What council notes of it when it asks. */
  noted: { bytes: number; cacheable: number };
  /** Where it tells a provider to keep what it begins with. */
  kept: number[];
}

const SENTENCE =
  'The queue locks for minutes when a worker dies, and nobody has counted what that costs us. ';

/** So many bytes of text, in paragraphs that differ. */
const write = (bytes: number, about: string): string =>
  Array.from({ length: Math.ceil(bytes / 600) }, (_, at) => `${about} ${at}: ${SENTENCE.repeat(6)}`)
    .join('\n\n')
    .slice(0, bytes);

const makeAgent = (id: string, model: string): Agent =>
  parseAgent(
    `---\nid: ${id}\nmodel: ${model}\ncouncil: { runner: model }\n---\n${write(400, `You are ${id}, and doubt`)}\n`,
    `${id}.md`,
    'project',
  );

interface DebateSize {
  isOneModel?: boolean;
  kb?: number;
}

/** Seats with their agents, the brief, and what all of them say. */
function writeDebate(seats: number, { isOneModel = false, kb = 40 }: DebateSize) {
  const ids = Array.from({ length: seats }, (_, at) => `seat${at + 1}`);
  const agents = ids.map((id, at) => makeAgent(id, `openai/model-${isOneModel ? 1 : at + 1}`));
  const contributions = PHASES.slice(0, -1).flatMap((phase) =>
    ids.map((id) => ({ ...said(id, phase, write(3000, `${id} says in ${phase}`)), position: `plan ${id}` })),
  );
  return { ids, agents, contributions, brief: write(kb * 1000, 'The report') };
}

/** The same debate as peers lay it out: the persona, the question, then all answers so far, alike for everybody. */
export function listPlainPrompts(seats: number, size: DebateSize = {}): Asked[] {
  const { agents, contributions, brief } = writeDebate(seats, size);
  return PHASES.flatMap((phase, at) => {
    const heard = contributions.filter(({ tour }) => tour <= at).map(({ by, text }) => `${by}: ${text}`);
    const asked = phase === 'SYNTHESIZE' ? [agents[0]!] : agents;
    return asked.map((agent) => ({
      key: formatModelKey(agent),
      text: [agent.persona, brief, ...heard, `It is ${phase} now: answer.`].join('\n\n'),
    }));
  });
}

/** A debate of so many participants with `kb` of context, as every one of them is asked in all phases; the coordinator borrows the first runner. */
export function listDebatePrompts(seats: number, size: DebateSize = {}): AskedPhase[] {
  const { ids, agents, ...spoken } = writeDebate(seats, size);
  const base = councilOf({
    ids,
    coordinator: 'maman',
    anonymous: true,
    ...spoken,
  });
  return PHASES.flatMap((phase) => {
    const played = playedTo(phase, base);
    const usage = PHASES.slice(0, played.state.tour - 1).flatMap((past, at) =>
      ids.map((id) => ({
        ...USED,
        participant: id,
        phase: past,
        tour: at + 1,
        at: '2026-11-21T12:00:00.000Z',
      })),
    );
    const council = { ...played, state: { ...played.state, usage } };
    const heard = council.contributions.filter(({ tour }) => tour < council.state.tour);
    const asked = phase === 'SYNTHESIZE' ? ['maman'] : ids;
    return asked.map((id) => askIn({ ...council, contributions: heard }, id, agents));
  });
}

function askIn(council: Council, participant: string, agents: readonly Agent[]): AskedPhase {
  const { currentPhase: phase, lang } = council.state;
  const own = agents.find(({ id }) => id === participant);
  const runner = own ?? agents[0]!;
  const { persona, system } = placePersona(runner, [...agents, agents[0]!], own?.persona ?? '', lang);
  const view = viewFor({
    council,
    participant,
    persona,
    houseRules: 'Be brief.',
    mode: shippedMode('debate'),
  });
  const find = (id: string) => agents.find((one) => one.id === id);
  const asked = { state: council.state, participant, runner: runner.id, find, view, system };
  const beginnings = planPromptCache(asked, { now: NOW, goesOn: true });
  return {
    ...{ participant, phase, key: formatModelKey(runner), text: system + view.prompt },
    noted: measureBeginning(asked),
    kept: beginnings.flatMap(({ end, isKept }) => (isKept ? [end] : [])),
  };
}

/** Bytes of all prompts, and the share of them that stood in an earlier prompt to the same program and model. */
export function measurePrompts(asked: readonly Asked[]): { bytes: number; share: number } {
  const { bytes, cacheable } = measureCacheable(asked);
  return { bytes, share: cacheable / bytes };
}
