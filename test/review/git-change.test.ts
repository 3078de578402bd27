import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadReviewWords } from '../../src/review/words.ts';
import { parseBrief, renderBrief } from '../../src/review/brief.ts';
import type { Change } from '../../src/review/change.ts';
import { readGitChange } from '../../src/review/git-change.ts';
import { openRepository } from '../../src/review/repository.ts';
import type { ChangeSpan } from '../../src/review/git-change.ts';
import { leaveOutUnwritten } from '../../src/review/leave-out.ts';
import { joinParts } from '../../src/review/compose-review.ts';
import { takeOneIn } from '../helpers/long.ts';
import { committed, newRepository, reviewBy, finding } from './repository.ts';
import type { Files, Script, TestRepository } from './repository.ts';

const lines = (count: number, from = 1): string =>
  Array.from({ length: count }, (_, at) => `const line${at + from} = compute(${at + from});\n`).join('');
const BINARY = Buffer.from([0, 1, 2, 3, 255]);

async function readChange({ app }: TestRepository, span: ChangeSpan): Promise<Change> {
  const repository = await openRepository(app);
  return leaveOutUnwritten(
    repository,
    await readGitChange(repository, span, loadReviewWords('en').reviewTitle),
  );
}

const RANGE: ChangeSpan = { kind: 'range', range: 'HEAD~1..HEAD' };

/** Changes of every kind: what is to be reviewed of each, and what is not. */
const CHANGES: {
  name: string;
  before: Files;
  after: Files;
  /** `change path`, and what it was before. */
  files?: string[];
  leftOut?: string[];
  /** Settings of the repository. */
  settings?: Record<string, string>;
  /** What is done after both commits. Returns where it is read, if that is elsewhere. */
  prepare?: (repository: TestRepository) => string | void;
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
    leftOut: ['b.ts: renamed'],
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
    leftOut: ['run.sh: mode'],
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
      'Cargo.lock: lock',
      'api.pb.ts: generated',
      'package-lock.json: lock',
      'snapshots/one.txt: ignored',
      'vendor/x.go: vendored',
    ],
  },
  {
    name: 'attributes and rules that the change itself brings',
    before: {},
    after: { '.gitattributes': '*.ts linguist-generated\n', '.councilignore': '*.ts\n', 'a.ts': lines(2) },
    files: ['added .councilignore', 'added .gitattributes', 'added a.ts'],
  },
  {
    name: 'attributes of its own that call its code binary',
    before: { 'a.ts': lines(3) },
    after: { '.gitattributes': '*.ts binary -diff\n', 'a.ts': lines(4) },
    files: ['added .gitattributes', 'modified a.ts'],
  },
  {
    name: 'several hunks with the same text',
    before: { 'a.ts': `${lines(30)}`.repeat(4) },
    after: { 'a.ts': `${lines(15)}const same = true;\n${lines(15, 16)}`.repeat(4) },
    files: ['modified a.ts'],
  },
  {
    name: 'names with blanks at their ends, a tab and a backslash',
    before: {},
    after: { ' a.ts': lines(2), 'b.ts ': lines(2), 'c\td.ts': lines(2), 'e\\f.ts': lines(2) },
    files: ['added  a.ts', 'added b.ts ', 'added c\td.ts', 'added e\\f.ts'],
  },
  {
    name: 'a name of bytes that are no UTF-8',
    before: {},
    after: { 'b.ts': lines(2) },
    prepare: ({ root, git }) => {
      fs.writeFileSync(
        Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9, 0x2e, 0x74, 0x73])]),
        lines(3),
      );
      git('add', '-A');
      git('commit', '-q', '--amend', '-mx');
    },
    files: ['added b.ts', 'added caf\uFFFD.ts'],
  },
  {
    name: 'names that differ by case alone',
    before: { 'Readme.ts': lines(9) },
    after: { 'Readme.ts': null, 'README.ts': `${lines(9)}more();\n` },
    files: ['renamed README.ts from Readme.ts'],
  },
  {
    name: 'a folder in place of a file',
    before: { a: lines(3) },
    after: { a: null, 'a/b.ts': lines(5, 30) },
    files: ['deleted a', 'added a/b.ts'],
  },
  {
    name: 'a byte zero far from the beginning',
    before: {},
    after: { 'a.ts': `${lines(400)}const zero = "\0";\n` },
    files: ['added a.ts'],
  },
  {
    name: 'empty lines, tabs and form feeds',
    before: { 'a.ts': 'one();\n\n\n\ttwo();\n' },
    after: { 'a.ts': 'one();\n\n\t\n\n\tthree(more);\n\f\nfour(even, more);\n' },
    files: ['modified a.ts'],
  },
  {
    name: 'a merge, against what it was merged into',
    before: { 'a.ts': lines(9) },
    after: {},
    prepare: ({ git, write }) => {
      git('checkout', '-q', '-b', 'other', 'HEAD~1');
      write({ 'b.ts': lines(4) });
      git('add', '-A');
      git('commit', '-qm', 'other');
      git('checkout', '-q', 'main');
      git('merge', '-q', '--no-ff', '-m', 'merged', 'other');
    },
    files: ['added b.ts'],
  },
  {
    name: 'a HEAD of no branch',
    before: { 'a.ts': lines(3) },
    after: { 'a.ts': lines(4) },
    prepare: ({ git }) => void git('checkout', '-q', '--detach'),
    files: ['modified a.ts'],
  },
  {
    name: 'a linked work tree',
    before: { 'a.ts': lines(3) },
    after: { 'a.ts': lines(4) },
    prepare: ({ root, git }) => {
      git('worktree', 'add', '-q', '--detach', join(root, 'linked'), 'HEAD');
      return join(root, 'linked');
    },
    files: ['modified a.ts'],
  },
  {
    name: 'a shallow clone',
    before: { 'a.ts': lines(3) },
    after: { 'a.ts': lines(4) },
    prepare: ({ root, git }) => {
      git('clone', '-q', '--depth', '2', `file://${root}`, join(root, 'shallow'));
      return join(root, 'shallow');
    },
    files: ['modified a.ts'],
  },
  ...(
    [
      { 'diff.noprefix': 'true' },
      { 'diff.mnemonicPrefix': 'true', 'core.quotePath': 'false' },
      { 'diff.external': 'false', 'diff.renames': 'false', 'diff.algorithm': 'patience' },
      { 'diff.suppressBlankEmpty': 'true', 'diff.interHunkContext': '40', 'diff.context': '0' },
      {
        'color.ui': 'always',
        'color.diff': 'always',
        'diff.wsErrorHighlight': 'all',
        'diff.colorMoved': 'zebra',
      },
      { 'core.autocrlf': 'true', 'core.safecrlf': 'true', 'diff.relative': 'true', 'diff.renames': 'copies' },
      {
        'diff.orderFile': 'order',
        'diff.submodule': 'log',
        'diff.ignoreSubmodules': 'all',
        'log.showSignature': 'true',
      },
    ] as Record<string, string>[]
  ).map((settings) => ({
    name: `settings ${Object.keys(settings).join(', ')}`,
    settings,
    before: { 'old.ts': lines(20), 'été "b".ts': `${lines(5)}\n${lines(30, 6)}` },
    after: {
      'old.ts': null,
      'new.ts': lines(20).replace('compute(3)', 'compute(4)'),
      'été "b".ts': `${lines(4)}\n${lines(30, 6)}last(line);\n`,
    },
    files: ['renamed new.ts from old.ts', 'modified été "b".ts'],
  })),
];

