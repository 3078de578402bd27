import fs from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findProject,
  initProject,
  readMarkdownFiles,
  findPackageDir,
  layOutProject,
  readTextFile,
} from '../../../../src/core/store/local/project.ts';
import { containing, namesOf, scratch, thrown } from '../scratch.ts';

const TEMPLATE = '---\nlang: en\nmode: debate\n---\n\n# House rules\n\nlang: stays here\n';

function withTemplate(): { root: string; template: string } {
  const base = scratch();
  const [root, template] = [join(base, 'project'), join(base, 'COUNCIL.template.md')];
  fs.mkdirSync(root);
  fs.writeFileSync(template, TEMPLATE);
  return { root, template };
}

describe('findProject', () => {
  it('takes the nearest folder upwards with COUNCIL.md or memory/shared', () => {
    const base = scratch();
    const inner = join(base, 'a', 'b');
    const deep = join(inner, 'c', 'd');
    fs.mkdirSync(deep, { recursive: true });
    expect(findProject({ cwd: deep, env: {} })?.root).not.toBe(inner);
    fs.writeFileSync(join(base, 'COUNCIL.md'), '');
    expect(findProject({ cwd: deep, env: {} })?.root).toBe(base);
    fs.mkdirSync(join(inner, 'memory', 'shared'), { recursive: true });
    expect(findProject({ cwd: deep, env: {} })).toEqual(layOutProject(inner));
    expect(layOutProject(inner)).toEqual({
      root: inner,
      shared: join(inner, 'memory', 'shared'),
      archives: join(inner, 'conseils'),
      agents: join(inner, 'agents'),
      modes: join(inner, 'modes'),
      personas: join(inner, 'personas'),
      councilFile: join(inner, 'COUNCIL.md'),
    });
  });

  it('is not misled by a folder COUNCIL.md or a file memory/shared', () => {
    const base = scratch();
    const inner = join(base, 'inner');
    fs.mkdirSync(join(inner, 'COUNCIL.md'), { recursive: true });
    fs.mkdirSync(join(inner, 'memory'));
    fs.writeFileSync(join(inner, 'memory', 'shared'), '');
    fs.writeFileSync(join(base, 'COUNCIL.md'), '');
    expect(findProject({ cwd: inner, env: {} })?.root).toBe(base);
  });

  it('lets the flag beat the environment, and the environment the search', () => {
    const base = scratch();
    for (const name of ['here', 'env', 'flag']) fs.mkdirSync(join(base, name));
    const [cwd, env] = [join(base, 'here'), { COUNCIL_ROOT: join(base, 'env') }];
    fs.writeFileSync(join(cwd, 'COUNCIL.md'), '');
    expect(findProject({ cwd, env, root: '../flag' })?.root).toBe(join(base, 'flag'));
    expect(findProject({ cwd, env })?.root).toBe(join(base, 'env'));
    expect(findProject({ cwd, env: { COUNCIL_ROOT: '' } })?.root).toBe(cwd);
  });

  it('refuses a named folder that does not exist', () => {
    const cwd = scratch();
    const refusal = (words: string) => ({ code: 'no_project', exitCode: 2, message: containing(words) });
    expect(thrown(() => findProject({ cwd, env: {}, root: 'none' }))).toMatchObject(refusal('--root'));
    expect(thrown(() => findProject({ cwd, env: { COUNCIL_ROOT: 'none' } }))).toMatchObject(
      refusal('COUNCIL_ROOT'),
    );
  });
});

