import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';

interface Log {
  entries: Record<string, unknown>[];
  more: boolean;
}

async function bench(): Promise<
  Project & { send(...args: string[]): Promise<string>; events(): Promise<unknown[]> }
> {
  const project = await newProject();
  for (const id of ['ada', 'ben']) await project.council(['agents', 'add', id, '--runner', 'human']);
  return {
    ...project,
    send: async (...args) =>
      (await project.council<{ message: { id: string } }>(['send', ...args, '--json'])).json.message.id,
    events: async () =>
      (await project.council<Log>(['log', '--json'])).json.entries.map(({ event, agent }) => [event, agent]),
  };
}

describe('the log of messages', () => {
  it('tells what happened to each message, and never what it says', async () => {
    const { council, send, root } = await bench();
    const id = await send('ada', 'The secret is 42', '--from', 'ben', '--type', 'request');
    await council(['ack', id, '--as', 'ada']);
    await council(['ack', id, '--as', 'ada']);
    await send('--to', 'ben', 'Done', '--from', 'ada', '--reply-to', id);
    // Within one second it has the id of the first one, which nobody waits for any more.
    const other = await send('ada', 'Deploy', '--from', 'ben', '--channel', 'team-a');
    await council(['nack', other, '--as', 'ada', '--reason', 'not on a Friday']);
    const { entries } = (await council<Log>(['log', '--json'])).json;
    expect(entries.map(({ event, from, to, status }) => [event, from, to, status])).toEqual([
      ['stored', 'ben', 'ada', 'success'],
      ['acknowledged', 'ben', 'ada', 'success'],
      ['stored', 'ada', 'ben', 'success'],
      ['answered', 'ben', 'ada', 'success'],
      ['stored', 'ben', 'ada', 'success'],
      ['stored', 'ada', 'ben', 'success'],
      ['refused', 'ben', 'ada', 'failed'],
    ]);
    expect(entries.at(-1)).toMatchObject({
      message_id: other,
      agent: 'ada',
      error: 'not on a Friday',
      direction: 'received',
      latency_ms: expect.any(Number) as unknown,
    });
    const [file = ''] = fs.readdirSync(join(root, 'memory/logs'));
    expect(fs.readFileSync(join(root, 'memory/logs', file), 'utf8')).not.toContain('secret');
    expect((await council(['log', '--channel', 'team-a', '--format', 'line'])).stdout).toMatch(
      /^\[\d+\] \[INFO\] \[-\] \[-\] ben>ada chat - -\n.*\n\[\d+\] \[WARN\] .* refused=.*reason=not on a Friday\n$/,
    );
    const sentences = (await council(['log'])).stdout.replace(/^\d\d:\d\d /gm, '').replace(/msg-\S+/g, 'ID');
    expect(sentences.replace(/after \d+ ?m?s/g, 'after 1s')).toBe(
      [
        'ben wrote to ada in general (request), ID',
        'ada acknowledged a message from ben in general (request, after 1s), ID',
        'ada wrote to ben in general (chat), ID',
        'ada answered a message from ben in general (request, after 1s), ID',
        'ben wrote to ada in team-a (chat), ID',
        'ada wrote to ben in team-a (nack), ID',
        'ada refused a message from ben in team-a (chat, after 1s), ID not on a Friday',
        '',
      ].join('\n'),
    );
    const lines = (await council(['log', '--format', 'json', '--agent', 'ada', '--limit', '2'])).stdout;
    expect(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { event: string }).event),
    ).toEqual(['stored', 'refused']);
    const { stdout } = await council(['metrics', '--messages']);
    expect(stdout).toMatch(/all\s.*4\s.*2/);
    const measures = (await council<Record<string, unknown>>(['metrics', '--messages', '--json'])).json;
    expect(measures).toMatchObject({
      messages_sent: 4,
      messages_received: 2,
      error_rate: 0.25,
      by_type: { chat: 2, nack: 1, request: 1 },
      by_agent: { ada: 2, ben: 2 },
    });
  });

  it('shows what a watcher was given and answered', async () => {
    const { send, events, launch } = await bench();
    const watcher = launch(['watch-channel', 'ada', '--', 'sh', '-c', 'cat > /dev/null; echo Yes']);
    await until('the watcher is ready', () => watcher.output().includes('Answering for'));
    await send('ada', 'Are you there?', '--from', 'ben');
    await until('the answer is acknowledged', async () => (await events()).length === 5);
    expect(await events()).toEqual([
      ['stored', undefined],
      ['delivered', 'ada'],
      ['stored', undefined],
      ['answered', 'ada'],
      ['acknowledged', 'ada'],
    ]);
    watcher.child.kill('SIGTERM');
    await watcher.ended;
  });

  it('is followed', async () => {
    const { send, launch } = await bench();
    await send('ada', 'first');
    const follower = launch(['log', '--follow', '--format', 'json']);
    await until('the first is shown', () => follower.output().includes('"stored"'));
    const id = await send('ada', 'second');
    await until('the second is shown', () => follower.output().includes(id));
    follower.child.kill('SIGTERM');
    const { stdout } = await follower.ended;
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
  });

  it('keeps no message back where it cannot be written, and says so', async () => {
    const { council, root } = await bench();
    fs.mkdirSync(join(root, 'elsewhere'));
    fs.symlinkSync('../elsewhere', join(root, 'memory/logs'));
    const sent = await council(['send', 'ada', 'hello']);
    expect([sent.code, sent.stderr]).toEqual([0, expect.stringMatching(/log of messages.*logs is a link/)]);
    expect(fs.readdirSync(join(root, 'elsewhere'))).toEqual([]);
    expect((await council(['log'])).stdout).toContain('Nothing is logged yet');
  });

  it('refuses to count a council and messages at once', async () => {
    const { council } = await bench();
    expect((await council(['metrics', 'x', '--messages'])).code).toBe(2);
    expect((await council(['metrics', '--since', '2h'])).code).toBe(2);
    expect((await council(['log', '--follow', '--json'])).code).toBe(2);
    expect((await council(['log', '--since', 'yesterday'])).code).toBe(2);
  });
});
