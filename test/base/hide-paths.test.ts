import { describe, expect, it } from 'vitest';
import { pagePathHider, pathHider } from '../../src/base/hide-paths.ts';
import { asSaid, html } from '../../src/page/html.ts';
import { workClock } from '../helpers/growth.ts';

const ROOT = '/home/ana/it\'s "100%" é';
const hide = pathHider([
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
    expect(hide({ text }).text).toBe(clean);
  });

  it.each([
    'https://example.org/home/ana/x and /home/anabel, /home/ana.old, ./tmp/x, a/tmp/b, /tmpfs, /var/tmp',
    'and/or 1/2 2026/11/22 /etc/passwd',
  ])('are not seen in %j', (text) => {
    expect(hide({ text }).text).toBe(text);
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
      paths: { '[tmp]/key': 1 },
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
    const told = {
      prompt: said,
      view: { others: [{ text: said, quotes: [said] }] },
      absences: [{ reason: `the program "${ROOT}/no such" cannot be launched` }],
      notes: [`kept in ${ROOT}/x`],
      path: `${ROOT}/x`,
      error: `EACCES: /tmp/queue.db, /opt/x`,
    };
    expect(hide(told, true)).toEqual({
      ...told,
      absences: [{ reason: 'the program "[project]/no such" cannot be launched' }],
      notes: ['kept in [project]/x'],
      path: '[project]/x',
      error: 'EACCES: [tmp]/queue.db, x',
    });
  });

  it('costs time in proportion to the text', () => {
    const text = `${'/'.repeat(200_000)} ${'/a'.repeat(200_000)} ${'/home/ana'.repeat(50_000)}`;
    const worked = workClock();
    hide({ text, error: { message: text } });
    expect(worked()).toBeLessThan(5000);
  });
});

describe('fault 20: the folders of a machine on a page', () => {
  const hidden = pagePathHider([
    ['/home/ana/a&b "c" <d>\'', '[project]'],
    ['/home/ana', '~'],
    ['/councils', '[councils]'],
  ]);

  it.each([
    ['<p>see /home/ana/x</p>', '<p>see ~/x</p>'],
    ['<p>/home/ana/a&amp;b &quot;c&quot; &lt;d&gt;&#39;/x</p>', '<p>[project]/x</p>'],
    ['<p>/home/ana/a&#x26;b "c" &#x3C;d>\'/x</p>', '<p>[project]/x</p>'],
    ['<a title="in /home/ana/x">Quote</a>', '<a title="in ~/x">Quote</a>'],
    [
      `${asSaid(html`<b>/home/ana</b>`).toString()} /home/ana ${asSaid('/home/ana <!--/said-->').toString()}/home/ana`,
      '<!--said--><b>/home/ana</b><!--/said--> ~ <!--said-->/home/ana &lt;!--/said--&gt;<!--/said-->~',
    ],
    ['<td>1</td><td>/councils</td>', '<td>1</td><td>[councils]</td>'],
    ['a < b /home/ana c', 'a < b ~ c'],
  ])('are replaced in %j', (html, clean) => {
    expect(hidden(html)).toBe(clean);
  });

  it.each([
    '<a href="/councils/queue">queue</a>',
    '<form method="post" action="/councils/queue/tick">',
    '<textarea id="text" name="text">\nin /home/ana/x, and </p> /home/ana</textarea>',
    '<input name="vote" value="in /home/ana" />',
    '<button data-words="in /home/ana/x" hidden>Quote</button>',
    '<p>/home/anabel and https://example.org/home/ana</p>',
  ])('are left in %j', (html) => {
    expect(hidden(html)).toBe(html);
  });
});
