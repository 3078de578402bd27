import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readArchive } from '../../../src/core/archive/parse.ts';
import { readStamp, serialize } from '../../../src/core/council/document/document.ts';
import { fileStore } from '../../../src/core/store/file/file-store.ts';
import { bundlePrograms } from '../../helpers/bundle-programs.ts';
import { takeOneIn } from '../../helpers/long.ts';
import { inParallel } from '../store/scratch.ts';
import { archivePorts } from './ports.ts';
import { CONVERSATION, debate, finished, PATH } from './sample.ts';

const base = mkdtempSync(join(tmpdir(), 'council-crash-'));
afterAll(() => rmSync(base, { recursive: true }));

beforeAll(async () => {
  bundlePrograms(
    join(base, 'bin'),
    join(import.meta.dirname, 'workers', 'finish.ts'),
    join(import.meta.dirname, '..', '..', 'helpers', 'failpoint.ts'),
  );
  const store = fileStore({
    dir: join(base, 'model', 'project', 'memory', 'shared'),
    prefix: 'council-',
    readStamp,
  });
  mkdirSync(join(base, 'model', 'project', 'memory', 'shared'), { recursive: true });
  const { state, ...council } = finished(debate());
  await store.commit('test', serialize({ ...council, state: { ...state, revision: 1 } }), 0);
  const ports = archivePorts(store, join(base, 'model', 'project'), join(base, 'model', 'state'));
  await ports.privateFiles.write(CONVERSATION, 'kept-henry-COLLECT-1-0123456789abcdef', Buffer.from('kept'));
});

interface Ended {
  code: number | null;
  output: string;
}

function run(dir: string, env: Record<string, string> = {}): Promise<Ended> {
  const args = ['--import', join(base, 'bin', 'failpoint.mjs'), join(base, 'bin', 'finish.mjs')];
  const child = spawn(process.execPath, [...args, join(dir, 'project'), join(dir, 'state')], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: join(base, 'compiled'), FAIL_UNDER: dir, ...env },
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}

function fresh(name: string): string {
  const dir = join(base, name);
  cpSync(join(base, 'model'), dir, { recursive: true });
  return dir;
}

function expectArchived(dir: string, at: string): void {
  const project = join(dir, 'project');
  expect(readdirSync(join(project, 'conseils')), at).toEqual(['2026-02-08-tabs-or-spaces.md']);
  const archive = readArchive(readFileSync(join(project, PATH), 'utf8'), PATH);
  expect(archive.altered, at).toEqual([]);
  expect(
    archive.contributions.map((c) => c.text),
    at,
  ).toEqual(debate().map((c) => c.text));
  expect(
    archive.late.map((l) => l.bytes),
    at,
  ).toEqual([4]);
  expect(existsSync(join(project, 'memory', 'shared', 'council-test.md')), at).toBe(false);
  expect(readdirSync(join(project, 'memory', 'shared', '.tmp')), at).toEqual([]);
  expect(existsSync(join(dir, 'state', 'council', CONVERSATION, '.archived')), at).toBe(true);
}

describe.each(['SIGKILL', 'ENOSPC'])('archiving with %s at every file system call', (failure) => {
  it('finishes with the next command, with one whole archive and no temp file', async () => {
    const counted = fresh(`${failure}-count`);
    const file = join(base, 'calls');
    expect(await run(counted, { FAIL_COUNT_FILE: file })).toEqual({ code: 0, output: `${PATH}\n` });
    expectArchived(counted, 'without a failure');
    const calls = Number(readFileSync(file, 'utf8'));
    expect(calls).toBeGreaterThan(15);
    const points = takeOneIn(
      4,
      Array.from({ length: calls }, (_, i) => i + 1),
    );
    await inParallel(points, 3, async (n) => {
      const dir = fresh(`${failure}-${n}`);
      const first = await run(dir, { FAIL_AT: String(n), FAIL_WITH: failure });
      if (failure === 'SIGKILL') expect([n, first.code]).toEqual([n, null]);
      else if (first.code !== 0) expect([n, first.output]).toEqual([n, expect.stringContaining('ENOSPC')]);
      const next = await run(dir);
      expect([n, next.code]).toEqual([n, 0]);
      expect([`${PATH}\n`, 'gone\n'], `call ${n}`).toContain(next.output);
      expectArchived(dir, `call ${n}`);
      rmSync(dir, { recursive: true });
    });
  });
});
