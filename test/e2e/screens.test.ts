import { describe, expect, it } from 'vitest';
import { newProject, runs, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { pathWith } from '../helpers/programs.ts';
import { CTRL_C, onTerminal } from '../helpers/pty.ts';
import type { Terminal } from '../helpers/pty.ts';
import { expectScreen, settled } from '../helpers/screen.ts';
import { addAgent, addSpeaker, launches } from '../helpers/speakers.ts';

/** What a program does that is asked with its prompt on stdin. */
const program = (version: string, asked: string): string =>
  `if [ "$1" = --version ]; then echo "${version}"; exit 0; fi; while read -r line; do :; done; ${asked}`;
const json = (value: unknown): string => `printf '%s\\n' '${JSON.stringify(value)}'`;

const CLAUDE = program(
  '2.1.0 (Claude Code)',
  `/bin/sleep 2; ${json({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: 'position: Buy it\n\nBuy it: two weeks are not enough to build one.',
    total_cost_usd: 0.01,
    modelUsage: { opus: { inputTokens: 1200, outputTokens: 90 } },
  })}`,
);
const CODEX = program(
  'codex-cli 0.40.0',
  `echo 'WARNING: could not create PATH aliases' >&2; ${json({
    type: 'turn.failed',
    error: { message: 'unexpected status 401 Unauthorized: expired, for your prompt' },
  })}; exit 1`,
);
/** Limited at its first launch. */
const gemini = (mark: string): string =>
  program(
    '0.61.0',
    `/bin/sleep 1; if [ ! -e ${mark} ]; then : > ${mark}; echo 'Attempt 1 failed with status 429. Please retry in 4s' >&2; exit 1; fi; ${json(
      {
        response: 'position: Build it\n\nBuild it, since renting one binds us.',
        stats: { models: { 'gemini-3-pro': { tokens: { prompt: 149, candidates: 40, thoughts: 5 } } } },
      },
    )}`,
  );
const OPENCODE = program(
  '1.18.0',
  `echo 'Please log in to go on: https://example.org/device'; /bin/sleep 3; exit 1`,
);

/** A time zone in which it is noon: a deadline in an hour is shown without its day. */
const hoursPastNoon = new Date().getUTCHours() - 12;
const TZ = `Etc/GMT${hoursPastNoon < 0 ? '' : '+'}${hoursPastNoon}`;

const SIZES: Size[] = [40, 80, 160].flatMap((columns) => [
  { columns, env: { TZ, NO_COLOR: '1' }, name: `${columns}` },
  { columns, env: { TZ }, name: `${columns}-colour` },
]);

interface Size {
  columns: number;
  env: Record<string, string | undefined>;
  name: string;
}

async function expectShown(
  shown: Terminal,
  scene: string,
  { columns, name }: Size,
  project: Project,
): Promise<void> {
  expectScreen(`${scene}-${name}`, settled(await shown.cells(), columns, project.root));
}

/** Nothing is told twice, and nothing above its heading. */
async function expectOnce(shown: Terminal, headings: string[]): Promise<void> {
  const text = (await shown.lines()).join('\n');
  const places = headings.map((heading) => text.indexOf(heading));
  expect(places, text).toEqual(places.toSorted((a, b) => a - b));
  for (const heading of headings) expect(text.split(heading), `${heading}\n${text}`).toHaveLength(2);
}

describe.concurrent.each(SIZES)('a session on a terminal of $name', (size) => {
  const { columns, env } = size;

  it('where nothing is installed', async () => {
    const project = await newProject({ init: false });
    const PATH = pathWith(project);
    const shown = onTerminal(project, ['run', 'Tea or coffee?'], { columns, env: { ...env, PATH } });
    expect((await shown.ended).code).not.toBe(0);
    await expectShown(shown, 'nothing', size, project);
  });

  it('with one program', async () => {
    const project = await newProject({ init: false });
    const PATH = pathWith(project, { claude: CLAUDE });
    const shown = onTerminal(project, ['run', 'Buy or build?', '--mode', 'synthesis'], {
      columns,
      env: { ...env, PATH },
    });
    expect((await shown.ended).code).toBe(0);
    await expectShown(shown, 'one', size, project);
  });

  it('with four programs: slow, limited, not logged in, asking for a login', async () => {
    const project = await newProject({ init: false });
    const PATH = pathWith(project, {
      claude: CLAUDE,
      codex: CODEX,
      gemini: gemini(`${project.outside}/limited`),
      opencode: OPENCODE,
    });
    const shown = onTerminal(project, ['run', 'Buy or build?', '--mode', 'synthesis'], {
      columns,
      env: { ...env, PATH },
    });
    await shown.shows(/gemini +rate limit/);
    await until('only gemini is waited for', async () => {
      const lines = await shown.lines();
      const rows = lines.slice(-2).join('\n');
      const hasAnswered = lines.join('\n').includes('claude responded');
      return hasAnswered && /gemini +rate limit/.test(rows) && rows.includes('[s + number] stop');
    });
    await expectShown(shown, 'four-waiting', size, project);
    expect((await shown.ended).code).toBe(0);
    await expectOnce(shown, ['COLLECT is open', 'SYNTHESIZE is open', 'archived as', 'Status: COMPLETED']);
    await expectShown(shown, 'four', size, project);
    expect(shown.isCursorShown()).toBe(true);
  });

  it('with a person at the table', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { any: { say: 'position: Buy it\n\nBuy it.' } });
    addAgent(project, 'ana');
    const args = ['run', 'Buy or build?', '--mode', 'synthesis', '--agents', 'ada,ana', '--trust'];
    const shown = onTerminal(project, args, { columns, env });
    await shown.shows('ada responded');
    await shown.shows('Waiting for ana');
    await until('only ana is waited for', async () => {
      const rows = (await shown.lines()).slice(-4).join('\n');
      return /round 1: [^]*ana {2,}waiting/.test(rows) && rows.includes('[s + number] stop');
    });
    await expectShown(shown, 'person-waiting', size, project);
    await project.council(['respond', 'ana'], { input: 'position: Build it\n\nBuild it.' });
    expect((await shown.ended).code).toBe(0);
    await expectShown(shown, 'person', size, project);
  });

  it('of the demonstration', async () => {
    const project = await newProject({ init: false });
    const shown = onTerminal(project, ['demo'], { columns, env: { ...env, TMPDIR: project.outside } });
    expect((await shown.ended).code).toBe(0);
    await expectOnce(shown, [
      'COLLECT is open',
      'CHALLENGE is open',
      'RESOLVE is open',
      'SYNTHESIZE is open',
    ]);
    await expectShown(shown, 'demo', size, project);
  });
});

