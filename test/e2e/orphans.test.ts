import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Project, RunOptions } from '../helpers/cli.ts';
import { passDeadline } from '../helpers/deadline.ts';
import type { Responded, Started, Ticked } from '../helpers/documents.ts';
import { stateOf } from '../helpers/look.ts';
import { addAgent } from '../helpers/speakers.ts';
import { failing } from '../helpers/tries.ts';

/** The first link puts the sealed text in its place, the second one is the commit. */
const AT_COMMIT = { FAIL_AT: '2', FAIL_KINDS: 'link' };

interface Table {
  project: Project;
  /** The sealed texts by whom they are of, as they lie in the private folder. */
  sealed(): string[];
  respond(id: string, input: string, ...args: string[]): ReturnType<Project['council']>;
  failing(how: string): RunOptions;
}

async function table(): Promise<Table> {
  const project = await newProject();
  for (const id of ['ana', 'bob']) addAgent(project, id);
  const { json } = await project.council<Started>(['start', 'Sealed?', '--json']);
  const folder = join(project.privateDir, json.conversationId);
  return {
    project,
    sealed: () =>
      (fs.existsSync(folder) ? fs.readdirSync(folder) : [])
        .filter((name) => name.startsWith('sealed-'))
        .map((name) => name.split('-')[1]!)
        .sort(),
    respond: (id, input, ...args) => project.council(['respond', id, ...args], { input }),
    failing: (how) => ({ env: failing(project, { ...AT_COMMIT, FAIL_WITH: how }) }),
  };
}

const text = (project: Project): string =>
  project.read('memory/shared/council-active-conversation.md').toString();

describe.concurrent('sealed texts that no commit refers to', () => {
  it('fault 6: that of a process that died before its commit goes with the next commit', async () => {
    const { project, sealed, respond, failing: fails } = await table();
    const killed = await project.council(['respond', 'ana'], { input: 'lost', ...fails('SIGKILL') });
    expect([killed.signal, sealed()]).toEqual(['SIGKILL', ['ana']]);
    expect((await respond('bob', 'said by bob')).code).toBe(0);
    expect(sealed()).toEqual(['bob']);
    expect((await respond('ana', 'said by ana')).code).toBe(0);
    expect(sealed()).toEqual(['ana', 'bob']);
    await project.council(['tick', '--no-launch']);
    for (const said of ['said by ana', 'said by bob']) expect(text(project)).toContain(said);
  });

  it('fault 6: at the latest when its phase closes', async () => {
    const { project, sealed, respond, failing: fails } = await table();
    expect((await respond('bob', 'said by bob')).code).toBe(0);
    await project.council(['respond', 'ana'], { input: 'lost', ...fails('SIGKILL') });
    expect(sealed()).toEqual(['ana', 'bob']);
    await passDeadline(project);
    const tick = await project.council<Ticked>(['tick', '--no-launch', '--json']);
    expect(tick.json.councils[0]).toMatchObject({ to: 'CHALLENGE', reason: 'timeout' });
    expect(sealed()).toEqual(['bob']);
    expect(text(project)).toContain('said by bob');
  });

  it('fault 6: a full disk at the commit leaves none', async () => {
    const { project, sealed, respond, failing: fails } = await table();
    const full = await project.council(['respond', 'ana'], { input: 'no room', ...fails('ENOSPC') });
    expect([full.code, sealed()]).toEqual([1, []]);
    expect(full.stderr).toContain('The text is kept in ');
    expect((await respond('ana', 'said by ana')).code).toBe(0);
    expect(sealed()).toEqual(['ana']);
  });

  it('fault 6: --replace leaves the new one only, and a restore to the old one asks again', async () => {
    const { project, sealed, respond } = await table();
    await respond('ana', 'said before');
    expect((await respond('ana', 'second', '--replace')).code).toBe(0);
    expect(sealed()).toEqual(['ana']);
    const back = await project.council<{ again: string[] }>(['restore', '2', '--json']);
    expect(back.json.again).toEqual(['ana']);
    expect((await stateOf(project)).participants.ana).toMatchObject({ status: 'WAITING', commitment: null });
    await respond('ana', 'third');
    await respond('bob', 'said by bob');
    expect(sealed()).toEqual(['ana', 'bob']);
    await project.council(['tick', '--no-launch']);
    expect(text(project)).toContain('third');
    expect(text(project)).not.toContain('said before');
  });

  it('fault 6: what a restore has dropped comes back with the next one', async () => {
    const { project, sealed, respond } = await table();
    await respond('ana', 'said by ana');
    await respond('bob', 'said by bob');
    await project.council(['restore', '2']);
    await respond('ana', 'said again by ana', '--replace');
    expect(sealed()).toEqual(['ana']);
    const back = await project.council<{ again: string[] }>(['restore', '3', '--json']);
    expect(back.json.again).toEqual(['ana']);
    await respond('ana', 'said a third time');
    expect(sealed()).toEqual(['ana', 'bob']);
    await project.council(['tick', '--no-launch']);
    for (const said of ['said by bob', 'said a third time']) expect(text(project)).toContain(said);
  });

  it('fault 6: never that of a process that may still commit', async () => {
    const { project, sealed, respond, failing: fails } = await table();
    const slow = project.launch(['respond', 'ana', '--json'], { input: 'said late', ...fails('SIGSTOP') });
    await until('ana has sealed', () => sealed().includes('ana'));
    await respond('bob', 'said by bob');
    await respond('bob', 'said again by bob', '--replace');
    expect(sealed()).toEqual(['ana', 'bob']);
    slow.child.kill('SIGCONT');
    expect((await slow.ended).json).toMatchObject({ accepted: true } satisfies Partial<Responded>);
    const tick = await project.council<Ticked>(['tick', '--no-launch', '--json']);
    expect(tick.json.councils[0]).toMatchObject({ to: 'CHALLENGE', reason: 'all-responded' });
    for (const said of ['said late', 'said again by bob']) expect(text(project)).toContain(said);
  });

  it('fault 6: who comes too late takes its own away', async () => {
    const { project, sealed, respond, failing: fails } = await table();
    const slow = project.launch(['respond', 'ana', '--json'], { input: 'too late', ...fails('SIGSTOP') });
    await until('ana has sealed', () => sealed().includes('ana'));
    await respond('bob', 'said by bob');
    await passDeadline(project);
    await project.council(['tick', '--no-launch']);
    slow.child.kill('SIGCONT');
    const { json } = await slow.ended;
    expect(json).toMatchObject({ accepted: false, reason: 'phase_closed' });
    expect(fs.readFileSync((json as Responded).kept!, 'utf8')).toBe('too late');
    expect(sealed()).toEqual(['bob']);
  });

  it('fault 6: an acknowledged one whose revision is lost with its state file is kept among the late texts', async () => {
    const { project, sealed, respond } = await table();
    expect((await respond('ana', 'said by ana')).code).toBe(0);
    fs.rmSync(join(project.root, 'memory/shared/.versions/active-conversation/2.md'));
    fs.rmSync(join(project.root, 'memory/shared/council-active-conversation.md'));
    expect((await respond('bob', 'said by bob')).code).toBe(0);
    expect(sealed()).toEqual(['bob']);
    await passDeadline(project);
    await project.council(['tick', '--no-launch']);
    const late = fs.readdirSync(join(project.root, 'memory/shared/.late'), { recursive: true }) as string[];
    const [file] = late.filter((name) => name.includes('ana'));
    expect(fs.readFileSync(join(project.root, 'memory/shared/.late', file!), 'utf8')).toBe('said by ana');
  });
});
