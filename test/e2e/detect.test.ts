import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Ran } from '../helpers/documents.ts';
import { exported } from '../helpers/look.ts';
import { answering, pathWith } from '../helpers/programs.ts';
import { apiOf, serving } from '../helpers/serve.ts';
import { addAgent } from '../helpers/speakers.ts';

interface Inited {
  agents: { id: string; runner: string; version: string; path: string }[];
  notSeated: { program: string; reason: string }[];
}

/** As claude prints it. */
const ANSWER = '{"type":"result","subtype":"success","is_error":false,"result":"ready"}';
const agentsOf = (project: Project): string[] => fs.readdirSync(join(project.root, 'agents')).sort();
const file = (project: Project, id: string): string => project.read(`agents/${id}.md`).toString();

describe.concurrent('init', () => {
  it('writes agent files for the programs on PATH that answer, and tells why for the others', async () => {
    const project = await newProject({ init: false });
    const PATH = pathWith(project, {
      claude: answering('2.1.0 (Claude Code)'),
      codex: 'echo "codex: no terminal" >&2; exit 3',
      llm: 'exit 0',
      ollama: 'if [ "$1" = list ]; then printf "NAME ID SIZE\\nsmall:1b  a80c  1 GB\\n"; else echo 0.5.7; fi',
    });
    expect((await project.council(['agents'], { env: { PATH } })).stderr).toContain(
      'On PATH, but not seated: claude, codex, llm. Seat them with: council init',
    );
    const { code, json } = await project.council<Inited>(['init', '--json'], { env: { PATH } });
    expect(code).toBe(0);
    expect(json.agents).toEqual([
      { id: 'claude', runner: 'claude', version: '2.1.0', path: join(project.root, 'agents/claude.md') },
      { id: 'ollama', runner: 'ollama', version: '0.5.7', path: join(project.root, 'agents/ollama.md') },
    ]);
    expect(json.notSeated.map(({ program, reason }) => [program, reason])).toEqual([
      ['codex', expect.stringContaining('exit code 3: codex: no terminal')],
      ['llm', expect.stringContaining('printed nothing')],
    ]);
    expect(agentsOf(project)).toEqual(['claude.md', 'ollama.md']);
    expect(file(project, 'claude')).toMatch(/^ {2}runner: claude$/m);
    expect(file(project, 'claude')).toMatch(/^ {2}emoji: 🟠$/m);
    expect(file(project, 'ollama')).toMatch(/^model: ['"]?small:1b['"]?$/m);
    const listed = await project.council(['agents']);
    expect(listed.stdout).toContain('🟠 claude (Claude Code)');
    expect(listed.stderr).toBe('');
  });

  it('overwrites nothing, seats no program twice, and looks for none with --no-detect', async () => {
    const project = await newProject();
    const env = {
      PATH: pathWith(project, {
        claude: answering('2.1.0'),
        codex: answering('0.169.0'),
        gemini: answering('0.61.0'),
        ollama: 'if [ "$1" = list ]; then echo "NAME ID SIZE"; else echo 0.5.7; fi',
      }),
    };
    expect((await project.council<Inited>(['init', '--no-detect', '--json'], { env })).json.agents).toEqual(
      [],
    );
    addAgent(project, 'sage', { runner: 'claude' });
    addAgent(project, 'codex');
    const { json, stdout } = await project.council<Inited>(['init', '--json'], { env });
    expect({ written: json.agents.map(({ id }) => id), stdout }).toMatchObject({ written: ['gemini'] });
    expect(json.notSeated).toEqual([
      { program: 'ollama', path: join(env.PATH, 'ollama'), reason: 'it has no model yet' },
    ]);
    expect(agentsOf(project)).toEqual(['codex.md', 'gemini.md', 'sage.md']);
    expect(file(project, 'codex')).not.toContain('runner');
    const again = await project.council(['init'], { env });
    expect(again.stdout).toContain('was already prepared');
    expect(again.stdout).not.toContain('wrote');
  });

  it('writes house rules in French with --lang fr', async () => {
    const project = await newProject({ lang: 'fr' });
    expect(project.read('COUNCIL.md').toString()).toMatch(/^---\nlang: fr\n/);
    addAgent(project, 'ana');
    await project.council(['start', 'Où ?']);
    const { stdout } = await project.council(['view', 'ana']);
    expect(stdout).toContain('Un nombre demande sa source');
    expect(stdout).not.toContain('A number needs its source');
  });

  it('is not the only way: agents add takes a runner and a model', async () => {
    const project = await newProject();
    const add = (...args: string[]) => project.council(['agents', 'add', ...args]);
    expect((await add('nova', '--runner', 'claude', '--model', 'some-model')).code).toBe(0);
    expect(file(project, 'nova')).toMatch(/^model: some-model\ncouncil:\n {2}runner: claude$/m);
    expect(await add('sage', '--runner', 'nothing')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Runners: human, command, claude') as string,
    });
    expect((await add('echo', '--runner', 'acp')).code).toBe(2);
    expect(agentsOf(project)).toEqual(['nova.md']);
    // What --agents takes for a seat is no command; a program that is there is.
    const seats = [
      ['llama', ['ollama/llama3'], { runner: 'model', model: 'ollama/llama3', command: [] }],
      ['opus', ['claude:opus'], { runner: 'claude', model: 'opus', command: [] }],
      ['gem', ['gemini'], { runner: 'gemini', model: null, command: [] }],
      ['shell', ['sh'], { runner: 'command', command: ['sh'] }],
      ['talk', ['ollama', 'run'], { runner: 'command', command: ['ollama', 'run'] }],
      ['lost', ['nowhere/llama3'], { runner: 'command', command: ['nowhere/llama3'] }],
    ] as const;
    for (const [id, command, made] of seats) {
      const { stderr } = await add(id, ...command);
      const isLost = id === 'talk' || id === 'lost';
      expect(stderr.includes('cannot answer yet')).toBe(isLost || id === 'opus' || id === 'gem');
      expect((await project.council(['agents', 'show', id, '--json'])).json).toMatchObject(made);
    }
  });

  it('lets a folder have a README', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    project.write('agents/README.md', '# Who is who\n');
    project.write('agents/readme.md', 'too\n');
    project.write('modes/README.md', '# Our modes\n');
    const listed = await project.council<{ agents: { id: string }[]; problems: unknown[] }>([
      'agents',
      '--json',
    ]);
    expect(listed.json.problems).toEqual([]);
    expect(listed.json.agents.map(({ id }) => id)).not.toContain('readme');
    expect((await project.council(['agents', 'check', 'ana'])).code).toBe(0);
    expect((await project.council(['modes'])).stdout).not.toMatch(/readme/i);
  });
});

