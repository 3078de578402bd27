import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { stateOf } from '../helpers/look.ts';
import { onTerminal } from '../helpers/pty.ts';
import type { Terminal } from '../helpers/pty.ts';
import { addAgent } from '../helpers/speakers.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

const CUT = '<!-- Everything from this line on is for you to read, and is not sent. -->';

/** A council of ana and bob, with a file in its brief. */
async function seated(): Promise<Project> {
  const project = await newProject();
  for (const id of ['ana', 'bob']) addAgent(project, id);
  project.write('queue.ts', 'export const queue = [];\n');
  await project.council([
    'start',
    'Is it safe?',
    '--agents',
    'ana,bob',
    '--file',
    'queue.ts',
    '--timeout',
    '2h',
  ]);
  return project;
}

/** An editor that is a script: `body` is JavaScript over `text`, and leaves it changed. */
function editor(project: Project, body: string): string {
  const file = join(project.outside, `editor-${fs.readdirSync(project.outside).length}.mjs`);
  fs.writeFileSync(
    file,
    `import fs from 'node:fs'; import { execFileSync } from 'node:child_process';
const path = process.argv.at(-1); const CUT = ${JSON.stringify(CUT)};
let text = fs.readFileSync(path, 'utf8'); fs.writeFileSync(${JSON.stringify(join(project.outside, 'seen'))}, text);
${body}
fs.writeFileSync(path, text);`,
  );
  // $EDITOR is parted at blanks, and the path of Node may have some.
  const program = join(project.outside, 'editor');
  fs.writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${file}' "$@"\n`, { mode: 0o755 });
  return program;
}

const answer = `text = text.replace(/^position:.*$/m, 'position: It is').replace(CUT, 'Because I looked.\\n\\n' + CUT);`;

const open = (project: Project, body: string, args: string[] = []): Terminal =>
  onTerminal(project, ['respond', 'ana', ...args], {
    columns: 400,
    env: { EDITOR: '/bin/false', VISUAL: editor(project, body) },
  });

/** The path of the text that was kept, and what it holds. */
function keptIn(screen: string): string {
  const path = /(?:text is in|All of it is in) (\S+?)\.(?:\s|$)/.exec(screen)?.[1];
  expect(path, screen).toBeDefined();
  return fs.readFileSync(path!, 'utf8');
}

const statusOf = async (project: Project) => (await stateOf(project)).participants.ana!.status;

