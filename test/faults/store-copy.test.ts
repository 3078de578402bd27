// `store copy`: a project moves from its files into PostgreSQL and back.
import fs from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesIn, newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { databaseForProject } from '../helpers/postgres/project-database.ts';
import { everythingReadable, isIn } from '../helpers/postgres/readable.ts';
import { connected, sharedPostgres } from '../helpers/postgres/shared.ts';
import { countCalls, drop, failing, inLanes, model, numbers } from '../helpers/tries.ts';

const server = await sharedPostgres();
const INTO = ['store', 'copy', '--from', 'files', '--to', 'postgres', '--json'];
const BACK = ['store', 'copy', '--from', 'postgres', '--to', 'files', '--json'];

interface Copied {
  councils: string[];
  documents: number;
  versions: number;
  archives: number;
  lateTexts: number;
  messages: number;
}
interface Refused {
  error: { code: string; message: string };
}

const start = (name: string, ...more: string[]): string[] => [
  'start',
  'Where to? 🦉 "quoted" --> é',
  ...['--agents', 'ada,ben', '--coordinator', 'none', '--name', name, ...more],
];

async function ok(project: Project, args: string[], input = '', env = {}): Promise<string> {
  const { code, stdout, stderr } = await project.council(args, { input, env });
  expect([code, stderr], args.join(' ')).toEqual([0, expect.anything()]);
  return stdout;
}

/** People with one council that goes on after its blind round, one that has ended, and messages. */
async function lively(project: Project): Promise<void> {
  for (const id of ['ada', 'ben']) await ok(project, ['agents', 'add', id, '--runner', 'human']);
  await ok(project, start('done', '--open'));
  for (const id of ['ada', 'ben'])
    await ok(project, ['respond', id, '--name', 'done'], `---\nposition: yes\n---\n\n${id} agrees\r\n`);
  await ok(project, ['cancel', '--name', 'done', '--why', 'overtaken']);
  await ok(project, start('open'));
  await ok(
    project,
    ['respond', 'ada', '--name', 'open'],
    '---\nposition: left\n---\n\n"moving": {"to": "x"}\n',
  );
  await ok(project, ['respond', 'ben', '--name', 'open'], '---\nposition: right\n---\n\n🦉 <!-- no -->\n');
  await ok(project, ['tick']);
  for (const text of ['one', 'two 🦉']) await ok(project, ['send', 'ada', text]);
}

/** What lies in a project's files, by path; without what comes and goes. */
const contents = ({ root }: Project): Map<string, string> =>
  new Map(
    ['memory/shared', 'conseils']
      .flatMap((dir) => filesIn(join(root, dir)))
      .map((path) => [relative(root, path), fs.readFileSync(path, 'latin1')] as const)
      .filter(([path]) => !/\/\.tmp\/|\.lock/.test(path)),
  );

/** What stands in the state of the open council, without what every revision has of its own. */
async function stateOf(project: Project, env = {}): Promise<Record<string, unknown>> {
  const said = await ok(project, ['status', '--name', 'open', '--json'], '', env);
  const { councils } = JSON.parse(said) as { councils: Record<string, unknown>[] };
  const own = ['revision', 'textSha256', 'previous', 'change', 'path', 'moving'];
  return Object.fromEntries(Object.entries(councils[0]!).filter(([key]) => !own.includes(key)));
}

