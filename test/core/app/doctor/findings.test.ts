import { describe, expect, it } from 'vitest';
import { CouncilError } from '../../../../src/core/base/errors.ts';
import { PROGRAMS } from '../../../../src/core/agents/runners/detect-programs.ts';
import { runGuardedCheck, formatFirstFew } from '../../../../src/core/app/doctor/finding.ts';
import { checkNode } from '../../../../src/core/app/doctor/settings.ts';
import { checkPrograms } from '../../../../src/core/app/doctor/programs.ts';
import { checkSchedule } from '../../../../src/core/app/doctor/schedule.ts';
import { serialize } from '../../../../src/core/council/document/document.ts';
import {
  checkFileSystem,
  checkPrivateFolder,
  storeFindings,
} from '../../../../src/core/app/doctor/storage.ts';
import { stateOf } from '../../council/fixtures.ts';
import type { DocumentFacts } from '../../../../src/core/store/file/inspect-store.ts';

const LOCAL = { type: 'ext4', network: false, readOnly: false };
const NOTHING = { unreadable: [], quarantined: [], edits: [] };
const CLOSED = {
  path: '/state/council',
  kind: 'folder' as const,
  mode: 0o700,
  inside: null,
  loose: [],
  foreign: [],
  files: [],
};
const JOB = { root: '/p', node: '/bin/node', entry: '/c/council.js', env: {}, envFile: null, every: '' };
const UNSCHEDULED = {
  variables: undefined,
  job: JOB,
  block: undefined,
  unread: null,
  unitFiles: [],
  timer: undefined,
};
const levels = (findings: { level: string }[]): string[] => findings.map(({ level }) => level);

