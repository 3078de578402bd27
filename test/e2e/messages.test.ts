import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { openTurn } from '../helpers/in-turn.ts';

interface Messages {
  messages: {
    id: string;
    text: string;
    recipients?: { to: string; state: string; reason: string | null }[];
  }[];
}

async function bench(): Promise<Project & { ids(agent: string): Promise<string[]> }> {
  const project = await newProject();
  for (const id of ['ada', 'ben']) await project.council(['agents', 'add', id]);
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

  it('are acknowledged where they are for somebody, also when another channel has the same id', async () => {
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
    const { stdout } = await council(['ack', id, '--as', 'ada', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ messages: [{ id, channel: 'general', changed: true }] });
    // The one that waits is meant; when none does, the first.
    const again = async (): Promise<unknown> =>
      JSON.parse((await council(['ack', id, '--as', 'ada', '--json'])).stdout);
    expect(await again()).toMatchObject({ messages: [{ id, channel: 'team', changed: true }] });
    expect(await again()).toMatchObject({ messages: [{ id, channel: 'general', changed: false }] });
    expect((await council(['ack', id, '--as', 'ben'])).stderr).toContain('not for ben');
  });

  it('are acknowledged by their id, also where somebody put them there under another name', async () => {
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

  it('are refused to whom nobody knows, and for whom they are not', async () => {
    const { council, ids } = await bench();
    const unknown = await council(['send', 'everybody', 'hello']);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringMatching(/"everybody"[^]*supervisor/)]);
    expect((await council(['send', 'ada'])).code).toBe(2);
    await council(['send', 'ada', 'hello']);
    const [id] = await ids('ada');
    expect((await council(['ack', id!, '--as', 'ben'])).code).toBe(1);
    expect((await council(['ack', 'msg-20260111-163315-ana-0000', '--as', 'ben'])).code).toBe(1);
    expect((await council(['send', 'ada', 'x', '--reply-to', 'nothing'])).code).toBe(1);
    expect((await council(['channel', 'show', '../up'])).code).toBe(2);
  });

  it('carry code and several lines, and no control character to a terminal', async () => {
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
