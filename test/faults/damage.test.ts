import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Failed, Responded, Status } from '../helpers/documents.ts';
import { must, seated } from '../helpers/scenarios.ts';
import { saidIn, theArchive } from '../helpers/tries.ts';

const NAME = 'active-conversation';
const STATE = `memory/shared/council-${NAME}.md`;
const version = (project: Project, revision: number): string =>
  join(project.root, 'memory/shared/.versions', NAME, `${revision}.md`);

/** A council with two revisions: ann has spoken. */
async function started(name = NAME): Promise<Project> {
  const project = await newProject();
  await seated(project, ['ann', 'bob'], { ann: 'text of ann' }, '--open', '--name', name);
  return project;
}

async function expectPlayable(project: Project): Promise<void> {
  await must(project, ['respond', 'bob'], 'text of bob');
  await must(project, ['tick', '--until-idle']);
  expect(saidIn(theArchive(project))).toEqual({ ann: 'text of ann', bob: 'text of bob' });
}

interface Doctored {
  findings: { level: string; check: string; message: string; fix: string | null }[];
}
const storeFindings = async (project: Project, levels = ['ok', 'warning', 'error']): Promise<string[]> =>
  (await project.council<Doctored>(['doctor', '--json'])).json.findings
    .filter(({ level, check }) => check === 'store' && levels.includes(level))
    .map(({ message, fix }) => `${message} -> ${fix}`);
const storeErrors = (project: Project): Promise<string[]> => storeFindings(project, ['error']);

describe.concurrent('a newest version that is damaged', () => {
  it.each([
    ['emptied', (path: string) => fs.truncateSync(path), /was found empty and was repaired/],
    ['deleted', (path: string) => fs.rmSync(path), /was missing; it was put back/],
    ['cut off', (path: string) => fs.truncateSync(path, 100), /was damaged on the disk .* was repaired/],
    [
      'overwritten with an older one',
      (path: string) => fs.copyFileSync(path.replace(/2\.md$/, '1.md'), path),
      /was damaged on the disk .* was repaired/,
    ],
  ] as const)('fault 1: %s, it comes back from the state file, and says so', async (_, damage, said) => {
    const project = await started();
    damage(version(project, 2));
    expect(await storeErrors(project)).toEqual([expect.stringMatching(/revision 2.*council status/)]);
    const { code, json, stderr } = await project.council<Status>(['status', '--json']);
    expect([code, json.councils[0]!.revision, json.councils[0]!.participants.ann!.status]).toEqual([
      0,
      2,
      'RESPONDED',
    ]);
    expect(stderr).toMatch(said);
    expect(fs.readFileSync(version(project, 2))).toEqual(project.read(STATE));
    expect((await project.council(['status'])).stderr).not.toMatch(/Revision/);
    expect(await storeErrors(project)).toEqual([]);
    await expectPlayable(project);
  });

  it('fault 1: an older one that is copied to a newer number takes nothing back', async () => {
    const project = await started();
    fs.copyFileSync(version(project, 1), version(project, 3));
    expect(await storeErrors(project)).toEqual([expect.stringMatching(/revision 3.*council status/)]);
    const { json, stderr } = await project.council<Status>(['status', '--json']);
    expect(stderr).toMatch(/Revision 3 .* was damaged .* The text of revision 2 was put back as revision 4/);
    expect(json.councils[0]!.participants.ann!.status).toBe('RESPONDED');
    await expectPlayable(project);
  });

  it('fault 1: a council that has ended does not come back over its successor', async () => {
    const project = await started();
    await must(project, ['cancel', '--why', 'done']);
    await must(project, ['start', 'The second question', '--open', '--agents', 'ann,bob']);
    await must(project, ['respond', 'ann'], 'text of ann');
    const newest = fs.readdirSync(join(project.root, 'memory/shared/.versions', NAME)).length;
    fs.copyFileSync(version(project, 1), version(project, newest));
    fs.copyFileSync(version(project, 1), version(project, newest + 1));
    const { json } = await project.council<Status>(['status', '--json']);
    expect(json.councils[0]).toMatchObject({ topic: 'The second question' });
    expect(json.councils[0]!.participants.ann!.status).toBe('RESPONDED');
  });

  it('fault 1: where the two newest are gone, the state file can be taken, and that is told', async () => {
    const project = await started();
    await must(project, ['respond', 'bob'], 'text of bob');
    for (const revision of [2, 3]) fs.rmSync(version(project, revision));
    const { stderr } = await project.council(['status']);
    expect(stderr).toMatch(/shows revision 3, and the newest one in the history here is 1.*council adopt/s);
    await must(project, ['adopt']);
    await must(project, ['tick', '--until-idle']);
    expect(saidIn(theArchive(project))).toEqual({ ann: 'text of ann', bob: 'text of bob' });
  });

  it.each([['restore', '1'], ['restore'], ['adopt'], ['tick'], ['list'], ['respond', 'bob']])(
    'fault 1: emptied, it does not keep `%s %s` from seeing the council',
    async (...args) => {
      const project = await started();
      fs.truncateSync(version(project, 2));
      const { stdout, stderr } = await project.council(args, { input: 'text of bob' });
      expect(stdout + stderr).not.toMatch(/no active council|No council is active/);
      expect((await project.council<Status>(['status', '--json'])).json.councils).toHaveLength(1);
    },
  );

  it('fault 1: damaged in the same way as the state file, it is noticed, and the last good text put back', async () => {
    const project = await started();
    const damaged = Buffer.from(project.read(STATE).toString().replace('text of ann', 'text of eve'));
    for (const path of [version(project, 2), join(project.root, STATE)]) fs.writeFileSync(path, damaged);
    const { json, stderr } = await project.council<Status>(['status', '--json']);
    expect(json.councils[0]).toMatchObject({ edited: false, participants: { ann: { status: 'WAITING' } } });
    expect(stderr).toMatch(/The text of revision 1 was put back as revision 3/);
    const [kept] = fs.readdirSync(join(project.root, 'memory/shared/.quarantine'));
    expect(project.read(`memory/shared/.quarantine/${kept}`)).toEqual(damaged);
    await must(project, ['respond', 'ann'], 'text of ann');
    await expectPlayable(project);
  });
});