describe('initProject', () => {
  it('prepares a folder, and does nothing the second time', () => {
    const { root, template } = withTemplate();
    expect(initProject(root, { template }).created).toEqual([
      'memory/shared/',
      'conseils/',
      'agents/',
      'COUNCIL.md',
      '.gitattributes',
      '.gitignore',
    ]);
    expect(fs.readFileSync(join(root, 'COUNCIL.md'), 'utf8')).toBe(TEMPLATE);
    expect(fs.readFileSync(join(root, '.gitattributes'), 'utf8')).toBe(
      'memory/shared/*.md -text\nconseils/*.md -text\n',
    );
    const ignored = fs.readFileSync(join(root, '.gitignore'), 'utf8');
    for (const name of ['.versions', '.tmp', '.edits', '.quarantine'])
      expect(ignored).toContain(`memory/shared/${name}/\n`);
    expect(findProject({ cwd: root, env: {} })?.root).toBe(root);

    const snapshot = () =>
      namesOf(root).map((name) =>
        fs.statSync(join(root, name)).isFile() ? fs.readFileSync(join(root, name), 'utf8') : name,
      );
    const before = snapshot();
    expect(initProject(root, { template }).created).toEqual([]);
    expect(snapshot()).toEqual(before);
  });

  it('overwrites nothing, and adds only the lines that are missing', () => {
    const { root, template } = withTemplate();
    fs.writeFileSync(join(root, 'COUNCIL.md'), 'mine');
    fs.writeFileSync(
      join(root, '.gitattributes'),
      '*.png binary\r\nmemory/shared/*.md -text\r\nconseils/*.md -text',
    );
    fs.writeFileSync(join(root, '.gitignore'), 'node_modules\nmemory/shared/.tmp/');
    fs.mkdirSync(join(root, 'agents'));
    expect(initProject(root, { template }).created).toEqual(['memory/shared/', 'conseils/', '.gitignore']);
    expect(fs.readFileSync(join(root, 'COUNCIL.md'), 'utf8')).toBe('mine');
    expect(fs.readFileSync(join(root, '.gitignore'), 'utf8')).toBe(
      'node_modules\nmemory/shared/.tmp/\nmemory/shared/.versions/\nmemory/shared/.edits/\nmemory/shared/.quarantine/\nmemory/shared/channels/\nmemory/shared/presence/\nmemory/logs/\n',
    );
  });

  it('sets the language in the front matter only', () => {
    const { root, template } = withTemplate();
    initProject(root, { template, lang: 'fr' });
    expect(fs.readFileSync(join(root, 'COUNCIL.md'), 'utf8')).toBe(TEMPLATE.replace('lang: en', 'lang: fr'));
  });

  it('adds the language where the template has none', () => {
    const { root, template } = withTemplate();
    fs.writeFileSync(template, '---\nmode: debate\n---\nlang: stays here\n');
    initProject(root, { template, lang: 'fr' });
    expect(fs.readFileSync(join(root, 'COUNCIL.md'), 'utf8')).toBe(
      '---\nlang: fr\nmode: debate\n---\nlang: stays here\n',
    );
  });
});

describe('files of the project', () => {
  it('finds the package from its sources and from a bundle', () => {
    expect(JSON.parse(fs.readFileSync(join(findPackageDir(), 'package.json'), 'utf8'))).toMatchObject({
      name: 'council',
    });
    const installed = scratch();
    fs.mkdirSync(join(installed, 'dist', 'chunks'), { recursive: true });
    fs.writeFileSync(join(installed, 'package.json'), '{"name":"council"}');
    fs.writeFileSync(join(installed, 'dist', 'package.json'), '{"type":"module"}');
    expect(findPackageDir(join(installed, 'dist', 'chunks'))).toBe(installed);
    expect(thrown(() => findPackageDir(scratch()))).toMatchObject({ code: 'failed' });
  });

  it('lists Markdown files, and reports those that cannot be read', () => {
    const dir = scratch();
    fs.writeFileSync(join(dir, 'b.md'), 'B\r\n');
    fs.writeFileSync(join(dir, 'a.md'), '\uFEFFA');
    fs.writeFileSync(join(dir, 'c.txt'), 'no');
    fs.writeFileSync(join(dir, 'd.md'), Buffer.from([0xff]));
    fs.mkdirSync(join(dir, 'e.md'));
    fs.symlinkSync(join(dir, 'nowhere'), join(dir, 'f.md'));
    fs.writeFileSync(join(dir, 'g.md'), 'x'.repeat(256 * 1024 + 1));
    const files = readMarkdownFiles(dir);
    expect(files.map(({ path, text, problem }) => [relative(dir, path), text ?? problem?.message])).toEqual([
      ['a.md', '\uFEFFA'],
      ['b.md', 'B\r\n'],
      ['d.md', containing('d.md is not valid UTF-8')],
      ['e.md', containing('e.md is a folder')],
      ['f.md', containing('f.md is a link that leads nowhere')],
      ['g.md', containing('g.md has 262145 bytes')],
    ]);
    expect(readMarkdownFiles(join(dir, 'none'))).toEqual([]);
    expect(readMarkdownFiles(join(dir, 'a.md'))).toMatchObject([
      { path: join(dir, 'a.md'), problem: { code: 'io' } },
    ]);
  });

  it('fault 3: takes a link in a circle for what it is named after', () => {
    const dir = scratch();
    fs.symlinkSync('COUNCIL.md', join(dir, 'COUNCIL.md'));
    expect(findProject({ cwd: dir, env: {} })?.root).toBe(dir);
    expect(thrown(() => readTextFile(join(dir, 'COUNCIL.md')))).toMatchObject({ code: 'not_a_file' });
  });

  it('reads text, and only text', () => {
    const dir = scratch();
    expect(readTextFile(join(dir, 'none'))).toBeUndefined();
    fs.writeFileSync(join(dir, 'nul'), 'a\0b');
    expect(thrown(() => readTextFile(join(dir, 'nul')))).toMatchObject({ code: 'invalid_text' });
  });
});