describe.concurrent('keys of a run', () => {
  async function table(): Promise<Project> {
    const project = await newProject();
    addSpeaker(project, 'ada', {
      COLLECT: { say: 'position: Buy it\n\nBuy it.\n\nThe second paragraph.' },
      CHALLENGE: { hang: true },
    });
    addSpeaker(project, 'bob', { COLLECT: { say: 'Build it.' }, CHALLENGE: { hang: true } });
    return project;
  }
  const RUN = ['run', 'Buy or build?', '--agents', 'ada,bob', '--trust'];

  it('show an answer in full once it may be seen, and stop one participant', async () => {
    const project = await table();
    const shown = onTerminal(project, RUN);
    await shown.shows('CHALLENGE, round 2');
    await shown.shows(/2 bob +\d+ s/);
    expect((await shown.lines()).join('\n')).not.toContain('The second paragraph.');
    shown.type('1');
    await shown.shows('The second paragraph.');
    shown.type('s');
    await shown.shows('Stop waiting for whom? Type the number');
    shown.type('2');
    await shown.shows('bob was stopped: nobody waits for it in this phase');
    await until(
      'bob has ended',
      async () => !(await shown.lines()).some((line) => /2 bob +\d+ s/.test(line)),
    );
    shown.type('s1');
    // Both are out of this phase, and the next one opens.
    await shown.shows('RESOLVE is open');
    expect((await shown.ended).code).toBe(0);
    const lines = await shown.lines();
    expect(lines.filter((line) => line.includes('bob was stopped'))).toHaveLength(1);
    expect(lines.join('\n')).toMatch(/Absent:[^]*bob \(CHALLENGE\): excused: stopped while/);
  });

  it('leave Ctrl-C and a closed window as they were', async () => {
    for (const way of ['interrupted', 'closed']) {
      const project = await table();
      const shown = onTerminal(project, RUN);
      await shown.shows(/2 bob +\d+ s/);
      if (way === 'closed') shown.hangUp();
      else {
        shown.type(CTRL_C);
        await shown.shows('Go on with: council run --resume');
        expect(await shown.ended).toEqual({ code: 130, signal: 0 });
        expect(shown.isCursorShown()).toBe(true);
      }
      await until('nothing runs any more', () => launches(project).every(({ pid }) => !runs(pid)));
    }
  });
});