describe.concurrent('a state file that is damaged', () => {
  const emptyAll = (project: Project): void => {
    for (const path of [version(project, 1), version(project, 2), join(project.root, STATE)])
      fs.truncateSync(path);
  };

  it('fault 1: emptied with its whole history, it is given up as the message and doctor say', async () => {
    const project = await started();
    emptyAll(project);
    const { code, stderr } = await project.council(['status']);
    expect(code).toBe(1);
    const [, command] = /^To give the council up: (mv .*)$/m.exec(stderr)!;
    expect(await storeErrors(project)).toEqual([expect.stringContaining(command!)]);
    execFileSync('sh', ['-c', command!]);
    expect(await project.council(['status'])).toMatchObject({ code: 0, stderr: '' });
    expect(await storeFindings(project)).toEqual([expect.stringContaining('all sound')]);
    await must(project, ['start', 'Again', '--agents', 'ann,bob']);
  });

  it('fault 1: empty and without a history, it is found by doctor, with the command that takes it away', async () => {
    const project = await newProject();
    const path = project.write('memory/shared/council-zz.md', '');
    const wayOut = `mv ${path} ${path}.damaged`;
    expect(await storeErrors(project)).toEqual([expect.stringContaining(wayOut)]);
    for (const args of [['status'], ['tick'], ['start', 'Again', '--agents', 'precision', '--name', 'zz']]) {
      const { code, stderr } = await project.council(args);
      expect([code, stderr]).toEqual([1, expect.stringContaining(wayOut)]);
    }
  });

  it.each([['restore'], ['adopt'], ['run', '--resume'], ['view', 'bob'], ['respond', 'bob']])(
    'fault 1: the only one, without history and edited, it is what `council %s` tells of',
    async (...args) => {
      const project = await started('dm');
      fs.rmSync(join(project.root, 'memory/shared/.versions'), { recursive: true });
      const path = join(project.root, 'memory/shared/council-dm.md');
      fs.appendFileSync(path, 'hi\n');
      for (const more of [[], ['--name', 'dm']]) {
        const { code, json } = await project.council<Failed>([...args, ...more, '--json'], { input: 'x' });
        expect([code, json.error.code]).toEqual([1, 'hand_edit']);
        expect(json.error.message).toContain('council-dm.md has no history here');
        expect(json.error.hint).toContain(
          `from git or a backup), or give it up with: mv ${path} ${path}.damaged`,
        );
      }
    },
  );

  it('fault 1: where none of several can be read, the first one is told as an error', async () => {
    const project = await newProject();
    for (const name of ['one', 'two']) project.write(`memory/shared/council-${name}.md`, 'scribble');
    const { code, stderr } = await project.council(['restore']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/"two" is skipped.*\nPut the original back .*mv .*council-two\.md/);
    expect(stderr).toMatch(/^council: .*council-one\.md has no history here/m);
  });

  it('fault 1: emptied, it is put back from the newest revision, and that is told', async () => {
    const project = await started();
    const before = project.read(STATE);
    fs.truncateSync(join(project.root, STATE));
    expect(await storeFindings(project)).toEqual([expect.stringMatching(/is empty.*council status/)]);
    const { json, stderr } = await project.council<Status>(['status', '--json']);
    expect(json.councils[0]).toMatchObject({ edited: false, revision: 2 });
    expect(stderr).toContain('was found empty and was put back from revision 2.');
    expect(project.read(STATE)).toEqual(before);
    await expectPlayable(project);
  });

  it('fault 1: emptied, while the newest revision is gone: doctor knows of the text that was recorded', async () => {
    const project = await newProject();
    await seated(project, ['ann', 'bob'], { ann: 'text of ann', bob: 'text of bob' });
    expect(await storeFindings(project)).toEqual([expect.stringContaining('all sound')]);
    fs.rmSync(version(project, 3));
    fs.truncateSync(join(project.root, STATE));
    const { stderr } = await project.council(['status']);
    expect(stderr).toContain('was found empty and was put back from revision 2.');
    expect(await storeFindings(project)).toEqual([
      expect.stringMatching(
        /a text of bob was recorded, and revision 2 does not know it.*sealed-bob-1-.*council respond bob/,
      ),
    ]);
    await must(project, ['respond', 'bob'], 'text of bob');
    expect(await storeFindings(project)).toEqual([expect.stringContaining('all sound')]);
    // What a restore has dropped is no sign of a loss.
    await must(project, ['restore', '2']);
    expect(await storeFindings(project)).toEqual([expect.stringContaining('all sound')]);
  });

  it.each([
    ['garbage', Buffer.from('garbage\n')],
    ['no text', Buffer.from([0xff, 0xfe, 0x00])],
    ['cut off', Buffer.from('<!--council-state\n{\n  "schema": 1,\n  "revision": 2')],
  ])('fault 1: %s, it is not offered for adoption', async (_, bytes) => {
    const project = await started();
    fs.writeFileSync(join(project.root, STATE), bytes);
    const { stdout, stderr } = await project.council(['status']);
    expect(stderr).toMatch(
      /holds no state block that can be read.*council restore --name active-conversation/,
    );
    expect(stdout).toContain('council restore');
    expect(stdout + stderr + (await storeFindings(project)).join()).not.toContain('council adopt');
    expect((await project.council<Status>(['status', '--json'])).json.councils[0]).toMatchObject({
      edited: true,
      adoptable: false,
    });
    const adopted = await project.council<Failed>(['adopt', '--json']);
    expect(adopted.code).toBe(1);
    expect(adopted.json.error.hint).toContain('council restore --name active-conversation');
    await must(project, ['restore']);
    await expectPlayable(project);
  });
});

