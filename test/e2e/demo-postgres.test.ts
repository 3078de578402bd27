import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharedPostgres } from '../helpers/postgres/shared.ts';

const server = await sharedPostgres();

describe.skipIf(!server)('npm run demo:postgres', () => {
  it('plays a council on a server, and shows what lies in the tables', () => {
    // Not by npm, which builds first where something is missing: dist/ would be gone while other tests play it.
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/demo-postgres.ts'], {
      cwd: join(import.meta.dirname, '..', '..'),
      encoding: 'utf8',
      env: { ...process.env, COUNCIL_DATABASE_URL: '' },
    });
    // Root, whose packages lie where the server's own user may not enter, is told that they are copied.
    expect(stderr.replace(/^PostgreSQL's programs are copied to .*\n/m, '')).toBe('');
    expect(status).toBe(0);
    const [before, after = ''] = stdout.split('The next tick closes the round.');
    expect(before).toContain('Applied to postgres://127.0.0.1:');
    expect(before).toMatch(/sealed-ada-1-[0-9a-f]+\.json +1 +\d+/);
    expect(before).toContain('ERROR: permission denied for table texts');
    expect(before).toContain('ERROR: no other transaction has closed the round');
    expect(before!.split('\n').filter((line) => /Load will grow tenfold/.test(line))).toEqual([]);
    expect(after).toMatch(/1 +council_app/);
    expect(after).toContain('CHALLENGE');
  });
});
