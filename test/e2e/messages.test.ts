import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { openTurn } from '../helpers/in-turn.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

interface Messages {
  messages: {
    id: string;
    text: string;
    recipients?: { to: string; state: string; reason: string | null; attempts: number | null }[];
  }[];
}

async function bench(): Promise<Project & { ids(agent: string): Promise<string[]> }> {
  const project = await newProject();
  for (const id of ['ada', 'ben']) await project.council(['agents', 'add', id, '--runner', 'human']);
  const ids = async (agent: string): Promise<string[]> =>
    (await project.council<Messages>(['inbox', agent, '--unread', '--json'])).json.messages.map(
      ({ id }) => id,
    );
  return { ...project, ids };
}

describe('messages between agents', () => {
  it('are sent, read, acknowledged, and told of for every recipient', async () => {
    const { council, ids } = await bench();
    await council([
      'send',
      'ada',
      'Please',
      'review',
      'src/queue.ts',
      '--from',
      'ben',
      '--artifact',
      'src/queue.ts',
    ]);
    await council(['send', 'all', 'Phase 1 is complete', '--from', 'ben']);
    const [first, second] = await ids('ada');
    expect(await ids('ada')).toEqual([first, second]);
    expect((await council(['ack', first!, '--as', 'ada'])).code).toBe(0);
    expect((await council(['ack', first!, '--as', 'ada'])).stdout).toContain('before');
    expect(await ids('ada')).toEqual([second]);
    await council(['send', '--to', 'ben', 'Good.', '--from', 'ada', '--reply-to', first!]);
    const { messages } = (await council<Messages>(['sent', '--from', 'ben', '--json'])).json;
    expect(messages.map(({ recipients }) => recipients)).toMatchObject([
      [{ to: 'ada', state: 'answered' }],
      [{ to: 'ada', state: 'stored' }],
    ]);
    expect((await council(['sent', '--from', 'ben', '--open'])).stdout).not.toContain('Please');
    expect((await council(['channel', 'show'])).stdout).toContain('Please review src/queue.ts');
  });

  it('go back to their sender with the reason when they are refused', async () => {
    const { council, ids } = await bench();
    await council(['send', 'ada', 'Deploy now', '--from', 'ben']);
    const [id] = await ids('ada');
    const refuse = ['nack', id!, '--as', 'ada', '--reason', 'not on a Friday'];
    await council(refuse);
    await council(refuse);
    expect(await ids('ada')).toEqual([]);
    const back = (await council<Messages>(['inbox', 'ben', '--json'])).json.messages;
    expect(back).toMatchObject([{ text: 'not on a Friday', replyTo: id, type: 'nack' }]);
    const { messages } = (await council<Messages>(['sent', '--from', 'ben', '--json'])).json;
    expect(messages[0]?.recipients).toMatchObject([{ state: 'dead', reason: 'not on a Friday' }]);
  });

  long('are told apart by their channel where foreign programs have given two of them one id', async () => {
    const { council, write } = await bench();
    const id = 'msg-20260111-163315-council-0000';
    const message = { id, timestamp: '2026-01-11T16:33:15.000Z', from: 'council', type: 'chat' };
    for (const [channel, to] of [
      ['aside', 'human'],
      ['general', 'ada'],
      ['team', 'ada'],
    ])
      write(
        `memory/shared/channels/${channel}/2026-01-11/${id}.json`,
        JSON.stringify({ ...message, session_id: channel, to, content: { text: 'hello' } }),
      );
    for (const args of [['ack'], ['nack', '--reason', 'no']]) {
      const refused = await council([...args, id, '--as', 'ada']);
      expect([refused.code, refused.stderr]).toEqual([
        2,
        expect.stringContaining(`general/${id}, team/${id}`),
      ]);
    }
    expect((await council(['send', 'council', 'x', '--reply-to', id, '--from', 'ada'])).code).toBe(2);
    const acked = async (one: string): Promise<unknown> =>
      JSON.parse((await council(['ack', one, '--as', 'ada', '--json'])).stdout);
    expect(await acked(`team/${id}`)).toMatchObject({ messages: [{ id, channel: 'team', changed: true }] });
    expect(await acked(`general/${id}`)).toMatchObject({ messages: [{ channel: 'general', changed: true }] });
    expect(await acked(`general/${id}`)).toMatchObject({
      messages: [{ channel: 'general', changed: false }],
    });
    // Only one of them is for human.
    expect((await council(['ack', id, '--as', 'human'])).stdout).toContain('acknowledged');
    expect((await council(['ack', `team/${id}`, '--as', 'ben'])).stderr).toContain('not for ben');
  });

  long('have ids that no other message of the project has, also of one sender and second', async () => {
    const { council, ids } = await bench();
    const channels = ['a', 'b', 'c'];
    const send = (channel: string) =>
      council(['send', 'ada', `in ${channel}`, '--from', 'ben', '--channel', channel]);
    await Promise.all([...channels, ...channels].map(send));
    const all = await ids('ada');
    expect(all).toHaveLength(6);
    expect(new Set(all).size).toBe(6);
    for (const id of all) expect((await council(['ack', id, '--as', 'ada'])).code).toBe(0);
    expect(await ids('ada')).toEqual([]);
  });

  long('are acknowledged by their id, also where somebody put them there under another name', async () => {
    const { council, ids, write } = await bench();
    const id = 'msg-20260110-090000-zoe-0001';
    const message = { id, timestamp: '2026-01-10T09:00:00Z', from: 'zoe', to: 'ada', type: 'chat' };
    write(
      'memory/shared/channels/general/msg-20260111-163315-hand-0001.json',
      JSON.stringify({ ...message, session_id: 'general', content: { text: 'copied' } }),
    );
    expect(await ids('ada')).toEqual([id]);
    expect((await council(['ack', id, '--as', 'ben'])).stderr).toContain('not for ben');
    expect((await council(['ack', id, '--as', 'ada'])).code).toBe(0);
    expect(await ids('ada')).toEqual([]);
    expect((await council(['ack', id, '--as', 'ada'])).stdout).toContain('before');
  });

  long('are refused to whom nobody knows, and for whom they are not', async () => {
    const { council, ids } = await bench();
    const unknown = await council(['send', 'everybody', 'hello']);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringMatching(/"everybody"[^]*supervisor/)]);
    for (const name of ['@ada', 'ada:', 'ada,'])
      expect((await council(['send', `${name} look`])).stdout, name).toContain('Sent to ada in general');
    expect((await council(['send', 'ada'])).code).toBe(2);
    await council(['send', 'ada', 'hello']);
    const [id] = await ids('ada');
    expect((await council(['ack', id!, '--as', 'ben'])).code).toBe(1);
    expect((await council(['ack', 'msg-20260111-163315-ana-0000', '--as', 'ben'])).code).toBe(1);
    expect((await council(['send', 'ada', 'x', '--reply-to', 'nothing'])).code).toBe(1);
    expect((await council(['channel', 'show', '../up'])).code).toBe(2);
  });

  long('refuse an inbox of nobody, unless mail lies there', async () => {
    const { council, write } = await bench();
    await council(['send', 'ada', 'hello', '--from', 'ben']);
    for (const args of [
      ['inbox', 'adda'],
      ['sent', '--from', 'zoe'],
    ]) {
      const { code, stderr } = await council(args);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/There is no agent "(adda|zoe)"/)]);
    }
    expect((await council(['inbox', 'adda'])).stderr).toContain('Did you mean ada?');
    for (const name of ['ben', 'human', 'codex-1']) expect((await council(['inbox', name])).code).toBe(0);
    const id = 'msg-20260111-163315-zoe-0000';
    const message = { id, timestamp: '2026-01-11T16:33:15.000Z', from: 'zoe', to: 'gone', type: 'chat' };
    write(
      `memory/shared/channels/general/2026-01-11/${id}.json`,
      JSON.stringify({ ...message, session_id: 'general', content: { text: 'to whom it was' } }),
    );
    expect((await council(['inbox', 'gone'])).stdout).toContain('to whom it was');
    expect((await council(['sent', '--from', 'zoe'])).stdout).toContain('to whom it was');
  });

  long('are for nobody who is only named in code, in a package or in a quotation', async () => {
    const { council, ids } = await bench();
    for (const text of ['npm i @ada/core@2', 'the decorator `@ada`', '> @ada please deploy', 'ada is away'])
      await council(['send', 'ben', text]);
    expect(await ids('ada')).toEqual([]);
    await council(['send', 'ben', 'ask @ada', '--type', 'request']);
    expect(await ids('ada')).toHaveLength(1);
    const { messages } = (await council<Messages>(['sent', '--json'])).json;
    // Who is mentioned in what goes to somebody else owes nothing.
    expect(messages.at(-1)?.recipients).toMatchObject([
      { to: 'ben', attempts: 1 },
      { to: 'ada', attempts: null },
    ]);
  });

  long('are told of once where they are damaged, however often a watcher looks', async () => {
    const { council, launch, write } = await bench();
    const day = 'memory/shared/channels/general/2026-01-11';
    write(`${day}/msg-20260111-163315-zoe-0000.json`, '{"id": "cut');
    write(`${day}/not-a-message.json`, '{}');
    const watcher = launch(['watch-channel', 'ada', '--', 'cat']);
    await until(
      'the watcher answers',
      () => watcher.output().includes('is answered for') || watcher.output().includes('ada'),
    );
    for (const text of ['one', 'two']) {
      await council(['send', 'ada', text, '--from', 'ben', '--wait', '--timeout', '60s']);
      write(`${day}/msg-20260111-163315-zoe-0000.json`, '{"id": "cut');
    }
    process.kill(watcher.pid, 'SIGTERM');
    const { stderr } = await watcher.ended;
    expect(stderr.split('msg-20260111-163315-zoe-0000').length - 1).toBe(1);
    expect(stderr.split('not-a-message.json').length - 1).toBe(1);
  });

  long('wait for the answer that comes back to who asked, not for what is passed on', async () => {
    const { council, ids, launch } = await bench();
    const waiting = launch(['send', 'ada', 'start', '--from', 'ben', '--wait', '--timeout', '60s']);
    await until('the request lies there', async () => (await ids('ada')).length === 1);
    const [first] = await ids('ada');
    const on = [
      'send',
      '--to',
      'human',
      'step 2',
      '--from',
      'ada',
      '--reply-to',
      first!,
      '--type',
      'request',
      '--json',
    ];
    const { message } = (await council<{ message: { id: string } }>(on)).json;
    const noted = ['send', 'ben', 'begun', '--from', 'ada', '--reply-to', first!, '--type', 'event'];
    await council(noted);
    await council([
      'send',
      'ben',
      'the end',
      '--from',
      'human',
      '--reply-to',
      message.id,
      '--type',
      'response',
    ]);
    const { code, stdout } = await waiting.ended;
    expect([code, stdout]).toEqual([0, expect.stringContaining('the end')]);
    expect(stdout).not.toContain('step 2');
    expect(stdout).not.toContain('begun');
  });

  long('carry code and several lines, and no control character to a terminal', async () => {
    const project = await bench();
    project.write('patch.diff', '-a\n+b\n');
    const text = 'one \u001B[31mred\u202E\nben to ada in general, 10:00';
    await project.council(['send', 'ada', text, '--code', '@patch.diff', '--from', 'ben']);
    const { stdout } = await project.council(['inbox', 'ada']);
    expect(stdout).toContain('  one [31mred\n  ben to ada in general, 10:00\n  ---\n  -a\n  +b\n  ---');
    expect((await project.council<Messages>(['inbox', 'ada', '--json'])).json.messages[0]?.text).toBe(text);
  });

  it('let an agent in its turn speak for itself only', async () => {
    const project = await bench();
    const { council } = project;
    const env = openTurn(project, 'ada');
    expect((await council(['send', 'ben', 'hi', '--from', 'ben'], { env })).code).toBe(1);
    expect((await council(['send', 'ben', 'hi'], { env })).stdout).toContain('-ada-0000');
  });
});
