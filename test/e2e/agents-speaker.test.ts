import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import { fakeModel } from '../helpers/fake-model.ts';
import { answering, pathWith } from '../helpers/programs.ts';
import { addAgent, addSpeaker, launches } from '../helpers/speakers.ts';

describe.concurrent('agents add, from an id alone', () => {
  it('says what it takes a word for, and writes nothing where that is a program that cannot be had', async () => {
    const project = await newProject({ init: false });
    const env = { PATH: pathWith(project, { codex: answering('0.169.0') }) };
    const { code, stderr } = await project.council(['agents', 'add', 'lm-studio'], { env });
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean lmstudio? council agents add lmstudio\n');
    expect(stderr).toContain('A person: council agents add lm-studio --runner human\n');
    expect((await project.council(['agents', 'add', 'gemini'], { env })).stderr).toMatch(
      /not on PATH \(install it: npm .*council agents add gemini --runner gemini/s,
    );
    expect(fs.readdirSync(project.root)).toEqual([]);
    const added = await project.council(['agents', 'add', 'codex', '--json'], { env });
    expect(added.json).toMatchObject({ runner: 'codex' });
    const person = await project.council(['agents', 'add', 'ana', '--json'], { env });
    expect(person.json).toMatchObject({ runner: 'human' });
    expect(person.stderr).toContain(
      'ana is taken for a person. A program: council agents add ana -- PROGRAM',
    );
  });

  it('has a program play a persona, and makes no person of it', async () => {
    const project = await newProject({ init: false });
    const add = (id: string, PATH: string) =>
      project.council(['agents', 'add', id, '--persona', 'A grumpy DBA.'], { env: { PATH } });
    const none = await add('dba', pathWith(project));
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('A program has to play dba, and none is on PATH.');
    expect(fs.readdirSync(project.root)).toEqual([]);
    const { code, stderr } = await add('dba', pathWith(project, { codex: answering('0.169.0') }));
    expect(code).toBe(0);
    expect(stderr).toContain('Codex plays dba.');
    const { json } = await project.council(['agents', 'show', 'dba', '--json']);
    expect(json).toMatchObject({ runner: 'codex', persona: 'A grumpy DBA.' });
  });

  it('makes models of servers: known by name, or by their address with or without its version', async () => {
    const model = await fakeModel();
    const project = await newProject();
    const env = { PATH: pathWith(project), OLLAMA_HOST: new URL(model.url).host };
    const add = async (id: string, ...args: string[]) => {
      const { code, stderr } = await project.council(['agents', 'add', id, ...args], { env });
      const shown = await project.council(['agents', 'show', id, '--json'], { env });
      return { code, stderr, agent: shown.code === 0 ? shown.json : undefined };
    };
    const nowhere = await project.council(['agents', 'add', 'mistral', '--model', 'large-2']);
    expect(nowhere.stderr).toContain('council agents add mistral --model mistral/large-2');
    expect(nowhere.code).toBe(2);
    const named = ['--model', 'org/some-model', '--api-key', 'MY_KEY'];
    const [ollama, plain, versioned] = await Promise.all([
      add('ollama'),
      add('mine', '--base-url', model.url),
      add('yours', '--base-url', `${model.url}/v1`, ...named),
    ]);
    expect(ollama.agent).toMatchObject({ runner: 'model', baseUrl: null });
    expect(ollama.agent).toMatchObject({ model: expect.stringMatching(/^ollama\/./) as string });
    expect(plain.agent).toMatchObject({ runner: 'model', baseUrl: `${model.url}/v1` });
    expect(versioned.agent).toMatchObject({ model: 'openai-compatible/org/some-model', apiKey: 'MY_KEY' });
    expect(versioned.stderr).toContain('does not list org/some-model');
    await model.close();

    const gone = await add('away', '--base-url', `${model.url}/v1`);
    expect(gone).toMatchObject({ code: 2, agent: undefined });
    expect(gone.stderr).toContain(`council agents add away --base-url ${model.url}/v1 --model NAME`);
    expect((await add('away', '--base-url', 'here')).stderr).toContain('is no web address');
    expect((await add('away', '--base-url', model.url, '--api-key', 'sk-123-abc')).stderr).toContain(
      'the name of a variable',
    );
  });

  it('asks the server that the variable of a provider names, not the provider', async () => {
    const model = await fakeModel();
    const project = await newProject();
    addAgent(project, 'gpt', { runner: 'model', model: 'openai/gpt-x' });
    const env = { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'sk-test' };
    const { code } = await project.council(['ask', 'Which?', '--agents', 'gpt'], { env });
    expect(code).toBe(0);
    expect(model.asked().length).toBeGreaterThan(0);
    await model.close();
  });
});

it('leaves people out of a question that does not name them, and says what to do about one who sits', async () => {
  const project = await newProject();
  addSpeaker(project, 'ada', { any: { say: 'position: Buy it' } });
  addAgent(project, 'ana');
  const plain = await project.council(['ask', 'Buy it?']);
  expect(plain.code).toBe(0);
  expect(plain.stderr).toContain('To ask them too: --agents ada,ana');
  expect(launches(project).map(({ id }) => id)).toEqual(['ada']);

  const named = project.launch(['ask', 'And now?', '--agents', 'ada,ana', '--quiet']);
  const told = () =>
    /Waiting for ana.*council respond ana --name and-now.*council excuse ana/s.test(named.output());
  await expect.poll(told).toBe(true);
  await project.council(['excuse', 'ana', '--why', 'away', '--name', 'and-now']);
  expect((await named.ended).code).toBe(0);
  expect(named.output().match(/Waiting for ana/g)).toHaveLength(1);
  expect(fs.existsSync(join(project.root, 'agents/ana.md'))).toBe(true);
});
