import { expect, it } from 'vitest';
import { parseAgent } from '../../../src/core/agents/agent.ts';
import { tellBeforehand } from '../../../src/core/app/few-voices.ts';
import type { Rule } from '../../../src/core/council/state/allowed-values.ts';
import type { Language } from '../../../src/core/base/words/words.ts';
import { shippedMode } from '../../helpers/view-sample.ts';

async function notesBefore(
  seats: number,
  rule: Rule | null,
  lang: Language = 'en',
  isTold = false,
): Promise<string[]> {
  const notes: string[] = [];
  const agents = 'abcdef'
    .slice(0, seats)
    .split('')
    .map((id) => parseAgent(`---\nname: ${id}\ndescription: x\n---\n`, `${id}.md`, 'project'));
  // Of people nothing is looked up.
  const ports = { health: { read: () => Promise.resolve({}) } } as Parameters<typeof tellBeforehand>[1];
  const app = { note: (words: string) => void notes.push(words), env: {} };
  const mode = shippedMode('debate');
  const council = { agents, mode, lang, rules: rule ? { rule } : {} };
  await tellBeforehand(app, ports, council, () => Promise.resolve(isTold));
  return notes;
}

it('says what two seats, or an even number under majority, cost, and offers one more', async () => {
  const two = await notesBefore(2, null);
  expect(two).toEqual([expect.stringMatching(/^If the two seats disagree, it is a tie\. .*--agents a,b,ID/)]);
  expect(await notesBefore(2, 'majority')).toEqual(two);
  // What was said of a table is not said of it again.
  expect(await notesBefore(2, 'majority', 'en', true)).toEqual([]);
  expect(await notesBefore(4, 'majority')).toEqual([
    expect.stringMatching(/^With 4 seats, half against half decides nothing\. .*--agents a,b,c,d,ID/),
  ]);
  expect(await notesBefore(4, 'majority', 'fr')).toEqual([
    expect.stringMatching(/^À 4 sièges, .* --agents a,b,c,d,ID/),
  ]);
  expect(await notesBefore(1, null)).toEqual([expect.stringMatching(/^One seat is no council/)]);
  for (const [seats, rule] of [
    [3, 'majority'],
    [4, null],
    [2, 'consensus'],
  ] as const)
    expect(await notesBefore(seats, rule)).toEqual([]);
});
