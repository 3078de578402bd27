import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesIn, newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Failed, Status, Ticked } from '../helpers/documents.ts';
import { exported, stateOf } from '../helpers/look.ts';
import { addAgent } from '../helpers/speakers.ts';
import { hash } from '../helpers/texts.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

const FILE = 'memory/shared/council-active-conversation.md';

async function openCouncil(...more: string[]): Promise<Project> {
  const project = await newProject();
  for (const id of ['ana', 'bob']) addAgent(project, id);
  await project.council(['start', 'Edited?', ...more]);
  return project;
}

describe.concurrent('a state file that somebody edits', () => {
  it('is left alone, told about by every command, and dropped by restore with a copy', async () => {
    const project = await openCouncil('--open');
    await project.council(['respond', 'ana'], { input: 'before the edit' });
    const edited = project.read(FILE).toString().replace('Edited?', 'Hacked!');
    project.write(FILE, edited);
    const status = await project.council<Status>(['status', '--json']);
    expect(status.json.councils[0]).toMatchObject({ edited: true, topic: 'Edited?', revision: 2 });
    expect(status.stderr).toContain('council adopt');
    // Commits go on; the file stays as the person left it.
    const said = await project.council(['respond', 'bob', '--json'], { input: 'during the edit' });
    expect(said).toMatchObject({ code: 0, json: { accepted: true, revision: 3 } });
    for (const { stderr } of [
      said,
      await project.council(['view', 'ana']),
      await project.council(['tick', '--no-launch']),
      await project.council(['history']),
    ]) {
      expect(stderr).toContain('was changed by hand');
    }
    expect(project.read(FILE).toString()).toBe(edited);
    const { code, json } = await project.council<{ dropped: string; revision: number }>([
      'restore',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(fs.readFileSync(json.dropped, 'utf8')).toBe(edited);
    expect(json.dropped).toContain(join('memory', 'shared', '.edits'));
    expect(await stateOf(project)).toMatchObject({
      edited: false,
      topic: 'Edited?',
      currentPhase: 'CHALLENGE',
      revision: json.revision,
    });
    expect(project.read(FILE).toString()).toContain('during the edit');
    expect((await project.council<{ dropped: null }>(['restore', '--json'])).json.dropped).toBeNull();
  });

  long('may be a copy, whose revision has to be the newest', async () => {
    const project = await openCouncil('--open');
    const edited = project.read(FILE).toString().replace('"quorum": 0.5', '"quorum": 0.9');
    project.write('copy.md', edited);
    const adopted = await project.council(['adopt', '--file', 'copy.md']);
    expect([adopted.code, adopted.stderr]).toEqual([0, '']);
    expect(await stateOf(project)).toMatchObject({ edited: false, revision: 2, quorum: 0.9 });
    await project.council(['respond', 'ana'], { input: 'meanwhile' });
    const late = await project.council<Failed>(['adopt', '--file', 'copy.md', '--json']);
    expect(late.json.error).toMatchObject({ code: 'hand_edit' });
    expect(late.json.error.message).toContain('it was made on revision 1, and the council is at 3');
  });

  long('is taken by adopt as the next revision, when it was made on the newest one', async () => {
    const project = await openCouncil('--open');
    await project.council(['respond', 'ana'], { input: 'mine' });
    project.write(
      FILE,
      project.read(FILE).toString().replace('"topic": "Edited?"', '"topic": "A better topic"'),
    );
    const { code, json } = await project.council(['adopt', '--json']);
    expect({ code, json }).toEqual({ code: 0, json: { name: 'active-conversation', revision: 3, kept: [] } });
    expect(await stateOf(project)).toMatchObject({ edited: false, topic: 'A better topic', revision: 3 });
    expect(project.read(FILE).toString()).toContain('# Active conversation: A better topic');
  });

  it('is refused by adopt on an older revision, and when it changes what was said or asked', async () => {
    const project = await openCouncil('--open', '--brief', '-');
    await project.council(['respond', 'ana'], { input: 'word for word' });
    const original = project.read(FILE).toString();
    const refused = async (edit: string, reason: RegExp): Promise<void> => {
      project.write(FILE, edit);
      const { code, json } = await project.council<Failed>(['adopt', '--json']);
      expect({ code, error: json.error.code }).toEqual({
        code: 1,
        error: expect.stringMatching(/^(hand_edit|corrupt)$/) as string,
      });
      expect(json.error.message).toMatch(reason);
      expect(project.read(FILE).toString()).toBe(edit);
    };
    await refused(original.replace('word for word', 'other words'), /ana said in COLLECT/);
    await refused(
      original.replace(/"conversationId": *"[^"]{8}/, (start) => start.replace(/.{8}$/, '00000000')),
      /another council/,
    );
    await refused(original.replace('-->', ''), /./);
    await refused('gone', /./);
    project.write(FILE, original.replace('Edited?', 'Late'));
    await project.council(['respond', 'bob'], { input: 'faster' });
    await refused(original.replace('Edited?', 'Late'), /revision 2, and the council is at 3/);
    const { stderr } = await project.council(['adopt']);
    const [, told] = /Differences:\n(.*)\nMake the edit again/s.exec(stderr)!;
    // The edit alone: neither what bob has said since, nor a full stop on a line of its own.
    expect(told).toBe('- "topic": "Edited?",\n+ "topic": "Late",');
    expect((await project.council(['restore'])).code).toBe(0);
    expect(await stateOf(project)).toMatchObject({ topic: 'Edited?', revision: 3, edited: false });
  });

  long('is healed when it only is out of date or deleted', async () => {
    const project = await openCouncil('--open');
    const old = project.read(FILE);
    await project.council(['respond', 'ana'], { input: 'newer' });
    const newest = project.read(FILE);
    project.write(FILE, old);
    expect(await stateOf(project)).toMatchObject({ revision: 2, edited: false });
    expect(project.read(FILE).equals(newest)).toBe(true);
    fs.unlinkSync(join(project.root, FILE));
    expect(await stateOf(project)).toMatchObject({ revision: 2, edited: false });
    expect(project.read(FILE).equals(newest)).toBe(true);
  });
});

describe.concurrent('history and restore', () => {
  long('lists what every revision did, and goes back to one without losing what was said since', async () => {
    const project = await openCouncil('--open');
    await project.council(['respond', 'ana'], { input: 'first' });
    await project.council(['respond', 'bob'], { input: 'second\r\n' });
    await project.council(['tick', '--no-launch']);
    const { json } = await project.council<{
      name: string;
      versions: { revision: number; phase: string; tour: number; action: string; by: string | null }[];
    }>(['history', '--json']);
    expect(json.versions.map((v) => `${v.revision} ${v.phase} ${v.tour} ${v.action} ${v.by ?? '-'}`)).toEqual(
      ['1 COLLECT 1 start -', '2 COLLECT 1 respond ana', '3 COLLECT 1 respond bob', '4 CHALLENGE 2 close -'],
    );
    const back = await project.council<{ revision: number; restored: number; kept: string[] }>([
      'restore',
      '2',
      '--json',
    ]);
    expect(back).toMatchObject({
      code: 0,
      json: { revision: 5, restored: 2, kept: [expect.stringContaining('.late') as string] },
    });
    expect(fs.readFileSync(back.json.kept[0]!, 'utf8')).toBe('second\r\n');
    const state = await stateOf(project);
    expect(state).toMatchObject({
      currentPhase: 'COLLECT',
      tour: 1,
      revision: 5,
      participants: { ana: { status: 'RESPONDED' }, bob: { status: 'WAITING' } },
    });
    expect(Date.parse(state.timeoutAt)).toBeGreaterThan(Date.now() + 3_500_000);
    expect((await project.council(['respond', 'bob'], { input: 'another second' })).code).toBe(0);
    const cancelled = await project.council<{ archive: string }>(['cancel', '--why', 'enough', '--json']);
    const archive = await exported(project, cancelled.json.archive);
    expect(archive.contributions.map((c) => c.text)).toEqual(['first', 'another second']);
    expect(archive.late.map((l) => l.sha256)).toEqual([hash('second\r\n')]);
  });

  it('goes back inside a blind phase without showing what was sealed since', async () => {
    const project = await openCouncil();
    await project.council(['respond', 'ana'], { input: 'sealed and stays' });
    await project.council(['respond', 'bob'], { input: 'sealed-and-dropped' });
    expect((await project.council(['restore', '2'])).code).toBe(0);
    expect(await stateOf(project)).toMatchObject({
      participants: { ana: { status: 'RESPONDED' }, bob: { status: 'WAITING' } },
    });
    const shown = () =>
      filesIn(project.root).filter((path) => fs.readFileSync(path).includes('sealed-and-dropped'));
    expect(shown()).toEqual([]);
    await project.council(['respond', 'bob'], { input: 'said again' });
    const { json } = await project.council<Ticked>(['tick', '--no-launch', '--json']);
    expect(json.councils[0]).toMatchObject({ from: 'COLLECT', to: 'CHALLENGE' });
    for (const text of ['sealed and stays', 'said again'])
      expect(project.read(FILE).toString()).toContain(text);
  });
});
