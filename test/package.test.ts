// What is published: no dependencies, types that need nobody else, and the licences of what the bundle contains.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { writeDeclarations } from '../scripts/declarations.ts';
import { foldersIn, writeNotices } from '../scripts/notices.ts';
import { compileLibraryUser } from './helpers/library-user.ts';
import { IS_SHORT } from './helpers/long.ts';

const ROOT = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'council-package-'));
afterAll(() => rmSync(scratch, { recursive: true }));

interface Sbom {
  components: { name: string; version: string; licenses: { license: { id: string } }[] }[];
}

describe('package.json', () => {
  const said = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies?: object;
    scripts: Record<string, string>;
    devDependencies: Record<string, string>;
  };

  it('asks the user who installs it for no other package and to run no script', () => {
    expect(said).not.toHaveProperty('dependencies');
    expect(said).not.toHaveProperty('optionalDependencies');
    expect(said).not.toHaveProperty('peerDependencies');
    // npm runs `prepare` where it packs a clone, and never for a package of the registry.
    for (const script of ['preinstall', 'install', 'postinstall'])
      expect(said.scripts).not.toHaveProperty(script);
  });

  it('names the libraries that were asked for', () => {
    const asked = 'commander gray-matter remark unified proper-lockfile node-cron vitest'.split(' ');
    expect(Object.keys(said.devDependencies)).toEqual(expect.arrayContaining(asked));
  });
});

describe('the notices', () => {
  const metafile = (paths: Record<string, number>): Metafile => ({
    inputs: {},
    outputs: {
      'dist/program.js': {
        inputs: Object.fromEntries(
          Object.entries(paths).map(([path, bytesInOutput]) => [path, { bytesInOutput }]),
        ),
        bytes: 1,
        imports: [],
        exports: [],
      },
    },
  });
  /** A project whose bundle contains these packages, each with its files. */
  const project = (packages: Record<string, Record<string, string>>): (() => [text: string, sbom: Sbom]) => {
    const root = mkdtempSync(join(scratch, 'project-'));
    const put = (path: string, text: string): void => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    put('package.json', '{"name":"council","version":"1.0.0","license":"MIT"}');
    put('package-lock.json', '{"packages":{"node_modules/left":{"integrity":"sha512-AAECAw=="}}}');
    for (const [name, files] of Object.entries(packages))
      for (const [file, text] of Object.entries(files)) put(`node_modules/${name}/${file}`, text);
    const inputs = Object.keys(packages).map((name) => [`node_modules/${name}/index.js`, 12]);
    return () => {
      writeNotices(root, root, [metafile(Object.fromEntries(inputs) as Record<string, number>)]);
      const read = (name: string): string => readFileSync(join(root, name), 'utf8');
      return [read('THIRD-PARTY-NOTICES.txt'), JSON.parse(read('sbom.cdx.json')) as Sbom];
    };
  };
  const about = (name: string, license: unknown, more = {}): string =>
    JSON.stringify({ name, version: '1.2.3', license, ...more });

  it('name the packages of which something is in the bundle, and no other', () => {
    expect(
      foldersIn([
        metafile({
          'src/program/main.ts': 10,
          'light:fs': 10,
          'node_modules/@a/b/c.js': 1,
          'node_modules/@a/b/node_modules/d/e.js': 1,
          'node_modules/shaken-off/index.js': 0,
          '../elsewhere/node_modules/f/g.js': 1,
        }),
      ]),
    ).toEqual(['../elsewhere/node_modules/f', 'node_modules/@a/b', 'node_modules/@a/b/node_modules/d']);
  });

  it('give the text of LICENSE and NOTICE, and the same text once', () => {
    const licence = 'Permission is granted to you.\r\n';
    const [text, sbom] = project({
      left: { 'package.json': about('left', 'MIT'), LICENSE: licence },
      '@a/right': { 'package.json': about('@a/right', { type: 'ISC' }), 'licence.md': licence },
      old: {
        'package.json': about('old', undefined, { licenses: [{ type: 'MIT' }], author: 'Ann <a@b.c>' }),
        'NOTICE.txt': 'Made by Ann.',
      },
    })();
    expect(text).toContain('@a/right 1.2.3 (ISC)\nleft 1.2.3 (MIT)\n\nPermission is granted to you.\n');
    expect(text).toMatch(
      /old 1\.2\.3 \(MIT\)\n\nCopyright \(c\) Ann <a@b\.c>\n\nPermission is hereby[^]*Made by Ann\./,
    );
    expect(sbom.components.map(({ name }) => name)).toEqual(['@a/right', 'left', 'old']);
    expect(sbom.components[1]).toMatchObject({
      purl: 'pkg:npm/left@1.2.3',
      hashes: [{ alg: 'SHA-512', content: '00010203' }],
    });
  });

  it('stop the build at a licence that is unknown, missing or without a text', () => {
    const refused: [Record<string, string>, RegExp][] = [
      [{ 'package.json': about('bad', 'GPL-3.0'), LICENSE: 'Permission is granted.' }, /bad \(GPL-3\.0\)/],
      [{ 'package.json': about('bad', undefined), LICENSE: 'Permission is granted.' }, /bad \(no licence\)/],
      [{ 'package.json': about('bad', 'MIT') }, /bad has no text of its licence \(MIT\)/],
      [{ 'package.json': about('bad', 'Apache-2.0'), LICENSE: 'See the root.' }, /no text of its licence/],
    ];
    for (const [files, message] of refused) expect(project({ bad: files })).toThrow(message);
  });

  it('of this build name commander, zod and every other library', () => {
    const read = (name: string): string => readFileSync(join(ROOT, 'dist', name), 'utf8');
    const { components } = JSON.parse(read('sbom.cdx.json')) as Sbom;
    expect(components.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['commander', 'zod', 'yaml', 'execa', 'ai', 'unified', 'chrono-node']),
    );
    const text = read('THIRD-PARTY-NOTICES.txt');
    for (const { name, version, licenses } of components)
      expect(text).toContain(`\n${name} ${version} (${licenses[0]!.license.id})\n`);
  });
});

