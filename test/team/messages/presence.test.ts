import { expect, it } from 'vitest';
import { serializePresence, listPresences } from '../../../src/team/messages/presence.ts';
import { memoryPresences } from '../../helpers/memory-drivers.ts';

const AT = '2026-01-11T16:30:00.000Z';
const keeper = { host: 'h', bootId: 'b', pid: 12345, startTime: '1' };
const awake = {
  agent_id: 'codex-1',
  timestamp: AT,
  state: 'AWAKE',
  substate: 'IDLE',
  watcher_pid: 12345,
  channel: 'agent-os-paper',
} as const;
const off = { ...awake, state: 'OFFLINE', substate: null, lost: true };

it.each([
  ['its process lives', 0, true, awake],
  ['nobody can tell', 59_000, undefined, awake],
  ['its process sleeps', 61_000, true, awake],
  ['nobody can tell, and it was not renewed', 61_000, undefined, off],
  ['nobody can tell, and the clock is far off', -61_000, undefined, off],
  ['its process is gone', 0, false, off],
])('is told when %s', async (_, later, alive, expected) => {
  const presences = memoryPresences();
  await presences.write('codex-1', serializePresence(awake, keeper));
  expect(await listPresences(presences, Date.parse(AT) + later, () => alive)).toEqual([expected]);
});

it('takes a number without a start time for none, once it was not renewed', async () => {
  const presences = memoryPresences();
  await presences.write('codex-1', serializePresence(awake, { ...keeper, startTime: '' }));
  expect(await listPresences(presences, Date.parse(AT) + 61_000, () => true)).toEqual([off]);
  expect(await listPresences(presences, Date.parse(AT), () => true)).toEqual([awake]);
});

it('calls nobody lost who has taken leave', async () => {
  const presences = memoryPresences();
  const { lost: _, ...left } = off;
  await presences.write('codex-1', serializePresence({ ...awake, state: 'OFFLINE', substate: null }, keeper));
  expect(await listPresences(presences, Date.parse(AT) + 61_000, () => false)).toEqual([left]);
});

it('reads what others have written, and leaves out what says nothing', async () => {
  const presences = memoryPresences();
  await presences.write('codex-1', JSON.stringify(awake));
  for (const [at, text] of ['', '{', '[]', '{"state":"AWAKE"}', '['.repeat(99_999)].entries())
    await presences.write(`x-${at}`, text);
  expect(await listPresences(presences, Date.parse(AT), () => false)).toEqual([awake]);
});