describe.concurrent('a state file of another council', () => {
  it('fault 2: a copy is refused, named by doctor, and the other councils go on', async () => {
    const project = await started();
    const copy = 'memory/shared/council-copy.md';
    project.write(copy, project.read(STATE));
    const both = new RegExp(`council-copy\\.md .*council-${NAME}\\.md`, 's');
    expect(await storeErrors(project)).toEqual([expect.stringMatching(both)]);
    const said = await project.council<Failed>(['respond', 'bob', '--name', 'copy', '--json'], {
      input: 'x',
    });
    expect(said).toMatchObject({ code: 1, json: { error: { code: 'hand_edit' } } });
    expect(said.json.error.message).toMatch(both);
    expect(said.json.error.hint).toContain(`mv ${join(project.root, copy)}`);
    const status = await project.council<Status & { unreadable: { name: string }[] }>(['status', '--json']);
    expect(status.code).toBe(1);
    expect(status.json.councils.map(({ name }) => name)).toEqual([NAME]);
    expect(status.json.unreadable.map(({ name }) => name)).toEqual(['copy']);
    expect(
      fs.readdirSync(join(project.root, 'memory/shared/.versions')).filter((name) => !name.startsWith('.')),
    ).toEqual([NAME]);
    const { stdout, stderr } = await project.council(['tick', '--no-launch']);
    expect(stdout).toBe(`${NAME}: still in COLLECT\n`);
    expect(stderr).toMatch(both);
    fs.rmSync(join(project.root, copy));
    await expectPlayable(project);
  });

  it('fault 2: a copied history does not make a rival of the original', async () => {
    const project = await started();
    const versions = join(project.root, 'memory/shared/.versions');
    fs.cpSync(join(versions, NAME), join(versions, 'other'), { recursive: true });
    const errors = await storeErrors(project);
    expect(errors).toEqual([expect.stringMatching(/council-other\.md was copied or renamed/)]);
    expect(errors.join()).not.toContain(`mv ${join(project.root, STATE)}`);
    expect(errors.join()).toContain(`mv ${join(versions, 'other')} ${join(versions, 'other')}.old`);
    fs.renameSync(join(versions, 'other'), join(project.outside, 'other'));
    await expectPlayable(project);
  });

  it('fault 2: a renamed one is refused as well, and works again under its own name', async () => {
    const project = await started();
    const renamed = join(project.root, 'memory/shared/council-renamed.md');
    fs.renameSync(join(project.root, STATE), renamed);
    // The clone has no history at all.
    fs.rmSync(join(project.root, 'memory/shared/.versions'), { recursive: true });
    const { code, json } = await project.council<Failed>(['tick', '--name', 'renamed', '--json']);
    expect(code).toBe(1);
    expect(JSON.stringify(json)).toContain(`mv ${renamed} ${join(project.root, STATE)}`);
    fs.renameSync(renamed, join(project.root, STATE));
    await expectPlayable(project);
  });
});

