import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { acpProgram } from '../contracts/acp-programs.ts';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Ran, Started, Ticked } from '../helpers/documents.ts';
import { fakeModel } from '../helpers/fake-model.ts';
import type { Asked, FakeModel, Reply } from '../helpers/fake-model.ts';
import { exported } from '../helpers/look.ts';

const servers: FakeModel[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

const phaseOf = (prompt: string): string => /(?:Phase: |answered in )([A-Z]+)/.exec(prompt)?.[1] ?? '?';
/** What seats of one model are told apart from the prompt, which has who they are. */
const SHARED = 'This is a council: who you are and what to do stands at the end.';

/** A server, and agent files for the participants that it answers. */
async function seatModel(
  project: Project,
  answer: (asked: Asked) => Reply,
  ids = ['mia'],
): Promise<FakeModel> {
  const server = await fakeModel(answer);
  servers.push(server);
  const council = { runner: 'model', baseUrl: `${server.url}/v1`, apiKey: 'MIA_KEY' };
  for (const id of ids) {
    const head = `name: ${id}\nmodel: anthropic/some-model\ncouncil: ${JSON.stringify(council)}`;
    project.write(`agents/${id}.md`, `---\n${head}\n---\nYou are ${id}.\n`);
  }
  return server;
}

describe.concurrent('a model and an agent of the Agent Client Protocol at one table', () => {
  it('goes through a debate to the archive, blind where it must be', async () => {
    const project = await newProject();
    const server = await seatModel(
      project,
      ({ system, users }) => ({ text: `${system} ${phaseOf(users.join())}` }),
      ['mia', 'maman'],
    );
    const program = join(project.outside, 'acy.mjs');
    const body = `await turn.say('llamas in '); await turn.say(/(?:Phase: |answered in )([A-Z]+)/.exec(turn.text)[1]);
      if (!turn.text.startsWith('You are Acy.') || turn.session.cwd !== process.cwd()) process.exit(9);`;
    project.write(`../outside/acy.mjs`, acpProgram(body));
    project.write(
      'agents/acy.md',
      `---\nname: acy\ncouncil: ${JSON.stringify({ runner: 'acp', command: [process.execPath, program] })}\n---\nYou are Acy.\n`,
    );
    const checked = await project.council(['agents', 'check', '--json'], { env: { MIA_KEY: 'sesame-42' } });
    expect(checked.code).toBe(0);
    const ran = await project.council<Ran>(
      ['run', 'Do we move?', '--agents', 'mia,acy', '--coordinator', 'maman', '--json'],
      { env: { MIA_KEY: 'sesame-42' } },
    );
    expect(ran.stderr).not.toContain('sesame-42');
    expect(ran.code).toBe(0);
    const { contributions } = await exported(project, ran.json.archive);
    expect(contributions.map(({ participant, text }) => `${participant}: ${text}`).toSorted()).toEqual([
      'acy: llamas in CHALLENGE',
      'acy: llamas in COLLECT',
      'acy: llamas in RESOLVE',
      `maman: ${SHARED} SYNTHESIZE`,
      `mia: ${SHARED} CHALLENGE`,
      `mia: ${SHARED} COLLECT`,
      `mia: ${SHARED} RESOLVE`,
    ]);
    const asked = server.asked();
    // A position is missing in COLLECT and in RESOLVE; she says the same once more, which adds nothing.
    expect(asked.map(({ system }) => system)).toEqual(Array<string>(6).fill(SHARED));
    expect(asked.at(-1)!.raw).toContain('You are maman.');
    const [collect, again, challenge] = asked;
    expect(collect!.raw + again!.raw).not.toContain('llamas');
    expect(collect!.raw).toContain('You are mia.');
    expect(again!.raw).toContain(`${SHARED} COLLECT`);
    expect(challenge!.raw).toContain('llamas in COLLECT');
  });

  it('asks a model again when the tick that asked it was killed', async () => {
    const project = await newProject();
    let hang = true;
    const server = await seatModel(project, () => (hang ? { hang: true } : { text: 'Late, but here.' }));
    const env = { MIA_KEY: 'sesame-42' };
    const args = ['start', 'Do we move?', '--agents', 'mia', '--mode', 'synthesis', '--json'];
    expect((await project.council<Started>(args, { env })).code).toBe(0);
    const killed = project.launch(['tick'], { env });
    await until('the model is asked', () => server.log.length === 1);
    process.kill(killed.pid, 'SIGKILL');
    await killed.ended;
    hang = false;
    const { code, json } = await project.council<Ticked>(['tick', '--json'], { env });
    expect(code).toBe(0);
    expect(json.councils[0]!.launched).toEqual(['mia']);
    expect(server.log).toHaveLength(2);
    const view = await project.council(['status', '--json']);
    expect(view.stdout).toContain('"RESPONDED"');
  });

  it('says which variable is missing, and keeps it in the archive', async () => {
    const project = await newProject();
    const server = await seatModel(project, () => ({}));
    const { stdout } = await project.council(['agents', 'check', '--json']);
    expect(stdout).toContain('the variable MIA_KEY is not set');
    const ran = await project.council<Ran>([
      'run',
      'Do we move?',
      '--agents',
      'mia',
      '--mode',
      'synthesis',
      '--json',
    ]);
    expect(server.log).toEqual([]);
    expect(project.read(ran.json.archive).toString()).toMatch(/no API key; .*MIA_KEY/);
  });
});
