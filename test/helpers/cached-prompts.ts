// The prompts of a whole debate, in the order in which they are asked, and how much of them a provider can have seen before.
import { placePersona } from '../../src/core/council/view/place-persona.ts';
import { measureCacheable } from './measure-cacheable.ts';
import type { Asked } from './measure-cacheable.ts';
import { formatModelKey } from '../../src/core/agents/seat-notation.ts';
import type { Agent } from '../../src/core/agents/agent.ts';
import { parseAgent } from '../../src/core/agents/agent.ts';
import { PHASES } from '../../src/core/council/state/choices.ts';
import type { Council } from '../../src/core/council/state/state.ts';
import { viewFor } from '../../src/core/council/view/view.ts';
import { playedTo } from './debate-sample.ts';
import { councilOf, said, shippedMode } from './view-sample.ts';

export interface AskedPhase extends Asked {
  participant: string;
  phase: (typeof PHASES)[number];
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
    `---\nid: ${id}\nrunner: model\nmodel: ${model}\n---\n${write(400, `You are ${id}, and doubt`)}\n`,
    `${id}.md`,
    'project',
  );

/** A debate of so many participants with `kb` of context, as every one of them is asked in all phases; the coordinator borrows the first runner. */
export function listDebatePrompts(seats: number, { isOneModel = false, kb = 40 } = {}): AskedPhase[] {
  const ids = Array.from({ length: seats }, (_, at) => `seat${at + 1}`);
  const agents = ids.map((id, at) => makeAgent(id, `openai/model-${isOneModel ? 1 : at + 1}`));
  const contributions = PHASES.slice(0, -1).flatMap((phase) =>
    ids.map((id) => ({ ...said(id, phase, write(3000, `${id} says in ${phase}`)), position: `plan ${id}` })),
  );
  const base = councilOf({
    ids,
    coordinator: 'maman',
    anonymous: true,
    brief: write(kb * 1000, 'The report'),
    contributions,
  });
  return PHASES.flatMap((phase) => {
    const council = playedTo(phase, base);
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
  const { prompt } = viewFor({
    council,
    participant,
    persona,
    houseRules: 'Be brief.',
    mode: shippedMode('debate'),
  });
  return { participant, phase, key: formatModelKey(runner), text: system + prompt };
}

/** Bytes of all prompts, and the share of them that stood in an earlier prompt to the same program and model. */
export function measurePrompts(asked: readonly Asked[]): { bytes: number; share: number } {
  const { bytes, cacheable } = measureCacheable(asked);
  return { bytes, share: cacheable / bytes };
}
