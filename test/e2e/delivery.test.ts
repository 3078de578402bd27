import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Run } from '../helpers/cli.ts';
import { machine } from '../helpers/set-clock.ts';

interface Messages {
  messages: {
    id: string;
    text: string;
    type: string;
    passedFrom?: string | null;
    recipients?: {
      to: string;
      state: string;
      reason: string | null;
      attempts: number | null;
      escalated: string[];
    }[];
  }[];
}

async function bench() {
  const project = await newProject();
  for (const [id, role] of [
    ['ada', 'worker'],
    ['lead', 'leader'],
    ['cleo', 'orchestrator'],
  ])
    project.write(`agents/${id}.md`, `---\nname: ${id}\ncouncil:\n  role: ${role}\n---\nYou are ${id}.\n`);
  let ahead = 0;
  const council = <T = unknown>(...args: string[]): Promise<Run<T>> =>
    project.council<T>(args, machine({ CLOCK_AHEAD: ahead * 1000 }));
  /** Looks at the end of each of these spans, in seconds. */
  const look = async (command: string[], ...spans: number[]): Promise<void> => {
    for (const span of spans) {
      ahead += span;
      expect((await council(...command)).code).toBe(0);
    }
  };
  const messages = async (...args: string[]) => (await council<Messages>(...args, '--json')).json.messages;
  const recipients = async () => (await messages('sent'))[0]?.recipients;
  return { ...project, council, look, messages, recipients, ahead: () => ahead };
}

/** From an ACK that does not come to somebody else: 30 s four times, and 1, 2 and 4 s between. */
const GIVE_UP = [40, 2, 40, 4, 40, 8, 40];

describe('a request that nobody acknowledges', () => {
  it('comes up to leader, orchestrator and person, and back to its sender with the reason', async () => {
    const { council, look, messages, recipients } = await bench();
    await council('send', 'ada', 'Migrate the\nqueue', '--type', 'request', '--from', 'cleo');
    await look(['tick'], ...GIVE_UP);
    expect(await messages('inbox', 'lead', '--unread')).toMatchObject([
      { text: 'Migrate the\nqueue', passedFrom: 'ada' },
    ]);
    expect((await council('inbox', 'lead')).stdout).toContain(
      '(request, unread, passed on: ada has not acknowledged it)',
    );
    await look(['inbox', 'human'], ...GIVE_UP);
    expect(await messages('inbox', 'human', '--unread')).toMatchObject([{ passedFrom: 'ada' }]);
    await look(['sent', '--from', 'cleo'], ...GIVE_UP);
    const bounced = await messages('inbox', 'cleo');
    expect(bounced).toMatchObject([
      {
        type: 'error',
        text: 'Not delivered to ada: nobody acknowledged it; it was passed on to lead, human.',
      },
    ]);
    const sent = (await council<Messages>('sent', '--from', 'cleo', '--json')).json.messages;
    expect(sent[0]?.recipients).toMatchObject([
      { to: 'ada', state: 'dead', attempts: 12, escalated: ['human', 'lead'] },
    ]);
    expect((await council('sent', '--from', 'cleo')).stdout).toMatch(
      /ada: dead .*, sent 12 times, passed on to lead, human: nobody acknowledged it$/m,
    );
    const { stdout } = await council('channel', 'show', 'dead-letters');
    expect(stdout).toContain(
      'nobody acknowledged it; it was passed on to lead, human.\n  \n  Migrate the\n  queue',
    );
    expect((await council('inbox', 'dead-letters')).stderr).toContain('There is no agent "dead-letters"');
    expect((await council('doctor')).stdout).toContain(
      '1 message of the last 7 days could not be delivered.',
    );
    expect(await recipients()).toBeUndefined();
  });

  it('comes up as well where it was sent in the channel of a council', async () => {
    const { council, look, messages } = await bench();
    await council('send', 'ada', 'Look at this', '--type', 'request', '--channel', 'council-queue');
    await look(['tick'], ...GIVE_UP);
    expect(await messages('inbox', 'lead', '--unread')).toMatchObject([{ passedFrom: 'ada' }]);
  });

  it('is handled when the one it was passed on to acknowledges it', async () => {
    const { council, look, messages } = await bench();
    await council('send', 'ada', 'Now', '--type', 'control');
    await look(['tick'], ...GIVE_UP);
    const [{ id } = { id: '' }] = await messages('inbox', 'lead');
    expect((await council('ack', id, '--as', 'cleo')).code).toBe(1);
    expect((await council('ack', id, '--as', 'lead')).code).toBe(0);
    await look(['tick'], ...GIVE_UP);
    expect(await messages('inbox', 'ada', '--unread')).toEqual([]);
    expect((await messages('sent'))[0]?.recipients).toMatchObject([
      { state: 'acknowledged', reason: 'lead has acknowledged it', escalated: ['lead'] },
    ]);
    expect(await messages('inbox', 'human', '--unread')).toEqual([]);
  });

  it('wakes the watcher of the one it is passed on to', async () => {
    const { council, launch, look, messages, ahead } = await bench();
    await council('send', 'ada', 'Now', '--type', 'request');
    await look(['tick'], ...GIVE_UP);
    const args = ['watch-channel', 'lead', '--', process.execPath, '-e', 'console.log("I do it")'];
    const watcher = launch(args, machine({ CLOCK_AHEAD: ahead() * 1000 }));
    await until('the answer', async () =>
      (await messages('inbox', 'human')).some(({ text }) => text === 'I do it'),
    );
    watcher.child.kill('SIGTERM');
    await watcher.ended;
    await look(['tick'], 60);
    expect(await messages('inbox', 'ada', '--unread')).toEqual([]);
    expect((await messages('sent'))[0]?.recipients).toMatchObject([
      { escalated: ['lead'], state: 'acknowledged' },
    ]);
  });

  it('comes back when its time is over', async () => {
    const { council, look, messages } = await bench();
    await council('send', 'ada', 'Lunch?', '--ttl', '5m');
    await look(['tick'], 10, 400);
    expect(await messages('inbox', 'human')).toMatchObject([
      { type: 'error', text: 'Not delivered to ada: its time to live is over.' },
    ]);
  });
});

describe('a group', () => {
  it('is each of its members, with an ACK of its own', async () => {
    const { council, write, messages } = await bench();
    write('COUNCIL.md', '---\ngroups:\n  G1: [ada, lead]\n---\n');
    await council('send', 'G1', 'Please review', '--type', 'request');
    await council('send', '--to', 'W*', 'And this');
    const [{ id } = { id: '' }, other] = await messages('inbox', 'ada', '--unread');
    expect(other).toMatchObject({ text: 'And this' });
    await council('ack', id, '--as', 'ada');
    expect((await messages('sent')).map(({ recipients }) => recipients)).toMatchObject([
      [
        { to: 'ada', state: 'acknowledged' },
        { to: 'lead', state: 'stored' },
      ],
      [{ to: 'ada', state: 'stored', attempts: null }],
    ]);
    const forbidden = await council('send', 'G1', 'Do this', '--type', 'request', '--from', 'ada');
    expect([forbidden.code, forbidden.stderr]).toEqual([1, expect.stringContaining('worker to leader')]);
    const unknown = await council('send', 'G2', 'hello');
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('G1, W*')]);
  });
});
