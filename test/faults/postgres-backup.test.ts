// The commands of docs/postgres.md, with PostgreSQL's own client: the set-up, a backup and its restore.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import { startPostgres } from '../helpers/postgres/server.ts';
import { connected } from '../helpers/postgres/shared.ts';

const PAGE = fs.readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'postgres.md'), 'utf8');
const CLI = join(import.meta.dirname, '..', '..', 'dist', 'council.js');

/** A server and its client of one version, as Debian has them. */
const bin = fs
  .globSync('/usr/lib/postgresql/*/bin')
  .find((folder) => ['postgres', 'psql', 'pg_dump'].every((name) => fs.existsSync(join(folder, name))));

/** The lines of the fence below a mark. */
function commandsOf(mark: string): string[] {
  const [, fence] = new RegExp(`<!-- ${mark}: [^]*?\`\`\`sh\\n([^]*?)\`\`\``).exec(PAGE) ?? [];
  return fence!.trim().split('\n');
}

describe.skipIf(!bin)('the commands of docs/postgres.md', () => {
  it('set a database up, back it up and restore it, sealed texts and closings included', async () => {
    const server = await startPostgres({ bin: bin! });
    const project = await newProject();
    const programs = join(project.outside, 'bin');
    fs.mkdirSync(programs);
    fs.writeFileSync(join(programs, 'council'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`, {
      mode: 0o755,
    });
    const shell = (lines: string[]): string => {
      const here = lines.map((line) => line.replaceAll('db.example', `127.0.0.1:${server.port}`)).join('\n');
      const { status, stdout, stderr } = spawnSync('bash', ['-euc', here], {
        cwd: project.root,
        encoding: 'utf8',
        env: {
          ...project.env,
          PATH: `${bin}:${programs}:${project.env.PATH}`,
          PGHOST: '127.0.0.1',
          PGPORT: String(server.port),
          PGUSER: 'postgres',
          PGPASSWORD: server.password,
        },
      });
      expect({ status, stderr }).toMatchObject({ status: 0 });
      return stdout;
    };
    const setUp = commandsOf('set-up');
    expect(setUp).toHaveLength(5);
    // The doctor may find something beside the database: what counts is what it says of that.
    expect(shell([...setUp.slice(0, 4), `${setUp[4]} || true`])).toContain(
      'This role cannot look at sealed texts',
    );

    const url = `postgres://council_app:of-council@127.0.0.1:${server.port}/council`;
    const council = async (args: string[], input = '') => {
      const run = await project.council(args, { input, env: { COUNCIL_DATABASE_URL: url } });
      expect(run.code, run.stderr).toBe(0);
    };
    for (const id of ['ada', 'ben']) await council(['agents', 'add', id, '--runner', 'human']);
    await council(['start', 'Where to?', '--agents', 'ada,ben', '--coordinator', 'none']);
    await council(['respond', 'ada'], 'South, with a canary.');
    shell(commandsOf('backup'));

    // The restored one goes on where the dump was made.
    const restored = url.replace(/\/council$/, '/council_restored');
    const env = { COUNCIL_DATABASE_URL: restored };
    expect((await project.council(['respond', 'ben'], { input: 'North.', env })).code).toBe(0);
    expect((await project.council(['tick'], { env })).code).toBe(0);
    expect((await project.council(['view', 'ben'], { env })).stdout).toContain('South, with a canary.');
    await connected(restored, async (client) => {
      await expect(client.query('SELECT * FROM council_sealed.texts')).rejects.toMatchObject({
        code: '42501',
      });
    });
    await server.stop();
  });
});
