import { describe, expect, it } from 'vitest';
import { createPathHider } from '../../../src/core/base/hide-paths.ts';
import { expectLinear } from '../../helpers/growth.ts';

const ROOT = '/home/ana/it\'s "100%" é';
const hide = createPathHider([
  [ROOT, '[project]'],
  ['/home/ana/.local/state/council/', '[private]'],
  ['/home/ana', '~'],
  ['/tmp', '[tmp]'],
  ['/', 'never'],
  ['', 'never'],
]);

describe('fault 20: the folders of a machine', () => {
  it.each([
    [`see ${ROOT}/COUNCIL.md.`, 'see [project]/COUNCIL.md.'],
    [ROOT, '[project]'],
    [JSON.stringify({ at: `${ROOT}/x` }), '{"at":"[project]/x"}'],
    [JSON.stringify(JSON.stringify(`${ROOT}/x`)), '"\\"[project]/x\\""'],
    [
      `at ${new URL(`file://${encodeURI(ROOT)}/dist/program.js`).href}:155:14`,
      'at file://[project]/dist/program.js:155:14',
    ],
    ['PATH=/home/ana/bin:/home/ana/x', 'PATH=~/bin:~/x'],
    ['(/tmp/a) "/tmp" /tmp.', '([tmp]/a) "[tmp]" [tmp].'],
    ['/home/ana/.local/state/council/7f/kept', '[private]/7f/kept'],
  ])('are replaced in %j', (text, clean) => {
    expect(hide({ note: text }).note).toBe(clean);
  });

  it.each([
    'https://example.org/home/ana/x and /home/anabel, /home/ana.old, ./tmp/x, a/tmp/b, /tmpfs, /var/tmp',
    'and/or 1/2 2026/11/22 /etc/passwd',
  ])('are not seen in %j', (text) => {
    expect(hide({ note: text }).note).toBe(text);
  });

  it('are left out of errors alone where nothing else is asked for, however deep these are', () => {
    const at = `${ROOT}/x.md`;
    const hideErrors = createPathHider([[ROOT, '[project]']], { onlyErrors: true });
    const tick = {
      error: { message: at },
      unreadable: [{ path: at }],
      failed: [{ id: 'ana', reason: `${at}: not found` }],
    };
    expect(hideErrors({ path: at, kept: at, notes: [at], councils: [{ path: at, ...tick }] })).toEqual({
      path: at,
      kept: 'x.md',
      notes: [at],
      councils: [
        {
          path: at,
          error: { message: '[project]/x.md' },
          unreadable: [{ path: '[project]/x.md' }],
          failed: [{ id: 'ana', reason: '[project]/x.md: not found' }],
        },
      ],
    });
  });

  it('are not seen in a pattern of an error', () => {
    const hint = 'For example: src/queue.ts "test/**/*.ts"';
    expect(hide({ error: { hint } })).toEqual({ error: { hint } });
  });

  it('are left out of errors and of fields for paths, known or not', () => {
    const document = {
      error: {
        code: 'io',
        message: `ENOENT: no such file, open '${ROOT}/a b/x.md' -> "/mnt/other/y.md" (see https://a.example/b/c, and/or 1/2)`,
        hint: 'Look: ls /srv/z and C:\\state\\kept.md',
        details: [{ deep: '/opt/council/file.txt:12' }],
      },
      kept: '/var/lib/elsewhere/kept-ana.md',
      path: 'conseils/2026-11-22-go.md',
      paths: { '/tmp/key': 1 },
      text: '/etc/passwd is named here',
      number: 7,
      nothing: null,
    };
    expect(hide(document)).toEqual({
      error: {
        code: 'io',
        message: `ENOENT: no such file, open '[project]/a b/x.md' -> "y.md" (see https://a.example/b/c, and/or 1/2)`,
        hint: 'Look: ls z and kept.md',
        details: [{ deep: 'file.txt:12' }],
      },
      kept: 'kept-ana.md',
      path: 'conseils/2026-11-22-go.md',
      paths: { '/tmp/key': 1 },
      text: '/etc/passwd is named here',
      number: 7,
      nothing: null,
    });
  });

  it('fault 17: of a kept file the last name is left, and an error names no conversation', () => {
    const id = '48c018e3-1d28-4404-889b-ca00c5770ba6';
    const name = 'kept-ana-COLLECT-1-0123456789abcdef';
    const paths = [
      `/home/ana/.local/state/council/${id}/${name}`,
      `${ROOT}/memory/shared/.late/${id}/${name}`,
      `memory/shared/.late/${id}/${name}`,
      `C:\\state\\council\\${id}\\${name}`,
    ];
    for (const kept of paths)
      expect(hide({ kept, error: { kept } })).toEqual({ kept: name, error: { kept: name } });
    for (const path of paths) {
      const { error } = hide({ error: `Cannot write ${path}: EACCES` });
      expect(error).toContain(name);
      expect(error).not.toContain(id);
    }
    // What people wrote, and what an archive says, is theirs.
    expect(hide({ text: `see ${paths[2]}`, path: paths[2] })).toEqual({
      text: `see ${paths[2]}`,
      path: paths[2],
    });
  });

  it('are left in the words of people, and in nothing that council says beside them', () => {
    const said = `in ${ROOT}/src/queue.ts, see /tmp/queue.db and /home/ana`;
    const failed = `the program "${ROOT}/no such" cannot be launched`;
    const told = {
      topic: said,
      prompt: said,
      view: { others: [{ text: said, quotes: [said] }] },
      votes: { [said]: 2 },
      root: { name: said },
      details: { cwd: ROOT, input: { path: `${ROOT}/x`, note: said, error: said } },
      absences: [{ reason: `failed: ${failed}` }, { reason: `excused: ${said}` }],
      participants: { bob: { absent: `failed: ${failed}`, position: said, failure: { stderr: said } } },
      paused: { bob: { reason: failed } },
      waitingForTrust: [{ command: [`${ROOT}/run`] }],
      notes: [`kept in ${ROOT}/x`],
      path: `${ROOT}/x`,
      unreadable: [{ message: 'EACCES: /opt/x' }],
      error: `EACCES: /tmp/queue.db, /opt/x`,
    };
    const hidden = 'the program "[project]/no such" cannot be launched';
    const named = 'in [project]/src/queue.ts, see [tmp]/queue.db and ~';
    expect(hide(told)).toEqual({
      ...told,
      details: { ...told.details, cwd: '[project]' },
      absences: [{ reason: `failed: ${hidden}` }, { reason: `excused: ${said}` }],
      participants: { bob: { absent: `failed: ${hidden}`, position: said, failure: { stderr: named } } },
      paused: { bob: { reason: hidden } },
      waitingForTrust: [{ command: ['[project]/run'] }],
      notes: ['kept in [project]/x'],
      path: '[project]/x',
      unreadable: [{ message: 'EACCES: x' }],
      error: 'EACCES: [tmp]/queue.db, x',
    });
  });

  it('costs time in proportion to the text', async () => {
    await expectLinear('paths', 50_000, (n) => {
      const text = `${'/'.repeat(n)} ${'/a'.repeat(n)} ${'/home/ana'.repeat(n / 4)}`;
      hide({ notes: [text], error: { message: text } });
    });
  });
});