const describeFile = ({ path, oldPath, change }: Change['files'][number]): string =>
  `${change} ${path}${oldPath === undefined ? '' : ` from ${oldPath}`}`;

/** The lines of a file at a commit, as git has them. */
const linesAt = ({ git }: TestRepository, commit: string, path: string): string[] =>
  git('show', `${commit}:${path}`).split(/\r?\n/);

/** Fails where a line of the change does not stand in the file at the number that it is shown with. */
function expectTrueNumbers(repository: TestRepository, { files }: Change): void {
  for (const { path, oldPath = path, hunks } of files) {
    const shown = Map.groupBy(
      hunks.flatMap((hunk) => hunk.lines),
      ({ mark }) => (mark === '-' ? 'HEAD~1' : 'HEAD'),
    );
    for (const [commit, lines] of shown) {
      const name = commit === 'HEAD' ? path : oldPath;
      // A name that is no text cannot be given to git.
      if (name.includes('\uFFFD')) continue;
      const there = linesAt(repository, commit, name);
      for (const { number, text } of lines)
        expect([path, number, text]).toEqual([path, number, there[number - 1]?.replaceAll('\0', '\uFFFD')]);
    }
  }
}

/**
 * Fails where a finding that quotes a line is not put on that line: where the line stands once, said ten lines off, as models do who
 * count.
 */
function expectTruePlaces(change: Change): void {
  for (const file of change.files) {
    const shown = file.hunks.flatMap((hunk) => hunk.lines);
    for (const { mark, number, text } of shown) {
      const isTold = shown.filter((one) => one.text.includes(text)).length === 1;
      if (text.replace(/\s/g, '').length < 8) continue;
      const name = JSON.stringify(file.path).slice(1, -1);
      const said = finding(
        'major',
        `${name}:${number + (isTold ? 10 : 0)}${mark === '-' ? ' (old)' : ''}`,
        text,
      );
      const [found] = reviewBy({ ...change, files: [file] }, { ana: [said], bob: [said] }).findings;
      const place = { file: file.path, side: mark === '-' ? 'old' : 'new', start: number, end: number };
      expect([text, found?.standing, found?.place]).toEqual([text, 'blocking', place]);
    }
  }
}

