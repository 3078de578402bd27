import { describe, expect, it } from 'vitest';
import type { Archives } from '../../src/core/store/archives.ts';

/** What every driver of archives must do. `make` gives an empty one. */
export function archivesContract(name: string, make: () => Archives): void {
  describe(`${name}: what every driver of archives does`, () => {
    it('creates one once, and never touches it again', async () => {
      const archives = make();
      const path = `${archives.dir}/2026-01-31-a.md`;
      expect(await archives.read(path)).toBeUndefined();
      expect(await archives.create(path, 'first 🦉\r\n')).toBe('created');
      expect(await archives.create(path, 'second')).toBe('exists');
      expect(await archives.read(path)).toBe('first 🦉\r\n');
      expect(archives.absolute(path).endsWith(path)).toBe(true);
    });

    it('lets one of several through', async () => {
      const archives = make();
      const path = `${archives.dir}/2026-01-31-a.md`;
      const done = await Promise.all(Array.from({ length: 8 }, (_, at) => archives.create(path, `${at}`)));
      expect(done.filter((one) => one === 'created')).toHaveLength(1);
      expect(await archives.read(path)).toBe(`${done.indexOf('created')}`);
    });

    it('lists them sorted, with their sizes', async () => {
      const archives = make();
      expect(await archives.list()).toEqual([]);
      await archives.create(`${archives.dir}/b.md`, 'é');
      await archives.create(`${archives.dir}/a.md`, 'a');
      expect((await archives.list()).map(({ path, bytes }) => [path, bytes])).toEqual([
        [`${archives.dir}/a.md`, 1],
        [`${archives.dir}/b.md`, 2],
      ]);
      expect(await archives.paths()).toEqual([`${archives.dir}/a.md`, `${archives.dir}/b.md`]);
    });

    it.each(['../x.md', 'conseils/../x.md', '/etc/x.md', 'conseils/a/b.md', 'conseils/.x.md', 'conseils/x'])(
      'refuses the path %s',
      async (path) => {
        const archives = make();
        const corrupt: unknown = expect.objectContaining({ code: 'corrupt' });
        await expect(archives.create(path, 'x')).rejects.toThrow(corrupt);
        await expect(archives.read(path)).rejects.toThrow(corrupt);
        expect(() => archives.absolute(path)).toThrow(corrupt);
      },
    );
  });
}
