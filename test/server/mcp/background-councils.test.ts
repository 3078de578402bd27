import { expect, it, vi } from 'vitest';
import { createBackgroundCouncils, describeProgress } from '../../../src/server/mcp/background-councils.ts';
import type { BackgroundCouncil } from '../../../src/server/mcp/background-councils.ts';
import type { Caller, CallOutcome, RemoteCall } from '../../../src/server/remote/perform-call.ts';
import type { StateDocument } from '../../../src/core/app/state-document.ts';
import { participant, stateOf } from '../../core/council/fixtures.ts';
import { PATIENCE_MS } from '../../helpers/patience.ts';

const ADMIN: Caller = { role: 'admin' };
const DONE: CallOutcome = { document: { archive: 'conseils/x.md' }, failed: false };
const NEVER = new AbortController().signal;

/** A host whose councils go on until they are told to end. */
function createHost(active: Partial<StateDocument>[] = []) {
  const played: { call: RemoteCall; end(): void; signal: AbortSignal }[] = [];
  return {
    played,
    active,
    perform: (call: RemoteCall, signal: AbortSignal): Promise<CallOutcome> =>
      call.name === 'status'
        ? Promise.resolve({
            document: {
              councils: active.filter(
                ({ name }) => call.input.name === undefined || call.input.name === name,
              ),
            },
            failed: false,
          })
        : new Promise((resolve) => played.push({ call, signal, end: () => resolve(DONE) })),
  };
}

const state = (name: string, createdAt: string): Partial<StateDocument> => ({
  ...stateOf(
    { name, createdAt, participants: { a: participant(), b: participant({ status: 'RESPONDED' }) } },
    ['a', 'b'],
  ),
});
const create = (host: ReturnType<typeof createHost>) =>
  createBackgroundCouncils(host, { maxWaitMs: 50, pollMs: 5 });
const wait = (
  councils: ReturnType<typeof create>,
  council: BackgroundCouncil,
  gone = NEVER,
  lines: string[] = [],
) => councils.wait(ADMIN, council, { gone, report: (line) => lines.push(line) });

it('plays a council under a name of its question, which no other council has', async () => {
  const host = createHost([state('buy-it', '2026-01-01')]);
  const councils = create(host);
  const first = await councils.ask(ADMIN, { topic: 'Buy it?' });
  const other = await councils.ask(ADMIN, { topic: 'Buy it?', debate: true });
  expect([first.name, other.name]).toEqual(['buy-it-2', 'buy-it-3']);
  expect(host.played.map(({ call }) => call)).toMatchObject([
    { name: 'ask', input: { topic: 'Buy it?', name: 'buy-it-2' }, via: 'mcp' },
    { name: 'ask', input: { topic: 'Buy it?', debate: true, name: 'buy-it-3' } },
  ]);
});

it('joins the same question of the same caller while it goes on, and asks anew after that', async () => {
  const host = createHost();
  const councils = create(host);
  const first = await councils.ask(ADMIN, { topic: 'Buy it?' });
  expect(await councils.ask(ADMIN, { topic: 'Buy it?' })).toBe(first);
  const stranger = await councils.ask({ role: 'admin', id: '3f' }, { topic: 'Buy it?' });
  expect(stranger).not.toBe(first);
  host.played[0]!.end();
  await first.finished;
  expect((await councils.ask(ADMIN, { topic: 'Buy it?' })).name).toBe('buy-it-2');
  expect(host.played).toHaveLength(3);
});

it('comes back in time with the last progress, while the council goes on', async () => {
  const host = createHost([state('buy-it', '2026-01-01')]);
  const councils = create(host);
  const lines: string[] = [];
  const council = councils.resume(ADMIN, 'buy-it');
  expect(host.played[0]!.call).toMatchObject({ name: 'run', input: { name: 'buy-it', resume: true } });
  expect(await wait(councils, council, NEVER, lines)).toBe('COLLECT: 1 of 2, waiting for a');
  expect(lines.length).toBeGreaterThan(1);
  expect(new Set(lines)).toEqual(new Set(['COLLECT: 1 of 2, waiting for a']));
  expect(council.result).toBeUndefined();
  host.played[0]!.end();
  await wait(councils, council);
  expect(council.result).toBe(DONE);
});

it('says of a council that no state shows yet that it is being opened', async () => {
  const councils = create(createHost());
  expect(await wait(councils, await councils.ask(ADMIN, { topic: 'Buy it?' }))).toBe('It is being opened.');
});

it('a call that is cancelled ends its wait and not its council', async () => {
  const host = createHost();
  const councils = createBackgroundCouncils(host, { maxWaitMs: 60_000, pollMs: 5 });
  const council = await councils.ask(ADMIN, { topic: 'Buy it?' });
  const gone = new AbortController();
  const waiting = wait(councils, council, gone.signal);
  gone.abort();
  await waiting;
  expect(host.played[0]!.signal.aborted).toBe(false);
  host.played[0]!.end();
  await vi.waitFor(() => expect(council.result).toBe(DONE), PATIENCE_MS);
});

it('a call that is gone before its wait begins does not wait', async () => {
  const host = createHost();
  const councils = createBackgroundCouncils(host, { maxWaitMs: 60_000, pollMs: 5 });
  const council = councils.resume(ADMIN, 'buy-it');
  expect(await wait(councils, council, AbortSignal.abort())).toBe('It is being opened.');
  expect(council.result).toBeUndefined();
});

it('finds what this caller asked last, or by its name, and nothing of another', async () => {
  const councils = create(createHost());
  await councils.ask(ADMIN, { topic: 'First?' });
  await councils.ask(ADMIN, { topic: 'Second?' });
  expect(councils.find(ADMIN)?.name).toBe('second');
  expect(councils.find(ADMIN, 'first')?.name).toBe('first');
  expect(councils.find(ADMIN, 'third')).toBeUndefined();
  expect(councils.find({ role: 'admin', id: '3f' })).toBeUndefined();
});

it('finds the newest active council, or the one of a name', async () => {
  const host = createHost([
    state('old', '2026-01-01'),
    state('new', '2026-01-03'),
    state('mid', '2026-01-02'),
  ]);
  const councils = create(host);
  expect((await councils.findActive(ADMIN))?.name).toBe('new');
  expect((await councils.findActive(ADMIN, 'old'))?.name).toBe('old');
  expect(await councils.findActive(ADMIN, 'gone')).toBeUndefined();
});

it('describes the synthesis as one answer', () => {
  const seats = { a: participant(), maman: participant() };
  const now = stateOf(
    { currentPhase: 'SYNTHESIZE', coordinator: 'maman', synthesizer: participant(), participants: seats },
    ['a'],
  );
  expect(describeProgress(now as unknown as StateDocument)).toBe(
    'SYNTHESIZE: 0 of 1, waiting for the coordinator',
  );
});
