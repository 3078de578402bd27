// `archives pull`: what a database has archived, in a checkout.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FEATURES } from '../../../src/features.ts';
import type { App } from '../../../src/core/app/app.ts';
import { pullArchives } from '../../../src/postgres/manage-store.ts';
import { initProject } from '../../../src/core/store/local/project.ts';
import { migratedSchema, sharedPostgres } from '../../helpers/postgres/shared.ts';
import { parseDatabaseAddress } from '../../../src/postgres/store/place.ts';
import { scratch } from '../../core/store/scratch.ts';
import { opener } from './place.ts';

const server = await sharedPostgres();
const ID = '11111111-1111-4111-8111-111111111111';
const archive = (text: string): string => `---\nschema: 1\nconversationId: ${ID}\n---\n\n${text} 🦉\r\n`;

describe.skipIf(!server)('archives pull', async () => {
  if (!server) return;
  const { appUrl } = await migratedSchema(server);
  const open = opener(parseDatabaseAddress(appUrl, 'the test', { secret: true }));

  it('writes archives and late texts byte for byte, once, and overwrites nothing', async () => {
    const root = scratch();
    initProject(root, { lang: 'en' });
    const kept = await open('council');
    await kept.archives.create('conseils/2026-01-31-a.md', archive('one'));
    await kept.archives.create('conseils/2026-01-31-b.md', archive('two'));
    const raw = Buffer.from([0xff, 0x00, 0x41]);
    await kept.lateFiles.keep(ID, 'ana-COLLECT-1-0123456789abcdef', raw);
    writeFileSync(join(root, 'conseils', '2026-01-31-b.md'), 'mine');
    const app = {
      cwd: root,
      root,
      features: FEATURES,
      env: { ...process.env, COUNCIL_DATABASE_URL: appUrl, XDG_STATE_HOME: scratch() },
      via: 'cli',
      note: () => undefined,
    } as unknown as App;

    const first = await pullArchives(app);
    expect(first.document).toMatchObject({
      written: ['conseils/2026-01-31-a.md'],
      same: 0,
      differ: ['conseils/2026-01-31-b.md'],
    });
    expect(first.failed).toBe('failed');
    expect(readFileSync(join(root, 'conseils', '2026-01-31-a.md'), 'utf8')).toBe(archive('one'));
    expect(readFileSync(join(root, 'conseils', '2026-01-31-b.md'), 'utf8')).toBe('mine');
    const late = join(root, 'memory/shared/.late', ID, 'ana-COLLECT-1-0123456789abcdef');
    expect(readFileSync(late)).toEqual(raw);
    expect((await pullArchives(app)).document).toMatchObject({ written: [], same: 1 });
  });

  it('tells a project in files that they are there', async () => {
    const root = scratch();
    initProject(root, { lang: 'en' });
    const app = {
      cwd: root,
      root,
      features: FEATURES,
      env: { XDG_STATE_HOME: scratch() },
      via: 'cli',
      note: () => undefined,
    } as unknown as App;
    await expect(pullArchives(app)).rejects.toMatchObject({ code: 'usage' });
  });
});
