import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openPrivateDir } from '../../../../src/core/store/file/private-dir.ts';
import {
  containing,
  countCalls,
  ID,
  inParallel,
  matching,
  namesOf,
  runWorker,
  scratch,
  thrown,
} from '../scratch.ts';

const OTHER = '22222222-2222-4222-8222-222222222222';
const DAY = 86_400_000;
const AT = '2026-01-01T00:00:00.000Z';
const bytes = Buffer.from('sealed \u{1F989}');

function setting() {
  const base = scratch();
  const [state, projectRoot] = [join(base, 'state'), join(base, 'project')];
  fs.mkdirSync(projectRoot);
  const env = { XDG_STATE_HOME: state, HOME: join(base, 'home') };
  return {
    base,
    state,
    projectRoot,
    env,
    root: join(state, 'council'),
    files: openPrivateDir({ env, projectRoot }),
  };
}
const mode = (path: string): number => fs.statSync(path).mode & 0o777;
const unsafe = { code: 'unsafe_private_dir', hint: containing('XDG_STATE_HOME') };
const invalid = { code: 'invalid_id' };

describe('the private folder', () => {
  it('touches nothing until something is written', async () => {
    const { files, state } = setting();
    expect(await files.list(ID)).toEqual([]);
    expect(await files.read(ID, 'a.json')).toBeUndefined();
    await files.markArchived(ID, AT);
    expect(await files.sweep(Date.now())).toEqual([]);
    expect(fs.existsSync(state)).toBe(false);
  });

  it('keeps files for their owner only', async () => {
    const { files, root } = setting();
    const path = await files.write(ID, 'a.json', bytes);
    expect(path).toBe(join(root, ID, 'a.json'));
    expect(files.path(ID, 'a.json')).toBe(path);
    expect(await files.read(ID, 'a.json')).toEqual(bytes);
    expect(await files.list(ID)).toEqual(['a.json']);
    expect([mode(root), mode(join(root, ID)), mode(path)]).toEqual([0o700, 0o700, 0o600]);
    expect(namesOf(join(root, '.tmp'))).toEqual([]);
  });

  it('syncs the file, then its folder, before it returns', async () => {
    const { files, root } = setting();
    await files.write(ID, 'first', bytes);
    const opened = vi.spyOn(fs, 'openSync');
    const synced = vi.spyOn(fs, 'fsyncSync');
    await files.write(ID, 'second', bytes);
    expect(opened.mock.calls.at(-1)![0]).toBe(join(root, ID));
    expect(synced.mock.calls.length).toBeGreaterThanOrEqual(2);
    vi.restoreAllMocks();
  });

  it('takes the same bytes again, and never other ones', async () => {
    const { files } = setting();
    const path = await files.write(ID, 'a', bytes);
    expect(await files.write(ID, 'a', bytes)).toBe(path);
    await expect(files.write(ID, 'a', Buffer.from('other'))).rejects.toMatchObject({
      code: 'failed',
      message: matching(/^(?!.*sealed)/),
    });
    expect(await files.read(ID, 'a')).toEqual(bytes);
    expect(await files.list(ID)).toEqual(['a']);
  });

  it.each(['', '../x', 'not-a-uuid', `${ID}/..`, ID.toUpperCase().replace('1', 'A'), '__proto__'])(
    'takes no conversation id that is none: %j',
    async (id) => {
      const { files } = setting();
      await expect(files.write(id, 'a', bytes)).rejects.toMatchObject(invalid);
      await expect(files.read(id, 'a')).rejects.toMatchObject(invalid);
      await expect(files.list(id)).rejects.toMatchObject(invalid);
      expect(thrown(() => files.path(id, 'a'))).toMatchObject(invalid);
    },
  );

  it.each(['', '..', '.archived', 'a/b', 'a\\b', 'a\0b', 'x'.repeat(201)])(
    'takes no file name that leads elsewhere: %j',
    async (name) => {
      const { files } = setting();
      await expect(files.write(ID, name, bytes)).rejects.toMatchObject(invalid);
      await expect(files.keep(name, bytes)).rejects.toMatchObject(invalid);
    },
  );

  it('keeps texts that belong to no council', async () => {
    const { files, root } = setting();
    const path = await files.keep('henry-1234', bytes);
    expect(path).toBe(join(root, 'kept', 'henry-1234'));
    expect(mode(path)).toBe(0o600);
    expect(await files.sweep(Date.now() + 1000 * DAY)).toEqual([]);
    expect(fs.readFileSync(path)).toEqual(bytes);
  });

  it('deletes a conversation 30 days after its archive, and nothing that is not marked', async () => {
    const { files, root } = setting();
    await files.write(ID, 'a', bytes);
    await files.write(OTHER, 'a', bytes);
    await files.markArchived(ID, AT);
    await files.markArchived(ID, '2027-01-01T00:00:00.000Z');
    expect(await files.list(ID)).toEqual(['a']);
    expect(await files.sweep(Date.parse(AT) + 30 * DAY)).toEqual([]);
    expect(await files.sweep(Date.parse(AT) + 30 * DAY + 1)).toEqual([ID]);
    expect(namesOf(root).sort()).toEqual(['.tmp', OTHER]);
    expect(namesOf(join(root, '.tmp'))).toEqual([]);
  });

  it('deletes nothing on an unreadable mark', async () => {
    const { files, root } = setting();
    await files.write(ID, 'a', bytes);
    fs.writeFileSync(join(root, ID, '.archived'), 'soon');
    expect(await files.sweep(Date.now() + 1000 * DAY)).toEqual([]);
  });
});