describe.concurrent('run without --agents', () => {
  it('writes files for the programs it found, seats them, and says so', async () => {
    const project = await newProject({ init: false });
    const env = { PATH: pathWith(project, { claude: answering('2.1.0'), codex: answering('0.169.0') }) };
    const { stderr } = await project.council(['run', 'Who sits?', '--timeout', '1s'], { env });
    expect(stderr).toContain('Found claude 2.1.0: wrote agents/claude.md');
    expect(stderr).toContain('Participants: claude, codex.');
    expect(agentsOf(project)).toEqual(['claude.md', 'codex.md']);
  });

  it('asks a single program three times, the first time and later', async () => {
    const project = await newProject();
    const env = { PATH: pathWith(project, { claude: answering('2.1.0', ANSWER), codex: 'exit 1' }) };
    const run = (...args: string[]) =>
      project.council<Ran>(['run', 'Alone?', '--mode', 'synthesis', '--timeout', '5s', ...args, '--json'], {
        env,
      });
    const three = ['claude', 'claude-2', 'claude-3'];
    const first = await run();
    expect(first.stderr).toContain(
      'Only claude is seated here: it is asked three times (claude, claude-2, claude-3)',
    );
    expect(first.stderr).toContain(`Found codex (${join(env.PATH, 'codex')}), not seated: `);
    const archive = await exported(project, first.json.archive);
    expect(archive.meta).toMatchObject({ coordinator: 'maman' });
    expect(archive.meta.participants.map(({ id }) => id)).toEqual(three);
    for (const id of three) expect(file(project, id)).toMatch(/^ {2}runner: claude$/m);
    // What a person sets for the program holds for all of its seats; a file of another model is left alone.
    project.write('agents/claude.md', file(project, 'claude').replace('council:', 'model: small\ncouncil:'));
    const later = await run();
    expect(later.stderr).toContain('(claude, claude-4, claude-5)');
    expect(file(project, 'claude-4')).toMatch(/^model: small$/m);
    expect(agentsOf(project)).toHaveLength(5);
    const again = await run();
    expect(again.stderr).toContain('(claude, claude-4, claude-5)');
    expect(again.stderr).not.toContain('Wrote');
    const named = await run('--agents', 'claude');
    expect(named.stderr).not.toContain('Only claude is available');
  });

  it('writes a file for a program that is named beside somebody who is seated', async () => {
    const project = await newProject({ init: false });
    const PATH = pathWith(project, { claude: answering('2.1.0', ANSWER), codex: answering('0.169.0') });
    addAgent(project, 'ana');
    const start = ['run', 'Which one?', '--mode', 'synthesis', '--agents', 'claude,ana', '--timeout', '2s'];
    const { stderr } = await project.council([...start, '--coordinator', 'none', '--trust'], {
      env: { PATH },
    });
    expect(stderr).toContain('Wrote agents/claude.md for claude.');
    expect(stderr).toContain('Participants: claude, ana.');
    expect(agentsOf(project)).toEqual(['ana.md', 'claude.md']);
    const absent = await project.council(['run', 'Which?', '--agents', 'gemini,ana'], { env: { PATH } });
    expect(absent).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('council agents add gemini --runner gemini') as string,
    });
  });

  it('never looks for programs where somebody is seated', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    const log = join(project.outside, 'called');
    const env = { PATH: pathWith(project, { claude: `echo called > '${log}'; echo 2.1.0` }) };
    await project.council(['run', 'Me', '--mode', 'synthesis', '--timeout', '1s'], { env });
    project.write('panel.md', `# Panel\n\n${'We met and talked. '.repeat(5)}\n`);
    await project.council(['run', '--brief', 'panel.md', '--panel', 'offline'], { env });
    expect(fs.existsSync(log)).toBe(false);
    expect(agentsOf(project)).toEqual(['ana.md']);
  });

  it('tells before a council who cannot speak, what two come to, and who was found since', async () => {
    const project = await newProject();
    addAgent(project, 'claude', { runner: 'claude' });
    addAgent(project, 'gone', { runner: 'opencode' });
    const PATH = pathWith(project, { claude: answering('2.1.0', ANSWER), codex: answering('0.169.0') });
    const run = async (...args: string[]) =>
      project.council<Ran & { notices?: string[] }>(['run', 'Why?', '--trust', '--json', ...args], {
        env: { PATH },
      });
    // What --quiet keeps back was not told.
    await project.council(['run', 'Why?', '--trust', '--quiet'], { env: { PATH } });
    const { code, json, stderr } = await run();
    expect(json.notices).toEqual([
      'On PATH, but not seated: codex. Seat them with: council init',
      expect.stringMatching(/^gone cannot answer yet: .*"opencode" cannot be launched.*npm install/),
      expect.stringMatching(/^If the two seats disagree, it is a tie\./),
    ]);
    for (const notice of json.notices!) expect(stderr).toContain(notice);
    expect(code).toBe(1);
    expect(agentsOf(project)).toEqual(['claude.md', 'gone.md']);
    const alone = await run('--agents', 'claude');
    expect(alone.json.notices).toEqual([expect.stringMatching(/^One seat is no council/)]);
    expect((await run('--agents', 'claude,gone', '--mode', 'synthesis')).json.notices).toHaveLength(1);
  });
});

