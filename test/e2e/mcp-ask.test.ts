import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLI, newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { openTurn } from '../helpers/in-turn.ts';
import { listening, overHttp, startedAs } from '../helpers/mcp.ts';
import type { Connected } from '../helpers/mcp.ts';
import { pathWith } from '../helpers/programs.ts';
import { addSpeaker, launches } from '../helpers/speakers.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

const QUESTION = 'Should we buy it?';

const answer = (position: string, text: string): string => `---\nposition: ${position}\n---\n\n${text}\n`;
/** A claude that answers everything with this text. */
const answeringClaude = (text: string): string => {
  const result = JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: text });
  return `if [ "$1" = --version ]; then echo 2.1.0; exit; fi; while read -r line; do :; done; printf '%s\\n' '${result}'`;
};

/** A client of the tools that an agent gets by default. */
const connect = (project: Project, env: Record<string, string> = {}): Promise<Connected> =>
  startedAs('v2', [process.execPath, CLI, 'mcp'], project.root, {
    ...(project.env as Record<string, string>),
    ...env,
  });

/** Two who agree, one who does not; with `whenThere`, carl answers once that file exists. */
async function projectOfThree(whenThere?: string): Promise<Project> {
  const project = await newProject();
  addSpeaker(project, 'ada', { any: { say: answer('Buy it', 'It is cheap.') } });
  addSpeaker(project, 'bob', { any: { say: answer('Buy it', 'We know it.') } });
  const gate = whenThere === undefined ? {} : { whenThere: join(project.outside, whenThere) };
  addSpeaker(project, 'carl', { any: { say: answer('Build it', 'It is small.'), ...gate } });
  return project;
}

