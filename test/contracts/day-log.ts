import { describe, expect, it } from 'vitest';
import type { DayLog } from '../../src/team/log/day-log.ts';
import { until } from '../core/store/scratch.ts';

export const at = (time: string): number => Date.parse(`${time}Z`);

export async function linesOf(log: DayLog, options?: Parameters<DayLog['read']>[0]): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of log.read(options)) lines.push(line);
  return lines;
}

/** What every driver of day logs must do. `make` gives an empty one. */
export function dayLogContract(name: string, make: () => DayLog): void {
  describe(`${name}: what every driver of day logs does`, () => {
    it('keeps lines in the order of their days, and in the order they came', async () => {
      const log = make();
      expect(await linesOf(log)).toEqual([]);
      await log.append(at('2026-01-11T10:00:00'), '{"n":2}');
      await log.append(at('2026-01-10T23:59:59.999'), '{"n":1}');
      await log.append(at('2026-01-11T09:00:00'), '{"text":"Ça va 🦉"}');
      await log.append(at('2026-01-12T00:00:00'), '{"n":4}');
      const all = ['{"n":1}', '{"n":2}', '{"text":"Ça va 🦉"}', '{"n":4}'];
      expect(await linesOf(log)).toEqual(all);
      expect(await linesOf(log, { newest: true })).toEqual(all.toReversed());
      expect(await linesOf(log, { from: '2026-01-11' })).toEqual(all.slice(1));
      expect(await linesOf(log, { from: '2027-01-01', newest: true })).toEqual([]);
    });

    it('tells whoever follows what is added, and nothing of before', async () => {
      const log = make();
      await log.append(at('2026-01-11T10:00:00'), 'before');
      const heard: string[] = [];
      const stop = log.follow((line) => heard.push(line));
      await log.append(at('2026-01-11T10:00:01'), 'one');
      await log.append(at('2026-01-12T10:00:01'), 'two');
      await until(() => heard.length === 2, 'both lines');
      stop();
      await log.append(at('2026-01-12T10:00:02'), 'three');
      expect(heard).toEqual(['one', 'two']);
    });
  });
}
