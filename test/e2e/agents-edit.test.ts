import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import { onTerminal } from '../helpers/pty.ts';

const YES = '\r';

describe.concurrent('agents edit', () => {
  it('changes a file and leaves the rest of it alone', async () => {
    const project = await newProject();
    project.write(
      'agents/ana.md',
      '---\nname: ana\n# a person so far\ncouncil:\n  title: Ana # her name\n---\n\nYou are Ana.\n',
    );
    const edited = await project.council<{ changed: string[] }>(
      'agents edit ana --role worker --capability web_search --capability our_own --max-depth 0 --temperature 0 --max-tokens 4096 --enable-thinking false --risk high --json'.split(
        ' ',
      ),
    );
    expect(edited.code).toBe(0);
    expect(edited.json.changed.toSorted()).toEqual([
      'capabilities',
      'enable_thinking',
      'max_depth',
      'max_tokens',
      'risk',
      'role',
      'temperature',
    ]);
    const text = readFileSync(join(project.root, 'agents/ana.md'), 'utf8');
    expect(text).toContain('# a person so far');
    expect(text).toContain('title: Ana # her name');
    expect(text).toContain('\nYou are Ana.\n');
    const { json } = await project.council<object>(['agents', 'show', 'ana', '--json']);
    expect(json).toMatchObject({
      role: 'worker',
      max_depth: 0,
      temperature: 0,
      capabilities: ['web_search', 'our_own'],
    });
    expect((await project.council(['agents', 'show', 'ana'])).stdout).toContain('max_depth 0');
    await project.council(
      ['agents', 'edit', 'ana', '--unset', 'max_depth', '--capability', '', '--persona', '-'],
      {
        input: 'You are somebody else.\n',
      },
    );
    expect((await project.council<object>(['agents', 'show', 'ana', '--json'])).json).toMatchObject({
      max_depth: null,
      capabilities: [],
      persona: 'You are somebody else.',
    });
  });

  it.each([
    ['--temperature 2.5', 2, 'must be a number from 0 to 2'],
    ['--max-tokens 255', 2, 'a whole number from 256 to 128000'],
    ['--max-tool-iterations 0', 2, 'a whole number from 1 to 200'],
    ['--max-depth 6', 2, 'a whole number from 0 to 5'],
    ['--role boss', 2, 'orchestrator, leader or worker'],
    ['--lifecycle temporary', 2, 'The lifecycle of ana cannot be changed: it is permanent'],
    ['--ttl 1h', 2, 'beside lifecycle: temporary'],
    ['--unset name', 2, 'Keys: title'],
    ['', 2, 'What should change in ana'],
    ['--runner command', 2, 'must be a list of a program'],
  ])('refuses %s, and changes nothing', async (options, code, words) => {
    const project = await newProject();
    await project.council(['agents', 'add', 'ana', '--runner', 'human', '--title', 'Ana']);
    const path = join(project.root, 'agents/ana.md');
    const before = readFileSync(path, 'utf8');
    const told = await project.council(['agents', 'edit', 'ana', ...options.split(' ').filter(Boolean)]);
    expect([told.code, told.stderr]).toEqual([code, expect.stringContaining(words)]);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  it('keeps a persona within its limits', async () => {
    const project = await newProject();
    const add = (id: string, length: number) =>
      project.council(['agents', 'add', id, '--runner', 'human', '--persona', '-'], {
        input: 'é'.repeat(length),
      });
    expect((await add('long', 10_000)).code).toBe(0);
    expect((await add('longer', 10_001)).stderr).toContain('1 to 10000 characters; it has 10001');
    expect((await add('empty', 0)).code).not.toBe(0);
  });

  it('asks on a terminal, again where an answer cannot be, and takes Enter for what holds', async () => {
    const project = await newProject();
    const adding = onTerminal(project, ['agents', 'add', 'scout']);
    const answer = async (question: string, text: string): Promise<void> => {
      await adding.shows(`${question} (`);
      adding.type(`${text}${YES}`);
    };
    await answer('Shown name', 'Scout');
    await answer('Runner', 'model');
    await answer('Provider', 'mistral');
    await answer('Model', 'mistral-large');
    await answer('Role', 'boss');
    await adding.shows('must be orchestrator, leader or worker');
    const isAskedAgain = async () => (await adding.lines()).join('\n').split('Role (').length > 2;
    await until('the role is asked for again', isAskedAgain);
    adding.type(`worker${YES}`);
    await answer('Lifecycle', 'temporary');
    await answer('Time to live', '1h');
    await answer('Capabilities', 'web_search, summarize');
    await answer('Temperature', '0');
    for (const question of ['Tokens of an answer', 'Rounds of tools', 'Thinking', 'Tools', 'MCP servers'])
      await answer(question, '');
    await adding.shows('Who it is');
    adding.type(`You find things.${YES}`);
    expect((await adding.ended).code).toBe(0);
    expect((await project.council<object>(['agents', 'show', 'scout', '--json'])).json).toMatchObject({
      title: 'Scout',
      runner: 'model',
      model: 'mistral/mistral-large',
      role: 'worker',
      lifecycle: 'temporary',
      ttl: 3_600_000,
      capabilities: ['web_search', 'summarize'],
      temperature: 0,
      persona: 'You find things.',
    });
  });

  it('knows a temporary agent until its time is over, and can still change and remove it', async () => {
    const project = await newProject();
    for (const id of ['brief', 'lasting'])
      await project.council([
        'agents',
        'add',
        id,
        '--runner',
        'human',
        '--lifecycle',
        'temporary',
        '--ttl',
        '1h',
        '--role',
        'worker',
      ]);
    const path = join(project.root, 'agents/brief.md');
    const known = async (): Promise<string> => (await project.council(['agents'])).stdout;
    expect(await known()).toContain('brief');
    const before = new Date(Date.now() - 3_601_000);
    utimesSync(path, before, before);
    expect(await known()).not.toContain('brief');
    expect(await known()).toContain('lasting');
    expect((await project.council(['send', 'brief', 'Are you there?'])).code).toBe(2);
    expect((await project.council(['agents', 'add', 'brief', '--runner', 'human'])).stderr).toContain(
      'council agents remove brief',
    );
    expect((await project.council(['agents', 'edit', 'brief', '--ttl', '2h'])).code).toBe(0);
    expect(await known()).toContain('brief');
    utimesSync(path, new Date(0), new Date(0));
    expect((await project.council(['agents', 'remove', 'brief', '--yes'])).code).toBe(0);
    expect(existsSync(path)).toBe(false);
  });

  it('removes temporary agents that are over when tasks are played, and nobody else', async () => {
    const project = await newProject();
    const agent = (id: string, more: string) =>
      project.write(`agents/${id}.md`, `---\nname: ${id}\ncouncil:\n  command: [sh, w.sh]\n${more}---\n`);
    project.write('w.sh', 'cat > /dev/null; echo done\n');
    const temporary = '  lifecycle: temporary\n';
    const [brief, young, lasting, old] = [
      agent('brief', `${temporary}  ttl: 1h\n`),
      agent('young', `${temporary}  ttl: 1h\n`),
      agent('lasting', temporary),
      agent('old', ''),
    ];
    const there = () => [brief, young, lasting, old].map((path) => existsSync(path));
    const lines = (as: string, line: string) =>
      project.council(['agents', 'register', '--as', as], { input: `${line}\n` });
    await lines('brief', 'M1|W1>O1|J|T0|-|-|-|0|S0|-|caps=plan');
    await lines('lasting', 'M2|W2>O1|J|T0|-|-|-|0|S0|-|caps=plan');
    await lines('old', 'M3|W3>O1|J|T0|-|-|-|0|S0|-|caps=plan');
    utimesSync(brief, new Date(0), new Date(0));
    utimesSync(old, new Date(0), new Date(0));

    await project.council(['task', 'run', 'x', '--explain']);
    expect(there()).toEqual([true, true, true, true]);
    const ran = await project.council(['task', 'run', 'x', '--to', 'old', '--json']);
    expect(ran.stderr).toContain('brief was temporary and its time is over: agents/brief.md is removed.');
    expect(there()).toEqual([false, true, true, true]);
    // Again after somebody died in between: what is left goes, what is done stays done.
    expect((await project.council(['task', 'run', 'y', '--to', 'old'])).stderr).not.toContain('brief');

    const left = await lines('lasting', 'M5|W2>O1|L|T0|-|-|-|0|S0|-|reason=done');
    expect(left.stderr).toContain('lasting was temporary and has left: agents/lasting.md is removed.');
    await lines('old', 'M6|W3>O1|L|T0|-|-|-|0|S0|-|reason=done');
    expect(there()).toEqual([false, true, false, true]);
    const { json } = await project.council<{ agents: { id: string; tasks: { done: number } }[] }>([
      'agents',
      'metrics',
      '--json',
    ]);
    expect(json.agents.find(({ id }) => id === 'old')?.tasks.done).toBe(2);
  });

  it('asks before it removes on a terminal, and not with --yes', async () => {
    const project = await newProject();
    for (const id of ['ana', 'ben', 'cyd'])
      await project.council(['agents', 'add', id, '--runner', 'human', '--title', id]);
    const path = (id: string): string => join(project.root, `agents/${id}.md`);
    const asking = onTerminal(project, ['agents', 'remove', 'ana']);
    await asking.shows('[y/N]');
    asking.type(`n${YES}`);
    expect((await asking.ended).code).toBe(1);
    expect(existsSync(path('ana'))).toBe(true);
    const sure = onTerminal(project, ['agents', 'remove', 'ana']);
    await sure.shows('[y/N]');
    sure.type(`y${YES}`);
    expect((await sure.ended).code).toBe(0);
    expect((await onTerminal(project, ['agents', 'remove', 'ben', '--yes']).ended).code).toBe(0);
    expect((await project.council(['agents', 'remove', 'cyd', '--yes', '--json'])).code).toBe(0);
    expect(['ana', 'ben', 'cyd'].map((id) => existsSync(path(id)))).toEqual([false, false, false]);
  });

  it('refuse a tool that nobody has, and are removed without a terminal only with --yes', async () => {
    const project = await newProject();
    const add = (id: string, ...more: string[]) =>
      project.council(['agents', 'add', id, ...more, '--', 'echo', 'hi']);
    const refused = await add('mia', '--tool', 'UnknownTool');
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('There is no tool UnknownTool: council has memory, todo, calculator');
    expect((await add('mia', '--tool', 'MemoryTool')).code).toBe(0);
    expect((await project.council(['agents', 'edit', 'mia', '--tool', 'Look'])).code).toBe(2);
    await project.council(['agents', 'add', 'ana']);
    expect((await project.council(['agents', 'edit', 'ana', '--tool', 'Look'])).code).toBe(2);
    const file = join(project.root, 'agents/mia.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace('MemoryTool', 'Look'));
    const { stdout } = await project.council(['agents', 'check', 'mia']);
    expect(stdout).toMatch(/warning +mia[^]*There is no tool Look/);
    const unsure = await project.council(['agents', 'remove', 'mia']);
    expect(unsure).toMatchObject({ code: 2 });
    expect(unsure.stderr).toContain('council agents remove mia --yes');
    expect((await project.council(['agents', 'remove', 'mia', '--yes'])).code).toBe(0);
  });
});
