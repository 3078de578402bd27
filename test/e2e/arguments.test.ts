import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLI, filesIn, newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Failed, Responded } from '../helpers/documents.ts';
import { overStdio } from '../helpers/mcp.ts';
import { addAgent } from '../helpers/speakers.ts';
import { takeOneIn } from '../helpers/long.ts';

/** Runs the CLI with arguments in the shell's own notation: $'…\xe9' is how bytes that are no UTF-8 get there. */
async function inBash(project: Project, line: string): Promise<{ code: number | null; text: string }> {
  const script = `${line.replace(/\bcouncil\b/, '"$NODE" "$CLI"')}`;
  const env = { ...project.env, NODE: process.execPath, CLI };
  const child = spawn('bash', ['-c', script], { cwd: project.root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => (text += bytes.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, text };
}

async function table(): Promise<Project> {
  const project = await newProject();
  for (const id of ['ana', 'bob']) addAgent(project, id);
  return project;
}

const everythingIn = (project: Project): string[] =>
  [project.root, project.privateDir].flatMap((dir) =>
    filesIn(dir).map((path) => path + fs.statSync(path).size),
  );

describe.concurrent('what a command line may hold', () => {
  it.each(
    takeOneIn(3, [
      [`council start $'caf\\xe9 or tea?'`, 'The argument topic'],
      [`council start T --option $'caf\\xe9' --option tea`, 'The option --option'],
      [`council start T --recuse $'ana:na\\xefve'`, 'The option --recuse'],
      [`council cancel --why $'no caf\\xe9'`, 'The option --why'],
      [`council respond ana --block $'caf\\xe9' --file COUNCIL.md`, 'The option --block'],
      [`council search $'caf\\xe9'`, 'The argument words'],
      [`council agents add eve --title $'\\xc9ve'`, 'The option --title'],
      [`council agents add eve -- node $'caf\\xe9.mjs'`, 'The argument command'],
      [`COUNCIL_NAME=$'caf\\xe9' council status`, 'The environment variable COUNCIL_NAME'],
    ]),
  )('fault 8: bytes that are not UTF-8 are refused, and change nothing: %s', async (line, what) => {
    const project = await table();
    const before = everythingIn(project);
    const { code, text } = await inBash(project, line);
    expect({ code, text }).toEqual({ code: 1, text: expect.stringContaining(`${what} is not valid UTF-8`) });
    expect(everythingIn(project)).toEqual(before);
  });

  it.each(
    takeOneIn(3, [
      ['start', ['start', 'One\n## Two'], 'The argument topic'],
      ['option', ['start', 'T', '--option', 'a\nb', '--option', 'c'], 'The option --option'],
      ['recuse', ['start', 'T', '--recuse', 'ana:why\n\n## Metadata'], 'The option --recuse'],
      ['excuse', ['excuse', 'ana', '--why', 'a\u2028b'], 'The option --why'],
      ['block', ['respond', 'ana', '--block', 'a\rb'], 'The option --block'],
      ['title', ['agents', 'add', 'eve', '--title', 'Eve\ncommand: [x]'], 'The option --title'],
    ]),
  )('fault 8: a line break in an argument is refused: %s', async (_, args, what) => {
    const project = await table();
    const before = everythingIn(project);
    const run = await project.council<Failed>([...args, '--json'], { input: 'Said.' });
    expect({ code: run.code, error: run.json.error }).toEqual({
      code: 2,
      error: {
        code: 'usage',
        message: expect.stringContaining(`${what} has a line break`),
        hint: expect.stringContaining('--brief FILE'),
      },
    });
    expect(everythingIn(project)).toEqual(before);
  });

  it('fault 8: a line break in a setting of the environment is refused', async () => {
    const project = await table();
    const { code, stderr } = await project.council(['start', 'T'], { env: { COUNCIL_MODE: 'debate\n' } });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('The environment variable COUNCIL_MODE has a line break'),
    });
  });

  it('fault 8: takes a replacement character that somebody wrote, and the lines of a program', async () => {
    const project = await table();
    const start = await project.council<{ name: string }>([
      'start',
      'What does \uFFFD stand for?',
      '--rule',
      'none',
      '--json',
    ]);
    expect({ code: start.code, stderr: start.stderr }).toEqual({ code: 0, stderr: '' });
    expect((await project.council(['status'])).stdout).toContain('What does \uFFFD stand for?');
    const program = 'console.log("one");\nconsole.log("two");';
    expect((await project.council(['agents', 'add', 'eve', '--', 'node', '-e', program])).code).toBe(0);
    const shown = await project.council<{ command: string[] }>(['agents', 'show', 'eve', '--json']);
    expect(shown.json.command).toEqual(['node', '-e', program]);
  });

  it('fault 8: what comes over MCP is held to the same', async () => {
    const project = await table();
    const client = await overStdio('v2', project);
    try {
      const start = await client.call<Failed>('start', { topic: 'One\n## Two', agents: ['ana', 'bob'] });
      expect({ isError: start.isError, message: start.json.error.message }).toEqual({
        isError: true,
        message: expect.stringContaining('The argument topic has a line break'),
      });
      await client.call('start', { topic: 'One', agents: ['ana', 'bob'] });
      const half = await client.call<Failed>('respond', { agent: 'ana', text: 'Half \ud800 of it.' });
      expect({ isError: half.isError, code: half.json.error.code }).toEqual({
        isError: true,
        code: 'invalid_text',
      });
      const issue = await client.call<Failed>('respond', { agent: 'ana', text: 'No.', block: ['a\nb'] });
      expect(issue.json.error.message).toContain('The argument block has a line break');
      const many = await client.call<Failed>('search', { query: 'x', limit: 0 });
      expect({ isError: many.isError, error: many.json.error }).toMatchObject({
        isError: true,
        error: {
          code: 'usage',
          message: 'The argument limit must be a whole number from 1 on; received 0.',
        },
      });
      const silent = await client.call<Failed>('respond', { agent: 'ana' });
      expect(silent.json.error.message).toContain('The argument text is missing');
      const whole = await client.call<Responded>('respond', { agent: 'ana', text: 'Two\nlines.' });
      expect(whole.json.accepted).toBe(true);
    } finally {
      await client.close();
    }
  });
});

describe.concurrent('how much an agent may say', () => {
  it('fault 8: maxOutput above the limit of a contribution is refused when the file is read', async () => {
    const project = await newProject();
    const mark = join(project.outside, 'launched');
    const program = `require('fs').appendFileSync(${JSON.stringify(mark)}, 'x')`;
    project.write(
      'agents/big.md',
      `---\nname: big\ncouncil:\n  maxOutput: 1048577\n  command: [node, -e, ${JSON.stringify(program)}]\n---\n`,
    );
    addAgent(project, 'ana');
    const check = await project.council(['agents', 'check']);
    expect(check.code).toBe(1);
    expect(check.stdout).toContain(
      '"council.maxOutput" must be a whole number of bytes up to 1048576 (1 MiB), the limit of a contribution',
    );
    const start = await project.council<Failed>(['start', 'T', '--agents', 'big,ana', '--json']);
    expect(start.code).toBe(2);
    expect(start.json.error.hint).toContain('"council.maxOutput" must be');
    await project.council(['start', 'T']);
    await project.council(['tick']);
    expect(fs.existsSync(mark)).toBe(false);
  });
});
