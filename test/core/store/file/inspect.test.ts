import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findMountOfPath,
  inspectMount,
  inspectPrivate,
} from '../../../../src/core/store/file/inspect-folders.ts';
import { inspectStore, tryCommit } from '../../../../src/core/store/file/inspect-store.ts';
import { bench, doc, fill, ID, namesOf, readStamp, scratch } from '../scratch.ts';

const everything = (dir: string): Record<string, string> =>
  Object.fromEntries(
    fs
      .readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, fs.readFileSync(path, 'latin1')]),
  );

describe('looking at a store', () => {
  it('tells what is wrong with it, and changes nothing', async () => {
    const { dir, store } = bench();
    for (const key of ['fine', 'stale', 'edited', 'damaged', 'gone']) await fill(store, key, 3);
    await store.remove('gone', 3);
    const shown = (key: string): string => join(dir, `council-${key}.md`);
    fs.writeFileSync(shown('stale'), doc(ID, 2, 'body 2'));
    fs.appendFileSync(shown('edited'), 'by hand');
    fs.writeFileSync(join(dir, '.versions/damaged/3.md'), 'half of i');
    fs.writeFileSync(shown('cloned'), doc(ID, 4, 'from elsewhere'));
    fs.mkdirSync(join(dir, '.quarantine'));
    fs.writeFileSync(join(dir, '.quarantine/old.md'), 'x');
    // As a dead process would have named it.
    fs.writeFileSync(join(dir, '.tmp/00000000.00000000.1.1.00000000'), 'x');
    fs.utimesSync(join(dir, '.tmp/00000000.00000000.1.1.00000000'), 0, 0);
    const before = everything(dir);
    const facts = inspectStore({ dir, prefix: 'council-', readStamp });
    expect(everything(dir)).toEqual(before);
    const seen = Object.fromEntries(
      facts.documents.map(({ key, revision, text, sound, shown, readable }) => [
        key,
        [revision, text !== null, sound, shown, readable],
      ]),
    );
    expect(seen).toEqual({
      cloned: [0, false, true, 'edited', true],
      damaged: [3, true, false, 'diverged', true],
      edited: [3, true, true, 'edited', true],
      fine: [3, true, true, 'same', true],
      gone: [4, false, true, 'same', false],
      stale: [3, true, true, 'stale', true],
    });
    expect(facts.quarantined).toEqual([join(dir, '.quarantine/old.md')]);
    expect(facts.edits).toEqual([]);
  });

  it('tells of a link in the place of a history, as every command that reads it does', async () => {
    const { dir, store } = bench();
    await fill(store, 'fine', 1);
    fs.symlinkSync('.', join(dir, '.versions/self'));
    const { documents, unreadable } = inspectStore({ dir, prefix: 'council-', readStamp });
    expect(documents.map(({ key }) => key)).toEqual(['fine']);
    expect(unreadable).toMatchObject([
      { code: 'unsafe_path', message: expect.stringContaining('self is a link') as string },
    ]);
  });

  it('tries a commit and leaves nothing', async () => {
    const { dir, store } = bench();
    await fill(store, 'k', 1);
    expect(tryCommit({ dir, prefix: 'council-', readStamp })).toBeNull();
    expect(namesOf(join(dir, '.tmp'))).toEqual([]);
    fs.rmSync(join(dir, '.tmp'), { recursive: true });
    fs.writeFileSync(join(dir, '.tmp'), 'in the way');
    expect(tryCommit({ dir, prefix: 'council-', readStamp })).toMatchObject({ code: 'unsafe_path' });
  });
});

describe('looking at the private folder', () => {
  it('finds what others can read, and leaves it as it is', () => {
    const base = scratch();
    const env = { XDG_STATE_HOME: join(base, 'state') };
    const path = join(base, 'state/council');
    expect(inspectPrivate(env, join(base, 'project'))).toMatchObject({ path, kind: undefined, inside: null });
    fs.mkdirSync(join(path, 'one'), { recursive: true, mode: 0o700 });
    fs.writeFileSync(join(path, 'one/closed'), 'x', { mode: 0o600 });
    fs.writeFileSync(join(path, 'one/open'), 'x', { mode: 0o644 });
    fs.chmodSync(path, 0o755);
    const facts = inspectPrivate(env, undefined);
    expect(facts).toMatchObject({ kind: 'folder', mode: 0o755, foreign: [] });
    expect(facts.loose).toEqual([join(path, 'one/open')]);
    expect(fs.statSync(path).mode & 0o777).toBe(0o755);
  });

  it('sees that it lies inside the project, or is a file', () => {
    const base = scratch();
    const env = { XDG_STATE_HOME: base };
    expect(inspectPrivate(env, base).inside).toMatchObject({ code: 'unsafe_private_dir' });
    fs.writeFileSync(join(base, 'council'), 'x');
    expect(inspectPrivate(env, undefined).kind).toBe('other');
  });

  it.skipIf(process.getuid?.() !== 0)('sees what belongs to somebody else', () => {
    const base = scratch();
    fs.mkdirSync(join(base, 'council'), { mode: 0o700 });
    fs.writeFileSync(join(base, 'council/theirs'), 'x', { mode: 0o600 });
    fs.chownSync(join(base, 'council/theirs'), 65534, 65534);
    expect(inspectPrivate({ XDG_STATE_HOME: base }, undefined).foreign).toEqual([
      join(base, 'council/theirs'),
    ]);
  });
});

describe('the mount of a folder', () => {
  const MOUNTS = [
    '/dev/a / ext4 rw,relatime 0 0',
    'server:/x /home nfs4 rw,vers=4.2 0 0',
    '/dev/b /home/ana\\040b ext4 ro,relatime 0 0',
    'tmpfs /home/ana\\040b/over tmpfs rw 0 0',
    '/dev/c /home/ana\\040b/over xfs rw 0 0',
    '',
  ].join('\n');

  it('is the longest mount point above it, the last of two', () => {
    expect(findMountOfPath('/srv/x', MOUNTS)).toEqual({ type: 'ext4', readOnly: false });
    expect(findMountOfPath('/home', MOUNTS)).toEqual({ type: 'nfs4', readOnly: false });
    expect(findMountOfPath('/homes', MOUNTS)).toEqual({ type: 'ext4', readOnly: false });
    expect(findMountOfPath('/home/ana b/p', MOUNTS)).toEqual({ type: 'ext4', readOnly: true });
    expect(findMountOfPath('/home/ana b/over/p', MOUNTS)).toEqual({ type: 'xfs', readOnly: false });
    expect(findMountOfPath('/srv', '')).toBeUndefined();
  });

  it.runIf(process.platform === 'linux')('is known for a real folder', () => {
    const facts = inspectMount(scratch());
    expect(facts.type).toMatch(/\w/);
    expect(facts).toMatchObject({ network: false, readOnly: false });
  });
});
