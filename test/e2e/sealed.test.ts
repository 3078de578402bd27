import fs from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesIn, newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { passDeadline } from '../helpers/deadline.ts';
import type { Failed, Started, Ticked } from '../helpers/documents.ts';
import { exported, stateOf } from '../helpers/look.ts';
import { addAgent } from '../helpers/speakers.ts';
import { hash } from '../helpers/texts.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

/** A council where ana's sealed text has been moved away, as if she had responded on another machine. */
async function withMovedText(): Promise<{ project: Project; moved: string }> {
  const project = await newProject();
  for (const id of ['ana', 'bob']) addAgent(project, id);
  const { json } = await project.council<Started>(['start', 'Sealed?', '--json']);
  await project.council(['respond', 'ana'], { input: 'sealed elsewhere\r\n' });
  await project.council(['respond', 'bob'], { input: 'sealed here' });
  const folder = join(project.privateDir, json.conversationId);
  const name = fs.readdirSync(folder).find((file) => file.startsWith('sealed-ana-'))!;
  const moved = join(project.outside, name);
  fs.renameSync(join(folder, name), moved);
  return { project, moved };
}

describe.concurrent('a sealed text that is not here', () => {
  long('is told to who responds with another HOME or XDG_STATE_HOME', async () => {
    const project = await newProject();
    for (const id of ['ana', 'bob', 'cleo']) addAgent(project, id);
    await project.council<Started>(['start', 'Sealed?', '--json']);
    expect((await project.council(['respond', 'ana'], { input: 'first' })).stderr).toBe('');
    const other = join(project.outside, 'other');
    const told = await project.council(['respond', 'bob'], {
      input: 'second',
      env: { XDG_STATE_HOME: other },
    });
    expect(told.stderr).toContain('sealed that of ana in another folder: HOME or XDG_STATE_HOME has changed');
    const [, file = ''] = /council reveal bob .*--file (\S+)/.exec(told.stderr) ?? [];
    expect(file.startsWith(other)).toBe(true);
    expect((await project.council(['reveal', 'bob', '--file', file])).code).toBe(0);
    expect((await project.council(['respond', 'cleo'], { input: 'third' })).stderr).toBe('');
  });

  long('is told to who responds first, where the council was opened with another HOME', async () => {
    const project = await newProject();
    for (const id of ['ana', 'bob']) addAgent(project, id);
    await project.council<Started>(['start', 'Sealed?', '--json']);
    const other = join(project.outside, 'other');
    const env = { XDG_STATE_HOME: other };
    const told = await project.council(['respond', 'ana'], { input: 'first', env });
    expect(told.stderr).toMatch(
      /opened this council with another private folder: HOME or XDG_STATE_HOME has changed/,
    );
    const [, file = ''] = /council reveal ana .*--file (\S+)/.exec(told.stderr) ?? [];
    expect(file.startsWith(other)).toBe(true);
    expect((await project.council(['reveal', 'ana', '--file', file])).code).toBe(0);
    // A link to the same folder is no other one.
    fs.symlinkSync(project.env.XDG_STATE_HOME!, join(project.outside, 'link'));
    const linked = { XDG_STATE_HOME: join(project.outside, 'link') };
    expect((await project.council(['respond', 'bob'], { input: 'second', env: linked })).stderr).toBe('');
  });

  it('keeps the phase open and is asked for by the place where it lies', async () => {
    const { project, moved } = await withMovedText();
    const tick = await project.council<Ticked>(['tick', '--no-launch', '--json']);
    expect(tick).toMatchObject({
      code: 0,
      json: { councils: [{ from: 'COLLECT', to: 'COLLECT', transitions: [] }] },
    });
    const told = await project.council(['tick', '--no-launch']);
    expect(told.stderr).toContain(`sealed text of ana is not in ${project.privateDir}`);
    expect(told.stderr).toContain(hostname());
    expect(told.stderr).toContain('council reveal ana --file');
    const another = join(project.outside, 'another.json');
    fs.writeFileSync(another, fs.readFileSync(moved, 'utf8').replace('elsewhere', 'elsewhen!'));
    const refused = await project.council<Failed>(['reveal', 'ana', '--file', another, '--json']);
    expect({ code: refused.code, error: refused.json.error.code }).toEqual({
      code: 1,
      error: 'commitment_mismatch',
    });
    expect(refused.stdout + refused.stderr).not.toContain('else');
    const taken = await project.council(['reveal', 'ana', '--file', moved, '--json']);
    expect(taken).toMatchObject({ code: 0, json: { participant: 'ana', tour: 1, stillSealed: true } });
    expect(
      filesIn(project.root).filter((path) => fs.readFileSync(path).includes('sealed elsewhere')),
    ).toEqual([]);
    const closed = await project.council<Ticked>(['tick', '--no-launch', '--json']);
    expect(closed.json.councils[0]).toMatchObject({
      from: 'COLLECT',
      to: 'CHALLENGE',
      reason: 'all-responded',
    });
    expect(project.read('memory/shared/council-active-conversation.md').toString()).toContain(
      'sealed elsewhere\r\n',
    );
  });

  long('is an absence at the timeout, and exactly the committed text is still taken afterwards', async () => {
    const { project, moved } = await withMovedText();
    await passDeadline(project);
    const tick = await project.council<Ticked>(['tick', '--no-launch', '--json']);
    expect(tick.json.councils[0]).toMatchObject({ from: 'COLLECT', to: 'CHALLENGE', reason: 'timeout' });
    expect((await stateOf(project)).absences).toMatchObject([
      { participant: 'ana', phase: 'COLLECT', tour: 1, reason: 'sealed_text_missing' },
    ]);
    for (const [name, content] of [
      ['forged', JSON.stringify({ text: 'sealed elsewhere\r\n' })],
      ['plain', 'sealed elsewhere\r\n'],
      ['changed', fs.readFileSync(moved, 'utf8').replace('"agreed":false', '"agreed":true')],
    ] as const) {
      fs.writeFileSync(join(project.outside, name), content);
      const refused = await project.council<Failed>([
        'reveal',
        'ana',
        '--file',
        join(project.outside, name),
        '--json',
      ]);
      expect({ name, code: refused.code, error: refused.json.error.code }).toEqual({
        name,
        code: 1,
        error: 'commitment_mismatch',
      });
    }
    const stranger = await project.council<Failed>(['reveal', 'bob', '--file', moved, '--json']);
    expect({ code: stranger.code, error: stranger.json.error.code }).toEqual({ code: 2, error: 'usage' });
    const taken = await project.council(['reveal', 'ana', '--file', moved, '--json']);
    expect(taken).toMatchObject({ code: 0, json: { participant: 'ana', tour: 1, stillSealed: false } });
    expect((await stateOf(project)).absences).toEqual([]);
    const cancelled = await project.council<{ archive: string }>(['cancel', '--why', 'enough', '--json']);
    const archive = await exported(project, cancelled.json.archive);
    expect(archive.contributions.map((c) => [c.participant, c.tour, c.sha256])).toEqual([
      ['ana', 1, hash('sealed elsewhere\r\n')],
      ['bob', 1, hash('sealed here')],
    ]);
  });

  it('stays after the archive, closed to others', async () => {
    const { project, moved } = await withMovedText();
    fs.renameSync(
      moved,
      join(project.privateDir, (await stateOf(project)).conversationId, moved.split('/').at(-1)!),
    );
    const { json } = await project.council<{ conversationId: string }>([
      'cancel',
      '--why',
      'enough',
      '--json',
    ]);
    const folder = join(project.privateDir, json.conversationId);
    expect(fs.readdirSync(folder).filter((name) => name.startsWith('sealed-'))).toHaveLength(2);
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
  });
});