describe('findings', () => {
  it('hold Node against package.json', () => {
    expect(levels(checkNode('24.1.0', '>=22.18'))).toEqual(['ok']);
    expect(levels(checkNode('22.18.0', '>=22.18'))).toEqual(['ok']);
    expect(checkNode('22.9.0', '>=22.18')).toMatchObject([
      { level: 'error', message: expect.stringContaining('22.9.0') as string },
    ]);
    expect(levels(checkNode('20.19.5', '>=22.18'))).toEqual(['error']);
  });

  it('turn what a check refuses into an error, and let bugs through', async () => {
    const refused = new CouncilError('io', 'Cannot look.', { hint: 'ls -ld' });
    expect(await runGuardedCheck('store', () => Promise.reject(refused))).toEqual([
      { level: 'error', check: 'store', message: 'Cannot look.', fix: 'ls -ld' },
    ]);
    await expect(runGuardedCheck('store', () => Promise.reject(new TypeError('bug')))).rejects.toThrow('bug');
    expect(formatFirstFew(['a', 'b', 'c', 'd'])).toBe('a, b, c and 1 more');
  });

  it('judge the file system', () => {
    expect(checkFileSystem('/p', LOCAL, null)).toMatchObject([
      { level: 'ok', message: '/p (ext4), hard links work, local' },
    ]);
    expect(levels(checkFileSystem('/p', { ...LOCAL, type: 'nfs4', network: true }, null))).toEqual([
      'warning',
    ]);
    const none = new CouncilError('no_hard_links', 'No hard links.', { hint: 'Elsewhere.' });
    expect(checkFileSystem('/p', LOCAL, none)).toMatchObject([{ level: 'error', fix: 'Elsewhere.' }]);
    expect(levels(checkFileSystem('/p', { ...LOCAL, readOnly: true }, none))).toEqual(['error']);
    const unknown = { type: null, network: null, readOnly: false };
    expect(checkFileSystem('/p', unknown, undefined)).toMatchObject([
      { level: 'ok', message: '/p (type unknown)' },
    ]);
  });

  it('judge each document of the store', () => {
    const judged = (facts: Partial<DocumentFacts>) => {
      const document = { key: 'k', path: '/p/k.md', revision: 3, text: null, sound: true } as const;
      return storeFindings('/p', {
        ...NOTHING,
        documents: [{ ...document, shown: 'same', readable: true, lost: false, refused: null, ...facts }],
      }).map(({ level, fix }) => [level, fix]);
    };
    expect(judged({})).toEqual([['ok', null]]);
    expect(judged({ revision: 0 })).toEqual([['ok', null]]);
    expect(judged({ revision: 0, shown: 'edited' })).toEqual([['warning', 'council status --name k']]);
    const refused = new CouncilError('corrupt', 'Damaged.', { hint: 'mv /p/k.md /p/k.md.damaged' });
    for (const more of [{ revision: 0, shown: 'edited' }, { sound: false }] as const)
      expect(judged({ ...more, refused })).toEqual([['error', 'mv /p/k.md /p/k.md.damaged']]);
    expect(judged({ sound: false })).toEqual([['error', 'council status --name k']]);
    expect(judged({ shown: 'edited' })).toEqual([['warning', 'mv /p/k.md /p/k.md.old']]);
    const text = serialize({ state: stateOf(), brief: 'x', contributions: [] });
    expect(judged({ text, shown: 'edited' })).toEqual([
      ['warning', 'council adopt --name k (takes it) or council restore --name k (drops it)'],
    ]);
    expect(judged({ text, shown: 'edited', readable: false })).toEqual([
      ['warning', 'council restore --name k (puts it back, and keeps a copy)'],
    ]);
    for (const shown of ['stale', 'missing', 'diverged', 'emptied'] as const)
      expect(judged({ shown })).toEqual([['warning', 'council status --name k']]);
    expect(judged({ text: 'no council at all' })).toMatchObject([['error', expect.any(String)]]);
    const left = storeFindings('/p', {
      documents: [],
      unreadable: [],
      quarantined: ["/it's"],
      edits: [],
    });
    expect(left).toMatchObject([{ level: 'warning', fix: "rm '/it'\\''s'" }]);
  });

  it('judge the private folder', () => {
    expect(levels(checkPrivateFolder(CLOSED))).toEqual(['ok']);
    expect(checkPrivateFolder({ ...CLOSED, mode: 0o755 })).toMatchObject([
      { level: 'error', message: expect.stringContaining('0755') as string, fix: 'chmod 700 /state/council' },
    ]);
    expect(checkPrivateFolder({ ...CLOSED, loose: ['/state/council/x'] })).toMatchObject([
      { level: 'warning', fix: 'chmod -R go= /state/council' },
    ]);
    const inside = new CouncilError('unsafe_private_dir', 'Inside.', { hint: 'Move it.' });
    expect(levels(checkPrivateFolder({ ...CLOSED, inside, foreign: ['/x'] }))).toEqual(['error', 'error']);
    expect(levels(checkPrivateFolder({ ...CLOSED, kind: 'other' }))).toEqual(['error']);
    expect(levels(checkPrivateFolder({ ...CLOSED, kind: undefined }))).toEqual(['ok']);
  });

  it('tell which agent programs there are', () => {
    const [claude, , , , , ollama] = PROGRAMS;
    const found = {
      program: claude!,
      path: '/bin/claude',
      version: '2.1.0',
      model: null,
      models: [],
      problem: null,
    };
    expect(checkPrograms([found], true)).toMatchObject([
      { level: 'ok', message: 'claude 2.1.0 (/bin/claude)', fix: null },
      { level: 'ok', message: expect.stringMatching(/^Not on PATH: codex, /) as string },
    ]);
    expect(checkPrograms([{ ...found, version: null, problem: 'it hangs' }], true)[0]).toMatchObject({
      level: 'warning',
      fix: '/bin/claude --version',
    });
    expect(checkPrograms([{ ...found, program: ollama!, problem: 'no model' }], true)[0]).toMatchObject({
      level: 'warning',
      fix: 'ollama pull MODEL',
    });
    expect(levels(checkPrograms([], true))).toEqual(['warning']);
    expect(levels(checkPrograms([], false))).toEqual(['ok']);
  });

  it('miss a schedule only where a council waits for one', () => {
    expect(levels(checkSchedule(UNSCHEDULED, 0))).toEqual(['ok']);
    expect(checkSchedule(UNSCHEDULED, 2, 1)).toMatchObject([
      { level: 'ok', message: expect.stringContaining('1 heartbeat is at work now') as string },
    ]);
    expect(checkSchedule(UNSCHEDULED, 2)).toMatchObject([
      { level: 'warning', fix: expect.stringContaining('council install') as string },
    ]);
    const block = '*/5 * * * * /bin/node /c/council.js tick --root /p >/dev/null';
    expect(checkSchedule({ ...UNSCHEDULED, block }, 2)).toMatchObject([
      { level: 'ok', message: 'cron calls tick: */5 * * * *' },
    ]);
    const moved = { ...UNSCHEDULED, job: { ...JOB, node: '/new/node' }, block };
    expect(checkSchedule(moved, 2)).toMatchObject([{ level: 'warning', fix: 'council install' }]);
    const unitFiles = ['/u/council-1.service', '/u/council-1.timer'];
    expect(levels(checkSchedule({ ...UNSCHEDULED, unitFiles, timer: 'active' }, 2))).toEqual(['ok']);
    expect(checkSchedule({ ...UNSCHEDULED, unitFiles, timer: 'inactive' }, 2)).toMatchObject([
      { level: 'warning', fix: 'council install --systemd' },
    ]);
    expect(levels(checkSchedule({ ...UNSCHEDULED, unread: 'crontab -l failed' }, 1))).toEqual([
      'warning',
      'warning',
    ]);
  });
});
