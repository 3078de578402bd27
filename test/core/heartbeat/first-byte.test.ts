import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { agentRegistry } from '../../../src/core/agents/registry.ts';
import type { SpeakRequest } from '../../../src/core/agents/runners/turn-types.ts';
import { NO_RESULT } from '../../../src/core/heartbeat/launch/result.ts';
import { macrotask } from '../../helpers/yielding.ts';
import { fakeTime, newTable } from './table.ts';

beforeEach(fakeTime);
afterEach(() => vi.useRealTimers());

const LONG = 'A sentence of some words. '.repeat(1600);
const seatFile = (id: string, model: string): string =>
  `---\nname: ${id}\nmodel: ${model}\ncouncil:\n  runner: model\n---\n`;

/** What happens, in its order, while the seats of a council are asked: when a model is asked, and when it begins to answer. */
async function listStarts(brief: string, models: Record<string, string>): Promise<string[]> {
  const starts: string[] = [];
  const table = newTable(Object.fromEntries(Object.keys(models).map((id) => [id, () => ({})])));
  const files = () =>
    Object.entries(models).map(([id, model]) => ({ path: `${id}.md`, text: seatFile(id, model) }));
  const speak = async ({ agent, onBegin }: SpeakRequest) => {
    starts.push(`${agent.id} asked`);
    for (let turn = 0; turn < 200; turn++) await macrotask();
    starts.push(`${agent.id} began`);
    onBegin?.();
    return { ...NO_RESULT, ok: true, output: Buffer.from('Yes.') };
  };
  Object.assign(table.ports, {
    agents: agentRegistry([{ source: 'project', files }]),
    createRunner: () => ({ speak }),
  });
  await table.convene({ brief });
  await table.tick();
  return starts;
}

describe('seats of one model', () => {
  it('start once the first one has its first byte, so that the provider knows what they share', async () => {
    const starts = await listStarts(LONG, { ada: 'openai/m', bob: 'openai/m', eve: 'openai/other' });
    expect(starts.indexOf('bob asked')).toBeGreaterThan(starts.indexOf('ada began'));
    expect(starts.indexOf('eve asked')).toBeLessThan(starts.indexOf('ada began'));
    expect(starts).toHaveLength(6);
  });

  it('start at once where they share too little', async () => {
    const starts = await listStarts('Go?', { ada: 'openai/m', bob: 'openai/m' });
    expect(starts.slice(0, 2).toSorted()).toEqual(['ada asked', 'bob asked']);
  });
});
