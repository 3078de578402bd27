// A council on PostgreSQL that somebody edits, and one whose newest text is damaged.
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Status } from '../helpers/documents.ts';
import { connected, migratedSchema, sharedPostgres } from '../helpers/postgres/shared.ts';

const server = await sharedPostgres();

describe.skipIf(!server)('a council on PostgreSQL', async () => {
  if (!server) return;
  const { schema, appUrl } = await migratedSchema(server);
  const asRoot = (sql: string, values: unknown[]) =>
    connected(server.url, (client) => client.query<{ text: string }>(sql, values));

  /** Open, with two people; ann has spoken. */
  async function opened(name: string): Promise<Project> {
    const project = await newProject();
    project.env.COUNCIL_DATABASE_URL = appUrl;
    for (const id of ['ann', 'bob', 'cat']) await project.council(['agents', 'add', id, '--runner', 'human']);
    const people = ['--agents', 'ann,bob,cat', '--coordinator', 'none', '--open'];
    expect((await project.council(['start', "Où l'on va ? 🦉", '--name', name, ...people])).code).toBe(0);
    await respond(project, name, 'ann');
    return project;
  }

  async function respond(project: Project, name: string, who: string): Promise<void> {
    const { code, stderr } = await project.council(['respond', who, '--name', name], {
      input: `Text of ${who}, l'été.\n`,
    });
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')]);
  }

  const status = async (project: Project, name: string) =>
    (await project.council<Status>(['status', '--name', name, '--json'])).json.councils[0]!;

  async function textOf(name: string): Promise<string> {
    const { rows } = await asRoot(
      `SELECT v.text FROM ${schema}.heads JOIN ${schema}.versions v USING (project, key, revision) WHERE key = $1`,
      [name],
    );
    return rows[0]!.text;
  }

  const damage = (name: string, revision: number) =>
    asRoot(
      `UPDATE ${schema}.versions SET text = replace(text, 'Text of', 'Lies of') WHERE key = $1 AND revision = $2`,
      [name, revision],
    );

  it('takes an edited copy of its newest text, and refuses one of an older text', async () => {
    const project = await opened('edited');
    const edited = (await textOf('edited')).replace(/"phaseTimeout": ?\d+/, '"phaseTimeout": 7200000');
    project.write('edited.md', `${edited}\n`);
    const adopt = ['adopt', '--name', 'edited', '--file', 'edited.md'];
    const taken = await project.council(adopt);
    expect([taken.code, taken.stderr]).toEqual([0, '']);
    expect(taken.stdout).toContain('The hand edit is revision 3 of "edited".');
    expect(await status(project, 'edited')).toMatchObject({ revision: 3, phaseTimeout: 7_200_000 });

    await respond(project, 'edited', 'bob');
    const late = await project.council(adopt);
    expect(late.code).not.toBe(0);
    expect(late.stderr).toContain('it was made on revision 2, and the council is at 4');
    expect(late.stderr).toContain('Make the edit again on the text of the newest revision.');
    project.write('edited.md', edited.replace('Text of ann', 'Lies of ann'));
    expect((await project.council(adopt)).code).not.toBe(0);
    project.write('edited.md', '# nothing of a council');
    expect((await project.council(adopt)).stderr).not.toContain('council restore');
    expect(await status(project, 'edited')).toMatchObject({ revision: 4 });
  });

  it('is found damaged by its hash, and goes on from a revision that is whole', async () => {
    const project = await opened('damaged');
    await respond(project, 'damaged', 'bob');
    await respond(project, 'damaged', 'cat');
    for (const revision of [3, 4]) await damage('damaged', revision);

    const status1 = await project.council(['tick', '--name', 'damaged']);
    expect(status1.code).not.toBe(0);
    expect(status1.stderr).toContain('Revision 4 of "damaged" is damaged in the database.');
    expect(status1.stderr).toContain('council restore REVISION --name damaged');
    const history = await project.council<{ versions: { revision: number }[] }>([
      ...['history', '--name', 'damaged', '--json'],
    ]);
    expect(history.json.versions.map(({ revision }) => revision)).toEqual([1, 2]);
    expect(history.stderr).toContain('Revision 3 of "damaged" is damaged');
    expect((await project.council(['restore', '--name', 'damaged'])).stderr).toContain('Revision 4');
    expect((await project.council(['restore', '3', '--name', 'damaged'])).stderr).toContain('Revision 3');
    expect((await project.council(['restore', '9', '--name', 'damaged'])).stderr).toContain('not kept');

    const restored = await project.council(['restore', '2', '--name', 'damaged']);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    expect(restored.stdout).toContain('Revision 2 of "damaged" is now revision 5.');
    const { revision, participants } = await status(project, 'damaged');
    expect([revision, participants.ann!.status, participants.bob!.status]).toEqual([
      5,
      'RESPONDED',
      'WAITING',
    ]);
    await respond(project, 'damaged', 'bob');
    expect((await project.council(['restore', '1', '--name', 'nobody'])).stderr).toContain('nobody');
  });

  it('keeps what was said since, and never goes back to the council before it', async () => {
    const project = await opened('second');
    await respond(project, 'second', 'bob');
    await damage('second', 3);
    const restored = await project.council<{ kept: string[] }>([
      ...['restore', '1', '--name', 'second', '--json'],
    ]);
    expect(restored.json.kept).toEqual([expect.stringContaining('/late/')]);
    await project.council(['cancel', '--name', 'second', '--why', 'enough']);
    const again = ['start', 'Again?', '--name', 'second', '--agents', 'ann,bob', '--open'];
    expect((await project.council(again)).code).toBe(0);
    await asRoot(
      `UPDATE ${schema}.versions v SET text = v.text || ' ' FROM ${schema}.heads h
WHERE h.key = $1 AND v.key = h.key AND v.project = h.project AND v.revision = h.revision`,
      ['second'],
    );
    const refused = await project.council(['restore', '1', '--name', 'second']);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('is damaged in the database');
  });
});
