// The contract suites, sealed texts and watching through PgBouncer in transaction mode, where that program is installed.
import { afterAll, describe, expect, it } from 'vitest';
import { openAgentHealth } from '../../../src/core/store/agent-health.ts';
import { createMemoryTexts } from '../../../src/core/store/memory/memory-store.ts';
import { requireArchivePath } from '../../../src/core/store/names.ts';
import { deferStore } from '../../../src/postgres/store/deferred.ts';
import { parseDatabaseAddress } from '../../../src/postgres/store/place.ts';
import { agentHealthContract } from '../../contracts/agent-health.ts';
import { archivesContract } from '../../contracts/archives.ts';
import { lateFilesContract } from '../../contracts/late-files.ts';
import { messageLogContract } from '../../contracts/message-log.ts';
import { presencesContract } from '../../contracts/presences.ts';
import { storeContract } from '../../contracts/store.ts';
import { POOLER, startPooler } from '../../helpers/postgres/pooler.ts';
import { startPostgres } from '../../helpers/postgres/server.ts';
import { migratedSchema, sharedPostgres } from '../../helpers/postgres/shared.ts';
import { until } from '../../core/store/scratch.ts';
import { opener } from './place.ts';

if (!POOLER) console.warn('Skipped, for PgBouncer is not installed: nothing is tried through a pooler.');
const server = POOLER && (await sharedPostgres()) ? await startPostgres() : undefined;
afterAll(() => server?.stop());

/** Fewer connections than the suites open: each transaction may have another one. */
const CONNECTIONS = 3;

if (!server) {
  describe.skip('PgBouncer', () => it('needs PgBouncer and a server'));
} else {
  const { app, appUrl } = await migratedSchema(server);
  const past = new URL(appUrl);
  const through = new URL(appUrl);
  const users = [{ name: app, password: past.password }];
  through.port = String(await startPooler(server, users, CONNECTIONS));
  const open = opener(parseDatabaseAddress(through.href, 'the test', { secret: true }));
  /** The ports of a project of its own, which is opened once. */
  const ports = (project?: string) => {
    let opened: ReturnType<typeof open> | undefined;
    return deferStore(() => (opened ??= open(project)), {
      displayName: 'here',
      local: createMemoryTexts(),
      archives: { dir: 'conseils', absolute: requireArchivePath },
    });
  };
  const documents = (kind = 'council') => ports().documents(kind);
  storeContract('through PgBouncer', () => documents(), { locks: true });
  lateFilesContract('through PgBouncer', () => ports().lateFiles());
  archivesContract('through PgBouncer', () => ports().archives());
  messageLogContract('through PgBouncer', () => ports().messages());
  presencesContract('through PgBouncer', () => ports().presences());
  agentHealthContract('through PgBouncer', () => openAgentHealth(documents('health')));

  describe('through PgBouncer', () => {
    it('many writers of one document lose nothing, on connections that they share', async () => {
      const stores = await Promise.all(Array.from({ length: 12 }, () => open('shared')));
      const tokens = stores.map((_, at) => `writer ${at}`);
      const writing = stores.map((store, at) =>
        store.documents('council').update('busy', (now) => `${now?.text ?? ''}\n${tokens[at]}`),
      );
      await Promise.all(writing);
      const { text = '', revision } = (await stores[0]!.documents('council').read('busy')) ?? {};
      expect(text.trim().split('\n').sort()).toEqual([...tokens].sort());
      expect(revision).toBe(tokens.length);
    });

    it('a sealed text stays sealed until its round is closed', async () => {
      const { privateTexts } = await open();
      const files = privateTexts(createMemoryTexts());
      const [id, name] = [crypto.randomUUID(), `sealed-ana-1-${'ab'.repeat(16)}.json`];
      const record = Buffer.from(JSON.stringify({ salt: 's', text: "l'été 🦉" }));
      await files.write(id, name, record);
      expect(await files.read(id, name)).toBeUndefined();
      await files.sealing!.close(id, 1, 'all-responded');
      expect(Buffer.from((await files.read(id, name))!)).toEqual(record);
    });

    it('who watches hears of a commit by looking', async () => {
      const [watching, other] = [await open('watched'), await open('watched')];
      const heard: string[] = [];
      const stop = watching.documents('council').watch('', (key) => heard.push(key));
      await other.documents('council').commit('new', 'one', 0);
      await until(() => heard.includes('new'), 'the commit to be heard');
      stop();
    });
  });
}
