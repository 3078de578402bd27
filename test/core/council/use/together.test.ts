// Changes of one process that are ready together are one revision.
import { describe, expect, it } from 'vitest';
import { CouncilError } from '../../../../src/core/base/errors.ts';
import { serialize } from '../../../../src/core/council/document/document.ts';
import { advance } from '../../../../src/core/council/use/advance.ts';
import { amendCouncil } from '../../../../src/core/council/use/commit-change.ts';
import type { Ports } from '../../../../src/core/council/use/ports.ts';
import { respond } from '../../../../src/core/council/use/respond.ts';
import { readCouncil } from '../../../../src/core/council/use/council-access.ts';
import { HOUR, START, stateOf } from '../fixtures.ts';
import { pausingMemoryPorts } from '../../../helpers/memory-ports.ts';

const IDS = ['a', 'b', 'c'];

async function table({ blind = false } = {}) {
  const { quiet: ports } = pausingMemoryPorts(START, () => Promise.resolve());
  await ports.store.commit(
    'test',
    serialize({ state: stateOf({ blind }), brief: 'Go?', contributions: [] }),
    0,
  );
  return ports;
}

const say = (ports: Ports, participant: string, text = `What ${participant} holds.`) =>
  respond(ports, {
    name: 'test',
    participant,
    bytes: Buffer.from(text),
    flags: { agree: false, done: false, block: [] },
    replace: false,
  });

/** Changes the topic, which stands for whatever a use case changes. */
const retitle = (ports: Ports, by: string) =>
  amendCouncil(ports, 'test', { action: 'retitle', by }, (now) => ({
    next: { ...now, state: { ...now.state, topic: `${now.state.topic} ${by}` } },
    result: by,
  }));

describe('changes of one council that are ready together', () => {
  it.each([true, false])('are one revision, which names everybody (blind: %s)', async (blind) => {
    const ports = await table({ blind });
    const said = await Promise.all(IDS.map((id) => say(ports, id)));
    expect(said.map(({ accepted, revision }) => [accepted, revision])).toEqual(IDS.map(() => [true, 2]));
    const { council, revision } = await readCouncil(ports, 'test');
    const { action, by, actor, also = [] } = council.state.change;
    expect([{ action, by, actor }, ...also]).toEqual(
      IDS.map((id) => ({ action: 'respond', by: id, actor: ports.actor })),
    );
    expect([revision, council.state.revision]).toEqual([2, 2]);
    expect(IDS.map((id) => council.state.participants[id]!.status)).toEqual(IDS.map(() => 'RESPONDED'));
  });

  it('are decided one after the other: each sees what the ones before have changed', async () => {
    const ports = await table();
    const before = (await readCouncil(ports, 'test')).council.state;
    const done = await Promise.all(['1', '2', '3'].map((by) => retitle(ports, by)));
    expect(done.map(({ result }) => result)).toEqual(['1', '2', '3']);
    for (const { council, revision } of done) {
      expect([council.state.topic, revision]).toEqual([`${before.topic} 1 2 3`, 2]);
      expect(council.state.previous).toBe(before.textSha256);
    }
  });

  it('do not suffer from one that refuses, and one that changes nothing is not named', async () => {
    const ports = await table();
    const refused = new CouncilError('forbidden', 'No.');
    const [first, no, none, last] = await Promise.allSettled([
      retitle(ports, '1'),
      amendCouncil(ports, 'test', { action: 'x', by: null }, () => Promise.reject(refused)),
      amendCouncil(ports, 'test', { action: 'y', by: null }, () => ({ result: 'same' })),
      retitle(ports, '2'),
    ]);
    expect([first.status, last.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(no).toEqual({ status: 'rejected', reason: refused });
    expect(none).toMatchObject({ value: { result: 'same', revision: 2 } });
    const { change } = (await readCouncil(ports, 'test')).council.state;
    expect(change).toMatchObject({ by: '1', also: [{ by: '2' }] });
  });

  it('are nothing at all where each of them changes nothing', async () => {
    const ports = await table();
    const same = () => amendCouncil(ports, 'test', { action: 'y', by: null }, () => ({ result: 'same' }));
    const done = await Promise.all([same(), same()]);
    expect(done.map(({ revision }) => revision)).toEqual([1, 1]);
    expect(await ports.store.revision('test')).toBe(1);
  });

  it('are all told when the store fails, and the next ones work', async () => {
    const ports = await table();
    let isFull = true;
    const update: Ports['store']['update'] = (key, change) =>
      isFull ? Promise.reject(new CouncilError('io', 'The disk is full.')) : ports.store.update(key, change);
    const full = { ...ports, store: { ...ports.store, update } };
    const told = await Promise.allSettled(IDS.map((id) => retitle(full, id)));
    expect(told.map(({ status }) => status)).toEqual(IDS.map(() => 'rejected'));
    isFull = false;
    expect((await retitle(full, 'a')).revision).toBe(2);
  });

  it('are decided again, all of them, after somebody else was faster', async () => {
    const ports = await table();
    const other = serialize({
      ...(await readCouncil(ports, 'test')).council,
      state: { ...stateOf({ blind: false }), topic: 'Faster' },
    });
    let isFirst = true;
    const update: Ports['store']['update'] = (key, change) =>
      ports.store.update(key, async (current, next) => {
        const text = await change(current, next);
        if (isFirst) await ports.store.commit(key, other, 1);
        isFirst = false;
        return text;
      });
    const racing = { ...ports, store: { ...ports.store, update } };
    const done = await Promise.all(['1', '2'].map((by) => retitle(racing, by)));
    expect(done.map(({ council, revision }) => [council.state.topic, revision])).toEqual([
      ['Faster 1 2', 3],
      ['Faster 1 2', 3],
    ]);
  });

  it('close a phase with the text that was sealed a moment before', async () => {
    const { quiet: ports } = pausingMemoryPorts(START + 2 * HOUR, () => Promise.resolve());
    await ports.store.commit(
      'test',
      serialize({ state: stateOf({ blind: true }), brief: 'Go?', contributions: [] }),
      0,
    );
    const snapshot = await readCouncil(ports, 'test');
    const [said, closed] = await Promise.all([say(ports, 'a'), advance(ports, snapshot)]);
    const { state, contributions } = (await readCouncil(ports, 'test')).council;
    expect(closed.transition).toMatchObject({ from: 'COLLECT' });
    expect(contributions.map(({ by }) => by)).toEqual(said.accepted ? ['a'] : []);
    expect(state.absences.some(({ participant }) => participant === 'a')).toBe(!said.accepted);
  });
});
