import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { TOLD_TYPE } from '../../src/server/remote/call.ts';
import { newProject, until } from '../helpers/cli.ts';
import type { Project, Run } from '../helpers/cli.ts';
import { HAS_TERMINAL, onTerminal } from '../helpers/look.ts';
import { serving } from '../helpers/serve.ts';
import { openTurn } from '../helpers/in-turn.ts';

/** A project with two people, its server, and a machine without a project. */
async function twoMachines() {
  const there = await newProject();
  for (const id of ['ada', 'ben']) await there.council(['agents', 'add', id, '--runner', 'human']);
  const server = await serving(there);
  const here = await newProject({ init: false });
  const env = { COUNCIL_SERVER: server.url };
  const ask = (...args: string[]) => here.council(args, { env });
  return { there, here, server, ask, env };
}
/** What a command said, on both ways, and its exit code. */
const told = (args: string[], { code, stdout, stderr }: Run) => ({
  args,
  code,
  out: settled(stdout),
  err: settled(stderr),
});
const settled = (text: string): string => text.replace(/now(?=, \d\d:)|\d+ (s|ms|min)\b( ago)?/g, 'N s');

describe('the command line against a server', () => {
  it('holds a council there, and says what it says here', async () => {
    const { there, here, server, ask, env } = await twoMachines();
    const started = await ask('start', 'Wo? 🦉', '--agents', 'ada,ben', '--coordinator', '', '--name', 'c');
    expect(started).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The council "c" is open: Wo? 🦉') as string,
    });
    for (const args of [
      ['view', 'ada', '--name', 'c'],
      ['view', 'ada', '--name', 'c', '--json'],
      ['status'],
      ['status', '--json'],
      ['inbox', 'ada'],
      ['who'],
      ['list'],
      ['cost'],
      ['task'],
      ['approvals'],
      ['search', 'nothing'],
      ['view', 'eve', '--name', 'c'],
      ['view', 'eve', '--name', 'c', '--json'],
      ['show', 'no-such-archive'],
      ['approvals', 'show', 'a9'],
      ['wait', '--name', 'c', '--for', 'phase:CHALLENGE', '--timeout', '1s', '--json'],
      ['send', 'nobody', 'x', '--json'],
    ]) {
      const [far, near] = await Promise.all([ask(...args), there.council(args)]);
      expect(told(args, far)).toEqual(told(args, near));
    }
    const said = { input: 'position: Redis\n\nIt is fast.\n', env };
    const first = await here.council(['respond', 'ada', '--name', 'c'], said);
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Recorded: ada, COLLECT .* 29 bytes/) as string,
    });
    const again = await here.council(['respond', 'ada', '--name', 'c'], said);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('already responded') as string });
    const other = await here.council<{ kept: string }>(['respond', 'ada', '--name', 'c', '--json'], {
      ...said,
      input: 'Other.',
    });
    expect(other).toMatchObject({ code: 1, json: { accepted: false, reason: 'different_text' } });
    // Where it was written, and not where the server lies.
    expect(other.json.kept.startsWith(here.privateDir)).toBe(true);
    expect(fs.readFileSync(other.json.kept, 'utf8')).toBe('Other.');
    const sent = await ask('send', 'ada', 'Hello', '--json');
    expect(sent.code).toBe(0);
    expect((await there.council(['inbox', 'ada'])).stdout).toContain('Hello');
    expect(fs.readdirSync(here.root)).toEqual([]);
    await server.stop();
  });

  it('says what helps whoever has no token, no project here, or a seat alone', async () => {
    const { there, here, server, ask, env } = await twoMachines();
    await there.council(['start', 'Where?', '--agents', 'ada,ben', '--coordinator', '', '--name', 'c']);
    const made = ['token', 'create', '--role', 'participant', '--name', 'c', '--as', 'ada', '--json'];
    const { json } = await there.council<{ token: string }>(made);
    await until('it asks for a token', async () => (await ask('status')).code === 1);
    expect((await ask('status')).stderr).toMatch(
      /^council: http:\S+ asks for a token, and COUNCIL_TOKEN is not set\.\nSet it to yours: export COUNCIL_TOKEN=/,
    );
    const asAda = (args: string[], COUNCIL_TOKEN = json.token) =>
      here.council(args, { env: { ...env, COUNCIL_TOKEN } });
    const wrong = await asAda(['status'], json.token.replace(/.$/, '_'));
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      expect.stringMatching(/does not let in who has the token in COUNCIL_TOKEN: This token is not known/),
    ]);
    for (const call of [['status'], ['task', 'list'], ['start', 'What else?']]) {
      const { code, stderr } = await asAda(call);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('opens the seat of ada in the council "c"'),
      ]);
      expect(stderr).toMatch(/council view ada, .* council respond ada\. .* \/councils\/c\/seat/);
    }
    for (const [command, ...args] of [['tick'], ['export', 'x'], ['open']]) {
      const { code, stderr } = await here.council([command!, ...args], { env });
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(
          `council ${command} works in the folder of the project, on the machine where`,
        ),
      ]);
      expect(stderr).toMatch(/With the server work: start, view, respond/);
      expect(stderr).not.toContain('council init');
    }
    await server.stop();
  });

  it('shows people a council as it does here: ledger, measures, archive', async () => {
    const { there, server, ask } = await twoMachines();
    await there.council(['start', 'Où? 🦉', '--agents', 'ada,ben', '--coordinator', '', '--name', 'c']);
    const both = async (...args: string[]) => {
      const [far, near] = await Promise.all([ask(...args), there.council(args)]);
      expect(told(args, far)).toEqual(told(args, near));
      return near;
    };
    await both('ledger', 'c');
    for (const id of ['ada', 'ben'])
      await there.council(['respond', id, '--name', 'c'], {
        input: `position: ${id}\n\nIt is fast. Ça va.\n`,
      });
    await there.council(['tick', '--name', 'c']);
    expect((await both('ledger', 'c')).stdout).toContain('It is fast');
    await both('metrics', 'c');
    await both('metrics', '--messages');
    await both('metrics', 'nowhere');
    await both('extend', '0s', '--name', 'c');
    await ask('cancel', '--name', 'c', '--why', 'enough');
    for (const command of ['ledger', 'metrics', 'status', 'view'])
      expect((await both(command, ...(command === 'view' ? ['ada'] : []), '--name', 'c')).stderr).toContain(
        'Its archive: council ',
      );
    const { id } = (await there.council<{ archives: { id: string }[] }>(['list', '--json'])).json
      .archives[0]!;
    for (const args of [
      ['show', id],
      ['show', id, '--json'],
      ['ledger', id],
      ['metrics', id, '--json'],
      ['search', 'fast'],
    ])
      expect((await both(...args)).stdout).not.toBe('');
    there.write(`conseils/${id}.md`, there.read(`conseils/${id}.md`).toString().replace('Ça va.', 'Ça ira.'));
    expect((await both('show', id)).stderr).toContain('is not what was recorded');
    there.write(`conseils/${id}.md`, there.read(`conseils/${id}.md`).subarray(0, 2000));
    expect((await both('list')).stdout).toContain('No archive can be read.');
    await server.stop();
  });

  it('watches a council there as it does here, also while the server is changed', async () => {
    const { there, here, server, env } = await twoMachines();
    await there.council(['start', 'Where?', '--agents', 'ada,ben', '--coordinator', '', '--name', 'c']);
    const watching = [
      here.launch(['watch', '--name', 'c', '--json'], { env }),
      there.launch(['watch', '--name', 'c', '--json']),
      here.launch(['watch', '--name', 'c'], { env }),
      there.launch(['watch', '--name', 'c']),
    ];
    const all = (what: string) =>
      until(`all tell of ${what}`, () =>
        watching.every(({ output }, at) => output().includes(at < 2 ? `"revision":${what}` : ` r${what} `)),
      );
    await all('1');
    const port = new URL(server.url).port;
    await server.stop();
    await there.council(['respond', 'ada', '--name', 'c'], { input: 'CANARY-9' });
    const next = await serving(there, ['--port', port]);
    await all('2');
    await there.council(['cancel', '--name', 'c', '--why', 'enough']);
    const runs = await Promise.all(watching.map(({ ended }) => ended));
    const [farJson, nearJson, far, near] = runs.map(({ code, stdout }) => ({
      code,
      // The revision that ends it stands for a moment only.
      out: stdout
        .replace(/^.*("revision":3| r3 ).*\n/m, '')
        .replace(/"event":"ended","at":"[^"]*"/g, '"event":"ended"')
        .replaceAll(there.root, '')
        .replaceAll('/conseils', 'conseils'),
    }));
    expect(farJson).toEqual(nearJson);
    expect(far).toEqual(near);
    expect(far!.out).toContain('has ended');
    await next.stop();
  });

  it('keeps a contribution that no server took, and says that sending it again is safe', async () => {
    const { here, server, env } = await twoMachines();
    await server.stop();
    const text = 'Long thought: é\r\n';
    const run = await here.council<{ error: { code: string; kept: string } }>(
      ['respond', 'ada', '--name', 'c', '--json'],
      {
        input: text,
        env,
      },
    );
    expect(run).toMatchObject({ code: 75, json: { error: { code: 'unreachable' } } });
    expect(fs.readFileSync(run.json.error.kept, 'utf8')).toBe(text);
    expect(fs.statSync(run.json.error.kept).mode & 0o077).toBe(0);
    const none = await here.council(['status'], { env });
    expect(none.code).toBe(75);
    expect(none.stderr).toContain('nothing listens there (ECONNREFUSED)');
    expect(none.stderr).toContain('Is council serve running there?');
    expect((await here.council(['status', '--server', 'ftp://x'], {})).code).toBe(2);
    const init = await here.council(['init', '--no-detect', '--json'], { env });
    expect(init).toMatchObject({
      code: 0,
      stderr: `council init acts on this folder, not at ${server.url} (COUNCIL_SERVER).\n`,
    });
    expect((await here.council(['protocol', '--json'], { env })).stderr).not.toContain('COUNCIL_SERVER');
  });

  it('keeps a contribution that somebody has answered who is no server of council', async () => {
    const here = await newProject({ init: false });
    const page = http.createServer((req, res) =>
      req
        .resume()
        .on('end', () => res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>')),
    );
    await new Promise((resolve) => void page.listen(0, '127.0.0.1', () => resolve(undefined)));
    const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
    const run = await here.council(['respond', 'ada', '--name', 'c'], {
      input: 'Long thought: é\r\n',
      env: { COUNCIL_SERVER: url },
    });
    expect(run).toMatchObject({ code: 75, stdout: '' });
    expect(run.stderr).toContain(`${url} answers, but not as council's server does (status 200, text/html).`);
    const [, kept = ''] = /^The text is kept in (.*)$/m.exec(run.stderr) ?? [];
    expect(fs.readFileSync(kept, 'utf8')).toBe('Long thought: é\r\n');
    page.close();
  });

  it('says of an answer that has something odd in it that it cannot be told, in a sentence', async () => {
    const here = await newProject({ init: false });
    const trace = { root: { id: 'T1', name: 'x' }, time: { total: 1 } };
    const odd = http.createServer((req, res) =>
      req.resume().on('end', () => {
        res.writeHead(200, { 'content-type': TOLD_TYPE });
        res.end(JSON.stringify({ document: { trace }, notes: [] }));
      }),
    );
    await new Promise((resolve) => void odd.listen(0, '127.0.0.1', () => resolve(undefined)));
    const url = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`;
    const run = await here.council(['task', 'trace', 'T1'], { env: { COUNCIL_SERVER: url } });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain(`What ${url} answers cannot be told: it is not what council says.`);
    expect(run.stderr).not.toContain('TypeError');
    odd.close();
  });

  it('keeps a contribution that does not go over the wire, or that the server does not take', async () => {
    const { there, here, server, env } = await twoMachines();
    await there.council(['start', 'Où?', '--agents', 'ada,ben', '--coordinator', '', '--name', 'c']);
    const cases: [string, string, Buffer, Record<string, string>][] = [
      ['no UTF-8', 'invalid_text', Buffer.from([0x63, 0xe9, 0x0d, 0x0a]), {}],
      ['NUL', 'invalid_text', Buffer.from('half\0'), {}],
      ['beyond what a request may have', 'too_large', Buffer.alloc(9 * 1024 * 1024, 'é'), {}],
      ['a wrong token', 'forbidden', Buffer.from('Mine.'), { COUNCIL_TOKEN: 'council_at_wrong' }],
    ];
    for (const [what, code, input, more] of cases) {
      const run = await here.council<{ error: { code: string; kept: string } }>(
        ['respond', 'ada', '--name', 'c', '--json'],
        { input, env: { ...env, ...more } },
      );
      expect({ what, code: run.code, error: run.json.error.code }).toEqual({ what, code: 1, error: code });
      expect(fs.readFileSync(run.json.error.kept).equals(input)).toBe(true);
      expect(fs.statSync(run.json.error.kept).mode & 0o077).toBe(0);
    }
    await server.stop();
  });

  it.skipIf(!HAS_TERMINAL)('writes in an editor, and reads times, as it does here', async () => {
    const { there, here, server, env } = await twoMachines();
    there.write('COUNCIL.md', there.read('COUNCIL.md').toString().replace('---\n', '---\nlang: fr\n'));
    await there.council(['start', 'Où?', '--agents', 'ada,ben', '--coordinator', '', '--name', 'c']);
    const viewed = [here, there].map((one) =>
      settled(onTerminal(one, ['view', 'ada', '--name', 'c'], one === here ? env : {}).output),
    );
    expect(viewed[0]).toEqual(viewed[1]);
    expect(viewed[0]).toContain('Échéance');
    const seen = `${here.outside}/seen.md`;
    const editor = `${here.outside}/fill.sh`;
    fs.writeFileSync(editor, `#!/bin/sh\ncp "$1" ${seen}\nsed -i '5a\\\nParce que.' "$1"\n`, { mode: 0o755 });
    const run = onTerminal(here, ['respond', 'ada', '--name', 'c'], { ...env, EDITOR: editor });
    expect(run).toMatchObject({ status: 0, output: expect.stringContaining('Recorded: ada') as string });
    expect(fs.readFileSync(seen, 'utf8')).toContain('Échéance');
    await server.stop();
  });

  it('refuses an agent in its launch what it refuses it here', async () => {
    const { there, here, server, env } = await twoMachines();
    const turn = { there: openTurn(there, 'ada'), here: openTurn(here, 'ada') };
    for (const args of [
      ['send', 'ben', 'hi', '--from', 'ben'],
      ['sent', '--from', 'ben'],
      ['ack', 'msg-1', '--as', 'ben'],
      ['view', 'ben'],
      ['respond', 'ben', '--file', 'COUNCIL.md', '--replace'],
      ['read', 'COUNCIL.md', '--as', 'ben'],
      ['inbox', 'ben'],
      ['approvals', 'approve', 'a1'],
      ['task', 'run', 'Sum up.'],
      ['task', 'answer', 'T1', '1'],
    ]) {
      const far = await here.council(args, { env: { ...env, ...turn.here } });
      expect(told(args, far)).toEqual(told(args, await there.council(args, { env: turn.there })));
      expect(far).toMatchObject({ code: 1, stdout: '' });
    }
    await server.stop();
  });

  it('shows its token to the server that it was given for, and to no other', async () => {
    const { there, here, server, env } = await twoMachines();
    await there.council(['start', 'Where?', '--agents', 'ada,ben', '--coordinator', '', '--name', 'c']);
    const { token } = (await seat(there)).json;
    await until('a token is asked for', async () => (await here.council(['list'], { env })).code === 1);
    const without = await here.council(['status', '--json'], { env });
    expect(without).toMatchObject({ code: 1, json: { error: { code: 'forbidden' } } });
    const mine = { ...env, COUNCIL_TOKEN: token };
    expect((await here.council(['view', 'ada'], { env: mine })).stdout).toContain('Where?');
    expect(await here.council(['view', 'ben', '--json'], { env: mine })).toMatchObject({
      code: 1,
      json: { error: { code: 'forbidden' } },
    });
    expect((await here.council(['wait', '--for', 'turn:ada'], { env: mine })).code).toBe(0);
    await server.stop();
  });
});

const seat = (project: Project) =>
  project.council<{ token: string }>([
    'token',
    'create',
    '--role',
    'participant',
    '--name',
    'c',
    '--as',
    'ada',
    '--json',
  ]);
