import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';

interface Refusal {
  error: { code: string; message: string; hint: string; kept: string };
}

async function team(): Promise<Project> {
  const project = await newProject();
  for (const [id, role] of [
    ['chief', 'orchestrator'],
    ['lead', 'leader'],
    ['w1', 'worker'],
    ['w2', 'worker'],
  ] as const)
    await project.council(['agents', 'add', id, '--runner', 'human', '--role', role]);
  await project.council(['agents', 'add', 'guest', '--runner', 'human']);
  return project;
}

describe('who may send what to whom', () => {
  it('follows the roles of the agent files, and the text of a refused message is kept', async () => {
    const { council } = await team();
    const send = async (from: string, to: string, type: string) =>
      (await council(['send', '--to', to, '--from', from, '--type', type, 'A long thought'])).code;
    expect(await send('chief', 'w1', 'request')).toBe(0);
    expect(await send('lead', 'w1', 'task_assign')).toBe(0);
    expect(await send('w1', 'chief', 'response')).toBe(0);
    expect(await send('guest', 'w1', 'request')).toBe(0);
    expect(await send('human', 'w1', 'control')).toBe(0);
    expect(await send('w1', 'human', 'chat')).toBe(0);
    const refused = await council<Refusal>([
      'send',
      '--to',
      'w2',
      '--from',
      'w1',
      '--json',
      'Psst, w2: use my branch',
    ]);
    expect(refused.code).toBe(1);
    expect(refused.json.error).toMatchObject({
      code: 'forbidden',
      message:
        'w1 may not send w2 a message of the type chat. worker to worker: nothing, they do not talk directly.',
    });
    expect(readFileSync(refused.json.error.kept, 'utf8')).toBe('Psst, w2: use my branch\n');
    const told = await council(['send', '--to', 'chief', '--from', 'w1', '--type', 'control', 'Stop']);
    expect([told.code, told.stderr]).toEqual([
      1,
      expect.stringMatching(
        /worker to orchestrator: only response[^]*The text is kept in [^]*agents show w1/,
      ),
    ]);
    const { stdout } = await council(['inbox', 'w2']);
    expect(stdout).not.toContain('Psst');
  });

  it('cannot be gone around by a mention, nor by writing to everybody', async () => {
    const { council } = await team();
    expect((await council(['send', 'human', 'Tell @w2 to wait', '--from', 'w1'])).code).toBe(1);
    expect((await council(['send', 'all', 'Done here', '--from', 'w1'])).stderr).toContain('w2');
    expect((await council(['send', 'all', 'Phase 2', '--from', 'lead', '--type', 'broadcast'])).code).toBe(1);
    expect((await council(['send', 'all', 'Phase 2', '--from', 'chief', '--type', 'broadcast'])).code).toBe(
      0,
    );
  });

  it('holds for what a watcher answers, and an answer is allowed to whoever asked', async () => {
    const { root, council, launch } = await team();
    const script = 'process.stdin.resume().on("end", () => console.log("My answer"))';
    const watcher = launch(['watch-channel', 'chief', '--', process.execPath, '-e', script]);
    await until('the watcher is ready', () => watcher.output().includes('Answering for'));
    await council(['send', 'chief', 'May I?', '--from', 'w1', '--type', 'clarify']);
    await until('it has answered', async () => (await council(['inbox', 'w1'])).stdout.includes('My answer'));
    watcher.child.kill('SIGTERM');
    await watcher.ended;
    // While it works, whoever has asked becomes a worker as well.
    const file = join(root, 'agents', 'guest.md');
    const promoting = `const fs = require("fs"); fs.writeFileSync(${JSON.stringify(file)}, "---\\nname: guest\\ncouncil:\\n  role: worker\\n---\\n");`;
    const other = launch(['watch-channel', 'w2', '--', process.execPath, '-e', `${promoting} ${script}`]);
    await until('the watcher is ready', () => other.output().includes('Answering for'));
    await council(['send', 'w2', 'Look', '--from', 'guest']);
    await until('it is told why', async () =>
      (await council(['sent', '--from', 'guest'])).stdout.includes('they do not talk directly'),
    );
    expect(other.output()).toMatch(/may not send guest[^]*The text is kept in/);
    other.child.kill('SIGTERM');
    await other.ended;
  });
});
