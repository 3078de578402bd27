import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { inspectStore } from '../../../../src/core/store/file/inspect-store.ts';
import { readTombstone, renderTombstone } from '../../../../src/core/store/file/stamps.ts';
import { bench, containing, doc, fill, ID, namesOf, projectionOf, readStamp } from '../scratch.ts';

const NEXT_ID = '22222222-2222-4222-8222-222222222222';
const version = (dir: string, revision: number): string => join(dir, '.versions', 'k', `${revision}.md`);
const empty = (dir: string, revision: number): void => fs.writeFileSync(version(dir, revision), '');
const state = (dir: string): string => join(dir, 'council-k.md');
const facts = (dir: string) => inspectStore({ dir, prefix: 'council-', readStamp }).documents[0]!;

describe('a tombstone', () => {
  it('fault 1: has content of its own, which is told from everything else', () => {
    const bytes = renderTombstone({ key: 'k', revision: 3, id: ID });
    expect(readTombstone(bytes, 'k', 3)).toEqual({ key: 'k', revision: 3, id: ID });
    expect(readTombstone(bytes, 'other', 3)).toBeUndefined();
    expect(readTombstone(bytes, 'k', 4)).toBeUndefined();
    for (let at = 0; at < bytes.length; at++) {
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 1;
      expect(readTombstone(flipped, 'k', 3), `byte ${at}`).toBeUndefined();
      expect(readTombstone(bytes.subarray(0, at), 'k', 3), `cut at ${at}`).toBeUndefined();
    }
    for (const text of ['', 'null', '5', '{"conversationId":5}', '{"__proto__":1}', 'x'.repeat(513)])
      expect(readTombstone(Buffer.from(text), 'k', 3)).toBeUndefined();
    expect(readTombstone(renderTombstone({ key: 'k', revision: 1, id: 'no <id>' }), 'k', 1)?.id).toBeNull();
  });

  it('fault 1: is written by a removal, and read as one by everything', async () => {
    const { dir, store, again } = bench();
    await fill(store, 'k', 2);
    await store.remove('k', 2);
    expect(readTombstone(fs.readFileSync(version(dir, 3)), 'k', 3)?.id).toBe(ID);
    expect(await again().read('k')).toBeUndefined();
    expect(await again().list()).toEqual([]);
    expect(await again().list('', { look: false })).toEqual([]);
    expect(await again().readVersion('k', 3)).toBeUndefined();
    expect((await again().versions('k')).at(-1)).toMatchObject({ revision: 3, bytes: 0 });
    expect(facts(dir)).toMatchObject({ revision: 3, text: null, sound: true, shown: 'same' });
    await expect(again().remove('k', 3)).rejects.toMatchObject({ code: 'conflict' });
    await expect(again().remove('never', 0)).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('an empty newest version', () => {
  it.each(['read', 'update'] as const)('fault 1: is repaired from the state file: %s', async (call) => {
    const { dir, store, again, warnings } = bench();
    await fill(store, 'k', 3);
    empty(dir, 3);
    expect(facts(dir)).toMatchObject({ sound: false, text: '' });
    expect(await again().list()).toEqual(['k']);
    if (call === 'read') expect(await again().read('k')).toMatchObject({ revision: 3 });
    else await again().update('k', (current) => void expect(current?.text).toBe(doc(ID, 3, 'body 3')));
    expect(fs.readFileSync(version(dir, 3), 'utf8')).toBe(doc(ID, 3, 'body 3'));
    expect(projectionOf(dir, 'k')).toBe(doc(ID, 3, 'body 3'));
    expect(warnings.join()).toMatch(/Revision 3 of "k" was found empty and was repaired from/);
    expect(namesOf(join(dir, '.edits'))).toEqual([]);
  });

  it('fault 1: is followed by the last good text when the state file does not help', async () => {
    const { dir, store, again, warnings } = bench();
    await fill(store, 'k', 4);
    for (const revision of [3, 4]) empty(dir, revision);
    fs.rmSync(state(dir));
    expect(await again().read('k')).toEqual({ text: doc(ID, 2, 'body 2'), revision: 5 });
    expect(warnings.join()).toContain('The text of revision 2 was put back as revision 5');
    expect(projectionOf(dir, 'k')).toBe(doc(ID, 2, 'body 2'));
  });

  it('fault 1: without any good text left is an error that names the ways out', async () => {
    const { dir, store, again } = bench();
    await fill(store, 'k', 1);
    empty(dir, 1);
    fs.rmSync(state(dir));
    await expect(again().read('k')).rejects.toMatchObject({
      code: 'corrupt',
      hint: containing('backup'),
    });
    expect(facts(dir)).toMatchObject({ sound: false, refused: { code: 'corrupt' } });
    expect(await again().list()).toEqual(['k']);
  });

  it('fault 1: without any good text left names a state file of another revision as a way to go on', async () => {
    const { dir, store, again } = bench();
    await fill(store, 'k', 3);
    for (const revision of [1, 2, 3]) empty(dir, revision);
    fs.writeFileSync(state(dir), doc(ID, 2, 'body 2'));
    const history = join(dir, '.versions', 'k');
    const wayOut = `move the history away (mv ${history} ${history}.damaged)`;
    await expect(again().read('k')).rejects.toMatchObject({ hint: containing(wayOut) });
    expect(facts(dir).refused?.hint).toContain(wayOut);
    fs.renameSync(history, `${history}.damaged`);
    expect(await again().read('k')).toEqual({ text: doc(ID, 2, 'body 2'), revision: 2 });
  });
});

describe('both files damaged in the same way', () => {
  it.each(['read', 'update'] as const)('fault 1: are noticed by their hash: %s', async (call) => {
    const { dir, store, again, warnings } = bench();
    await fill(store, 'k', 2);
    for (const path of [version(dir, 2), state(dir)])
      fs.writeFileSync(path, doc(ID, 2, 'body 2').replace('body', 'b0dy'));
    if (call === 'read') await again().read('k');
    else await again().update('k', () => undefined);
    expect(await again().read('k')).toEqual({ text: doc(ID, 1, 'body 1'), revision: 3 });
    expect(warnings.join()).toContain('was damaged on the disk');
    expect(projectionOf(dir, 'k')).toBe(doc(ID, 1, 'body 1'));
  });
});

describe('a deleted version', () => {
  it.each(['read', 'update'] as const)(
    'fault 1: the newest one is put back from the state file: %s',
    async (call) => {
      const { dir, store, again, warnings } = bench();
      await fill(store, 'k', 3);
      fs.rmSync(version(dir, 3));
      expect(facts(dir)).toMatchObject({ revision: 2, lost: true });
      if (call === 'read') expect(await again().read('k')).toMatchObject({ revision: 3 });
      else expect(await again().update('k', (_, next) => doc(ID, next, 'on'))).toMatchObject({ revision: 4 });
      expect(fs.readFileSync(version(dir, 3), 'utf8')).toBe(doc(ID, 3, 'body 3'));
      expect(warnings.join()).toContain('Revision 3 of "k" was missing');
      expect(namesOf(join(dir, '.tmp'))).toEqual([]);
    },
  );

  it('fault 1: the first one after a tombstone is put back as well', async () => {
    const { dir, store, again } = bench();
    await fill(store, 'k', 1);
    await store.remove('k', 1);
    await fill(store, 'k', 1, NEXT_ID);
    fs.rmSync(version(dir, 3));
    expect(await again().read('k')).toMatchObject({ revision: 3, text: doc(NEXT_ID, 3, 'body 3') });
  });

  it.each([
    ['of another document', doc(NEXT_ID, 3, 'foreign')],
    ['made from another text', doc(ID, 3, 'theirs', { previous: 'f'.repeat(64) })],
    ['edited', `${doc(ID, 3, 'body 3')}more`],
    ['of another name', doc(ID, 3, 'body 3', { name: 'other' })],
    ['further ahead', doc(ID, 9, 'body 9')],
  ])('fault 1: a state file that is %s is not taken for it', async (_, text) => {
    const { dir, store, again } = bench();
    await fill(store, 'k', 2);
    fs.writeFileSync(state(dir), text);
    expect(await again().read('k')).toMatchObject({ revision: 2 });
    expect(projectionOf(dir, 'k')).toBe(text);
    expect(namesOf(join(dir, '.versions', 'k'))).toEqual(['1.md', '2.md']);
  });

  it('fault 1: a state file that names the text it was made from is taken where that is the head', async () => {
    const { dir, store, again } = bench();
    await fill(store, 'k', 2);
    const { hash } = readStamp(doc(ID, 2, 'body 2'))!;
    fs.writeFileSync(state(dir), doc(ID, 3, 'body 3', { previous: hash! }));
    expect(await again().read('k')).toMatchObject({ revision: 3 });
  });

  it('fault 1: one in the middle does not hide what came after it', async () => {
    const { dir, store, again, warnings } = bench();
    await fill(store, 'k', 9);
    // Where the search for the newest one looks first.
    fs.rmSync(version(dir, 3));
    fs.rmSync(state(dir));
    expect(await again().revision('k')).toBe(9);
    expect(await again().read('k')).toMatchObject({ revision: 9 });
    expect(fs.statSync(version(dir, 3)).size).toBe(0);
    expect(warnings.join()).toContain('Revision 3 of "k" was missing');
    fs.writeFileSync(version(dir, 999_999_999), 'x');
    fs.rmSync(state(dir));
    await expect(again().read('k')).rejects.toMatchObject({
      code: 'corrupt',
      message: containing('999999999'),
    });
  });
});

describe('a version that is being emptied while the history is listed', () => {
  it('fault 1: is not told as lost: its name is taken, though listing and look did not show it', async () => {
    const { dir, store, again, warnings } = bench();
    await fill(store, 'k', 60);
    fs.rmSync(state(dir));
    const emptied = version(dir, 5);
    expect(fs.statSync(emptied).size).toBe(0);
    const [readdir, lstat] = [fs.readdirSync, fs.lstatSync];
    let isListed = false;
    vi.spyOn(fs, 'readdirSync').mockImplementation(((path: string) => {
      isListed ||= path === dirname(emptied);
      return readdir(path).filter((name) => name !== '5.md');
    }) as typeof fs.readdirSync);
    // The newest one comes between the search for it and the listing; the old one is replaced at that moment.
    vi.spyOn(fs, 'lstatSync').mockImplementation(((path: string, options: undefined) =>
      path === (isListed ? emptied : version(dir, 60))
        ? undefined
        : lstat(path, options)) as typeof fs.lstatSync);
    expect(await again().read('k')).toMatchObject({ revision: 60 });
    vi.restoreAllMocks();
    expect(isListed).toBe(true);
    expect(warnings).toEqual([]);
    expect(namesOf(join(dir, '.tmp'))).toEqual([]);
  });
});

describe('a state file that was copied or renamed', () => {
  const named = (name: string, revision = 1): string => doc(ID, revision, 'x', { name });

  it('fault 2: is refused under a name that is not its own, with both files and the way out', async () => {
    const { dir, store, again, warnings } = bench();
    await store.commit('k', named('k'), 0);
    fs.copyFileSync(state(dir), join(dir, 'council-copy.md'));
    for (const use of [
      () => again().read('copy'),
      () => again().update('copy', () => undefined),
      () => again().revision('copy'),
    ])
      await expect(use()).rejects.toMatchObject({
        code: 'hand_edit',
        message: expect.stringMatching(/council-copy\.md .*council-k\.md.*"k"/s) as string,
        hint: containing('mv '),
      });
    expect(await again().list()).toEqual(['k']);
    expect(warnings.join()).toContain('council-copy.md');
    expect(namesOf(join(dir, '.versions'))).toEqual(['k']);
    fs.rmSync(state(dir));
    fs.rmSync(join(dir, '.versions'), { recursive: true });
    await expect(again().read('copy')).rejects.toMatchObject({ hint: containing('Give it its name back') });
    const documents = inspectStore({ dir, prefix: 'council-', readStamp }).documents;
    expect(documents.map(({ refused }) => refused?.code)).toEqual(['hand_edit']);
  });

  it('fault 2: is refused when an active document of another name has its identity', async () => {
    const { dir, store, again } = bench();
    await store.commit('k', doc(ID, 1, 'x'), 0);
    fs.copyFileSync(state(dir), join(dir, 'council-copy.md'));
    await expect(again().read('copy')).rejects.toMatchObject({
      code: 'hand_edit',
      message: expect.stringMatching(/council-copy\.md .*council-k\.md .*conversationId/s) as string,
    });
    await store.remove('k', 1);
    expect(await again().read('copy')).toMatchObject({ revision: 1 });
  });

  it('fault 2: is refused as well where an early build has imported it', async () => {
    const { dir, store, again } = bench();
    await store.commit('k', named('k'), 0);
    fs.cpSync(join(dir, '.versions/k'), join(dir, '.versions/copy'), { recursive: true });
    fs.copyFileSync(state(dir), join(dir, 'council-copy.md'));
    for (const use of [() => again().read('copy'), () => again().update('copy', () => undefined)])
      await expect(use()).rejects.toMatchObject({ code: 'hand_edit', hint: containing('.versions/copy') });
    expect(await again().read('k')).toMatchObject({ revision: 1 });
  });

  it('fault 2: a name may be used again for a fresh clone after its document was removed', async () => {
    const { dir, store, again } = bench();
    await store.commit('k', named('k'), 0);
    await store.remove('k', 1);
    fs.writeFileSync(join(dir, 'council-other.md'), doc(ID, 2, 'x', { name: 'other' }));
    expect(await again().read('other')).toMatchObject({ revision: 2 });
  });
});
