import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listOptions } from '../src/core/cli/options.ts';
import { specs } from '../src/program/specs.ts';

/** Every command has them. */
const COMMON = ['--json', '--root', '--help'];
const ROOT = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const markdownIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const rooms = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(ROOT, 'src', entry.name, 'README.md')))
  .map(({ name }) => name);
const pages = [
  ...markdownIn('.'),
  ...['docs', 'docs/server', 'docs/team', 'docs/decisions'].flatMap(markdownIn),
  'test/README.md',
  ...rooms.map((room) => `src/${room}/README.md`),
];

/** A page without its code: what stands there is shown, not linked. */
const prose = (text: string): string =>
  text
    .replace(/^( {0,3})(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ {0,3}\2[`~]*[ \t]*$/gm, '')
    .replace(/(`+)[^`][\s\S]*?\1/g, '');

/** The anchors that a Markdown site makes of headings. */
function anchorsOf(text: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, title] of prose(text.replace(/`/g, '')).matchAll(/^#{1,6}[ \t]+(.+?)[ \t]*$/gm)) {
    const slug = title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

function brokenLinks(page: string): string[] {
  const links = [...prose(read(page)).matchAll(/\]\(([^()\s]+)\)/g)].map(([, target]) => target!);
  return links
    .filter((target) => !/^[a-z]+:/.test(target))
    .flatMap((target) => {
      const [file, anchor] = target.split('#', 2) as [string, string | undefined];
      const path = file === '' ? page : relative(ROOT, join(ROOT, dirname(page), file));
      if (!existsSync(join(ROOT, path))) return [`${page}: ${target}`];
      return anchor !== undefined && !anchorsOf(read(path)).has(anchor) ? [`${page}: ${target}`] : [];
    });
}

/** True when the word stands in the text, and is not just a part of a longer one. */
const has = (text: string, word: string): boolean =>
  new RegExp(`(?<![\\w/@-])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w/-])`).test(text);

describe('the documents', () => {
  it('are there, and link to what exists', () => {
    for (const page of ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'])
      expect(pages).toContain(page);
    expect(pages.flatMap(brokenLinks)).toEqual([]);
  });

  it('name source files that are there', () => {
    const named = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'AGENTS.md', 'docs/internals.md'].flatMap((page) =>
      [...read(page).matchAll(/`((?:[\w-]+\/)+[\w-]+\.ts)`/g)].map(([, path]) => path!),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((path) => !['', 'src'].some((root) => existsSync(join(ROOT, root, path))))).toEqual([
      'commands/NAME.ts',
    ]);
  });

  it('begin with a README that is read in a few minutes, and an index leads to every page', () => {
    const readme = read('README.md');
    expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(6 * 1024);
    expect(readme).toContain('](docs/README.md)');
    const index = read('docs/README.md');
    const led = pages.filter((page) => /^docs\/(?!decisions\/|README)/.test(page));
    const others = ['docs/dependencies.md', 'docs/internals.md'];
    expect(led.filter((page) => !index.includes(`](${page.slice(5)})`) && !others.includes(page))).toEqual(
      [],
    );
    expect(others.filter((page) => !read('ARCHITECTURE.md').includes(`](${page})`))).toEqual([]);
  });

  it('show every option in the section of its command', () => {
    const sections = read('docs/commands.md').split('\n## ');
    const missing = specs.flatMap(({ name, fields }) => {
      const section = sections.find((one) => one.startsWith(`${name}\n`));
      if (section === undefined) return [name];
      return listOptions(fields)
        .map(({ flags }) => flags.split(' ')[0]!)
        .filter((flag) => !has(section, flag))
        .map((flag) => `${name} ${flag}`);
    });
    expect(missing).toEqual([]);
    for (const flag of COMMON) expect(has(sections[0]!, flag)).toBe(true);
  });

  it('show what commands print only as it is printed', () => {
    const pasted = pages
      .filter((page) => page !== 'CHANGELOG.md')
      .flatMap((page) =>
        [...read(page).matchAll(/^```[a-z]*\n\$ .*$/gm)].map(([fence]) => `${page}: ${fence}`),
      );
    expect(pasted).toEqual([]);
  });

  it('give a reason for every dependency', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
      string,
      Record<string, string>
    >;
    const reasons = read('docs/dependencies.md');
    const names = Object.keys({ ...dependencies, ...devDependencies });
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !has(reasons, name))).toEqual([]);
  });

  it('name no folder of the machine they were written on', () => {
    expect(pages.filter((page) => /\/(work|home|root|Users)\//.test(read(page)))).toEqual([]);
  });
});

describe('the table of attacks and faults', () => {
  const rows = read('test/README.md').matchAll(/^\| (\d+) \|.*\| (.+) \|$/gm);
  const told = new Map([...rows].map(([, number, tests]) => [Number(number), tests!]));

  it.each(Array.from({ length: 21 }, (_, at) => at + 1))('names every test of number %i', (number) => {
    const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => file.endsWith('.test.ts'))
      .filter((file) => read(join('test', file)).includes(`'fault ${number}:`));
    const linked = [...(told.get(number) ?? '').matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path);
    expect(linked.sort()).toEqual(files.sort());
    expect(files.length).toBeGreaterThan(0);
  });
});
