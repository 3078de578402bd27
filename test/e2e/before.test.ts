import fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { CostReport } from '../../src/core/archive/cost.ts';
import type { PlanDocument } from '../../src/core/app/cost-estimate/dry-run.ts';
import { filesIn, newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Ran } from '../helpers/documents.ts';
import { fakeModel } from '../helpers/fake-model.ts';
import type { Asked, FakeModel, Reply } from '../helpers/fake-model.ts';
import { onTerminal } from '../helpers/pty.ts';
import { addAgent, addSpeaker, launches } from '../helpers/speakers.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

const servers: FakeModel[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** Two seats of one model with prices of its own, which the fake server answers. */
async function withModels(project: Project, reply: (asked: Asked) => Reply = () => USED): Promise<FakeModel> {
  const server = await fakeModel((asked) => ({ text: 'position: yes\n\nBecause.', ...reply(asked) }));
  servers.push(server);
  const council = { runner: 'model', baseUrl: `${server.url}/v1`, apiKey: 'MIA_KEY' };
  for (const id of ['mia', 'moe'])
    project.write(
      `agents/${id}.md`,
      `---\nname: ${id}\nmodel: anthropic/claude-opus-5-5\ncouncil: ${JSON.stringify({ ...council, prices: { input: 4, output: 20 } })}\n---\nYou are ${id}.\n`,
    );
  return server;
}

const USED = { usage: { input: 1000, output: 200 } };
const ALL = ['--agents', 'mia,moe', '--coordinator', 'none'];
const KEY = { MIA_KEY: 'sesame' };

describe.concurrent('run --dry-run', () => {
  it('says what exceeds the budget, and run starts nothing that ends in COLLECT already', async () => {
    const project = await newProject();
    const server = await withModels(project);
    project.write('brief.md', `# Is it safe?\n\n${'A sentence of some words. '.repeat(1600)}`);
    const run = (tokens: string, ...more: string[]) =>
      project.council(['run', '--brief', 'brief.md', ...ALL, '--budget-tokens', tokens, '--trust', ...more], {
        env: KEY,
      });
    const dry = await run('5000', '--dry-run');
    expect(dry.stdout).toMatch(
      /^Exceeds the budget: about \d+ tokens are expected, of which 2\d{4} tokens for COLLECT alone, and the budget is 5000 tokens\.$/m,
    );
    expect(dry.stdout).toContain('What helps: a larger budget (--budget-tokens)');
    const refused = await run('5000');
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Exceeds the budget') as string,
    });
    expect(server.asked()).toEqual([]);
    expect((await run('900000', '--dry-run')).stdout).toContain('It fits in the budget of 900000 tokens.');
    const { stderr } = await run('30000', '--mode', 'debate');
    expect(stderr).toContain('Exceeds the budget');
    expect(server.asked().length).toBeGreaterThan(0);
  });

  it('says before it begins that a model has no key, and why afterwards once', async () => {
    const project = await newProject();
    const server = await withModels(project);
    const { code, stdout, stderr } = await project.council(['ask', 'Is it safe?', ...ALL, '--trust']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^mia cannot answer yet: there is no key: the variable MIA_KEY is not set\.$/m);
    expect(stdout).toContain('Not heard: mia (failed: there is no API key; set the variable MIA_KEY)\n');
    expect(server.asked()).toEqual([]);
  });

  long('says which share of the prompts providers can cache, as `cost` says what they had', async () => {
    const project = await newProject();
    const server = await withModels(project, ({ raw }) => ({
      text: `position: ${raw.includes('You are mia') ? 'yes' : 'no'}\n\nBecause.`,
    }));
    project.write('brief.md', `# Is it safe?\n\n${'A sentence of some words. '.repeat(1600)}`);
    const run = ['run', '--brief', 'brief.md', ...ALL, '--mode', 'debate', '--trust'];
    const dry = await project.council([...run, '--dry-run'], { env: KEY });
    const expected = Number(/^Cacheable: (\d+) % of what goes in/m.exec(dry.stdout)?.[1]);
    expect((await project.council(run, { env: KEY })).code).toBe(0);
    const whole = server.asked().filter(({ users }) => users[0]?.includes('A sentence of some words.'));
    expect(whole.every(({ raw }) => raw.includes('cache_control'))).toBe(true);
    const { json } = await project.council<CostReport>(['cost', '--json']);
    const { inputTokens, cachedTokens, prompt } = json.total;
    const cacheable = Math.round((100 * prompt.cacheable) / prompt.bytes);
    expect(cacheable).toBeGreaterThan(70);
    expect(Math.abs(cacheable - expected)).toBeLessThan(15);
    // The marks of the fake provider, and the JSON around the prompts, take little away.
    expect((100 * cachedTokens!) / inputTokens!).toBeGreaterThan(cacheable - 10);
    const { stdout } = await project.council(['cost']);
    expect(stdout).toContain(`Cacheable: ${cacheable} % of the prompts`);
    expect(stdout).toMatch(/^Cached: \d+ % of the input tokens/m);
  });

  it('shows table, phases, prompts and estimate; launches nothing and writes nothing', async () => {
    const project = await newProject({ init: false });
    const bin = join(project.outside, 'bin');
    fs.mkdirSync(bin);
    for (const name of ['claude', 'codex'])
      fs.writeFileSync(join(bin, name), `#!/bin/sh\ntouch ${join(project.outside, 'ran')}\n`, {
        mode: 0o755,
      });
    project.write('notes/odd\nname.txt', 'x\n');
    const before = filesIn(project.outside.replace(/outside$/, ''));
    const env = { PATH: `${bin}:${project.env.PATH}`, NODE_DISABLE_COMPILE_CACHE: '1' };
    const args = ['run', 'Is it safe?', '--dry-run', '--file', 'notes', '--read', 'project'];
    const { code, stdout } = await project.council(args, { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Dry run: nothing is launched and nothing is written\.\n/);
    expect(stdout).toMatch(/^claude +claude +its own +\d+ bytes +3 +\d+ \+ 2400 +unknown$/m);
    expect(stdout).toMatch(/^maman \(coordinator\) +claude/m);
    expect(stdout).toContain('Phases: COLLECT, CHALLENGE, RESOLVE, SYNTHESIZE; up to');
    expect(stdout).toMatch(/^----- COLLECT, claude: \d+ bytes, about \d+ tokens -----$/m);
    expect(stdout).toContain('You can read the files of the project');
    expect(stdout).toContain('Like that of claude, but:');
    expect(stdout).toContain(`Would be written first: ${join(project.root, 'agents/claude.md')}`);
    expect(filesIn(project.outside.replace(/outside$/, ''))).toEqual(before);
    const { stdout: asked } = await project.council(['ask', 'Is it safe?', '--dry-run'], { env });
    expect(asked).toMatch(/^Council "is-it-safe" \(debate\).*\nPhases: COLLECT, SYNTHESIZE; up to/m);
    expect(asked).toMatch(/^Estimate: 2 launches, /m);
    expect(asked).not.toContain('maman');
    expect(filesIn(project.outside.replace(/outside$/, ''))).toEqual(before);
    const { json } = await project.council<PlanDocument>([...args, '--json'], { env });
    expect(json.table.map(({ id, runner }) => [id, runner])).toEqual([
      ...[
        ['claude', 'claude'],
        ['codex', 'codex'],
      ],
      ['maman', 'claude'],
    ]);
    expect(json.context).toMatchObject([{ name: 'notes/odd\nname.txt', bytes: 2 }]);
    expect(json.estimate).toMatchObject({
      launches: 7,
      costUsd: null,
      unknownCost: ['claude', 'codex', 'maman'],
    });
    expect(filesIn(project.outside.replace(/outside$/, ''))).toEqual(before);
  });

  it('shows the very prompt that run asks, and goes by earlier launches afterwards', async () => {
    const project = await newProject();
    const server = await withModels(project);
    const args = ['run', 'Do we move?', '--mode', 'synthesis', ...ALL];
    const first = await project.council<PlanDocument>([...args, '--dry-run', '--json'], { env: KEY });
    expect(first.json.estimate).toMatchObject({ launches: 2, pricesOf: '2026-11', unknownCost: [] });
    expect(first.json.estimate.by[0]).toMatchObject({ id: 'mia', earlier: 0, outputTokens: 800 });
    expect(server.asked()).toEqual([]);
    expect((await project.council<Ran>([...args, '--json'], { env: KEY })).code).toBe(0);
    // Markers, times and the letters of the labels are drawn for each council.
    const plain = (text: string): string =>
      text
        .replaceAll(/council-text-[0-9a-f]+/g, 'M')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T')
        .replaceAll(/Participant [A-Z]\b/g, 'P')
        // A provider may be asked in parts.
        .replaceAll(/\n+/g, '\n')
        .trim();
    const asked = server.asked().map(({ users }) => plain(users.join('\n')));
    for (const { prompt } of first.json.table) expect(asked).toContain(plain(prompt!.text));
    const again = await project.council<PlanDocument>([...args, '--dry-run', '--json'], { env: KEY });
    expect(again.json.estimate.by[0]).toMatchObject({ earlier: 1, inputTokens: 1000, outputTokens: 200 });
    expect(again.json.estimate.costUsd).toBeCloseTo(2 * ((1000 * 4 + 200 * 20) / 1e6));
  });

  long('says what is wrong like run does', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    for (const [args, said] of [
      [['--agents', 'nobody'], 'There is no agent "nobody"'],
      [['--agents', 'ana', '--mode', 'none-such'], 'none-such'],
      [['--agents', 'ana', '--resume'], '--dry-run shows a council before it starts'],
      [['--agents', 'ana', '--option', 'one'], 'two or more'],
    ] as const) {
      const { code, stderr } = await project.council(['run', 'Why?', '--dry-run', ...args]);
      expect({ args, code, said: stderr.includes(said) }).toEqual({ args, code: 2, said: true });
    }
    const people = await project.council(['run', 'Why?', '--dry-run', '--agents', 'ana']);
    expect(people.stdout).toContain('Estimate: nothing; nobody here is launched as a model.');
    expect(people.stdout).toMatch(/^ana +a person +\d+ bytes$/m);
  });

  long('speaks French to a French table', async () => {
    const project = await newProject({ lang: 'fr' });
    addAgent(project, 'ana');
    const { stdout } = await project.council(['run', 'Pourquoi ?', '--dry-run', '--agents', 'ana']);
    expect(stdout).toContain('Vous êtes');
  });
});

