import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseBrief, renderBrief } from '../../src/review/brief.ts';
import type { Change } from '../../src/review/change.ts';
import { openRepository, readGitChange } from '../../src/review/git-change.ts';
import type { Span } from '../../src/review/git-change.ts';
import { leaveOutUnwritten } from '../../src/review/leave-out.ts';
import { committed, newRepository, reviewBy, finding } from './repository.ts';
import type { Files, TestRepository } from './repository.ts';

const lines = (count: number, from = 1): string =>
  Array.from({ length: count }, (_, at) => `const line${at + from} = compute(${at + from});\n`).join('');
const BINARY = Buffer.from([0, 1, 2, 3, 255]);

async function readChange({ app }: TestRepository, span: Span): Promise<Change> {
  const repository = await openRepository(app);
  return leaveOutUnwritten(app, repository, await readGitChange(repository, span));
}

const RANGE: Span = { kind: 'range', range: 'HEAD~1..HEAD' };

/** Changes of every kind: what is to be reviewed of each, and what is not. */
const CHANGES: {
  name: string;
  before: Files;
  after: Files;
  /** `change path`, and what it was before. */
  files?: string[];
  leftOut?: string[];
}[] = [
  {
    name: 'changed lines far from each other',
    before: { 'a.ts': lines(60) },
    after: { 'a.ts': lines(60).replace('compute(5)', 'compute(6)').replace('compute(50)', 'compute(51)') },
    files: ['modified a.ts'],
  },
  { name: 'a new file', before: {}, after: { 'src/new.ts': lines(3) }, files: ['added src/new.ts'] },
  { name: 'a deleted file', before: { 'a.ts': lines(3) }, after: { 'a.ts': null }, files: ['deleted a.ts'] },
  {
    name: 'lines that were only removed',
    before: { 'a.ts': lines(20) },
    after: { 'a.ts': lines(5) + lines(10, 11) },
    files: ['modified a.ts'],
  },
  {
    name: 'lines that look like headers of a diff',
    before: { 'a.sql': '-- a/one\n++ b/two\n@@ -1 +1 @@\ndiff --git a/x b/x\n' },
    after: { 'a.sql': '++ b/three\n@@ -2 +2 @@\ndiff --git a/y b/y\n--- a/one\n' },
    files: ['modified a.sql'],
  },
  {
    name: 'a renamed file that changed',
    before: { 'old name.ts': lines(20) },
    after: { 'old name.ts': null, 'new name.ts': lines(20).replace('compute(3)', 'compute(4)') },
    files: ['renamed new name.ts from old name.ts'],
  },
  {
    name: 'a renamed file that did not',
    before: { 'a.ts': lines(20) },
    after: { 'a.ts': null, 'b.ts': lines(20) },
    leftOut: ['b.ts: renamed, its text is the same'],
  },
  {
    name: 'a binary file',
    before: { 'a.bin': BINARY },
    after: { 'a.bin': Buffer.concat([BINARY, BINARY]) },
    leftOut: ['a.bin: binary'],
  },
  { name: 'an empty file', before: {}, after: { 'a.txt': '' }, leftOut: ['a.txt: empty'] },
  {
    name: 'a mode',
    before: { 'run.sh': lines(2) },
    after: { 'run.sh*': lines(2) },
    leftOut: ['run.sh: only its mode changed'],
  },
  {
    name: 'a mode and a line',
    before: { 'run.sh': lines(2) },
    after: { 'run.sh*': lines(3) },
    files: ['modified run.sh'],
  },
  {
    name: 'line ends of Windows',
    before: { 'a.ts': lines(9).replaceAll('\n', '\r\n') },
    after: { 'a.ts': lines(9).replace('compute(4)', 'compute(5)').replaceAll('\n', '\r\n') },
    files: ['modified a.ts'],
  },
  {
    name: 'no line end at the end of the file',
    before: { 'a.ts': 'const first = 1;\nconst last = 2;' },
    after: { 'a.ts': 'const first = 1;\nconst last = 3;' },
    files: ['modified a.ts'],
  },
  {
    name: 'a line end at the end that was missing',
    before: { 'a.ts': 'const first = 1;' },
    after: { 'a.ts': 'const first = 1;\n' },
    files: ['modified a.ts'],
  },
  {
    name: 'names with quotes, spaces, line ends and colons',
    before: {},
    after: { 'a "b".ts': lines(2), 'c\nd.ts': lines(2), 'e:12 f.ts': lines(2), '### g.ts': lines(2) },
    files: ['added ### g.ts', 'added a "b".ts', 'added c\nd.ts', 'added e:12 f.ts'],
  },
  {
    name: 'a name in another script',
    before: {},
    after: { 'été/日本.ts': lines(2) },
    files: ['added été/日本.ts'],
  },
  {
    name: 'bytes that are no UTF-8',
    before: { 'a.txt': Buffer.from('caf\xe9 one\n', 'latin1') },
    after: { 'a.txt': Buffer.from('caf\xe9 two\n', 'latin1') },
    files: ['modified a.txt'],
  },
  {
    name: 'a file that became a link',
    before: { 'a.ts': lines(2), 'b.ts': lines(2) },
    after: { 'a.ts': 'link:b.ts' },
    files: ['deleted a.ts', 'added a.ts'],
  },
  { name: 'a link', before: {}, after: { a: 'link:/etc/passwd' }, files: ['added a'] },
  {
    name: 'lock files, vendored and generated ones, and what .councilignore names',
    before: {
      '.gitattributes': '*.pb.ts linguist-generated\nkept.lock -linguist-generated\n',
      '.councilignore': '/snapshots/\n',
    },
    after: {
      'package-lock.json': lines(2),
      'Cargo.lock': lines(2),
      'vendor/x.go': lines(2),
      'api.pb.ts': lines(2),
      'snapshots/one.txt': lines(2),
      'kept.lock': lines(2),
      'lock.ts': lines(2),
    },
    files: ['added kept.lock', 'added lock.ts'],
    leftOut: [
      'Cargo.lock: a lock file',
      'api.pb.ts: generated',
      'package-lock.json: a lock file',
      'snapshots/one.txt: in .councilignore',
      'vendor/x.go: vendored',
    ],
  },
  {
    name: 'attributes and rules that the change itself brings',
    before: {},
    after: { '.gitattributes': '*.ts linguist-generated\n', '.councilignore': '*.ts\n', 'a.ts': lines(2) },
    files: ['added .councilignore', 'added .gitattributes', 'added a.ts'],
  },
];

