import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { filesIn, newProject } from '../helpers/cli.ts';
import type { Project, RunOptions } from '../helpers/cli.ts';
import type { Failed } from '../helpers/documents.ts';
import { addAgent } from '../helpers/speakers.ts';
import { takeOneIn } from '../helpers/long.ts';

/** The same refusal in both forms: one document on stdout, or a sentence on stderr; the same exit code. */
async function expectRefusal(
  project: Project,
  args: string[],
  expected: { exit: number; code: string; hint?: RegExp },
  options: RunOptions = {},
): Promise<void> {
  const json = await project.council<Failed>([...args, '--json'], options);
  const text = await project.council(args, options);
  expect({ args, exit: json.code, code: json.json.error.code }).toEqual({
    args,
    exit: expected.exit,
    code: expected.code,
  });
  const { message, hint } = json.json.error;
  expect(message).toMatch(/\S/);
  expect(hint).toMatch(expected.hint ?? /\S/);
  expect({ exit: text.code, stdout: text.stdout }).toEqual({ exit: expected.exit, stdout: '' });
  expect(text.stderr).toContain(`council: ${message.split('\n')[0]}`);
}

describe.concurrent('errors', () => {
  let project: Project;
  beforeAll(async () => {
    project = await newProject();
    addAgent(project, 'ana');
    await project.council(['start', 'Topic', '--name', 'first']);
    await project.council(['start', 'Topic', '--name', 'second']);
  });

  it.for(
    takeOneIn<[string, string[], { exit: number; code: string; hint?: RegExp }]>(4, [
      [
        'an unknown agent to seat',
        ['start', 'x', '--name', 'n', '--agents', 'anna'],
        { exit: 2, code: 'unknown_agent', hint: /Did you mean ana\?/ },
      ],
      [
        'an unknown coordinator',
        ['start', 'x', '--name', 'n', '--coordinator', 'nobody'],
        { exit: 2, code: 'unknown_agent' },
      ],
      [
        'somebody who is not a participant',
        ['respond', 'zoe', '--name', 'first'],
        { exit: 2, code: 'unknown_agent', hint: /Participants: ana/ },
      ],
      ['the view of a stranger', ['view', 'zoe', '--name', 'first'], { exit: 2, code: 'unknown_agent' }],
      [
        'the excuse of a stranger',
        ['excuse', 'zoe', '--why', 'x', '--name', 'first'],
        { exit: 2, code: 'unknown_agent' },
      ],
      ['an agent that cannot be shown', ['agents', 'show', 'zoe'], { exit: 2, code: 'unknown_agent' }],
      [
        'an unknown mode',
        ['start', 'x', '--name', 'n', '--mode', 'brawl'],
        { exit: 2, code: 'unknown_mode', hint: /debate.*synthesis/ },
      ],
      ['a mode that cannot be shown', ['modes', 'brawl'], { exit: 2, code: 'unknown_mode' }],
      [
        'an unknown archive to show',
        ['show', '2020-01-01-nothing'],
        { exit: 2, code: 'unknown_archive', hint: /council list/ },
      ],
      [
        'an unknown archive to export',
        ['export', '2020-01-01-nothing'],
        { exit: 2, code: 'unknown_archive' },
      ],
      ['an unknown format', ['export', 'x', '--format', 'pdf'], { exit: 2, code: 'usage' }],
      ['a search without a word', ['search', '---', '--limit', '3'], { exit: 2, code: 'usage' }],
      ['a limit that is no number', ['search', 'x', '--limit', 'many'], { exit: 2, code: 'usage' }],
      [
        'a name that is taken',
        ['start', 'x', '--name', 'first'],
        { exit: 1, code: 'name_taken', hint: /--name/ },
      ],
      [
        'no name where several are active',
        ['view', 'ana'],
        { exit: 2, code: 'unknown_council', hint: /first, second/ },
      ],
      [
        'a revision that is not kept',
        ['restore', '99', '--name', 'first'],
        { exit: 2, code: 'unknown_revision' },
      ],
      ['a revision that is none', ['restore', 'last', '--name', 'first'], { exit: 2, code: 'usage' }],
      ['nothing to adopt', ['adopt', '--name', 'first'], { exit: 2, code: 'usage' }],
      [
        'nothing to reveal',
        ['reveal', 'ana', '--name', 'first', '--file', 'COUNCIL.md'],
        { exit: 2, code: 'usage' },
      ],
      [
        'a file that is not there',
        ['respond', 'ana', '--name', 'first', '--file', 'nowhere.md'],
        { exit: 2, code: 'usage' },
      ],
      [
        'a brief that is not there',
        ['start', '--brief', 'nowhere.md', '--name', 'n'],
        { exit: 2, code: 'usage' },
      ],
      ['an empty topic', ['start', ' ', '--name', 'n'], { exit: 2, code: 'usage' }],
      [
        'a timeout that is none',
        ['start', 'x', '--name', 'n', '--timeout', 'soon'],
        { exit: 2, code: 'invalid_config' },
      ],
      [
        'a language that is none',
        ['start', 'x', '--name', 'n', '--lang', 'de'],
        { exit: 2, code: 'invalid_config' },
      ],
      [
        'a panel that is none',
        ['start', 'x', '--name', 'n', '--panel', 'online'],
        { exit: 2, code: 'usage' },
      ],
      [
        'somebody who is seated twice as the only one',
        ['start', 'x', '--name', 'n', '--agents', 'ana', '--coordinator', 'ana'],
        { exit: 2, code: 'usage', hint: /--agents/ },
      ],
      [
        'a tour that is none',
        ['respond', 'ana', '--name', 'first', '--tour', 'one'],
        { exit: 2, code: 'usage' },
      ],
      ['an unknown option', ['status', '--nope'], { exit: 2, code: 'usage', hint: /status --help/ }],
      ['an argument too many', ['status', 'one', 'more'], { exit: 2, code: 'usage' }],
      ['an argument too few', ['respond'], { exit: 2, code: 'usage' }],
      ['an unknown command', ['stauts'], { exit: 2, code: 'usage' }],
      ['an unknown shell', ['completion', 'tcsh'], { exit: 2, code: 'usage', hint: /bash, zsh, fish/ }],
      [
        'an agent that exists',
        ['agents', 'add', 'ana', '--runner', 'human'],
        { exit: 1, code: 'name_taken' },
      ],
      ['an unknown action', ['agents', 'fire', 'ana'], { exit: 2, code: 'usage' }],
      [
        'an expression that is none',
        ['install', '--dry-run', '--every', 'often'],
        { exit: 2, code: 'usage' },
      ],
    ]),
  )('%s', ([, args, expected]) => expectRefusal(project, args, expected, { input: 'text' }));

  it('no topic, and nothing piped in', () =>
    expectRefusal(project, ['start', '--name', 'n'], { exit: 2, code: 'usage' }));

  it.for(
    takeOneIn(4, [
      'status --name none',
      'respond ana --name none',
      'view ana --name none',
      'tick --name none',
      'extend 1h --name none',
      'cancel --why x --name none',
      'excuse ana --why x --name none',
      'reveal ana --file COUNCIL.md --name none',
      'history --name none',
      'restore --name none',
      'restore 1 --name none',
      'adopt --name none',
      'wait --name none',
    ]),
  )('an unknown council: %s', (line) =>
    expectRefusal(
      project,
      line.split(' '),
      { exit: 2, code: 'unknown_council', hint: /./ },
      { input: 'text' },
    ),
  );

  it('a COUNCIL.md that cannot be read', async () => {
    const broken = await newProject();
    addAgent(broken, 'ana');
    broken.write('COUNCIL.md', '---\nconcurrency: many\n---\n');
    await expectRefusal(broken, ['start', 'x'], { exit: 2, code: 'invalid_config' });
    broken.write('COUNCIL.md', '---\nlang: [\n---\n');
    await expectRefusal(broken, ['start', 'x'], { exit: 2, code: 'invalid_config' });
  });

  it('a private folder inside the project', async () => {
    const unsafe = await newProject();
    addAgent(unsafe, 'ana');
    const env = { XDG_STATE_HOME: join(unsafe.root, 'state') };
    await unsafe.council(['start', 'x']);
    await expectRefusal(
      unsafe,
      ['respond', 'ana'],
      { exit: 1, code: 'unsafe_private_dir', hint: /XDG_STATE_HOME/ },
      { env, input: 'secret words' },
    );
    expect(filesIn(unsafe.root).filter((path) => path.startsWith(env.XDG_STATE_HOME))).toEqual([]);
  });
});

