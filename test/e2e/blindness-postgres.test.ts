import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filesIn, newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { databaseForProject } from '../helpers/postgres/project-database.ts';
import { everythingReadable, isIn } from '../helpers/postgres/readable.ts';
import { connected, logOf, sharedPostgres } from '../helpers/postgres/shared.ts';

const server = await sharedPostgres();

/** A project on PostgreSQL with people in it; `url`: whom council works as. */
async function projectOf(url: string, people: string[]): Promise<Project> {
  const project = await newProject({ init: false });
  project.env.COUNCIL_DATABASE_URL = url;
  await project.council(['init', '--no-detect']);
  for (const id of people) await project.council(['agents', 'add', id, '--runner', 'human']);
  return project;
}

describe.skipIf(!server)('a blind phase on PostgreSQL', () => {
  it('shows nothing of what was said to anything that council itself can read, until it closes', async () => {
    const url = (await databaseForProject())!;
    const project = await projectOf(url, ['ada', 'ben', 'cleo']);
    const [canary, other] = [`canary-${randomUUID()}`, `canary-${randomUUID()}`];
    const said: string[] = [];
    const council = async (args: string[], input?: string) => {
      const run = await project.council(args, input === undefined ? {} : { input });
      // Whoever responds is told what was read.
      said.push(args[0] === 'respond' && run.code === 0 ? '' : run.stdout, run.stderr);
      return run;
    };
    await council(['start', 'Where to?', '--agents', 'ada,ben,cleo', '--coordinator', 'none']);
    await council(
      ['respond', 'ada', '--json'],
      `---\nposition: ${canary}\nblocking: ["${canary}"]\n---\n\n${canary} 🦉\n`,
    );
    await council(['respond', 'ben'], canary.repeat(3000));
    // A text that is refused is kept, and as secret as the others.
    expect((await council(['respond', 'ada', '--json'], `${other} refused`)).code).toBe(1);
    expect((await council(['respond', 'ada', '--json'], canary)).code).toBe(1);
    await council(['status']);
    await council(['history', '--json']);
    await council(['tick', '--json']);
    await council(['view', 'cleo']);
    await council(['show', 'nothing']);

    const seen = await connected(url, everythingReadable);
    expect(seen.text).toContain('Where to?');
    const files = filesIn(project.root).map((path) => fs.readFileSync(path, 'latin1'));
    const privateFiles = filesIn(project.privateDir).map((path) => fs.readFileSync(path, 'latin1'));
    const errors = said.join('\n');
    for (const word of [canary, other]) {
      expect(isIn(word, seen.text)).toBe(false);
      expect(isIn(word, logOf(server!))).toBe(false);
      expect(isIn(word, errors)).toBe(false);
      expect([...files, ...privateFiles].filter((text) => isIn(word, text))).toEqual([]);
    }

    await council(['respond', 'cleo'], 'Elsewhere.');
    await council(['tick']);
    const after = (await connected(url, everythingReadable)).text;
    expect([isIn(canary, after), isIn(other, after)]).toEqual([true, true]);
  });

  it('is refused to a role that could look at it, and goes without blindness', async () => {
    const url = new URL((await databaseForProject())!);
    const { username, password } = new URL(server!.url);
    [url.username, url.password] = [username, password];
    const project = await projectOf(url.href, ['ada', 'ben']);
    const start = ['start', 'Where to?', '--agents', 'ada,ben', '--coordinator', 'none'];
    const refused = await project.council<{ error: { message: string; hint: string } }>([...start, '--json']);
    expect(refused.code).toBe(1);
    expect(refused.json.error.message).toBe(
      'This council would not be blind: the role postgres is a superuser.',
    );
    expect(refused.json.error.hint).toContain('--open');
    expect((await project.council([...start, '--open'])).code).toBe(0);
  });
});