describe.concurrent('askAboveUsd in COUNCIL.md', () => {
  it('has run ask first: refused without a terminal, started with --yes or below it', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { any: { say: 'position: yes\n\nBecause.' } });
    const server = await withModels(project);
    const args = ['run', 'Do we move?', '--mode', 'synthesis', ...ALL];
    project.write('COUNCIL.md', '---\naskAboveUsd: 0.001\n---\nBe brief.\n');
    const refused = await project.council(args, { env: KEY });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(
      /This may cost about \$0\.0\d+ \(2 launches\), more than \$0\.001 \(askAboveUsd in COUNCIL\.md\)\. Nobody is here to be asked\.\nGo on without being asked: --yes\./,
    );
    expect(server.asked()).toEqual([]);
    expect((await project.council<{ councils: unknown[] }>(['status', '--json'])).json.councils).toEqual([]);
    expect((await project.council([...args, '--yes'], { env: KEY })).code).toBe(0);
    project.write('COUNCIL.md', '---\naskAboveUsd: 5\n---\nBe brief.\n');
    expect((await project.council(args, { env: KEY })).code).toBe(0);
    // What nobody launches as a model costs nothing.
    project.write('COUNCIL.md', '---\naskAboveUsd: 0\n---\n');
    const free = await project.council([
      'run',
      'Why?',
      '--mode',
      'synthesis',
      '--agents',
      'ada',
      '--coordinator',
      'none',
    ]);
    expect(free.code).toBe(0);
    expect(launches(project)).toHaveLength(1);
  });

  long('asks on a terminal, and takes no for no', async () => {
    const project = await newProject();
    await withModels(project);
    project.write(
      'COUNCIL.md',
      '---\naskAboveUsd: 0.001\nprices: { claude-opus: { input: 100, output: 100 } }\n---\n',
    );
    const args = ['run', 'Do we move?', '--mode', 'synthesis', ...ALL];
    const no = onTerminal(project, args, { env: KEY });
    await no.shows('Start it? [y/N]');
    no.type('\r');
    expect((await no.ended).code).toBe(2);
    expect((await no.lines()).join('\n')).toContain('Not started');
    const yes = onTerminal(project, args, { env: KEY });
    await yes.shows('Start it? [y/N]');
    yes.type('y\r');
    expect((await yes.ended).code).toBe(0);
  });

  long('is checked like every setting', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    for (const setting of [
      'askAboveUsd: -1',
      'askAboveUsd: much',
      'prices: [1]',
      'prices: { m: 3 }',
      'prices: { m: { input: 1 } }',
    ]) {
      project.write('COUNCIL.md', `---\n${setting}\n---\n`);
      expect((await project.council(['run', 'Why?', '--agents', 'ana', '--dry-run'])).stderr).toContain(
        'must be',
      );
    }
  });
});