describe.concurrent('without a project', () => {
  it.for(
    takeOneIn(4, [
      'status',
      'respond ana',
      'view ana',
      'tick',
      'watch',
      'wait',
      'extend 1h',
      'cancel --why x',
      'excuse ana --why x',
      'reveal ana --file x',
      'history',
      'restore',
      'adopt',
      'list',
      'show x',
      'search x',
      'export x',
      'install --dry-run',
      'uninstall --dry-run',
      'heartbeat',
    ]),
  )('is refused with exit 2: %s', async (line) => {
    const empty = await newProject({ init: false });
    const streams = line === 'watch' || line === 'heartbeat';
    const { code, stdout, stderr } = await empty.council(
      [...line.split(' '), ...(streams ? [] : ['--json'])],
      { input: 'text' },
    );
    expect(code).toBe(2);
    if (streams) expect(stderr).toContain('There is no council project');
    else
      expect((JSON.parse(stdout) as Failed).error).toMatchObject({
        code: 'no_project',
        hint: expect.stringContaining('council init') as string,
      });
    expect(filesIn(empty.root)).toEqual([]);
  });

  it('shows what there is in every project: agents, modes and help', async () => {
    const empty = await newProject({ init: false });
    const { stdout: agents } = await empty.council(['agents']);
    expect(agents).toContain('consistency');
    expect((await empty.council(['agents', 'show', 'precision'])).code).toBe(0);
    expect((await empty.council(['agents', 'check'])).code).toBe(0);
    expect((await empty.council(['modes'])).stdout).toContain('debate ');
    expect((await empty.council(['modes', 'debate'])).code).toBe(0);
    expect((await empty.council(['help', 'run'])).code).toBe(0);
    expect(filesIn(empty.root)).toEqual([]);
  });
});