const describeFile = ({ path, oldPath, change }: Change['files'][number]): string =>
  `${change} ${path}${oldPath === undefined ? '' : ` from ${oldPath}`}`;

/** The lines of a file at a commit, as git has them. */
const linesAt = ({ git }: TestRepository, commit: string, path: string): string[] =>
  git('show', `${commit}:${path}`).split(/\r?\n/);

/** Fails where a line of the change does not stand in the file at the number that it is shown with. */
function expectTrueNumbers(repository: TestRepository, { files }: Change): void {
  for (const { path, oldPath = path, hunks } of files)
    for (const { mark, number, text } of hunks.flatMap((hunk) => hunk.lines)) {
      const [commit, name] = mark === '-' ? ['HEAD~1', oldPath] : ['HEAD', path];
      expect([path, number, text]).toEqual([path, number, linesAt(repository, commit, name)[number - 1]]);
    }
}

/** Fails where a finding that quotes a line, and says a place ten lines off as models do who count, is not put on that line. */
function expectTruePlaces(change: Change): void {
  for (const file of change.files) {
    const shown = file.hunks.flatMap((hunk) => hunk.lines);
    for (const { mark, number, text } of shown) {
      const isTold = shown.filter((one) => one.text.includes(text)).length === 1;
      if (text.replace(/\s/g, '').length < 8 || !isTold) continue;
      const name = JSON.stringify(file.path).slice(1, -1);
      const said = finding('major', `${name}:${number + 10}${mark === '-' ? ' (old)' : ''}`, text);
      const [found] = reviewBy({ ...change, files: [file] }, { ana: [said], bob: [said] }).findings;
      const place = { file: file.path, side: mark === '-' ? 'old' : 'new', start: number, end: number };
      expect([text, found?.standing, found?.place]).toEqual([text, 'blocking', place]);
    }
  }
}