describe.concurrent('a state file that is a link', () => {
  it('fault 4: is written through inside the project, and stays a link', async () => {
    const project = await started();
    const target = project.write('docs/council.md', project.read(STATE));
    fs.rmSync(join(project.root, STATE));
    fs.symlinkSync('../../docs/council.md', join(project.root, STATE));
    const said = await project.council<Responded>(['respond', 'bob', '--json'], { input: 'text of bob' });
    expect(said).toMatchObject({ code: 0, json: { accepted: true }, stderr: '' });
    expect(fs.lstatSync(join(project.root, STATE)).isSymbolicLink()).toBe(true);
    expect(fs.readFileSync(target, 'utf8')).toContain('text of bob');
    await must(project, ['tick', '--until-idle']);
    expect(saidIn(theArchive(project))).toEqual({ ann: 'text of ann', bob: 'text of bob' });
  });

  it('fault 4: is refused when it leads out of the project', async () => {
    const project = await started();
    const target = join(project.outside, 'council.md');
    fs.renameSync(join(project.root, STATE), target);
    fs.symlinkSync(target, join(project.root, STATE));
    const before = fs.readFileSync(target);
    const said = await project.council<Failed>(['respond', 'bob', '--json'], { input: 'text of bob' });
    expect(said).toMatchObject({ code: 1, json: { error: { code: 'unsafe_path' } } });
    expect(said.json.error.message).toContain(STATE);
    expect(await storeErrors(project)).toEqual([expect.stringContaining('leads to')]);
    expect(fs.readFileSync(target)).toEqual(before);
    fs.rmSync(join(project.root, STATE));
    await expectPlayable(project);
  });
});