describe.concurrent('ask', () => {
  it('seats the programs of an empty folder, also by model and persona, and tells what that is worth', async () => {
    const project = await newProject({ init: false });
    const PATH = pathWith(project, { claude: answeringClaude(answer('Buy it', 'It is cheap.')) });
    const client = await connect(project, { PATH });
    const alone = await client.call('ask', { question: QUESTION });
    expect(alone.text).toContain('Decided (blind-first): P1 "Buy it" has 3 of 3 votes.');
    expect(alone.text).toContain('Only claude is seated here: it is asked three times');
    expect(alone.text).toContain('- claude (P1): It is cheap.\n');
    const named = await client.call('ask', { question: QUESTION, seats: 'claude:opus,claude:sonnet@law' });
    expect(named.text).toContain('P1 "Buy it" (claude-opus, claude-sonnet-law)');
    expect(named.text).toContain('If the two seats disagree, it is a tie.');
    const table = await client.call('ask', { question: QUESTION, table: 'plan' });
    expect(table.text).toContain('claude-skeptic');
    const unknown = await client.call('ask', { question: QUESTION, seats: 'claude,codx' });
    expect(unknown).toMatchObject({
      isError: true,
      json: { error: { code: 'unknown_agent', hint: expect.stringContaining('claude') as string } },
    });
    expect(readdirSync(join(project.root, 'agents'))).toContain('claude-opus.md');
    await client.close();
  });

  it('reports progress, and tells decision, reasons, dissent and archive', async () => {
    const project = await projectOfThree('open');
    const client = await connect(project);
    const reported: string[] = [];
    const asked = client.follow('ask', { question: QUESTION, context: '# Facts\n\nIt costs 5.' }, reported);
    await Promise.race([
      until('two have answered', () => reported.includes('COLLECT: 2 of 3, waiting for carl')),
      // An answer that comes before they have says why.
      asked.then(({ text }) => Promise.reject(new Error(text))),
    ]);
    writeFileSync(join(project.outside, 'open'), '');
    const { text } = await asked;
    expect(text).toContain('Decided (blind-first): P');
    expect(text).toMatch(/\n\nReasons:\n- ada \(P\d\): It is cheap\.\n- bob/);
    expect(text).toMatch(/\n\nDissent:\n- carl \(P\d\): It is small\.\n/);
    for (const { input } of launches(project)) expect(input).toContain('It costs 5.');
    const shown = await client.call('archives', { action: 'show' });
    expect(shown.text).toContain('It costs 5.');
    expect((await client.call('archives')).text).toMatch(
      /^- .*-should-we-buy-it: Should we buy it\?\n {2}Decided/,
    );
    expect((await client.call('archives', { action: 'search', query: 'small' })).text).toContain('**small**');
    await client.close();
  });

  long(
    'has them debate where it is asked to, and puts the same question anew once it was decided',
    async () => {
      const project = await projectOfThree();
      const client = await connect(project);
      const given = { question: QUESTION, seats: ['ada', 'carl'], debate: true };
      expect((await client.call('ask', given)).text).toContain('COLLECT, CHALLENGE, RESOLVE');
      expect((await client.call('ask', given)).text).toContain('should-we-buy-it-2');
      expect(project.archives()).toHaveLength(2);
      await client.close();
    },
  );

  long('keeps a verdict of four long answers and an archive of 100 KB within 1,500 tokens', async () => {
    const project = await newProject();
    const point = (who: string, at: number): string =>
      `${who} says in point ${at}: \`packages/db-${at}/src/queue.ts\` needs row locks (see RFC ${at + 9000}).`;
    for (const who of ['ada', 'bob', 'cem', 'dora']) {
      const points = Array.from({ length: 330 }, (_, at) => point(who, at)).join('\n\n');
      addSpeaker(project, who, { any: { say: answer(who === 'dora' ? 'SQLite' : 'Postgres', points) } });
    }
    const client = await connect(project);
    const { text } = await client.call('ask', { question: QUESTION });
    const [archive] = project.archives();
    expect(archive, text).toBeDefined();
    expect(project.read(archive!).length).toBeGreaterThan(100_000);
    // 3.2 bytes a token: text full of paths and numbers.
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4800);
    expect(text).toContain('P1 "');
    expect(text).toMatch(/- dora \(P\d\): dora says in point 0:.* …\n/);
    const page = await client.call('archives', { action: 'show' });
    expect(page.text).toMatch(/^Page 1 of \d+\. Call archives /);
    await client.close();
  });

  it('goes on after a call that was cancelled, and the next one joins it: nobody is launched twice', async () => {
    const project = await projectOfThree('open');
    const client = await connect(project);
    const gone = new AbortController();
    const cancelled = client.call('ask', { question: QUESTION }, gone.signal);
    await until('three are asked', () => launches(project).length === 3);
    gone.abort();
    await expect(cancelled).rejects.toThrow();
    const [again, verdict] = [client.call('ask', { question: QUESTION }), client.call('verdict')];
    writeFileSync(join(project.outside, 'open'), '');
    expect((await again).text).toContain('Decided (blind-first)');
    expect((await verdict).text).toBe((await again).text);
    expect(launches(project)).toHaveLength(3);
    await client.close();
  });

  long('goes on where the client went away in the middle: nobody is launched twice', async () => {
    const project = await projectOfThree('open');
    const first = await connect(project);
    const lost = first.call('ask', { question: QUESTION }).catch(() => undefined);
    await until('three are asked', () => launches(project).length === 3);
    await first.close();
    await lost;
    writeFileSync(join(project.outside, 'open'), '');
    await until('the archive is there', () => readdirSync(join(project.root, 'conseils')).length > 0);
    const second = await connect(project);
    const { text } = await second.call('verdict');
    expect(text).toContain('Decided (blind-first)');
    expect(text).toContain('should-we-buy-it');
    expect(launches(project)).toHaveLength(3);
    await second.close();
  });

  long('is refused to an agent in its turn, as is continue', async () => {
    const project = await projectOfThree();
    const turn = openTurn(project, 'ada');
    const client = await startedAs(
      'v2',
      [process.execPath, CLI, 'mcp', '--tools', 'council,steps'],
      project.root,
      { ...(project.env as Record<string, string>), ...turn },
    );
    for (const [tool, given] of [
      ['ask', { question: QUESTION }],
      ['continue', { way: 'end' }],
    ] as const)
      expect(await client.call(tool, given)).toMatchObject({
        isError: true,
        text: expect.stringContaining(`an agent in its turn cannot call ${tool}`) as string,
      });
    expect(launches(project)).toEqual([]);
    await client.close();
  });

  long('works over HTTP with the token of the server', async () => {
    const project = await projectOfThree();
    await project.council(['trust', '--yes']);
    const server = await listening(project);
    const client = await overHttp('v2', server.url, server.token);
    expect((await client.call('ask', { question: QUESTION })).text).toContain('Decided (blind-first)');
    await client.close();
    await server.stop();
  });
});