describe('a change of a git repository', () => {
  it.each(CHANGES)(
    'is read with true line numbers: $name',
    async ({ before, after, files = [], leftOut = [] }) => {
      const repository = committed(before, after);
      const change = await readChange(repository, RANGE);
      expect(change.files.map(describeFile)).toEqual(files);
      expect(change.leftOut.map(({ path, reason }) => `${path}: ${reason}`).sort()).toEqual(leftOut);
      expectTrueNumbers(repository, change);
      expect([change.base, change.head]).toEqual(
        ['HEAD~1', 'HEAD'].map((name) => repository.git('rev-parse', name).trim()),
      );
      // What the council reads is the same change.
      const assignment = { change, failOn: 'major' as const, focus: [], part: 1, parts: 1 };
      expect(parseBrief(renderBrief(assignment, 'fr'))).toEqual(assignment);
      expectTruePlaces(change);
    },
  );

  it('is what is not committed, with files that git does not know yet', async () => {
    const repository = committed({ 'a.ts': lines(3), '.gitignore': 'dist/\n' }, {});
    repository.write({
      'a.ts': lines(4),
      'new.ts': lines(2),
      'dist/x.js': lines(2),
      '.env': 'TOKEN=1\n',
      'pic.bin': BINARY,
      'link.ts': 'link:a.ts',
      'conseils/old.md': 'x\n',
    });
    repository.write({ 'staged.ts': lines(2) });
    repository.git('add', 'staged.ts');
    const change = await readChange(repository, { kind: 'uncommitted' });
    expect(change.files.map(describeFile)).toEqual(['modified a.ts', 'added staged.ts', 'added new.ts']);
    expect(change.leftOut.map(({ path, reason }) => `${path}: ${reason}`).sort()).toEqual([
      '.env: may hold secrets',
      'conseils/old.md: written by council itself',
      'link.ts: no regular file',
      'pic.bin: binary',
    ]);
    expect(change.head).toBeNull();
    const staged = await readChange(repository, { kind: 'staged' });
    expect(staged.files.map(describeFile)).toEqual(['added staged.ts']);
  });

  it('is everything before the first commit', async () => {
    const repository = newRepository();
    repository.write({ 'a.ts': lines(2), 'b.ts': lines(2) });
    repository.git('add', 'a.ts');
    const change = await readChange(repository, { kind: 'uncommitted' });
    expect([change.base, change.files.map(describeFile)]).toEqual([null, ['added a.ts', 'added b.ts']]);
  });

  it('is what one side has that the other has not, from where they parted', async () => {
    const repository = committed({ 'a.ts': lines(3) }, {});
    repository.git('checkout', '-q', '-b', 'work');
    repository.write({ 'mine.ts': lines(2) });
    repository.git('add', '-A');
    repository.git('commit', '-qm', 'mine');
    repository.git('checkout', '-q', 'main');
    repository.write({ 'theirs.ts': lines(2) });
    repository.git('add', '-A');
    repository.git('commit', '-qm', 'theirs');
    for (const range of ['main..work', 'main...work'])
      expect((await readChange(repository, { kind: 'range', range })).files.map(describeFile)).toEqual([
        'added mine.ts',
      ]);
  });

  it('names submodules and never enters one', async () => {
    const inner = committed({ 'a.ts': lines(1) }, {});
    const repository = committed({ 'b.ts': lines(1) }, {});
    repository.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner.root, 'sub');
    repository.git('commit', '-qm', 'sub');
    fs.writeFileSync(join(repository.root, 'sub/a.ts'), 'changed\n');
    const change = await readChange(repository, RANGE);
    expect(change.files.map(describeFile)).toEqual(['added .gitmodules']);
    expect(change.leftOut).toEqual([{ path: 'sub', reason: 'a submodule' }]);
    expect((await readChange(repository, { kind: 'uncommitted' })).files).toEqual([]);
  });

  it('runs no program that the repository names', async () => {
    const repository = committed(
      { 'a.ts': lines(2), '.gitattributes': '*.ts diff=evil filter=evil\n' },
      { 'a.ts': lines(3) },
    );
    const ran = join(repository.root, 'ran');
    const evil = `sh -c "touch ${ran}; cat"`;
    for (const key of [
      'diff.evil.command',
      'diff.evil.textconv',
      'filter.evil.clean',
      'filter.evil.smudge',
      'core.fsmonitor',
    ])
      repository.git('config', key, evil);
    fs.writeFileSync(join(repository.root, '.git/hooks/post-index-change'), `#!/bin/sh\ntouch ${ran}\n`, {
      mode: 0o755,
    });
    repository.write({ 'a.ts': lines(4) });
    fs.rmSync(ran, { force: true });
    const change = await readChange(repository, { kind: 'uncommitted' });
    expect([change.files.map(describeFile)[0], fs.existsSync(ran)]).toEqual(['modified a.ts', false]);
  });

  it('says what git does not know', async () => {
    const repository = committed({ 'a.ts': lines(1) }, {});
    for (const range of ['nowhere..HEAD', '--output=x..HEAD', 'nowhere'])
      await expect(readChange(repository, { kind: 'range', range })).rejects.toMatchObject({ code: 'usage' });
  });
});
