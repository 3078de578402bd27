import { describe, expect, it } from 'vitest';
import { choose, rankCandidates } from '../../../src/team/tasks/task-queue.ts';
import type { Worker } from '../../../src/team/tasks/task-queue.ts';

const worker = (id: string, capabilities: string[], more: Partial<Worker> = {}): Worker => ({
  id,
  wire: 'W1',
  capabilities,
  running: 0,
  concurrency: 1,
  lastUsed: null,
  unavailable: null,
  ...more,
});
const order = (workers: Worker[], needs: string[]): string[] =>
  rankCandidates(workers, needs).map((one) => one.worker.id);

describe('choosing a worker', () => {
  it('takes the best score, then the least load, then who was used longest ago, then the name', () => {
    const workers = [
      worker('half', ['a']),
      worker('busy', ['a', 'b'], { running: 3, concurrency: 4 }),
      worker('recent', ['a', 'b'], { running: 1, concurrency: 4, lastUsed: 2000 }),
      worker('earlier', ['a', 'b'], { running: 1, concurrency: 4, lastUsed: 1000 }),
      worker('zoe', ['a', 'b'], { running: 1, concurrency: 4 }),
      worker('ada', ['b', 'a', 'c'], { running: 1, concurrency: 4 }),
    ];
    expect(order(workers, ['a', 'b'])).toEqual(['ada', 'zoe', 'earlier', 'recent', 'busy', 'half']);
  });

  it('leaves out who has less than a half, exactly a half being enough', () => {
    const ranked = rankCandidates(
      [worker('third', ['a']), worker('half', ['a', 'b'])],
      ['a', 'b', 'c', 'd', 'a'],
    );
    expect(ranked.map(({ worker: { id }, score, out }) => [id, score, out])).toEqual([
      ['half', 0.5, null],
      ['third', 0.25, 'lacks b, c, d'],
    ]);
    expect(choose(rankCandidates([worker('third', ['a'])], ['a', 'b', 'c']))).toBeUndefined();
  });

  it('compares names exactly, and takes everybody where nothing is needed', () => {
    expect(choose(rankCandidates([worker('ada', ['Web_Search'])], ['web_search']))).toBeUndefined();
    expect(choose(rankCandidates([worker('ada', [])], []))?.id).toBe('ada');
  });

  it('gives nobody more than there is room for, and nothing to who cannot be had', () => {
    const full = worker('full', ['a', 'b'], { running: 2, concurrency: 2 });
    const paused = worker('paused', ['a', 'b'], { unavailable: 'paused' });
    expect(choose(rankCandidates([full, paused, worker('half', ['a'])], ['a', 'b']))?.id).toBe('half');
    expect(rankCandidates([full], ['a'])[0]?.out).toBe('has no free place');
  });
});
