// What init, start and run ask before they prepare a folder that holds something else.
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesIn, newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { pathWith } from '../helpers/programs.ts';
import { onTerminal } from '../helpers/pty.ts';

const DOCUMENT = `# Move the shop\n\n${'The shop moves to new servers on 3 March 2027. '.repeat(8)}\n`;

async function home(): Promise<Project> {
  const project = await newProject({ init: false });
  project.write('thesis.txt', 'Chapter 1');
  project.write('move.md', DOCUMENT);
  project.env.PATH = pathWith(project);
  return project;
}

const isPrepared = (project: Project): boolean => fs.existsSync(join(project.root, 'COUNCIL.md'));

describe.concurrent('a folder that is not empty and no project', () => {
  it.each([
    ['init', ['init']],
    ['run', ['run', '--panel', 'offline', '--brief', 'move.md']],
    ['start', ['start', '--panel', 'offline', '--brief', 'move.md']],
  ])('is prepared by %s after a yes only, where a person can be asked', async (_, args) => {
    const project = await home();
    const refused = onTerminal(project, args);
    await refused.shows('Go on? [y/N]');
    const shown = (await refused.lines()).join('\n');
    for (const word of ['is not empty', 'COUNCIL.md', 'agents/', 'memory/shared/', 'conseils/', '.gitignore'])
      expect(shown).toContain(word);
    refused.type('\r');
    expect((await refused.ended).code).toBe(1);
    expect(filesIn(project.root).map((name) => name.split('/').at(-1))).toEqual(['move.md', 'thesis.txt']);

    const agreed = onTerminal(project, args);
    await agreed.shows('Go on? [y/N]');
    agreed.type('y\r');
    expect((await agreed.ended).code).toBe(0);
    expect(isPrepared(project)).toBe(true);
    // It is a project now.
    const again = onTerminal(project, ['init']);
    expect((await again.ended).code).toBe(0);
  });

  it('is prepared without a question with --yes, and where nobody can be asked', async () => {
    const yes = await home();
    expect((await onTerminal(yes, ['init', '--yes']).ended).code).toBe(0);
    expect(isPrepared(yes)).toBe(true);
    const script = await home();
    const { code, stdout } = await script.council(['init']);
    expect(code).toBe(0);
    expect(stdout).toContain('COUNCIL.md');
  });

  it('is as good as empty with nothing but a repository in it', async () => {
    const project = await newProject({ init: false });
    fs.mkdirSync(join(project.root, '.git'));
    project.env.PATH = pathWith(project);
    expect((await onTerminal(project, ['init']).ended).code).toBe(0);
    expect(isPrepared(project)).toBe(true);
  });
});
