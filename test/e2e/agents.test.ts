import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Status } from '../helpers/documents.ts';
import { exported } from '../helpers/look.ts';
import { addSpeaker, launches } from '../helpers/speakers.ts';
import { quoteShellWord } from '../../src/core/base/text.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

describe.concurrent('agents and modes of a project', () => {
  it('finds agents in four places, the first one of an id wins, and start seats those of agents/ only', async () => {
    const project = await newProject();
    const agent = (name: string, persona: string) =>
      `---\nname: ${name}\ndescription: Use when: in doubt\ntools: Read, Grep\nmodel: some-model\ncolor: purple\n---\n${persona}\n`;
    project.write('agents/ana.md', agent('ana', 'own'));
    project.write('.claude/agents/ana.md', agent('ana', 'hidden'));
    project.write('.claude/agents/clara.md', agent('clara', 'claude'));
    fs.mkdirSync(join(project.env.HOME!, '.claude/agents'), { recursive: true });
    fs.writeFileSync(join(project.env.HOME!, '.claude/agents/ursula.md'), agent('Not An Id', 'user'));
    project.write('.opencode/agents/otto.md', 'opencode, no front matter');
    const { json } = await project.council<{
      agents: {
        id: string;
        source: string;
        persona: string;
        tools: string[];
        runner: string;
        description: string;
      }[];
    }>(['agents', 'list', '--json']);
    expect(
      json.agents.filter((a) => a.source !== 'built-in').map((a) => `${a.id} ${a.source} ${a.persona}`),
    ).toEqual([
      'ana project own',
      'clara claude claude',
      'ursula user user',
      'otto opencode opencode, no front matter',
    ]);
    expect(json.agents[0]).toMatchObject({
      tools: ['Read', 'Grep'],
      runner: 'human',
      description: 'Use when: in doubt',
    });
    await project.council(['start', 'Who sits?']);
    expect(
      Object.keys((await project.council<Status>(['status', '--json'])).json.councils[0]!.participants),
    ).toEqual(['ana']);
    expect(
      (await project.council(['start', 'All', '--name', 'all', '--agents', 'otto,ursula,clara,ana'])).code,
    ).toBe(0);
  });

  it('adds, checks and removes agents', async () => {
    const project = await newProject();
    const added = await project.council([
      'agents',
      'add',
      'henry',
      '--title',
      'Henry',
      '--emoji',
      '🦉',
      '--input',
      'json',
      '--timeout',
      '45s',
      '--env',
      'MY_TOKEN',
      '--json',
      '--',
      process.execPath,
      '-e',
      'process.stdin.pipe(process.stdout)',
      'word',
      '--flag',
    ]);
    expect(added).toMatchObject({
      code: 0,
      json: { id: 'henry', path: join(project.root, 'agents/henry.md'), runner: 'command' },
    });
    const shown = await project.council(['agents', 'show', 'henry', '--json']);
    expect(shown.json).toMatchObject({
      title: 'Henry',
      emoji: '🦉',
      input: 'json',
      timeout: 45_000,
      env: ['MY_TOKEN'],
      command: [process.execPath, '-e', 'process.stdin.pipe(process.stdout)', 'word', '--flag'],
    });
    expect((await project.council(['agents', 'show', 'henry'])).stdout).toContain(
      `${quoteShellWord(process.execPath)} -e 'process.stdin.pipe(process.stdout)' word --flag`,
    );
    const twice = await project.council(['start', 'Which?', '--name', 'twice', '--agents', 'henry,henry']);
    expect(twice.stderr).toContain('Wrote agents/henry-2.md for henry.');
    await project.council(['agents', 'remove', 'henry-2', '--yes']);
    expect(await project.council(['agents', 'check', 'henry'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('MY_TOKEN') as string,
    });
    const broken = await project.council(['agents', 'add', 'broken', '--', 'no-such-program-anywhere']);
    expect(broken.stderr).toContain('broken cannot answer yet: The program "no-such-program-anywhere"');
    expect(await project.council(['agents', 'check'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('not on PATH') as string,
    });
    expect((await project.council(['agents', 'remove', 'broken', '--yes'])).code).toBe(0);
    const preset = ['agents', 'add', 'claude', '--runner', 'claude', '--model', 'opus', '--json'];
    expect((await project.council(preset)).json).toMatchObject({ id: 'claude', runner: 'claude' });
    const claude = await project.council(['agents', 'show', 'claude', '--json']);
    expect(claude.json).toMatchObject({ runner: 'claude', model: 'opus', command: [] });
    const unknown = await project.council(['agents', 'add', 'x', '--runner', 'shell']);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('opencode') as string });
    expect((await project.council(['agents', 'add', 'x', '--runner', 'acp'])).code).toBe(2);
    expect(fs.existsSync(join(project.root, 'agents/x.md'))).toBe(false);
    expect((await project.council(['agents', 'remove', 'claude', '--yes'])).code).toBe(0);
    const run = await project.council<{ archive: string }>(['run', 'Echo', '--mode', 'synthesis', '--json']);
    const { contributions } = await exported(project, run.json.archive);
    // What it echoed is the view as one JSON document.
    expect(JSON.parse(contributions[0]!.text)).toMatchObject({
      participant: 'henry',
      phase: 'COLLECT',
      tour: 1,
      brief: 'Echo',
      contributions: [],
    });
  });

  long('makes no project for a command line that is wrong', async () => {
    const project = await newProject({ init: false });
    for (const wrong of [
      ['--runner', 'nobody'],
      ['--input', 'xml'],
    ])
      expect((await project.council(['agents', 'add', 'ana', ...wrong])).code).toBe(2);
    expect(fs.readdirSync(project.root)).toEqual([]);
  });

  long('seats a program by its name, with the persona apart from the prompt', async () => {
    const project = await newProject();
    const bin = join(project.root, '..', 'bin');
    fs.mkdirSync(bin);
    // Plays Claude Code: what it was told comes back as its answer.
    const program = `#!/usr/bin/env node
      const { readFileSync } = require('node:fs');
      const { argv, env } = process;
      // The coordinator has no persona.
      const given = argv.indexOf('--system-prompt-file');
      const heard = { persona: given < 0 ? '' : readFileSync(argv[given + 1], 'utf8'),
        model: argv[argv.indexOf('--model') + 1], key: env.ANTHROPIC_API_KEY, sentinel: env.SENTINEL, prompt: readFileSync(0, 'utf8') };
      console.log(JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: JSON.stringify(heard), total_cost_usd: 0.01 }));`;
    fs.writeFileSync(join(bin, 'claude'), program, { mode: 0o755 });
    const env = { PATH: `${bin}:${project.env.PATH}`, ANTHROPIC_API_KEY: 'key-1', SENTINEL: 'leak' };
    project.write(
      'agents/ada.md',
      '---\nmodel: opus\ncouncil: { runner: claude }\n---\n\nYou doubt everything.\n',
    );
    const hear = async (coordinator: string[]): Promise<Record<string, string>> => {
      const args = ['run', 'Buy?', '--mode', 'synthesis', ...coordinator, '--json'];
      const run = await project.council<{ archive: string }>(args, { env });
      const { contributions } = await exported(project, run.json.archive);
      return JSON.parse(contributions[0]!.text) as Record<string, string>;
    };
    const heard = await hear(['--coordinator', 'none']);
    expect(heard).toMatchObject({ persona: 'You doubt everything.', model: 'opus', key: 'key-1' });
    expect(heard).not.toHaveProperty('sentinel');
    expect(heard.prompt).toContain('Buy?');
    expect(heard.prompt).not.toContain('You doubt everything.');
    // The coordinator borrows the program: both begin with the same words.
    const shared = await hear([]);
    expect(shared.persona).not.toContain('You doubt everything.');
    expect(shared.prompt).toContain('You doubt everything.');
  });

  long('has modes of its own, which win over those of council', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada');
    project.write(
      'modes/quick.md',
      '---\ndescription: One question, one answer.\nphases: [COLLECT, SYNTHESIZE]\ntimeout: 5m\nanonymous: false\n---\n\n## COLLECT\n\nBe quick.\n\n## SYNTHESIZE\n\nSum up.\n',
    );
    project.write(
      'modes/review.md',
      '---\ndescription: Ours.\nphases: [COLLECT, SYNTHESIZE]\ntimeout: 5m\n---\n\n## COLLECT\n\nReview as we do.\n\n## SYNTHESIZE\n\nSum up.\n',
    );
    const { json } = await project.council<{
      modes: { name: string; description: string; phases: string[]; timeout: number }[];
    }>(['modes', '--json']);
    expect(json.modes.map((m) => m.name)).toEqual([
      'analysis',
      'check',
      'code',
      'debate',
      'prd',
      'quick',
      'rank',
      'review',
      'synthesis',
    ]);
    expect(json.modes.find((m) => m.name === 'quick')).toMatchObject({
      description: 'One question, one answer.',
      phases: ['COLLECT', 'SYNTHESIZE'],
      timeout: 300_000,
    });
    for (const [mode, instruction] of [
      ['quick', 'Be quick.'],
      ['review', 'Review as we do.'],
    ] as const) {
      expect((await project.council(['run', 'x', '--mode', mode])).code).toBe(0);
      expect(launches(project).at(-1)!.input).toContain(instruction);
    }
    project.write('modes/quick.md', '---\nphases: [CHALLENGE]\n---\n');
    const broken = await project.council<{ error: { code: string; message: string } }>([
      'start',
      'x',
      '--mode',
      'quick',
      '--json',
    ]);
    expect({ code: broken.code, error: broken.json.error }).toMatchObject({
      code: 2,
      error: { code: 'invalid_mode', message: expect.stringContaining('modes/quick.md') as string },
    });
  });

  it('gives a program an allowlist of variables, what it declares, and where it is', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', {}, { env: ['MY_TOKEN', 'UNSET'] });
    await project.council(['start', 'Which?', '--name', 'env']);
    await project.council(['tick'], { env: { MY_TOKEN: 'token', OTHER_SECRET: 'other', LC_ALL: 'C.UTF-8' } });
    const { env } = launches(project)[0]!;
    expect(env).toMatchObject({
      MY_TOKEN: 'token',
      LC_ALL: 'C.UTF-8',
      PATH: project.env.PATH,
      HOME: project.env.HOME,
      COUNCIL_ROOT: project.root,
      COUNCIL_NAME: 'env',
      COUNCIL_PARTICIPANT: 'ada',
      COUNCIL_TOUR: '1',
    });
    for (const name of ['OTHER_SECRET', 'UNSET']) expect(env).not.toHaveProperty(name);
  });
});
