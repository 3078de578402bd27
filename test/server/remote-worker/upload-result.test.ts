// What a launch has said is handed in until the server has it: not without end, and never lost.
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createServerContact } from '../../../src/server/remote-worker/server-contact.ts';
import { uploadLaunchResult } from '../../../src/server/remote-worker/run-launch.ts';
import type { LentLaunch } from '../../../src/server/remote-worker/server-replies.ts';
import type { RemoteWorker } from '../../../src/server/remote-worker/server-contact.ts';
import { askServer } from '../../../src/server/remote/client.ts';
import { CouncilError } from '../../../src/core/base/errors.ts';
import { NO_RESULT } from '../../../src/core/heartbeat/launch/result.ts';

vi.mock('../../../src/server/remote/client.ts', () => ({ askServer: vi.fn() }));
const asked = vi.mocked(askServer);

const folder = fs.mkdtempSync(join(tmpdir(), 'hand-in-'));
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  vi.useRealTimers();
  asked.mockReset();
  fs.rmSync(join(folder, 'state'), { recursive: true, force: true });
});

const LAUNCH = { lease: 'l1', name: 'c', conversationId: 'x', tour: 1, participant: 'ada', attempt: 1 };
const SAID = { ...NO_RESULT, ok: true, output: Buffer.from('Où ? 🦉\r\n'), program: 'node' };
const away = () => Promise.reject(new CouncilError('unreachable', 'The server x cannot be reached: gone.'));

function worker(signal = new AbortController().signal) {
  const notes: string[] = [];
  const app = {
    env: { XDG_STATE_HOME: join(folder, 'state'), HOME: folder },
    note: (line: string) => void notes.push(line),
    progress: () => undefined,
  } as unknown as RemoteWorker['app'];
  const server = 'http://there:7333/';
  const contact = createServerContact(app, server);
  const one = {
    app,
    server,
    root: join(folder, 'p'),
    signal,
    contact,
    atWork: new Map(),
  } as unknown as RemoteWorker;
  return {
    one,
    notes,
    hand: (result = SAID, { asks = true, lease = LAUNCH.lease } = {}) =>
      uploadLaunchResult(one, { ...LAUNCH, lease } as LentLaunch, result, { part: 1, asks }),
  };
}
const kept = () => {
  const dir = join(folder, 'state/council/kept');
  return fs.existsSync(dir) ? fs.readdirSync(dir) : [];
};

describe('handing in', () => {
  it('gives up after about an hour, and says where the answer lies and what to do with it', async () => {
    asked.mockImplementation(away);
    const { notes, hand } = worker();
    const handed = hand();
    await vi.advanceTimersByTimeAsync(70 * 60_000);
    await handed;
    expect(asked.mock.calls.length).toBe(64);
    const path = join(folder, 'state/council/kept/unsent-l1.md');
    expect(fs.readFileSync(path)).toEqual(SAID.output);
    expect(notes).toEqual([
      'The server x cannot be reached: gone. Waiting for it.',
      `ada: not handed in yet. It is tried again. Its answer lies in ${path}.`,
      `ada: The server x cannot be reached: gone. It is not tried again. Its answer lies in ${path}. Whoever has a token for that seat hands it in: council respond ada --name c --file ${path} --server http://there:7333/`,
    ]);
  });

  it('tries again until the server has it, and says once that this is back', async () => {
    asked.mockImplementationOnce(away).mockImplementationOnce(away);
    asked.mockResolvedValueOnce({ document: 'half' });
    asked.mockResolvedValueOnce({ document: { became: 'recorded' } });
    const { notes, hand } = worker();
    const handed = hand();
    await vi.advanceTimersByTimeAsync(30_000);
    await handed;
    expect(asked).toHaveBeenCalledTimes(4);
    expect(kept()).toEqual([]);
    expect(notes.at(-1)).toBe('The server http://there:7333 is back.');
    expect(notes.filter((line) => line.includes('cannot be reached'))).toHaveLength(1);
  });

  it('ends at once where the server refuses it for good, and keeps the answer', async () => {
    asked.mockRejectedValue(new CouncilError('forbidden', 'This token opens nothing.'));
    const { notes, hand } = worker();
    await hand();
    expect(asked).toHaveBeenCalledTimes(1);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/This token opens nothing\. It is not tried again\. Its answer lies in /);
    expect(kept()).toEqual(['unsent-l1.md']);
  });

  it('keeps what is no text, though it is told as a failure', async () => {
    asked.mockResolvedValue({ document: { became: 'again' } });
    const { notes, hand } = worker();
    await hand({ ...SAID, output: Buffer.from([0x63, 0xe9, 0xff]) });
    expect(asked.mock.calls[0]![1]).toMatchObject({ name: 'fail', input: { failure: 'failed' } });
    expect(kept()).toEqual(['unsent-l1.md']);
    expect(notes[0]).toMatch(/^ada: what it printed is no text\. Its answer lies in /);
  });

  it('hands in what no disk takes', async () => {
    fs.mkdirSync(join(folder, 'state'));
    fs.writeFileSync(join(folder, 'state/council'), 'a file where a folder should be');
    asked.mockResolvedValue({ document: { became: 'recorded' } });
    const { notes, hand } = worker();
    await hand();
    expect(asked.mock.calls[0]![1]).toMatchObject({ name: 'record', input: { text: 'Où ? 🦉\r\n' } });
    expect(notes[0]).toMatch(/^ada: its answer is kept nowhere until the server has it: /);
  });

  it('asks its agent no oftener than its own file says', async () => {
    const again = { prompt: 'again', view: {}, ms: 60_000, maxOutput: 1000 };
    asked.mockResolvedValue({ document: { became: 'asked', again } });
    const { notes, hand } = worker();
    expect(await hand(SAID, { asks: true })).toEqual(again);
    expect(await hand(SAID, { asks: false })).toBeUndefined();
    expect(notes.at(-1)).toMatch(
      /^ada: the server wants it asked once more than it may be\. Its answer lies in /,
    );
  });

  it('keeps so many answers that no server took, and says that there are no more', async () => {
    asked.mockResolvedValue({ document: { became: 'lost' } });
    const { notes, hand } = worker();
    for (let at = 0; at < 300; at++) await hand(SAID, { lease: `l${at}` });
    expect(kept()).toHaveLength(256);
    expect(notes.at(-2)).toMatch(
      /^ada: its answer is kept nowhere until the server has it: 256 that no server took lie in .*kept already\.$/,
    );
    expect(notes.at(-1)).toBe('ada: the council no longer waits for this launch.');
  });

  it('tells what a server says in one line each, and not a flood of them', async () => {
    asked.mockImplementation(({ note }) => {
      for (let at = 0; at < 100; at++) note(`first\nforged ${'x'.repeat(5000)}`);
      return Promise.reject(new CouncilError('forbidden', 'No.\nada: recorded', { hint: 'a\nb' }));
    });
    const { notes, hand } = worker();
    await hand();
    expect(notes).toHaveLength(21);
    for (const line of notes) expect(line).not.toContain('\n');
    expect(notes[0]!.length).toBe(1000);
  });
});
