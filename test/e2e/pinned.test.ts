// Two checkouts of one project whose files differ play one council on PostgreSQL.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Status } from '../helpers/documents.ts';
import { connected, migratedSchema, sharedPostgres } from '../helpers/postgres/shared.ts';

const server = await sharedPostgres();
const DEBATE = readFileSync(join(import.meta.dirname, '../../templates/modes/debate.md'), 'utf8');

/** Answers, and leaves its prompt in the checkout. */
const PROGRAM = `import { appendFileSync, readFileSync } from 'node:fs';
appendFileSync('prompts.txt', readFileSync(0));
console.log('I would stay.\\n\\nposition: Stay');
`;

describe.skipIf(!server)('checkouts of one project on PostgreSQL', async () => {
  if (!server) return;
  const { schema, appUrl } = await migratedSchema(server);

  /** A checkout whose mode, house rules and persona of bob all carry one word. */
  async function checkout(word: string, ends = '\n'): Promise<Project> {
    const project = await newProject();
    project.env.COUNCIL_DATABASE_URL = appUrl;
    const write = (path: string, text: string) => project.write(path, text.replaceAll('\n', ends));
    write('modes/debate.md', DEBATE.replaceAll(/^## COLLECT.*$/gm, `$&\n\nMode of ${word}.`));
    write('COUNCIL.md', `---\nlang: en\n---\n\nRules of ${word}, l'été 🦉.\n`);
    const { code, stderr } = await project.council(['agents', 'add', 'ann', '--runner', 'human']);
    expect([code, stderr]).toEqual([0, '']);
    project.write('speak.mjs', PROGRAM);
    write(
      'agents/bob.md',
      `---\nname: bob\ncouncil:\n  runner: command\n  command: ["\${NODE}", "speak.mjs"]\n---\n\nPersona of ${word}.\n`,
    );
    expect((await project.council(['trust', '--yes'])).code).toBe(0);
    return project;
  }

  const start = (project: Project, name: string) =>
    project.council(['start', 'Do we move?', '--name', name, '--agents', 'ann,bob', '--coordinator', 'none']);

  it('go by what the council was started with, and say what differs', async () => {
    const [here, there] = [await checkout('here'), await checkout('there')];
    expect((await start(here, 'move')).code).toBe(0);

    const view = await there.council(['view', 'ann', '--name', 'move']);
    expect(view.stdout).toContain("Rules of here, l'été 🦉.");
    expect(view.stdout).toContain('Mode of here.');
    expect(view.stdout).not.toContain('of there');
    const ticked = await there.council(['tick', '--name', 'move']);
    expect(ticked.code).toBe(0);
    expect(ticked.stderr).toContain(
      'council "move" goes on with what it was started with; here this is different: the mode "debate", the house rules in COUNCIL.md, the persona of bob.',
    );
    const prompt = there.read('prompts.txt').toString();
    for (const what of ['Mode', 'Rules', 'Persona']) expect(prompt).toContain(`${what} of here`);
    expect(prompt).not.toContain('of there');
    const { json } = await here.council<Status>(['status', '--name', 'move', '--json']);
    expect(json.councils[0]!.participants.bob!.status).toBe('RESPONDED');

    expect((await start(there, 'other')).code).toBe(0);
    expect((await there.council(['view', 'bob', '--name', 'other'])).stdout).toContain('Persona of there.');
  });

  it('say nothing where only the ends of lines differ', async () => {
    const [here, there] = [await checkout('both'), await checkout('both', '\r\n')];
    expect((await start(here, 'same')).code).toBe(0);
    const { code, stderr } = await there.council(['view', 'bob', '--name', 'same']);
    expect([code, stderr]).toEqual([0, '']);
  });

  it('refuse a text that is not the one that was kept', async () => {
    const project = await checkout('damaged');
    expect((await start(project, 'damaged')).code).toBe(0);
    const root = new URL(server.url);
    await connected(root.href, (client) =>
      client.query(`UPDATE ${schema}.pins SET text = replace(text, 'of damaged', 'of nobody')`),
    );
    const { code, stderr } = await project.council(['view', 'bob', '--name', 'damaged']);
    expect(stderr).toContain('was started with are damaged in the database');
    expect(code).toBe(1);
  });
});