describe('the types', () => {
  it('are one file with which a strict program compiles that has nothing else installed', () => {
    const folder = join(scratch, 'user');
    const installed = join(folder, 'node_modules/council');
    mkdirSync(join(installed, 'dist'), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(installed, 'package.json'));
    // `npm test` has just built them.
    if (IS_SHORT) cpSync(join(ROOT, 'dist/index.d.ts'), join(installed, 'dist/index.d.ts'));
    else writeDeclarations(ROOT, join(installed, 'dist/index.d.ts'));
    expect(compileLibraryUser(folder)).toEqual([]);
    const types = readFileSync(join(installed, 'dist/index.d.ts'), 'utf8');
    // What zod infers is written out, with its comments and by name.
    expect(types).toContain('/** Milliseconds a phase may last, counted from its transition. */');
    expect(types).toMatch(
      /export type CouncilState = \{[^]*participants: \{\s*\[key: string\]: Participant;/,
    );
    expect(types).not.toMatch(/\bfrom ['"]|\bimport\(/);
  });

  it.skipIf(IS_SHORT)(
    'come from the sources of the project, whatever the folders are called in which it lies',
    () => {
      const root = join(scratch, "src/dist é/it's node_modules");
      const put = (path: string, text: string): void => {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      };
      put('package.json', '{"type": "module"}');
      put('tsconfig.json', '{"compilerOptions": {"module": "nodenext", "types": []}}');
      put('box.d.ts', 'type Box = { width: number };\n');
      put(
        'src/index.ts',
        '/// <reference path="../box.d.ts" />\ntype Inferred<T> = T;\nexport type Room = Inferred<{ box: Box }>;\n',
      );
      writeDeclarations(root, join(root, 'index.d.ts'));
      expect(readFileSync(join(root, 'index.d.ts'), 'utf8')).toMatch(/Room = \{\s*box: \{\s*width: number;/);
    },
  );

  it('stay as they are if a build breaks', () => {
    const root = join(scratch, 'broken');
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(join(root, 'dist/council.js'), 'of the last build');
    for (const name of ['scripts', 'package.json', 'node_modules'])
      symlinkSync(join(ROOT, name), join(root, name));
    const argv = ['--preserve-symlinks', '--preserve-symlinks-main', join(root, 'scripts/build.ts')];
    const { status, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining('src/program/program.ts') as string,
    });
    expect(readFileSync(join(root, 'dist/council.js'), 'utf8')).toBe('of the last build');
  });

  it('are built also below a folder node_modules, where Node reads no TypeScript', () => {
    const there = join(scratch, 'node_modules/council/scripts');
    mkdirSync(there, { recursive: true });
    cpSync(join(ROOT, 'scripts/build.mjs'), join(there, 'build.mjs'));
    writeFileSync(join(there, 'build.ts'), 'const given: string = process.argv[2]!;\nconsole.log(given);\n');
    const argv = [join(there, 'build.mjs'), '--no-types'];
    expect(spawnSync(process.execPath, argv, { encoding: 'utf8' }).stdout).toBe('--no-types\n');
  });
});