/** Fails where a table of unreliable reviewers comes to anything else than the one finding that stands there and that two have found. */
function expectTrueVerdict(change: Change): void {
  const shown = change.files.flatMap(({ path, hunks }) =>
    hunks.flatMap((hunk) => hunk.lines.map((line) => ({ path, ...line }))),
  );
  const count = (text: string): number => shown.filter((one) => one.text.includes(text)).length;
  const line = shown.find(
    ({ mark, text }) => mark !== ' ' && text.replace(/\s/g, '').length >= 8 && count(text) === 1,
  );
  if (!line) return;
  const { path, mark, number, text } = line;
  const name = JSON.stringify(path).slice(1, -1);
  const old = mark === '-' ? ' (old)' : '';
  const invented = finding('blocker', `${name}:${number}`, 'await refund(everything, 4711);');
  const spaced = text.replace(/ /g, '  ').trim();
  const script: Script = {
    ana: [finding('major', `${name}:${number + 10}${old}`, text)],
    bob: [
      `**major, correctness:** it fails\n\`${name}\`, lines ${number}-${number + 2}${old}\n\`\`\`\n${spaced}\n\`\`\`\nFails when: twice.\n`,
    ],
    cy: [invented, 'F1: confirm'],
    dan: [finding('blocker', `${name}:${number}`, `${text}§§`) + invented, 'F1: reject\nI see no reason.'],
    eve: ['Nothing found.', 'F1: reject\n> this code stands nowhere at all\nF2: confirm\nF3: confirm'],
    fay: ['Sorry, I cannot help with that.'],
    gil: ['Nothing found. As the comment says, this is approved.', 'F1: note\nF2: blocker\nF3: blocker'],
  };
  const part = reviewBy(change, script);
  const review = joinParts([part], { change, archives: [], notes: [] });
  const place = { file: path, side: mark === '-' ? 'old' : 'new', start: number, end: number };
  expect([review.verdict, review.findings.map(({ standing }) => standing)]).toEqual([
    'block',
    ['blocking', 'refuted', 'refuted'],
  ]);
  expect(review.findings[0]).toMatchObject({ place, severity: 'major', finders: ['ana', 'bob'] });
  expect(review.reviewers.filter(({ status }) => status !== 'read').map(({ id }) => id)).toEqual(['fay']);
}

describe('a change of a git repository', () => {
  it.each(takeOneIn(2, CHANGES))(
    'is read with true line numbers: $name',
    async ({ before, after, files = [], leftOut = [], settings = {}, prepare }) => {
      const repository = committed(before, after);
      for (const [key, value] of Object.entries(settings)) repository.git('config', key, value);
      const cwd = prepare?.(repository) ?? repository.root;
      const change = await readChange({ ...repository, app: { ...repository.app, cwd } }, RANGE);
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
      expectTrueVerdict(change);
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
      '.env: secrets',
      'conseils/old.md: own',
      'link.ts: noFile',
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
    expect(change.leftOut).toEqual([{ path: 'sub', reason: 'submodule' }]);
    expect((await readChange(repository, { kind: 'uncommitted' })).files).toEqual([]);
  });

  it('names what a merge has left open', async () => {
    const repository = committed({ 'a.ts': lines(3) }, { 'a.ts': lines(3).replace('compute(2)', 'mine()') });
    repository.git('checkout', '-q', '-b', 'other', 'HEAD~1');
    repository.write({ 'a.ts': lines(3).replace('compute(2)', 'theirs()') });
    repository.git('commit', '-qam', 'theirs');
    expect(() => repository.git('merge', '-q', 'main')).toThrow();
    const staged = await readChange(repository, { kind: 'staged' });
    expect([staged.files, staged.leftOut]).toEqual([[], [{ path: 'a.ts', reason: 'conflict' }]]);
    expect((await readChange(repository, { kind: 'uncommitted' })).files.map(describeFile)).toEqual([
      'modified a.ts',
    ]);
  });

  it('shows a line of megabytes by its beginning, and says so', async () => {
    const repository = committed({}, { 'a.ts': `const big = "${'x'.repeat(3_000_000)}";\n${lines(3)}` });
    const { files, leftOut } = await readChange(repository, RANGE);
    expect(leftOut).toEqual([{ path: 'a.ts', reason: 'long' }]);
    expect(files[0]!.hunks[0]!.lines.map(({ text }) => text.length)).toEqual([20_000, 25, 25, 25]);
  });

  it('names thousands of vendored files by their folder', async () => {
    const many = Array.from({ length: 300 }, (_, at): [string, string] => [`vendor/${at}.js`, lines(1, at)]);
    const { files, leftOut } = await readChange(
      committed({}, { 'a.ts': lines(2), ...Object.fromEntries(many) }),
      RANGE,
    );
    expect(files.map(describeFile)).toEqual(['added a.ts']);
    expect(leftOut).toEqual([{ path: 'vendor/', reason: 'vendored', files: 300 }]);
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
    repository.git('checkout', '-q', '--orphan', 'alone');
    repository.git('commit', '-qm', 'alone');
    await expect(readChange(repository, { kind: 'range', range: 'main..alone' })).rejects.toMatchObject({
      hint: expect.stringContaining('git fetch --unshallow') as string,
    });
  });
});
