import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Ran } from '../helpers/documents.ts';
import { HAS_TERMINAL, exported, onTerminal } from '../helpers/look.ts';
import { addAgent, addSpeaker, forgetFailures } from '../helpers/speakers.ts';
import { ESCAPES, ESCAPES_IN_LINE, findUnprintable } from '../helpers/unprintable.ts';

/** A project whose every human word carries escapes. */
async function hostileProject(): Promise<Project> {
  const project = await newProject();
  const text = `---\nposition: ${JSON.stringify(`Stay ${ESCAPES}`)}\nblocking: [${JSON.stringify(`Blocked ${ESCAPES}`)}]\n---\n# Heading ${ESCAPES}\n\n- said ${ESCAPES}\n\n\`\`\`\n${ESCAPES}\n\`\`\`\n`;
  addSpeaker(project, 'ada', { any: { say: text } }, { title: `Ada ${ESCAPES}`, emoji: '🦉\u202e' });
  addSpeaker(
    project,
    'ben',
    { COLLECT: { stderr: `Error: ${ESCAPES}`, exit: 4 } },
    { title: `Ben ${ESCAPES}` },
  );
  addAgent(project, 'ana', { title: `Ana ${ESCAPES}` }, `I am ${ESCAPES}`);
  // Names of files and settings come from whoever wrote the project as well.
  project.write('agents/\u001b]0;PWNED\u0007\u009b31m.md', Buffer.from([0xff]));
  project.write('conseils/\u001b]0;PWNED\u0007.md', '---\nconversationId: [\n---\n');
  project.write('COUNCIL.md', `---\n"unknown \\x9b31m \u202e": 1\n---\nRules ${ESCAPES}\n`);
  addSpeaker(project, 'coord', { SYNTHESIZE: { say: `## Synthesis ${ESCAPES}\n\n> quoted ${ESCAPES}\n` } });
  return project;
}

describe('terminal escapes', () => {
  it('never reach stdout or stderr of any command that prints text', async () => {
    const project = await hostileProject();
    const seen: { args: string; found: string[] }[] = [];
    const text = async (args: string[], input?: string): Promise<string> => {
      const run = await project.council(args, input === undefined ? {} : { input });
      seen.push({ args: args.join(' '), found: findUnprintable(run.stdout + run.stderr) });
      return run.stdout + run.stderr;
    };
    await text(
      ['start', `Topic ${ESCAPES_IN_LINE}`, '--coordinator', 'coord', '--brief', '-', '--mode', 'analysis'],
      `# Brief ${ESCAPES}\n`,
    );
    const watch = project.launch(['watch']);
    await until('watch prints', () => watch.output().includes('COLLECT'));
    expect(await text(['tick'])).toContain('ben failed');
    await text(['respond', 'ana', '--block', `Block ${ESCAPES_IN_LINE}`], `ana says ${ESCAPES}`);
    await text(['respond', 'ana'], `other ${ESCAPES}`);
    for (const args of [
      ['status'],
      ['history'],
      ['view', 'ana'],
      ['view', 'ada'],
      ['agents'],
      ['agents', 'show', 'ana'],
      ['agents', 'check'],
    ])
      await text(args);
    await text(['excuse', 'ana', '--why', ESCAPES_IN_LINE]);
    expect(await text(['tick', '--no-launch'])).toContain('COLLECT -> CHALLENGE');
    expect(await text(['status'])).toContain('Blocked');
    expect(await text(['view', 'ana'])).toContain('said');
    await text(['excuse', 'ana', '--why', `Away ${ESCAPES_IN_LINE}`]);
    // Three failures in COLLECT pause ben; this test has no minute to wait.
    forgetFailures(project);
    await text(['tick']);
    forgetFailures(project);
    expect(await text(['tick'])).toContain('CHALLENGE -> RESOLVE');
    forgetFailures(project);
    await text(['excuse', 'ana', '--why', `Away ${ESCAPES_IN_LINE}`]);
    const ran = await text(['run', '--resume']);
    watch.child.kill('SIGINT');
    seen.push({ args: 'watch', found: findUnprintable((await watch.ended).raw.toString()) });
    const id = /conseils\/(\S+)\.md/.exec(ran)![1]!;
    expect(await text(['show', id])).toContain('said');
    for (const args of [
      ['list'],
      ['search', 'said'],
      ['search', ESCAPES_IN_LINE],
      ['export', id],
      ['export', id, '--format', 'adr'],
      ['export', id, '--format', 'html'],
      ['show', ESCAPES_IN_LINE],
      ['view', ESCAPES_IN_LINE],
      ['modes', ESCAPES_IN_LINE],
    ])
      await text(args);
    // One line may leave out what it likes, but nothing may come through.
    expect(seen.filter((s) => s.found.length > 0)).toEqual([]);
    expect(seen.length).toBeGreaterThan(20);
    const archive = await exported(project, id);
    expect(archive.contributions[0]!.text).toContain(ESCAPES);
  });

  it(
    'never reach a terminal either, where output is coloured and redrawn',
    { skip: !HAS_TERMINAL },
    async () => {
      const project = await hostileProject();
      // eslint-disable-next-line no-control-regex
      const dangerous = /\u001b\]0;PWNED|\u001b\[31mred|\u009b|\u202e|[\u{e0000}-\u{e007f}]/u;
      await project.council([
        'start',
        `Topic ${ESCAPES_IN_LINE}`,
        '--agents',
        'ada,ben',
        '--mode',
        'synthesis',
        '--coordinator',
        'coord',
      ]);
      const status = onTerminal(project, ['status']).output;
      expect(status).toContain('\u001b[1m');
      const run = onTerminal(project, ['run', '--resume']).output;
      expect(run).toContain('Archive: conseils/');
      const id = /conseils\/([\w-]+)\.md/.exec(run)![1]!;
      for (const output of [
        status,
        run,
        onTerminal(project, ['show', id]).output,
        onTerminal(project, ['list']).output,
        onTerminal(project, ['search', 'said']).output,
      ]) {
        expect(output.length).toBeGreaterThan(20);
        expect(output).not.toMatch(dangerous);
      }
    },
  );

  it('are not in the synthesis that run prints', async () => {
    const project = await hostileProject();
    const { stdout } = await project.council<Ran>([
      'run',
      'Topic',
      '--agents',
      'ada',
      '--mode',
      'synthesis',
      '--coordinator',
      'coord',
    ]);
    expect(stdout).toContain('Synthesis');
    expect(findUnprintable(stdout)).toEqual([]);
  });
});