describe.concurrent('seats that have no file yet', () => {
  const programs = { claude: answering('2.1.0', ANSWER), codex: answering('0.169.0') };
  const ollama = 'if [ "$1" = list ]; then printf "NAME ID\\nsmall:1b  a\\n"; else echo 0.5.7; fi';
  const seatsIn = async (seats: string) => {
    const project = await newProject();
    const env = { PATH: pathWith(project, { ...programs, ollama }) };
    return { project, env, start: ['start', 'Which?', '--timeout', '1h', '--agents', seats, '--json'] };
  };

  it('are written and trusted for the person who asked, and found again', async () => {
    const { project, env, start } = await seatsIn(
      'claude:opus,claude,claude,codex@skeptic,mistral/large-2,ollama:small:1b',
    );
    const files = ['claude-2', 'claude-opus', 'claude', 'codex-skeptic', 'large-2', 'ollama-small-1b'];
    for (const name of ['one', 'two']) {
      expect((await project.council([...start, '--name', name], { env })).code).toBe(0);
      expect(agentsOf(project)).toEqual(files.map((id) => `${id}.md`).sort());
      const { json } = await project.council<{ councils: { participants: object }[] }>(
        ['status', '--name', name, '--json'],
        { env },
      );
      expect(JSON.stringify(json)).toContain('"claude-2"');
    }
    expect(file(project, 'claude-opus')).toMatch(/^model: opus\n(?:.*\n)* {2}seat: ['"]?claude:opus['"]?$/m);
    expect(file(project, 'codex-skeptic')).toContain('What convinces you: ');
    expect(file(project, 'large-2')).toMatch(/^model: mistral\/large-2$/m);
    const trusted = await project.council(['trust', '--list'], { env });
    expect(trusted.stdout.match(/^ {2}trusted /gm)).toHaveLength(files.length);
    // A council that names nobody seats programs as they are.
    await project.council(['run', 'All?', '--name', 'all', '--mode', 'synthesis', '--timeout', '1s'], {
      env,
    });
    expect((await project.council(['list', '--json'], { env })).stdout).not.toContain('codex-skeptic');
  });

  it('are, for all, everybody who is there and every program that is found', async () => {
    const { project, env, start } = await seatsIn('all,codex@law');
    addAgent(project, 'ana');
    const { stdout } = await project.council(start, { env });
    expect(stdout).toContain('"name"');
    expect(agentsOf(project)).toEqual(['ana.md', 'claude.md', 'codex-law.md', 'codex.md', 'ollama.md']);
  });

  it.each([
    ['claude@skeptik', 'Did you mean skeptic? Personas: '],
    ['claudee:opus', 'Did you mean claude? '],
    ['ollama:large', 'It has: small:1b.'],
    ['nobody/large', 'one of the providers anthropic, '],
    ['gemini', 'council agents add gemini --runner gemini'],
    ['claude:', 'names no model behind the colon'],
  ])('%s is refused, and nothing is written', async (seat, says) => {
    const project = await newProject({ init: false });
    const env = { PATH: pathWith(project, { ...programs, ollama }) };
    const run = (...args: string[]) => project.council(['run', 'Which?', ...args], { env });
    const refused = await run('--agents', `codex:mini,${seat}`);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(says) as string });
    expect(fs.readdirSync(project.root)).toEqual([]);
  });

  it.each([
    [['--mode', 'nosuch'], 'There is no mode'],
    [['--veto', 'ana'], 'is not a participant'],
    [['--option', 'one'], 'two or more different options'],
    [['--table', 'plan', '--mode', 'nosuch'], 'There is no mode'],
    [['--agents', 'claude:opus,codex@law', '--veto', 'ana'], 'is not a participant'],
  ])('leave nothing behind where the council is refused: %s', async (args, says) => {
    const project = await newProject({ init: false });
    const env = { PATH: pathWith(project, programs) };
    const refused = await project.council(['run', 'Which?', ...args], { env });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain(says);
    expect(fs.readdirSync(project.root)).toEqual([]);
  });

  it('are not for a client of the HTTP API, which seats who is there', async () => {
    const { project, env, start } = await seatsIn('claude:opus,codex');
    const server = await serving(project, [], env);
    const { ok, refused } = apiOf(server.url);
    for (const agents of ['claude:opus', 'codex', 'claude@law', 'mistral/large', 'claude,claude'])
      expect(await refused('start', { topic: 'Which?', agents })).toMatchObject({ code: 'unknown_agent' });
    expect(agentsOf(project)).toEqual([]);
    const table = { topic: 'Which?', agents: 'claude,codex', table: 'plan', name: 'planned' };
    expect(await refused('start', table)).toMatchObject({ code: 'unknown_agent' });
    const planned = ['start', 'Which?', '--agents', table.agents, '--table', table.table, '--name', 'plan'];
    expect((await project.council(planned, { env })).code).toBe(0);
    expect(await ok('start', table)).toMatchObject({ phase: 'COLLECT' });
    expect((await project.council([...start, '--name', 'one'], { env })).code).toBe(0);
    expect(await ok('start', { topic: 'Which?', agents: 'claude:opus,codex' })).toMatchObject({
      phase: 'COLLECT',
    });
    await server.stop();
  });

  it('say that a persona of the project speaks in place of one of the same name', async () => {
    const { project, env } = await seatsIn('codex');
    project.write('personas/skeptic.md', '---\ndescription: doubts\n---\nDoubt everything.\n');
    const started = await project.council(['start', 'Which?', '--agents', 'codex@skeptic,codex@law'], {
      env,
    });
    expect(started.stderr.match(/persona of this project/g)).toHaveLength(1);
    expect(started.stderr).toContain('personas/skeptic.md), not council');
    expect((await project.council(['agents', 'personas'], { env })).stdout).toMatch(
      /skeptic +doubts \(.*skeptic\.md, in place of council's own\)\n/,
    );
  });

  it('wait to be trusted in a folder from elsewhere', async () => {
    const project = await newProject({ init: false });
    const env = { PATH: pathWith(project, programs) };
    project.write('agents/evil.md', '---\ncouncil:\n  runner: claude\n  command: [./evil]\n---\n');
    const refused = await project.council(['run', 'Which?', '--agents', 'evil:opus,codex'], { env });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('./evil') as string });
    expect(agentsOf(project)).toEqual(['evil.md']);
    expect(fs.readdirSync(project.root)).toEqual(['agents']);
  });
});
