import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeOwnFolder, hasOwnFolder, removeFolder } from '../../../../src/core/store/local/folders.ts';
import { openLateFiles, archiveFiles } from '../../../../src/core/store/file/archive-files.ts';

import { openTempFolder } from '../../../../src/core/store/local/temps.ts';
import { bench, containing, doc, fill, ID, namesOf, scratch, thrown } from '../scratch.ts';

const unsafe = (path: string) => ({ code: 'unsafe_path', message: containing(path) });

describe("council's own folders", () => {
  it('fault 14: are folders, not links, from the root down; above it anything goes', () => {
    const real = scratch();
    const root = join(scratch(), 'link');
    fs.symlinkSync(real, root);
    expect(hasOwnFolder(root, join(root, 'a', 'b'))).toBe(false);
    makeOwnFolder(root, join(root, 'a', 'b'));
    expect(hasOwnFolder(root, join(root, 'a', 'b'))).toBe(true);
    expect(hasOwnFolder(root, root)).toBe(true);
    expect(fs.statSync(join(real, 'a', 'b')).isDirectory()).toBe(true);

    const outside = scratch();
    fs.symlinkSync(outside, join(root, 'out'));
    fs.symlinkSync('a', join(root, 'in'));
    fs.symlinkSync('nowhere', join(root, 'dangling'));
    fs.writeFileSync(join(root, 'file'), '');
    for (const name of ['out', 'in', 'dangling', 'file'])
      for (const path of [join(root, name), join(root, name, 'b', 'c')]) {
        expect(thrown(() => hasOwnFolder(root, path))).toMatchObject(unsafe(join(root, name)));
        expect(thrown(() => makeOwnFolder(root, path))).toMatchObject(unsafe(join(root, name)));
      }
    expect(thrown(() => hasOwnFolder(root, outside))).toMatchObject(unsafe(outside));
    expect(namesOf(outside)).toEqual([]);
  });

  it('are found however a path is spelled, and nothing outside of the root is', () => {
    const root = scratch();
    makeOwnFolder(root, join(root, 'a', 'b'));
    for (const path of [`${root}/a/b`, `${root}//a///b`, `${root}/a/./b/`, `${root}/x/../a/b`, `${root}/`])
      expect([path, hasOwnFolder(root, path)]).toEqual([path, true]);
    expect(hasOwnFolder('/', root)).toBe(true);
    for (const path of [`${root}/..`, `${root}/a/../../other`, `${root}x`, `${root}x/a`])
      expect(thrown(() => hasOwnFolder(root, path))).toMatchObject(unsafe(path));
  });

  it('fault 14: go with what council put into them, and stay with anything else', () => {
    const dir = scratch();
    const isOurs = (name: string): boolean => name.endsWith('.md');
    for (const folder of ['ours', 'mixed']) {
      fs.mkdirSync(join(dir, folder));
      fs.writeFileSync(join(dir, folder, '1.md'), '');
    }
    fs.mkdirSync(join(dir, 'mixed', 'folder.md'));
    expect(removeFolder(join(dir, 'ours'), isOurs)).toBe(true);
    expect(removeFolder(join(dir, 'mixed'), isOurs)).toBe(false);
    expect(removeFolder(join(dir, 'gone'), isOurs)).toBe(false);
    expect(namesOf(dir)).toEqual(['mixed']);
    expect(namesOf(join(dir, 'mixed'))).toEqual(['folder.md']);
  });
});

describe('a store with a link among its folders', () => {
  it.each(['.versions', '.versions/k', '.tmp'])('fault 14: commits nothing through %s', async (name) => {
    const { dir, store, again, warnings } = bench();
    await fill(store, 'k', 2);
    const outside = join(scratch(), 'moved');
    fs.renameSync(join(dir, name), outside);
    fs.symlinkSync(outside, join(dir, name));
    const before = fs.readdirSync(outside, { recursive: true });
    await expect(again().commit('k', doc(ID, 3, 'x'), 2)).rejects.toMatchObject(unsafe(join(dir, name)));
    await expect(again().update('k', (_, next) => doc(ID, next, 'x'))).rejects.toMatchObject(
      unsafe(join(dir, name)),
    );
    await expect(again().remove('k', 2)).rejects.toMatchObject(unsafe(join(dir, name)));
    if (name === '.tmp') expect(await again().read('k')).toMatchObject({ revision: 2 });
    else await expect(again().read('k')).rejects.toMatchObject(unsafe(join(dir, name)));
    if (name === '.tmp') expect(warnings.join()).toContain('.tmp is a link');
    expect(fs.readdirSync(outside, { recursive: true })).toEqual(before);
  });

  it('fault 14: a link that comes while a process is at work is seen', async () => {
    const { dir, store } = bench();
    await fill(store, 'k', 2);
    const outside = join(scratch(), 'moved');
    fs.renameSync(join(dir, '.versions', 'k'), outside);
    fs.symlinkSync(outside, join(dir, '.versions', 'k'));
    await expect(store.commit('k', doc(ID, 3, 'x'), 2)).rejects.toMatchObject({ code: 'unsafe_path' });
    expect(namesOf(outside)).toEqual(['1.md', '2.md']);
  });

  it('fault 14: keeps hand edits, damaged and late texts and archives in no folder but its own', async () => {
    const { dir, store, again } = bench();
    await fill(store, 'k', 2);
    const outside = scratch();
    const link = (name: string): string => {
      fs.symlinkSync(outside, join(dir, name));
      return join(dir, name);
    };
    const edits = link('.edits');
    fs.writeFileSync(join(dir, 'council-k.md'), 'mine');
    await expect(again().dropEdit('k')).rejects.toMatchObject(unsafe(edits));
    expect(fs.readFileSync(join(dir, 'council-k.md'), 'utf8')).toBe('mine');

    const quarantine = link('.quarantine');
    fs.writeFileSync(join(dir, '.versions', 'k', '2.md'), 'damaged');
    await expect(again().read('k')).rejects.toMatchObject(unsafe(quarantine));
    expect(fs.readFileSync(join(dir, '.versions', 'k', '2.md'), 'utf8')).toBe('damaged');

    const late = link('.late');
    const kept = openLateFiles(dir);
    await expect(kept.keep(ID, 'a.md', Buffer.from('x'))).rejects.toMatchObject(unsafe(late));
    await expect(kept.list(ID)).rejects.toMatchObject(unsafe(late));

    const conseils = link('conseils');
    await expect(archiveFiles({ root: dir }).create('conseils/a.md', 'x')).rejects.toMatchObject(
      unsafe(conseils),
    );
    expect(namesOf(outside)).toEqual([]);
  });

  it('fault 14: frees a lock only by removing an empty folder', async () => {
    const { dir, store, again } = bench();
    await fill(store, 'k', 1);
    const lock = join(dir, '.versions', 'k.lock');
    fs.mkdirSync(lock);
    fs.writeFileSync(join(lock, 'file'), 'x');
    const forged = openTempFolder(join(dir, '.tmp')).write(Buffer.from(''), { label: 'lock-k' });
    fs.renameSync(forged, forged.replace(`.${process.pid}.`, `.${2 ** 30}.`));
    await again().read('k');
    expect(namesOf(join(dir, '.tmp'))).toEqual([]);
    expect(namesOf(lock)).toEqual(['file']);
  });
});
