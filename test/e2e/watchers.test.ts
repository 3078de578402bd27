import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAgentMemories } from '../../src/core/store/file/agent-memory.ts';
import { CLI, newProject, until } from '../helpers/cli.ts';
import { addAgent } from '../helpers/speakers.ts';

interface Messages {
  messages: { id: string; from: string; to: string; text: string; type: string }[];
}
interface Log {
  entries: { event: string; agent?: string; text?: string }[];
}

/** A project with a watcher of ada whose program is this shell script, in which `council` is the command line. */
async function watching(script: string, ...options: string[]) {
  const project = await newProject();
  addAgent(project, 'ada');
  const runs = join(project.root, 'runs');
  const council = `'${process.execPath}' '${CLI}'`;
  project.write(
    'ada.sh',
    `council() { ${council} "$@"; }\ncat > /dev/null\necho run >> '${runs}'\n${script}\n`,
  );
  const watcher = project.launch(['watch-channel', 'ada', ...options, '--', 'sh', 'ada.sh']);
  await until('the watcher is ready', () => watcher.output().includes('Answering for'));
  const launches = (): number =>
    existsSync(runs) ? readFileSync(runs, 'utf8').split('\n').filter(Boolean).length : 0;
  const messages = async (...args: string[]) =>
    (await project.council<Messages>([...args, '--json'])).json.messages;
  const log = async () => (await project.council<Log>(['log', '--format', 'json', '--json'])).json.entries;
  const stop = async (): Promise<void> => {
    watcher.child.kill('SIGTERM');
    await watcher.ended;
  };
  return { ...project, watcher, launches, messages, log, stop };
}

const ID = '"$COUNCIL_MESSAGE_ID"';

it('brings what the agent has kept, and nothing of others', async () => {
  const project = await newProject();
  addAgent(project, 'ada');
  const path = join(project.root, 'memory/shared/.versions/.memory/agents.sqlite');
  const memories = openAgentMemories({ path, root: project.root });
  const at = '2026-01-02T00:00:00.000Z';
  await memories.openMemory('ada').add({ type: 'preference', content: 'Maria dislikes mornings.', at });
  await memories.openMemory('ben').add({ type: 'knowledge', content: 'Goats are loud.', at });
  memories.close();
  const watcher = project.launch(['watch-channel', 'ada', '--', 'cat']);
  await until('the watcher is ready', () => watcher.output().includes('Answering for'));
  await project.council(['send', 'ada', 'When do we meet?']);
  const inbox = async () => (await project.council<Messages>(['inbox', 'human', '--json'])).json.messages;
  await until('it has answered', async () => (await inbox()).length > 0);
  watcher.child.kill('SIGTERM');
  await watcher.ended;
  const [answer] = await inbox();
  expect(answer!.text).toContain('preference: Maria dislikes mornings.');
  expect(answer!.text).not.toContain('Goats');
});

it('is told where it was killed, until another one takes its place', async () => {
  const { watcher, council, launch } = await watching('echo 43.');
  watcher.child.kill('SIGKILL');
  await watcher.ended;
  expect((await council(['who'])).stdout).toMatch(/ada: offline, .*its watcher was killed, or crashed/);
  expect((await council(['doctor'])).stdout).toMatch(
    /The watcher of ada was killed.*\n?.*council watch-channel ada/,
  );
  const next = launch(['watch-channel', 'ada', '--', 'sh', 'ada.sh']);
  await until('the next one is ready', () => next.output().includes('Answering for'));
  expect(next.output()).toContain('The last watcher of ada');
  next.child.kill('SIGTERM');
  await next.ended;
  expect((await council(['who'])).stdout).not.toContain('killed');
});

describe('an agent that answers a message by itself', () => {
  const answers: [string, string, string][] = [
    ['sends its answer', `council send human "43." --reply-to ${ID} >&2`, 'answered by its agent itself'],
    ['acknowledges it', `council ack ${ID} >&2`, 'acknowledged by its agent itself'],
    ['refuses it', `council nack ${ID} --reason "not mine" >&2`, 'refused by its agent itself'],
    [
      'sends it from outside of its turn',
      `env -u COUNCIL_TURN setsid -f '${process.execPath}' '${CLI}' send human "43." --reply-to ${ID} --from ada; sleep 3`,
      'answered by its agent itself',
    ],
  ];
  it.each(answers)('has answered when it %s and prints nothing', async (_, script, said) => {
    const { watcher, launches, messages, stop, ...project } = await watching(
      script,
      '--retries',
      '2',
      '--reply-errors',
    );
    await project.council(['send', 'ada', 'What is the answer?', '--type', 'request']);
    await until('it is handled', () => watcher.output().includes(said));
    await stop();
    expect(launches()).toBe(1);
    expect((await messages('inbox', 'human')).filter(({ type }) => type === 'error')).toEqual([]);
    expect(await messages('inbox', 'ada', '--unread')).toEqual([]);
  });

  it('has said so in the log what it printed afterwards, and sent it to nobody', async () => {
    const { watcher, messages, log, stop, ...project } = await watching(
      `council send human "43." --reply-to ${ID} >&2; echo "I have answered."`,
    );
    await project.council(['send', 'ada', 'What is the answer?']);
    await until('it is handled', () => watcher.output().includes('sent to nobody'));
    await stop();
    expect((await messages('inbox', 'human')).map(({ text }) => text)).toEqual(['43.']);
    expect((await log()).filter(({ event }) => event === 'unsent')).toMatchObject([
      { agent: 'ada', text: 'I have answered.' },
    ]);
  });

  it.each(['update', 'clarify', 'request'])('has not when it only sends %s', async (type) => {
    const { messages, stop, ...project } = await watching(
      `council send human "Working on it" --reply-to ${ID} --type ${type} >&2; echo "43."`,
    );
    await project.council(['send', 'ada', 'What is the answer?']);
    await until('the answer', async () =>
      (await messages('inbox', 'human')).some(({ text }) => text === '43.'),
    );
    await stop();
  });
});

describe('programs that write to each other', () => {
  it('come to an end without any turn, too: 20 answers for each pair and hour', async () => {
    const { watcher, launches, messages, stop, ...project } = await watching('echo noted');
    const now = new Date();
    const second = now
      .toISOString()
      .replace(/[-:]|\..*/g, '')
      .replace('T', '-');
    for (let at = 1; at <= 22; at++) {
      const id = `msg-${second}-ben-${at.toString(16).padStart(4, '0')}`;
      const message = {
        ...{ id, timestamp: now.toISOString(), session_id: 'general', from: 'ben', to: 'ada', type: 'chat' },
        content: { text: `${at}`, code: null, artifacts: [] },
        metadata: { mode: 'chat', turn: 'ben' },
      };
      project.write(`memory/shared/channels/general/${id}.json`, JSON.stringify(message));
    }
    await until('the last is handled', () => watcher.output().split('not answered').length > 2);
    await project.council(['send', 'ada', 'And a person?']);
    await until('a person is answered', async () =>
      (await messages('inbox', 'human')).some(({ text }) => text === 'noted'),
    );
    await stop();
    expect(watcher.output()).toContain('20 answers were given in this thread within an hour');
    expect(launches()).toBe(21);
  });
});