describe.concurrent('respond on a terminal, without a text', () => {
  it('opens the editor with form, question and material, and sends what stands above the line', async () => {
    const project = await seated();
    const shown = open(project, answer);
    expect((await shown.ended).code).toBe(0);
    expect((await shown.lines()).join('\n')).toContain('Recorded: ana, COLLECT (round 1)');
    const seen = fs.readFileSync(join(project.outside, 'seen'), 'utf8');
    const [above = '', below = ''] = seen.split(CUT);
    expect(above).toMatch(/^---\nposition:\nconfidence:\nblocking:\n---\n/);
    expect(below).toContain('export const queue = [];');
    expect(below).toContain('Is it safe?');
    // Hours and minutes of this place, not a time in UTC.
    expect(below).toMatch(/- Deadline: in (?:2 h|1 h 5\d min), (?:\w+ \d+ \w+ \d{4}, )?\d\d:\d\d\n/);
    expect(below).not.toMatch(/Deadline: \d{4}-/);
    // A person is asked in the words of the page, not with the prompt of a program.
    expect(below).toContain('- position: Where you stand, in one sentence.');
    expect(below).not.toContain('BEGIN council-text');
    await project.council(['respond', 'bob'], { input: 'No.' });
    await project.council(['tick']);
    const view = await project.council<{ contributions: { text: string }[] }>(['view', 'bob', '--json']);
    expect(view.json.contributions[0]!.text).toMatch(/position: It is[\s\S]*Because I looked\.\n$/);
    expect(view.json.contributions[0]!.text).not.toContain('Everything from this line');
  });

  long('opens none for who has answered, and with --replace the recorded text', async () => {
    const project = await seated();
    await project.council(['respond', 'ana'], { input: 'position: It is\n\nI looked.\n' });
    const again = open(project, answer);
    expect((await again.ended).code).toBe(1);
    expect((await again.lines()).join('\n')).toContain(
      'ana has already responded in this round.\nTo say something else instead: council respond ana --name active-conversation --replace',
    );
    expect(fs.existsSync(join(project.outside, 'seen'))).toBe(false);
    const mended = open(project, `text = text.replace('I looked.', 'I looked twice.');`, ['--replace']);
    expect((await mended.ended).code).toBe(0);
    const seen = fs.readFileSync(join(project.outside, 'seen'), 'utf8');
    expect(seen.split(CUT)[0]).toBe('position: It is\n\nI looked.\n\n');
    await project.council(['respond', 'bob'], { input: 'No.' });
    await project.council(['tick']);
    const view = await project.council<{ contributions: { text: string }[] }>(['view', 'bob', '--json']);
    expect(view.json.contributions[0]!.text).toBe('position: It is\n\nI looked twice.\n');
  });

  long(
    'sends nothing that is unchanged, also where the editor changed line ends, and leaves no file',
    async () => {
      const project = await seated();
      for (const body of [
        '',
        `text = text.replaceAll('\\n', '\\r\\n');`,
        `text = text.replace(/\\n+$/, '');`,
      ]) {
        const shown = open(project, body);
        expect((await shown.ended).code).toBe(2);
        expect((await shown.lines()).join('\n')).toContain('nothing was sent');
      }
      expect(await statusOf(project)).toBe('WAITING');
    },
  );

  long('keeps what was typed below the line, and says so', async () => {
    const project = await seated();
    const shown = open(project, `text += '\\nMy whole answer, at the end of the file.\\n';`);
    expect((await shown.ended).code).toBe(2);
    const screen = (await shown.lines()).join('\n');
    expect(screen).toContain('What you wrote stands below the line that ends your text');
    expect(keptIn(screen)).toContain('My whole answer, at the end of the file.');
    const both = open(project, `${answer} text += '\\nAnd a note below.\\n';`);
    expect((await both.ended).code).toBe(0);
    const said = (await both.lines()).join('\n');
    expect(said).toContain('Recorded: ana');
    expect(keptIn(said)).toContain('And a note below.');
  });

  long('does not send the whole turn where the line was deleted', async () => {
    const project = await seated();
    const shown = open(project, `${answer} text = text.replace(CUT, '');`);
    expect((await shown.ended).code).toBe(2);
    const screen = (await shown.lines()).join('\n');
    expect(screen).toContain('The line that ends your text is gone');
    expect(keptIn(screen)).toContain('Because I looked.');
    expect(await statusOf(project)).toBe('WAITING');
    // All of it but one's own text deleted, the line too: that is an answer.
    const own = open(project, `text = 'Just this.\\n';`);
    expect((await own.ended).code).toBe(0);
  });

  it('keeps what was typed when the editor dies', async () => {
    const project = await seated();
    for (const death of ['process.exit(1)', `process.kill(process.pid, 'SIGKILL')`]) {
      const shown = open(project, `${answer} fs.writeFileSync(path, text); ${death};`);
      expect((await shown.ended).code).toBe(2);
      const kept = keptIn((await shown.lines()).join('\n'));
      expect(kept).toMatch(/^---\nposition: It is\n[\s\S]*Because I looked\.\n+$/);
    }
    expect(await statusOf(project)).toBe('WAITING');
  });

  long('keeps what cannot be accepted any more, because the council was cancelled meanwhile', async () => {
    const project = await seated();
    const cli = JSON.stringify(join(import.meta.dirname, '../../dist/council.js'));
    const shown = open(
      project,
      `${answer} execFileSync(process.execPath, [${cli}, 'cancel', '--why', 'overtaken'], { stdio: 'ignore' });`,
    );
    expect((await shown.ended).code).not.toBe(0);
    const screen = (await shown.lines()).join('\n');
    const path = /The text is kept in (\S+)/.exec(screen)?.[1];
    expect(path, screen).toBeDefined();
    expect(fs.readFileSync(path!, 'utf8')).toContain('Because I looked.');
  });

  long('opens no editor for somebody who is not there', async () => {
    const project = await seated();
    for (const args of [
      ['respond', 'anna'],
      ['respond', 'ana', '--name', 'other'],
    ]) {
      const shown = onTerminal(project, args, { env: { EDITOR: editor(project, '') } });
      expect((await shown.ended).code).toBe(2);
    }
    expect(fs.existsSync(join(project.outside, 'seen'))).toBe(false);
  });
});

describe.concurrent('watch', () => {
  it('ends with the result and the archive when the last council closes, cancelled or played', async () => {
    const project = await newProject();
    for (const id of ['ana', 'bob']) addAgent(project, id);
    const start = (name: string) =>
      project.council([
        'start',
        `About ${name}`,
        '--name',
        name,
        '--mode',
        'synthesis',
        '--agents',
        'ana',
        '--coordinator',
        'none',
      ]);
    await start('one');
    await start('two');
    const plain = project.launch(['watch']);
    const only = project.launch(['watch', '--name', 'one']);
    const screen = onTerminal(project, ['watch'], { columns: 120 });
    await screen.shows('About two');
    await until('both watch', () => [plain, only].every((watch) => /one r1 COLLECT/.test(watch.output())));
    await project.council(['cancel', '--name', 'one', '--why', 'overtaken by events']);
    const first = await only.ended;
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(
      /The council "one" has ended: About one\n {2}CANCELLED: overtaken by events\n(?: {2}.*\n)? {2}Archive: conseils\/\S+\.md\n {2}Read it with: council show \S+\n$/,
    );
    await screen.shows('The council "one" has ended');
    await project.council(['respond', 'ana', '--name', 'two'], { input: 'position: yes\n\nBecause.' });
    await project.council(['tick', '--until-idle', '--name', 'two']);
    const all = await plain.ended;
    expect(all.code).toBe(0);
    expect(all.stdout.match(/has ended/g)).toHaveLength(2);
    expect((await screen.ended).code).toBe(0);
    const lines = (await screen.lines()).join('\n');
    expect(lines).toMatch(
      /The council "one" has ended[\s\S]*The council "two" has ended: About two\n {2}COMPLETED\n[\s\S]*Archive: conseils\//,
    );
    expect(lines).not.toContain('Ctrl-C to leave');
  });
});
