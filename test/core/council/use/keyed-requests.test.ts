// Requests with a key: what was done is answered again, and nothing shows of what is sealed.
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../src/core/base/ids.ts';
import { serialize } from '../../../../src/core/council/document/document.ts';
import { advance } from '../../../../src/core/council/use/advance.ts';
import type { Request } from '../../../../src/core/council/use/keyed-requests.ts';
import type { Ports } from '../../../../src/core/council/use/ports.ts';
import { respond } from '../../../../src/core/council/use/respond.ts';
import { readCouncil } from '../../../../src/core/council/use/council-access.ts';
import { START, stateOf } from '../fixtures.ts';
import { pausingMemoryPorts } from '../../../helpers/memory-ports.ts';

async function table(blind: boolean) {
  const { quiet: ports } = pausingMemoryPorts(START, () => Promise.resolve());
  const council = { state: stateOf({ blind }), brief: 'Go?', contributions: [] };
  await ports.store.commit('test', serialize(council), 0);
  return ports;
}

const keyed = (key: string, text: string): Request => ({ key: sha256(key), asked: sha256(`${key} ${text}`) });

const say = (
  ports: Ports,
  text: string,
  { key, participant = 'a', replace = false }: { key?: string; participant?: string; replace?: boolean } = {},
) =>
  respond(ports, {
    name: 'test',
    participant,
    bytes: Buffer.from(text),
    flags: { agree: false, done: false, block: [] },
    replace,
    request: key === undefined ? undefined : keyed(key, text),
  });

describe.each([true, false])('a request with a key (blind: %s)', (blind) => {
  it('that comes again gets the first answer, whatever was said since', async () => {
    const ports = await table(blind);
    const first = await say(ports, 'Oui.', { key: 'k1' });
    expect(first).toMatchObject({ accepted: true, revision: 2 });
    await say(ports, 'Non.', { participant: 'b' });
    await say(ports, 'Oui, mais.', { key: 'k2', replace: true });
    expect(await say(ports, 'Oui.', { key: 'k1' })).toEqual({ ...first, isRepeated: true });
    expect((await readCouncil(ports, 'test')).revision).toBe(4);
  });

  it('is refused with another text, which is kept', async () => {
    const ports = await table(blind);
    await say(ports, 'Oui.', { key: 'k1' });
    await expect(say(ports, 'Non.', { key: 'k1', replace: true })).rejects.toMatchObject({
      code: 'key_reused',
      details: { kept: expect.any(String) as string },
    });
    expect((await readCouncil(ports, 'test')).revision).toBe(2);
  });

  it('counts once when it comes several times at once', async () => {
    const ports = await table(blind);
    const said = await Promise.all(Array.from({ length: 5 }, () => say(ports, 'Oui.', { key: 'k1' })));
    expect(said.map(({ accepted, revision }) => [accepted, revision])).toEqual(said.map(() => [true, 2]));
    expect((await readCouncil(ports, 'test')).council.state.requests).toHaveLength(1);
  });

  it('keeps neither key nor text nor a hash that can be guessed while it is sealed', async () => {
    const ports = await table(blind);
    await say(ports, 'Oui.', { key: 'k1' });
    const stored = (await ports.store.read('test'))!.text;
    const { asked } = keyed('k1', 'Oui.');
    expect(stored.includes(asked)).toBe(!blind);
    expect(stored).not.toContain('k1');
  });

  it('is known in the next phase, and forgotten after eight others of its sender', async () => {
    const ports = await table(blind);
    const first = await say(ports, 'Oui.', { key: 'k1' });
    for (const id of ['b', 'c']) await say(ports, 'Non.', { participant: id, key: 'k1b' });
    await advance(ports, await readCouncil(ports, 'test'));
    expect(await say(ports, 'Oui.', { key: 'k1' })).toMatchObject({
      accepted: true,
      revision: first.revision,
      phase: 'COLLECT',
    });
    for (let at = 0; at < 8; at++) await say(ports, `Encore ${at}.`, { key: `e${at}`, replace: true });
    const { requests = [] } = (await readCouncil(ports, 'test')).council.state;
    expect(requests.filter(({ by }) => by === 'a')).toHaveLength(8);
    expect(requests.map(({ key }) => key)).not.toContain(sha256('k1'));
  });
});

it('goes by its text where what was sealed with it is gone', async () => {
  const ports = await table(true);
  await say(ports, 'Oui.', { key: 'k1' });
  const { conversationId, requests } = (await readCouncil(ports, 'test')).council.state;
  await ports.privateFiles.remove(conversationId, requests![0]!.sealed!);
  expect(await say(ports, 'Oui.', { key: 'k1' })).toMatchObject({ reason: 'already_responded' });
  expect(await say(ports, 'Non.', { key: 'k1' })).toMatchObject({ reason: 'different_text' });
});
