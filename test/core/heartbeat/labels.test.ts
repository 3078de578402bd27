// Labels: who is launched by which heartbeat.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { heartbeat } from '../../contracts/heartbeats.ts';
import { fakeTime, newTable } from './table.ts';

beforeEach(fakeTime);
afterEach(() => vi.useRealTimers());

const says = (say: string) => () => ({ say });
const BIG = '  runs-on: [gpu, big]';
const names = (table: ReturnType<typeof newTable>) => table.launches.map(({ id }) => id).sort();

describe('an agent with labels', () => {
  it('is left alone by a heartbeat that lacks one of them, and nothing has failed', async () => {
    const table = newTable({ ada: says('x'), bob: says('y') }, { bob: BIG });
    await table.convene();
    for (const labels of [[], ['gpu'], ['big', 'other']]) {
      table.ports.labels = labels;
      expect((await table.tick()).failed).toEqual([]);
    }
    expect(names(table)).toEqual(['ada']);
    expect((await table.state()).participants.bob).toMatchObject({ absent: null, lease: null, attempts: 0 });
  });

  it('is launched by one that has them all, which launches the others as well', async () => {
    const table = newTable({ ada: says('x'), bob: says('y') }, { bob: BIG });
    await table.convene();
    table.ports.labels = ['big', 'other', 'gpu'];
    await table.tick();
    expect(names(table)).toEqual(['ada', 'bob']);
  });

  it('is waited for until the phase ends where nobody has them', async () => {
    const table = newTable({ ada: says('x'), bob: says('y') }, { bob: BIG });
    await table.convene({ phaseTimeout: 60_000 });
    await table.tick();
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await table.tick()).toMatchObject({ reason: 'timeout' });
    expect((await table.state()).absences).toMatchObject([{ participant: 'bob', reason: 'timeout' }]);
  });
});

describe('an agent whose file is not on this machine', () => {
  const unknownHere = async () => {
    const table = newTable({ ada: says('x'), bob: says('y') });
    await table.convene();
    const { agents } = table.ports;
    const known = (id: string): string => (id === 'bob' ? 'nobody-of-here' : id);
    table.ports.agents = {
      ...agents,
      find: (id) => agents.find(known(id)),
      require: (id) => agents.require(known(id)),
    };
    return table;
  };

  it('is left to the heartbeat that has it, as long as that lives', async () => {
    const table = await unknownHere();
    await table.ports.heartbeats.renew(heartbeat('theirs', { agents: { bob: 'ab' } }));
    expect((await table.tick()).failed).toEqual([]);
    expect((await table.state()).participants.bob).toMatchObject({ absent: null, lease: null });
    await vi.advanceTimersByTimeAsync(31_000);
    expect((await table.tick()).failed).toMatchObject([{ id: 'bob' }]);
  });

  it('fails where no heartbeat has it', async () => {
    const table = await unknownHere();
    expect((await table.tick()).failed).toMatchObject([{ id: 'bob' }]);
  });
});
