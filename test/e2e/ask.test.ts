import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { quoteShellWord } from '../../src/core/base/text.ts';
import { CLI, newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { CTRL_C, onTerminal, terminal } from '../helpers/pty.ts';
import { apiOf, serving } from '../helpers/serve.ts';
import { addAgent, addSpeaker, launches } from '../helpers/speakers.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

const MENU = '[q] done:';
const QUESTION = 'Should we buy it?';
const NAME = 'should-we-buy-it';

const answer = (position: string, text: string): string => `---\nposition: ${position}\n---\n\n${text}\n`;

/** Two who disagree, and one who writes syntheses. */
async function table(): Promise<Project> {
  const project = await newProject();
  const long = Array.from({ length: 12 }, (_, at) => `Reason ${at + 1} is a good one.`).join('\n\n');
  addSpeaker(project, 'ada', { any: { say: answer('Buy it', long) } });
  addSpeaker(project, 'bob', { any: { say: answer('Build it', 'It is small.') } });
  addSpeaker(project, 'maman', { any: { say: 'Decision: none yet.' } });
  return project;
}
const TABLE = ['--agents', 'ada,bob', '--coordinator', 'maman'];

const asked = (project: Project): string[] => launches(project).map(({ id }) => id);
describe.concurrent('council ask without a terminal', () => {
  it('asks everybody once, tells the answers, who holds what, and archives without a synthesis', async () => {
    const project = await table();
    const { stdout, code } = await project.council(['ask', QUESTION, ...TABLE]);
    expect(code).toBe(0);
    expect(stdout).toContain('bob:\nIt is small.');
    // The numbers are drawn.
    expect(stdout).toMatch(/They differ:\n {2}P1 "B\w+ it" \(\w+\)\n {2}P2 "B\w+ it" \(\w+\)\nNot decided/);
    expect(stdout).toMatch(/^Archive: conseils\/\S+-should-we-buy-it\.md/m);
    expect(asked(project).sort()).toEqual(['ada', 'bob']);
    const { stdout: page } = await project.council(['show']);
    expect(page).toContain('## Who sat');
    expect(page).not.toMatch(/the debate|Who moved|Nor would the blind votes/);
    const { stderr: refused } = await project.council(['ask', QUESTION, '--foo']);
    expect(refused).toBe("council: unknown option '--foo'\nSee: council ask --help\n");
    expect((await project.council(['ask', QUESTION, '--agens', 'ada'])).stderr).toContain('mean --agents?');
    expect((await project.council(['history'])).stderr).toMatch(/No council is active.*council show ID/s);
  });

  long('goes on by --synthesis or --debate, and a second one of its question gets a number', async () => {
    const project = await table();
    interface Asked {
      name: string;
      reach: string;
      by: string | null;
      positions: { id: string; position: string; by: string[] }[];
    }
    const one = await project.council<Asked>(['ask', QUESTION, ...TABLE, '--synthesis', '--json']);
    expect(one.json).toMatchObject({ name: NAME, reach: 'synthesis', by: 'maman' });
    const two = await project.council<Asked>(['ask', QUESTION, ...TABLE, '--debate', '--json']);
    expect(two.json).toMatchObject({ name: NAME, reach: 'debate', by: 'maman' });
    const { stdout } = await project.council(['ask', QUESTION, ...TABLE, '--synthesis']);
    // What was asked for comes first.
    expect(stdout).toMatch(/^\nSynthesis by .*Decision: none yet\..*\nStatus: .*\nArchive: .*\nNext:/s);
    expect(two.json.positions).toContainEqual({
      id: expect.stringMatching(/^P[12]$/) as string,
      position: 'Build it',
      by: ['bob'],
    });
    expect(project.archives()).toHaveLength(3);
  });

  long('asks the same table about what came of an archive, and puts its brief to another table', async () => {
    const project = await table();
    await project.council(['ask', QUESTION, ...TABLE]);
    addSpeaker(project, 'cem', { any: { say: answer('Rent it', 'It is for a year.') } });
    const after = await project.council(['ask', '--after', 'last', 'And on mobile?', '--json']);
    expect(after.code).toBe(0);
    expect(after.stderr).toMatch(
      /^Asked after conseils\/\S+\.md: its question and outcome go with this one\.$/m,
    );
    const prompts = launches(project).slice(-2);
    expect(prompts.map(({ id }) => id).sort()).toEqual(['ada', 'bob']);
    for (const { input } of prompts) expect(input).toContain('"Build it"');
    interface Rerun {
      before: { participants: string[] };
      after: { positions: { position: string }[] };
    }
    const again = await project.council<Rerun>(['rerun', 'last', '--agents', 'bob,cem', '--json']);
    expect(again.json.before.participants).toEqual(['ada', 'bob']);
    expect(again.json.after.positions.map(({ position }) => position)).toContain('Rent it');
  });
});

it('tells the person who sits as well how to answer while the others are still asked', async () => {
  const project = await newProject();
  addSpeaker(project, 'ada', { any: { hang: true } });
  for (const [name, ...quiet] of [['loud'], ['quiet', '--quiet']] as const) {
    const running = project.launch(['ask', QUESTION, '--me', '--name', name, ...quiet]);
    const says = new RegExp(`To answer: council respond \\S+ --name ${name}\\.`, 'g');
    await until('it says so', () => says.test(running.output()));
    running.child.kill('SIGINT');
    expect((await running.ended).stderr.match(says)).toHaveLength(1);
  }
});

describe.concurrent('council ask on a terminal', () => {
  long(
    'shows the beginning of each answer as it comes, takes a note, and debates without asking anybody twice',
    async () => {
      const project = await table();
      const shown = onTerminal(project, ['ask', QUESTION, ...TABLE]);
      await shown.shows(MENU);
      const answers = (await shown.lines()).join('\n');
      expect(answers).toContain('Reason 1 is a good one.');
      expect(answers).not.toContain('Reason 12');
      expect(answers).toMatch(/all 23 lines: key 1/);
      shown.type('a\r');
      await shown.shows('in one line:');
      shown.type('We have two weeks.\r');
      await until(
        'the menu is there again',
        async () => (await shown.lines()).join('\n').split(MENU).length > 2,
      );
      shown.type('d\r');
      expect((await shown.ended).code).toBe(0);
      const phases = launches(project).flatMap(({ id, phase }) => (id === 'ada' ? [phase] : []));
      expect(phases).toEqual(['COLLECT', 'CHALLENGE', 'RESOLVE']);
      const later = launches(project).filter(({ phase }) => phase !== 'COLLECT');
      for (const { input } of later) expect(input).toContain('We have two weeks.');
      const [archive] = project.archives();
      expect(project.read(archive!).toString()).toContain('- We have two weeks.');
    },
  );

  it.each([
    ['on one that cannot be drawn on', '', 'dumb'],
    ['where the question came through a pipe', 'echo "We are two." | ', 'xterm'],
  ])('shows each answer whole and once, then the menu: %s', async (_, pipe, TERM) => {
    const project = await table();
    const command = [process.execPath, CLI, 'ask', QUESTION, ...TABLE].map(quoteShellWord).join(' ');
    const shown = terminal('sh', ['-c', `${pipe}${command}`], project, { env: { TERM } });
    await shown.shows(MENU);
    shown.type('q\r');
    expect((await shown.ended).code).toBe(0);
    const text = (await shown.lines()).join('\n');
    expect(text.match(/Reason 12 is a good one/g)).toHaveLength(1);
    expect(text.indexOf('Reason 12')).toBeLessThan(text.indexOf(MENU));
    expect(asked(project).sort()).toEqual(['ada', 'bob']);
  });

  it('leaves the council held after Ctrl-C, and a command or a client of the API lets it go on, once', async () => {
    const project = await table();
    const shown = onTerminal(project, ['ask', QUESTION, ...TABLE]);
    await shown.shows(MENU);
    // Nothing moves it on meanwhile.
    await project.council(['tick', '--until-idle']);
    expect((await project.council(['status'])).stdout).toContain('Waiting for the person who asked');
    shown.type(CTRL_C);
    expect((await shown.ended).code).toBe(130);
    const left = await shown.lines();
    expect(left.join('\n')).toContain(`council ask --resume --name ${NAME}`);
    expect(left).toContain('council: Interrupted. Everything that was recorded is kept.');
    expect(await project.council(['run', '--resume', '--name', NAME])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`council continue debate|synthesis|end --name ${NAME}`) as string,
    });
    const server = await serving(project);
    const [byCommand, overHttp] = await Promise.all([
      project.council(['continue', 'synthesis', '--name', NAME]),
      apiOf(server.url).post('continue', { way: 'debate', name: NAME }),
    ]);
    expect([byCommand.code === 0, overHttp.status === 200].sort()).toEqual([false, true]);
    await server.stop();
    await project.council(['tick', '--until-idle']);
    expect(project.archives()).toHaveLength(1);
  });

  it.each(['xterm', 'dumb'])('goes on after Ctrl-C with each answer once: %s', async (TERM) => {
    const project = await table();
    const go = join(project.outside, 'go');
    addSpeaker(project, 'bob', { any: { whenThere: go, say: answer('Build it', 'It is small.') } });
    const first = onTerminal(project, ['ask', QUESTION, ...TABLE], { env: { TERM } });
    await first.shows('ada responded');
    first.type(CTRL_C);
    expect((await first.ended).code).toBe(130);
    writeFileSync(go, '');
    const shown = onTerminal(project, ['ask', '--resume', '--name', NAME], { env: { TERM } });
    await shown.shows(MENU);
    shown.type('q\r');
    expect((await shown.ended).code).toBe(0);
    const text = (await shown.lines()).join('\n');
    for (const words of ['Reason 1 is a good one.', 'Reason 12 is', 'It is small.'])
      expect(text.split(words), text).toHaveLength(2);
  });

  it.each(['en', 'fr'])('keeps each choice of the menu in one piece: %s', async (lang) => {
    const project = await table();
    const shown = onTerminal(project, ['ask', QUESTION, ...TABLE, '--lang', lang], { columns: 40 });
    await shown.shows('[q] ');
    // A line ends before a choice, or between none.
    for (const line of (await shown.lines()).filter((one) => one.includes('[s]') || one.includes('[q]')))
      expect(line).toMatch(/^ *(\[[a-z]\] \S[^[]*)+$/);
    shown.type('q');
    expect((await shown.ended).code).toBe(0);
  });

  it.each([
    ['the end of the input', (shown: ReturnType<typeof onTerminal>) => shown.type('\x04')],
    ['a closed window', (shown: ReturnType<typeof onTerminal>) => shown.hangUp()],
  ])('takes %s as the end', async (_what, end) => {
    const project = await table();
    const shown = onTerminal(project, ['ask', QUESTION, ...TABLE]);
    await shown.shows(MENU);
    end(shown);
    await until('it is archived', () => project.archives().length === 1);
    expect(asked(project)).not.toContain('maman');
  });

  it('shows no answer to who sits as well and has none, though no editor is set', async () => {
    const project = await table();
    const env = { EDITOR: '', VISUAL: '', USER: 'zoe' };
    const shown = onTerminal(project, ['ask', QUESTION, ...TABLE, '--me'], { env });
    await shown.shows('Your seat waits for you');
    await until('both have answered', async () =>
      /(?:.*RESPONDED){2}/s.test((await project.council(['status'])).stdout),
    );
    await shown.shows('responded in');
    shown.type(CTRL_C);
    await shown.ended;
    const lines = (await shown.lines()).join('\n');
    expect(lines).not.toContain('It is small.');
    expect(lines).not.toContain('Reason 1 ');
  });

  it('asks again for a way that the table cannot go', async () => {
    const project = await table();
    const shown = onTerminal(project, ['ask', QUESTION, '--agents', 'ada,bob', '--coordinator', 'none']);
    await shown.shows(MENU);
    shown.type('s\r');
    await shown.shows('No coordinator sits in');
    await until('it is offered again', async () => (await shown.lines()).join('\n').split(MENU).length > 2);
    shown.type('q\r');
    expect((await shown.ended).code).toBe(0);
  });

  long('goes on where another terminal has let it go on', async () => {
    const project = await table();
    const shown = onTerminal(project, ['ask', QUESTION, ...TABLE]);
    await shown.shows(MENU);
    expect((await project.council(['continue', 'end', '--name', NAME])).stdout).toContain(
      'Archive: conseils/',
    );
    expect((await shown.ended).code).toBe(0);
    expect((await shown.lines()).join('\n')).toContain('Archive: conseils/');
  });

  it('shows no answer before the person who asked, or another one who sits, has answered', async () => {
    const project = await table();
    addAgent(project, 'ana');
    const shown = onTerminal(project, ['ask', QUESTION, '--agents', 'ada,ana', '--coordinator', 'none']);
    await until('ada has answered', async () => (await shown.lines()).join('\n').includes('ada responded'));
    expect((await shown.lines()).join('\n')).not.toContain('Reason 1');
    await project.council(['respond', 'ana', '--name', NAME], { input: answer('Wait', 'Not now.') });
    await shown.shows(MENU);
    shown.type('q\r');
    expect((await shown.ended).code).toBe(0);
    expect((await shown.lines()).join('\n').match(/Reason 1 is a good one/g)).toHaveLength(1);
  });
});
