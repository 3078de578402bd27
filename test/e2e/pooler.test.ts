// A council from its start to its archive through PgBouncer in transaction mode, where that program is installed.
import { afterAll, describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import { POOLER, startPooler } from '../helpers/postgres/pooler.ts';
import { startPostgres } from '../helpers/postgres/server.ts';
import { migratedSchema, sharedPostgres } from '../helpers/postgres/shared.ts';
import { addAgent } from '../helpers/speakers.ts';

if (!POOLER) console.warn('Skipped, for PgBouncer is not installed: no council is played through a pooler.');
const server = POOLER && (await sharedPostgres()) ? await startPostgres() : undefined;
afterAll(() => server?.stop());

describe.skipIf(!server)('a council through PgBouncer', async () => {
  if (!server) return;
  const { app, appUrl } = await migratedSchema(server);
  const through = new URL(appUrl);
  through.port = String(await startPooler(server, [{ name: app, password: through.password }], 2));

  it('is blind, played by several commands at once, and archived', async () => {
    const project = await newProject();
    project.env.COUNCIL_DATABASE_URL = through.href;
    const people = ['ann', 'bob', 'cat', 'dan'];
    for (const id of people) addAgent(project, id);
    const table = ['--agents', people.join(','), '--coordinator', 'none', '--mode', 'synthesis'];
    const started = await project.council(['start', "Où l'on va ?", '--name', 'pool', ...table]);
    expect(started.code).toBe(0);
    const said = await Promise.all(
      people.map((id) => project.council(['respond', id, '--name', 'pool'], { input: `Mot de ${id} 🦉` })),
    );
    expect(said.map(({ code, stderr }) => [code, stderr])).toEqual(people.map(() => [0, '']));
    const ticked = await project.council(['tick', '--until-idle', '--name', 'pool']);
    expect(ticked.code).toBe(0);
    const { json } = await project.council<{ archives: { path: string }[] }>(['list', '--json']);
    const shown = await project.council(['export', json.archives[0]!.path]);
    for (const id of people) expect(shown.stdout).toContain(`Mot de ${id} 🦉`);
  });
});
