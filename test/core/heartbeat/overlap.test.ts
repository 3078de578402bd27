// Two passes of a heartbeat over one council: what happens is told once.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readCouncil } from '../../../src/core/council/use/council-access.ts';
import type { Snapshot } from '../../../src/core/council/use/council-access.ts';
import { launchAwaited } from '../../../src/core/heartbeat/launch/launch.ts';
import { runTick } from '../../../src/core/heartbeat/tick.ts';
import type { Documents } from '../../../src/core/store/documents.ts';
import { fails, fakeTime, newTable, through } from './table.ts';

beforeEach(fakeTime);
afterEach(() => vi.useRealTimers());

type Table = ReturnType<typeof newTable>;

const optionsOf = ({ controller, progress }: Table) => ({
  launch: true,
  concurrency: 4,
  startedAt: Infinity,
  signal: controller.signal,
  onProgress: (one: Table['progress'][number]) => void progress.push(one),
});
const told = ({ progress }: Table): string[] =>
  progress.map((one) => (one.type === 'notice' ? one.notice.type : one.type));

it.each([
  ['a failure', () => fails({ failure: 'config', reason: 'no such model' }), 'attempt_failed'],
  ['a contribution', () => ({ say: 'Yes.' }), 'recorded'],
] as const)(
  '%s, by the pass that launched, and not by one that read the council before',
  async (_, play, type) => {
    let reading: Promise<Snapshot> | undefined;
    const table = newTable({
      ada: () => {
        reading = readCouncil(table.ports, 'debate');
        return play();
      },
    });
    await table.convene({ blind: false });
    await table.tick();
    const stale = await reading!;
    expect(stale.council.state.participants.ada!.lease).not.toBeNull();
    const health = await table.health.read();

    const [outcome] = await through(launchAwaited(table.ports, [stale], optionsOf(table)));

    expect(outcome).toEqual({ launched: [], failed: [] });
    expect(told(table).filter((one) => one === type)).toEqual([type]);
    expect(table.count('ada')).toBe(1);
    expect(await table.health.read()).toEqual(health);
  },
);

it('the end of a council, by the pass that ended it', async () => {
  const table = newTable({ ada: () => ({ say: 'Yes.' }) });
  await table.convene();
  // As soon as one pass is about to end it, another one sees that it is closing.
  const { store } = table.ports;
  let second: Promise<unknown> | undefined;
  const remove: Documents['remove'] = async (key, expected) => {
    const isFirst = second === undefined;
    second ??= runTick({ ...table.ports, store }, optionsOf(table));
    if (isFirst) await second;
    return store.remove(key, expected);
  };
  await through(
    (async () => {
      while ((await store.list()).length > 0)
        await runTick({ ...table.ports, store: { ...store, remove } }, optionsOf(table));
    })(),
  );
  expect(second).toBeDefined();
  expect(table.archives.size).toBe(1);
  expect(told(table).filter((one) => one === 'archived')).toEqual(['archived']);
});
