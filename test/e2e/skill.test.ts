import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listOptions } from '../../src/core/cli/options.ts';
import { specs } from '../../src/program/specs.ts';
import { readFrontMatter } from '../../src/core/base/front-matter.ts';
import { filesIn, newProject } from '../helpers/cli.ts';
import type { Failed } from '../helpers/documents.ts';

const TEMPLATE = join(import.meta.dirname, '../../templates/skills/council/SKILL.md');
const CLAUDE = '.claude/skills/council/SKILL.md';
const SHARED = '.agents/skills/council/SKILL.md';

describe('council skill install', () => {
  it('writes the skill where agents look for it, once', async () => {
    const project = await newProject();
    const first = await project.council<{ files: string[]; installed: string[] }>([
      'skill',
      'install',
      '--json',
    ]);
    const both = [CLAUDE, SHARED].map((path) => join(project.root, path));
    const all = both.flatMap((path) => [path, join(dirname(path), 'HEARTBEAT-COUNCIL.md')]);
    expect(first.json).toMatchObject({ files: all, installed: all });
    for (const path of both) expect(fs.readFileSync(path)).toEqual(fs.readFileSync(TEMPLATE));
    const again = await project.council(['skill', 'install']);
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toContain('Already there');

    fs.appendFileSync(both[0]!, 'mine');
    fs.rmSync(both[1]!);
    const refused = await project.council<Failed>(['skill', 'install', '--json']);
    expect(refused).toMatchObject({ code: 1, json: { error: { code: 'name_taken' } } });
    expect(fs.readFileSync(both[0]!, 'utf8')).toMatch(/mine$/);
    expect(fs.existsSync(both[1]!)).toBe(false);
    expect((await project.council(['skill', 'install', '--force'])).code).toBe(0);
    expect(fs.readFileSync(both[0]!)).toEqual(fs.readFileSync(TEMPLATE));
  });

  it.each([
    ['claude', CLAUDE],
    ['codex', SHARED],
    ['gemini', SHARED],
    ['opencode', SHARED],
    ['openclaw', SHARED],
  ])('writes for %s into the folder that it reads', async (agent, path) => {
    const project = await newProject();
    expect((await project.council(['skill', 'install', '--for', agent])).code).toBe(0);
    expect(filesIn(project.root).filter((file) => file.endsWith('SKILL.md'))).toEqual([
      join(project.root, path),
    ]);
  });

  it('writes the file that the documents have OpenClaw follow', async () => {
    const project = await newProject();
    await project.council(['skill', 'install', '--for', 'openclaw']);
    const page = fs.readFileSync(join(import.meta.dirname, '../../docs/server/mcp.md'), 'utf8');
    const [, named] = /--message "In the project folder follow (\S+)\. My agent id/.exec(page)!;
    expect(fs.readFileSync(join(project.root, named!), 'utf8')).toMatch(/^# Councils, at every heartbeat/);
  });

  it('refuses what it does not know', async () => {
    const project = await newProject();
    for (const args of [['remove'], ['install', '--for', 'toString'], []])
      expect((await project.council(['skill', ...args])).code).toBe(2);
  });
});

describe('the skill', () => {
  const text = fs.readFileSync(TEMPLATE, 'utf8');

  it('has the front matter of the format', () => {
    const { data } = readFrontMatter(text, TEMPLATE);
    expect(data.name).toBe('council');
    expect(String(data.description).length).toBeLessThanOrEqual(1024);
  });

  it('names only commands and options that exist', () => {
    const said = [...text.matchAll(/(?:^ *|`)council ([a-z]+)([^`\n]*)/gm)];
    expect(said.length).toBeGreaterThan(8);
    for (const [line, name, rest] of said) {
      const spec = specs.find((one) => one.name === name);
      expect({ line, known: spec !== undefined }).toEqual({ line, known: true });
      const flags = [...rest!.matchAll(/--[a-z-]+/g)]
        .map(([flag]) => flag)
        .filter((flag) => flag !== '--json');
      for (const flag of flags)
        expect(listOptions(spec!.fields).map((option) => option.flags.split(' ')[0])).toContain(flag);
    }
  });
});