describe.skipIf(!server)('store copy', () => {
  it('takes everything there and back, byte for byte', async () => {
    const project = await newProject({ init: false });
    delete project.env.COUNCIL_DATABASE_URL;
    await project.council(['init', '--no-detect']);
    await lively(project);
    const before = contents(project);
    const state = await stateOf(project);
    const env = { COUNCIL_DATABASE_URL: (await databaseForProject())! };
    const planned = await project.council<Copied>([...INTO, '--dry-run'], { env });
    expect(planned.code, planned.stderr).toBe(0);
    expect(contents(project)).toEqual(before);

    const there = await project.council<Copied>(INTO, { env });
    expect(there.code, there.stderr).toBe(0);
    expect(there.json).toMatchObject({ councils: ['open'], archives: 1 });
    expect(there.json.messages).toBeGreaterThan(0);
    expect((await project.council(['status', '--name', 'open'])).code).toBe(2);
    expect(await stateOf(project, env)).toEqual(state);
    const history = await ok(project, ['history', '--name', 'open', '--json'], '', env);
    expect(history).toContain('"move"');
    const again = await project.council<Copied>(INTO, { env });
    expect(again.json).toMatchObject({ councils: [], documents: 0, versions: 0 });

    const back = await project.council<Copied>(BACK, { env });
    expect(back.code, back.stderr).toBe(0);
    const after = contents(project);
    expect(await stateOf(project)).toEqual(state);
    for (const [path, text] of before)
      if (!/^memory\/shared\/(?:council-|\.versions\/\.\w+\/[^.][^/]*\.md)/.test(path))
        expect(after.get(path), path).toBe(text);
    await ok(project, ['respond', 'ada', '--name', 'open'], '---\nposition: left\n---\n\nStill.\n');
    expect((await project.council(['status', '--name', 'open'], { env })).code).toBe(2);
    // And once more, with what was added.
    expect((await project.council<Copied>(INTO, { env })).json).toMatchObject({ councils: ['open'] });
    expect((await project.council<Copied>(BACK, { env })).json).toMatchObject({ councils: ['open'] });
  });

  it('moves a blind round with the user who holds its texts only, and not out of the database', async () => {
    const project = await newProject({ init: false });
    delete project.env.COUNCIL_DATABASE_URL;
    await project.council(['init', '--no-detect']);
    for (const id of ['ada', 'ben']) await ok(project, ['agents', 'add', id, '--runner', 'human']);
    await ok(project, start('open'));
    await ok(project, ['respond', 'ada', '--name', 'open'], '---\nposition: left\n---\n\ncanary-4711\n');
    const before = contents(project);
    const url = (await databaseForProject())!;
    const env = { COUNCIL_DATABASE_URL: url };
    const stranger = { ...env, XDG_STATE_HOME: join(project.outside, 'other') };
    const refused = await project.council<Refused>(INTO, { env: stranger });
    expect([refused.code, refused.json.error.code]).toEqual([1, 'sealed_text_missing']);
    expect(refused.json.error.message).toContain('ada');
    expect(contents(project)).toEqual(before);

    expect((await project.council<Copied>(INTO, { env })).code).toBe(0);
    expect(isIn('canary-4711', (await connected(url, everythingReadable)).text)).toBe(false);
    const kept = await project.council<Refused>(BACK, { env });
    expect([kept.code, kept.json.error.code]).toEqual([1, 'forbidden']);
    await ok(project, ['respond', 'ben', '--name', 'open'], '---\nposition: right\n---\n\nRight.\n', env);
    await ok(project, ['tick'], '', env);
    expect(await ok(project, ['view', 'ben', '--name', 'open'], '', env)).toContain('canary-4711');
    expect((await project.council<Copied>(BACK, { env })).json).toMatchObject({ councils: ['open'] });
    expect(await ok(project, ['view', 'ben', '--name', 'open'])).toContain('canary-4711');
  });

  it('refuses what it cannot take', async () => {
    const project = await newProject({ init: false });
    delete project.env.COUNCIL_DATABASE_URL;
    await project.council(['init', '--no-detect']);
    expect((await project.council(INTO)).code).toBe(2);
    const env = { COUNCIL_DATABASE_URL: (await databaseForProject())! };
    expect((await project.council(['store', 'copy', '--from', 'files', '--to', 'files'], { env })).code).toBe(
      2,
    );
    for (const id of ['ada', 'ben']) await ok(project, ['agents', 'add', id, '--runner', 'human']);
    for (const where of [{}, env]) await ok(project, start('open', '--open'), '', where);
    const other = await project.council<Refused>(INTO, { env });
    expect([other.code, other.json.error.code]).toEqual([1, 'name_taken']);
  });

  it('writes nothing where an archive cannot be read or lies there otherwise, and leaves out what is no message', async () => {
    const project = await newProject({ init: false });
    delete project.env.COUNCIL_DATABASE_URL;
    await project.council(['init', '--no-detect']);
    await lively(project);
    const env = { COUNCIL_DATABASE_URL: (await databaseForProject())! };
    project.write('memory/shared/channels/general/msg-20260101-090000-zoe-0001.json', 'one\0two');
    const archive = 'conseils/2026-01-01-by-hand.md';
    const refusal = async (args: string[]) => {
      const before = contents(project);
      const { code, json } = await project.council<Refused>(args, { env });
      expect(contents(project)).toEqual(before);
      expect(json.error.message).toContain(archive);
      return [code, json.error.code];
    };
    project.write(archive, 'one\0two');
    expect(await refusal([...INTO, '--dry-run'])).toEqual([1, 'invalid_text']);
    expect(await refusal(INTO)).toEqual([1, 'invalid_text']);
    project.write(archive, 'one');
    const moved = await project.council(INTO, { env });
    expect([moved.code, moved.stderr]).toEqual([0, expect.stringContaining('A message is left out')]);
    await ok(project, start('later', '--open'));
    project.write(archive, 'two');
    expect(await refusal(INTO)).toEqual([1, 'failed']);
  });

  it('goes on after a kill -9 between its steps', { timeout: 300_000 }, async () => {
    const fresh = await model(lively);
    const whole = fresh();
    const env = { COUNCIL_DATABASE_URL: (await databaseForProject())! };
    const kinds = 'link,rename,unlink';
    Object.assign(whole.env, env);
    const calls = await countCalls(whole, INTO, { kinds });
    const backCalls = await countCalls(whole, BACK, { kinds });
    drop(whole);
    expect([calls, backCalls].every((count) => count > 5)).toBe(true);
    // Some of them: all would take a minute and a half.
    let told = 0;
    const some = numbers(calls + backCalls).filter((n) => n % 5 === 2);
    await inLanes(some, 2, async (n) => {
      const project = fresh();
      project.env.COUNCIL_DATABASE_URL = (await databaseForProject())!;
      const args = n > calls ? BACK : INTO;
      if (args === BACK) expect((await project.council(INTO)).code).toBe(0);
      const at = `killed at call ${n > calls ? n - calls : n} of ${args.join(' ')}`;
      const fail = failing(project, {
        FAIL_AT: String(n > calls ? n - calls : n),
        FAIL_KINDS: kinds,
      });
      await project.council(args, { env: fail });
      const { stdout } = await project.council(['doctor']);
      const command = `council store copy ${args.slice(2, -1).join(' ')}`;
      if (stdout.includes('half moved') && stdout.includes(command)) told++;
      const again = await project.council<Copied>(args);
      expect(again.code, `${at}: ${again.stdout}${again.stderr}`).toBe(0);
      const [here, there] = await Promise.all([
        project.council(['status', '--name', 'open'], { env: { COUNCIL_DATABASE_URL: '' } }),
        project.council(['status', '--name', 'open']),
      ]);
      expect([here.code, there.code], at).toEqual(args === INTO ? [2, 0] : [0, 2]);
      expect((await project.council(['doctor'])).stdout, at).not.toContain('half moved');
      drop(project);
    });
    expect(told).toBeGreaterThan(0);
  });
});
