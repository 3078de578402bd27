import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isClone } from '../../../../src/core/store/local/git.ts';
import { trustBook, trustRoot } from '../../../../src/core/store/file/trust-book.ts';
import { filesIn } from '../../../helpers/cli.ts';

const made: string[] = [];
afterAll(() => {
  for (const dir of made) fs.rmSync(dir, { recursive: true, force: true });
});

const AT = '2026-11-22T10:00:00.000Z';
const ITEM = { key: 'agent:ada', sha256: 'a'.repeat(64), runs: 'node ada.mjs' };

function places() {
  const scratch = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'council-trust-')));
  made.push(scratch);
  const root = join(scratch, 'project');
  fs.mkdirSync(root);
  const env = { XDG_CONFIG_HOME: join(scratch, 'config') };
  return { scratch, root, env, book: (at = root) => trustBook({ env, root: at }) };
}

describe('the record of trust', () => {
  it('fault 15: knows nothing at first, and only what was said afterwards', () => {
    const { root, env, book } = places();
    expect([book().project(), book().find(ITEM.key), book().list()]).toEqual([undefined, undefined, []]);
    expect(book().revoke()).toBe(false);
    expect(fs.existsSync(trustRoot(env))).toBe(false);
    book().grant([ITEM], AT);
    expect(book().project()).toEqual({ prepared: false, since: AT });
    expect(book().list()).toEqual([{ ...ITEM, at: AT }]);
    expect(book().find('agent:bob')).toBeUndefined();
    book().grant([{ ...ITEM, sha256: 'b'.repeat(64) }], AT, true);
    expect(book().find(ITEM.key)?.sha256).toBe('b'.repeat(64));
    expect(book().project()).toEqual({ prepared: true, since: AT });
    book().grant([], AT);
    expect(book().project()?.prepared).toBe(true);
    expect(filesIn(root)).toEqual([]);
    expect(book().revoke()).toBe(true);
    expect([book().project(), book().find(ITEM.key), book().list()]).toEqual([undefined, undefined, []]);
  });

  it('fault 15: is for one folder: a moved, a copied and a replaced one is another', () => {
    const { scratch, root, book } = places();
    book().grant([ITEM], AT, true);
    const linked = join(scratch, 'link');
    fs.symlinkSync(root, linked);
    expect(book(linked).find(ITEM.key)).toBeDefined();
    const moved = join(scratch, 'moved');
    fs.renameSync(root, moved);
    expect([book(moved).project(), book(moved).find(ITEM.key)]).toEqual([undefined, undefined]);
    fs.mkdirSync(root);
    expect([book().project(), book().find(ITEM.key)]).toEqual([undefined, undefined]);
    fs.rmdirSync(root);
    fs.renameSync(moved, root);
    expect(book().find(ITEM.key)).toBeDefined();
  });

  it('fault 15: lies where only its owner can write, and never in the project', () => {
    const { scratch, root, env, book } = places();
    book().grant([ITEM], AT);
    const files = filesIn(trustRoot(env));
    expect(files).toHaveLength(2);
    for (const file of files) expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    fs.chmodSync(trustRoot(env), 0o777);
    book().find(ITEM.key);
    expect(fs.statSync(trustRoot(env)).mode & 0o777).toBe(0o700);
    const inside = trustBook({ env: { XDG_CONFIG_HOME: join(root, 'config') }, root });
    expect(() => inside.project()).toThrow(/inside the project/);
    expect(() => inside.grant([ITEM], AT)).toThrow(/inside the project/);
    fs.renameSync(trustRoot(env), join(scratch, 'elsewhere'));
    fs.symlinkSync(join(scratch, 'elsewhere'), trustRoot(env));
    expect(() => book().find(ITEM.key)).toThrow(/is not a folder/);
  });

  it('fault 15: counts a record that cannot be read as never made', () => {
    const { env, book } = places();
    book().grant([ITEM], AT);
    const file = filesIn(trustRoot(env)).find((path) => path.endsWith('agent-ada.json'))!;
    for (const damaged of [
      '',
      '{"key":',
      '[]',
      'null',
      '{"key":"agent:ada"}',
      '{"key":"notify","sha256":"x"}',
    ]) {
      fs.writeFileSync(file, damaged);
      expect(book().find(ITEM.key)).toBeUndefined();
    }
  });
});

describe('a folder from elsewhere', () => {
  it('fault 15: is a git work tree with a remote, or one that belongs to another repository', () => {
    const { root } = places();
    const below = join(root, 'a/b');
    fs.mkdirSync(below, { recursive: true });
    expect(isClone(below)).toBe(false);
    fs.mkdirSync(join(root, '.git'));
    expect(isClone(below)).toBe(false);
    fs.writeFileSync(join(root, '.git/config'), '[core]\n\tbare = false\n');
    expect(isClone(below)).toBe(false);
    fs.appendFileSync(join(root, '.git/config'), '[remote "origin"]\n\turl = elsewhere\n');
    expect(isClone(below)).toBe(true);
    fs.writeFileSync(join(below, '.git'), 'gitdir: ../../.git/modules/b\n');
    expect(isClone(below)).toBe(true);
  });
});
