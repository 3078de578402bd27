import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, expect, onTestFinished } from 'vitest';
import { readArchive } from '../../../src/core/archive/parse.ts';
import { finishArchive } from '../../../src/core/archive/write.ts';
import type { ArchivePorts } from '../../../src/core/archive/write.ts';
import { readCouncil } from '../../../src/core/council/use/council-access.ts';
import { serialize } from '../../../src/core/council/document/document.ts';
import type { Council } from '../../../src/core/council/state/state.ts';
import { memoryStore } from '../../../src/core/store/memory/memory-store.ts';
import { archivePorts } from './ports.ts';
import { CONVERSATION, debate, END, finished, PATH, spoke } from './sample.ts';

interface Table {
  root: string;
  ports: ArchivePorts;
  privateRoot: string;
  archived: () => Promise<string[]>;
}

/** A project with one council that is closing. */
async function table(council: Council = finished(debate())): Promise<Table> {
  const root = mkdtempSync(join(tmpdir(), 'council-archive-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const project = join(root, 'project');
  const ports = archivePorts(memoryStore(), project, join(root, 'state'));
  await ports.store.commit('test', serialize({ ...council, state: { ...council.state, revision: 1 } }), 0);
  return {
    root: project,
    ports,
    privateRoot: join(root, 'state', 'council', CONVERSATION),
    archived: async () => (await ports.archives.list()).map((file) => file.path),
  };
}

const finish = async (ports: ArchivePorts) => finishArchive(ports, await readCouncil(ports, 'test'));
const DONE = { path: PATH, conversationId: CONVERSATION };

describe('finishArchive', () => {
  it('writes the archive, marks the private files, and ends the state', async () => {
    const { ports, archived, privateRoot } = await table();
    await ports.privateFiles.write(CONVERSATION, 'sealed-henry-1-x.json', Buffer.from('{}'));
    expect(await finish(ports)).toEqual(DONE);
    expect(await archived()).toEqual([PATH]);
    expect(readArchive((await ports.archives.read(PATH))!, PATH).contributions.map((c) => c.text)).toEqual(
      debate().map((c) => c.text),
    );
    expect(await ports.store.read('test')).toBeUndefined();
    expect(await ports.store.revision('test')).toBe(2);
    expect(readFileSync(join(privateRoot, '.archived'), 'utf8')).toBe(END);
  });

  it('lists late texts, those kept privately included', async () => {
    const { ports } = await table();
    await ports.lateFiles.keep(CONVERSATION, 'sage-RESOLVE-3-0123456789abcdef', Buffer.from('too late'));
    await ports.privateFiles.write(
      CONVERSATION,
      'kept-henry-COLLECT-1-fedcba9876543210',
      Buffer.from('another text'),
    );
    await finish(ports);
    const { late } = readArchive((await ports.archives.read(PATH))!, PATH);
    expect(late.map(({ name, bytes }) => [name, bytes])).toEqual([
      ['henry-COLLECT-1-fedcba9876543210', 12],
      ['sage-RESOLVE-3-0123456789abcdef', 8],
    ]);
    expect(late[1]!.path).toBe(`memory/shared/.late/${CONVERSATION}/sage-RESOLVE-3-0123456789abcdef`);
  });

  it('refuses a council that is still open, and leaves it alone', async () => {
    const { ports, archived } = await table(finished([], { closing: null }));
    await expect(finish(ports)).rejects.toMatchObject({ code: 'not_your_turn' });
    expect(await ports.store.read('test')).toBeDefined();
    expect(await archived()).toEqual([]);
  });

  const crash = new Error('crash');
  const crashes: [string, (ports: ArchivePorts) => ArchivePorts][] = [
    [
      'before the archive is written',
      (p) => ({
        ...p,
        archives: {
          ...p.archives,
          create: async () => {
            throw crash;
          },
        },
      }),
    ],
    [
      'after the archive is written',
      (p) => ({
        ...p,
        archives: {
          ...p.archives,
          create: async (...a) => {
            await p.archives.create(...a);
            throw crash;
          },
        },
      }),
    ],
    [
      'before the private files are marked',
      (p) => ({
        ...p,
        privateFiles: {
          ...p.privateFiles,
          markArchived: async () => {
            throw crash;
          },
        },
      }),
    ],
    [
      'after the private files are marked',
      (p) => ({
        ...p,
        privateFiles: {
          ...p.privateFiles,
          markArchived: async (...a) => {
            await p.privateFiles.markArchived(...a);
            throw crash;
          },
        },
      }),
    ],
    [
      'before the state ends',
      (p) => ({
        ...p,
        store: {
          ...p.store,
          remove: async () => {
            throw crash;
          },
        },
      }),
    ],
  ];

  it.each(crashes)('resumes after a crash %s, with one archive of the same bytes', async (_, crashing) => {
    const { ports, archived } = await table();
    await expect(finish(crashing(ports))).rejects.toBe(crash);
    const before = await ports.archives.read(PATH);
    expect(await finish(ports)).toEqual(DONE);
    expect(await archived()).toEqual([PATH]);
    if (before !== undefined) expect(await ports.archives.read(PATH)).toBe(before);
    expect(await ports.store.read('test')).toBeUndefined();
  });

  it('accepts its own archive although a text came too late after the crash', async () => {
    const { ports, archived } = await table();
    await expect(finish(crashes[1]![1](ports))).rejects.toBe(crash);
    await ports.lateFiles.keep(CONVERSATION, 'sage-RESOLVE-3-0123456789abcdef', Buffer.from('too late'));
    expect(await finish(ports)).toEqual(DONE);
    expect(await archived()).toEqual([PATH]);
  });

  it('never touches a foreign file: it reserves another path with a new closing revision', async () => {
    const { ports, root, archived } = await table();
    await ports.archives.create(PATH, 'somebody else wrote this');
    const second = PATH.replace('.md', '-2.md');
    expect(await finish(ports)).toEqual({ ...DONE, path: second });
    expect(await archived()).toEqual([second, PATH]);
    expect(readFileSync(join(root, PATH), 'utf8')).toBe('somebody else wrote this');
    const reserved = await ports.store.readVersion('test', 2);
    expect(reserved).toContain(`"path":"${second}"`);
    expect(reserved).toContain('"action":"reserve"');
    expect(await ports.store.revision('test')).toBe(3);
  });

  it('does not take a falsified archive for its own', async () => {
    const { ports, root, archived } = await table();
    await expect(finish(crashes[1]![1](ports))).rejects.toBe(crash);
    const path = join(root, PATH);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('Still no formatter.', 'All is well.'));
    expect((await finish(ports)).path).toBe(PATH.replace('.md', '-2.md'));
    expect((await archived()).length).toBe(2);
  });

  it('archives again with a text that was revealed between writing and ending', async () => {
    const { ports } = await table();
    const council = finished([...debate(), spoke('sage', 2, 'found again')].sort((a, b) => a.tour - b.tour));
    let once = false;
    const remove: ArchivePorts['store']['remove'] = async (name, revision) => {
      if (!once) {
        once = true;
        await ports.store.commit(
          name,
          serialize({ ...council, state: { ...council.state, revision: 2 } }),
          revision,
        );
      }
      return ports.store.remove(name, revision);
    };
    const { path } = await finish({ ...ports, store: { ...ports.store, remove } });
    expect(readArchive((await ports.archives.read(path))!, path).contributions.map((c) => c.text)).toContain(
      'found again',
    );
    expect(await ports.store.read('test')).toBeUndefined();
  });

  it('is one archive when many finish at once, and each of them is told its path', async () => {
    const { ports, archived } = await table();
    const reading = await readCouncil(ports, 'test');
    const all = await Promise.all(Array.from({ length: 8 }, () => finishArchive(ports, reading)));
    expect(all).toEqual(Array.from({ length: 8 }, () => DONE));
    expect(await archived()).toEqual([PATH]);
    expect(await ports.store.revision('test')).toBe(2);
  });

  it('finds the path when somebody else had to reserve another one meanwhile', async () => {
    const { ports } = await table();
    await ports.archives.create(PATH, 'foreign');
    const stale = await readCouncil(ports, 'test');
    const first = await finish(ports);
    expect(await finishArchive(ports, stale)).toEqual(first);
  });

  it('leaves a successor of the same name alone', async () => {
    const { ports } = await table();
    const stale = await readCouncil(ports, 'test');
    await finish(ports);
    const successor = finished([], { conversationId: '99999999-2222-4333-8444-555555555555', closing: null });
    await ports.store.commit(
      'test',
      serialize({ ...successor, state: { ...successor.state, revision: 3 } }),
      2,
    );
    expect(await finishArchive(ports, stale)).toEqual(DONE);
    expect(await ports.store.read('test')).toMatchObject({ revision: 3 });
  });

  it('leaves no temp file', async () => {
    const { ports, root } = await table();
    await finish(ports);
    expect(readdirSync(join(root, 'memory', 'shared', '.tmp'))).toEqual([]);
  });
});