describe('where the private folder may be', () => {
  it('is ~/.local/state unless XDG_STATE_HOME is an absolute path', () => {
    const { base, projectRoot } = setting();
    const home = join(base, 'home');
    for (const XDG_STATE_HOME of [undefined, '', 'relative/state']) {
      const files = openPrivateDir({
        env: { HOME: home, ...(XDG_STATE_HOME !== undefined && { XDG_STATE_HOME }) },
        projectRoot,
      });
      expect(files.path(ID, 'a')).toBe(join(home, '.local', 'state', 'council', ID, 'a'));
    }
  });

  it('is not inside the project, not through a link either', async () => {
    const { base, projectRoot } = setting();
    const link = join(base, 'link');
    fs.symlinkSync(projectRoot, link);
    for (const XDG_STATE_HOME of [projectRoot, join(projectRoot, 'deep', 'er'), join(link, 'state')]) {
      const files = openPrivateDir({ env: { XDG_STATE_HOME }, projectRoot });
      await expect(files.write(ID, 'a', bytes)).rejects.toMatchObject(unsafe);
      await expect(files.read(ID, 'a')).rejects.toMatchObject(unsafe);
    }
    expect(namesOf(projectRoot)).toEqual([]);
    const beside = openPrivateDir({ env: { XDG_STATE_HOME: `${projectRoot}-state` }, projectRoot });
    await expect(beside.write(ID, 'a', bytes)).resolves.toBeDefined();
    const dotted = openPrivateDir({ env: { XDG_STATE_HOME: join(projectRoot, '..state') }, projectRoot });
    await expect(dotted.write(ID, 'a', bytes)).rejects.toMatchObject(unsafe);
  });

  it('is closed to others when it is ours', async () => {
    const { files, root } = setting();
    await files.write(ID, 'a', bytes);
    fs.chmodSync(join(root, ID), 0o755);
    fs.chmodSync(root, 0o777);
    const { base, projectRoot, env } = { ...setting(), env: { XDG_STATE_HOME: join(root, '..') } };
    expect(base).toBeDefined();
    expect(await openPrivateDir({ env, projectRoot }).read(ID, 'a')).toEqual(bytes);
    expect([mode(root), mode(join(root, ID))]).toEqual([0o700, 0o700]);
  });

  it('is refused when it is a link, a file, or another user’s', async () => {
    const { files, root, base, env, projectRoot } = setting();
    await files.write(ID, 'a', bytes);
    const elsewhere = join(base, 'elsewhere');
    fs.mkdirSync(elsewhere);
    fs.symlinkSync(elsewhere, join(root, OTHER));
    await expect(files.write(OTHER, 'a', bytes)).rejects.toMatchObject(unsafe);
    fs.rmSync(join(root, OTHER));
    fs.writeFileSync(join(root, OTHER), 'x');
    await expect(files.read(OTHER, 'a')).rejects.toMatchObject(unsafe);
    expect(namesOf(elsewhere)).toEqual([]);
    const getuid = vi.spyOn(process, 'getuid').mockReturnValue(process.getuid!() + 1);
    await expect(openPrivateDir({ env, projectRoot }).read(ID, 'a')).rejects.toMatchObject(unsafe);
    getuid.mockRestore();
  });
});

describe('SIGKILL at every call of a private write', () => {
  it('leaves the whole text or none, and no temp after the next use', async () => {
    const base = scratch();
    const args = (dir: string): string[] => ['private', dir, 'name', 'the whole text'];
    const env = (dir: string) => ({ XDG_STATE_HOME: `${dir}-state`, FAIL_UNDER: `${dir}-state` });
    const prepare = (n: string): string => {
      const dir = join(base, n);
      fs.mkdirSync(dir);
      return dir;
    };
    const counted = prepare('count');
    const calls = await countCalls(args(counted), env(counted), base);
    await inParallel(
      Array.from({ length: calls }, (_, i) => i + 1),
      3,
      async (n) => {
        const dir = prepare(String(n));
        const ended = await runWorker(args(dir), { ...env(dir), FAIL_AT: String(n) });
        expect(ended.signal).toBe('SIGKILL');
        const files = openPrivateDir({ env: env(dir), projectRoot: dir });
        expect([undefined, 'the whole text']).toContain((await files.read(ID, 'name'))?.toString());
        await files.write(ID, 'name', Buffer.from('the whole text'));
        expect(await files.list(ID)).toEqual(['name']);
        expect(namesOf(join(`${dir}-state`, 'council', '.tmp')), `killed at ${n}`).toEqual([]);
      },
    );
  });
});
