// Writes an agent as a Markdown file.
import { writeFrontMatter } from '../base/front-matter.ts';
import { exact } from '../base/duration.ts';
import { requireId } from '../base/ids.ts';
import { MAX_CONTRIBUTION_BYTES } from '../base/text.ts';
import { DEFAULT_TIMEOUT, defaultEmoji } from './agent.ts';
import type { Agent } from './agent.ts';
import { writtenWorkSettings } from './work-settings.ts';

/**
 * The Markdown file of an agent, for `council agents add` and `council init`: only what differs from the defaults is
 * written. Throws `invalid_id` for an id that no file may have.
 */
export function renderAgent(agent: Partial<Agent> & { id: string }): string {
  const id = requireId(agent.id, 'agent id');
  const { command = [], timeout = DEFAULT_TIMEOUT, inactivity = null, budget } = agent;
  const runner = agent.runner ?? (command.length > 0 ? 'command' : 'human');
  const council = omitEmptyFields({
    title: agent.title === id ? undefined : agent.title,
    emoji: agent.emoji === defaultEmoji(runner) ? undefined : agent.emoji,
    runner: runner === 'human' && command.length === 0 ? undefined : runner,
    command,
    args: agent.args,
    input: agent.input === 'prompt' ? undefined : agent.input,
    timeout: timeout === DEFAULT_TIMEOUT ? undefined : exact(timeout),
    inactivity: inactivity === null ? undefined : exact(inactivity),
    maxOutput: agent.maxOutput === MAX_CONTRIBUTION_BYTES ? undefined : agent.maxOutput,
    repair: agent.repair ?? undefined,
    budget: budget && omitEmptyFields({ usd: budget.usd ?? undefined, tokens: budget.tokens ?? undefined }),
    baseUrl: agent.baseUrl ?? undefined,
    apiKey: agent.apiKey ?? undefined,
    prices: agent.prices ?? undefined,
    permissions: agent.permissions === 'allow' ? 'allow' : undefined,
    env: agent.env,
    capabilities: agent.capabilities,
    seat: agent.seat,
    session: agent.session,
    ...writtenWorkSettings(agent),
  });
  const data = omitEmptyFields({
    name: id,
    description: agent.description,
    model: agent.model ?? undefined,
    tools: agent.tools?.join(', '),
    council,
  });
  const persona = (agent.persona ?? '').trim();
  return writeFrontMatter(data, persona === '' ? '' : `\n${persona}\n`);
}

/** Without what is absent or empty. */
function omitEmptyFields(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => {
      if (value === undefined || value === '') return false;
      return typeof value !== 'object' || value === null || Object.keys(value).length > 0;
    }),
  );
}
