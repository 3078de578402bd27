import { expect, it } from 'vitest';
import { createUnknownCouncilError } from '../../../../src/core/council/use/unknown-council.ts';
import type { Ports } from '../../../../src/core/council/use/ports.ts';

const hintAmong = async (active: string[], name: string): Promise<string> => {
  const store = { list: async () => active } as unknown as Ports['store'];
  return (await createUnknownCouncilError({ store }, name)).hint!;
};

it('names five councils at most, the nearest one first, and says how many more there are', async () => {
  const many = Array.from({ length: 500 }, (_, at) => `council-of-day-${at}`);
  expect(await hintAmong(many, 'council-of-dai-77')).toBe(
    `Did you mean council-of-day-77? Active: ${many.slice(0, 5).join(', ')} and 495 more (see: council status). Choose one with --name.`,
  );
  expect(await hintAmong(['queue'], 'zzz')).toBe('Active: queue. Choose one with --name.');
  expect(await hintAmong([], 'zzz')).toContain('Start one with');
});
