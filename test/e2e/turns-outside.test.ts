// An agent in its turn that asks from outside of what council handed to it: in another project, or with a program of its own.
import { spawn } from 'node:child_process';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { identifyProcess } from '../../src/core/store/local/liveness.ts';
import { createToken, projectWithAda } from '../helpers/ada.ts';
import type { Project } from '../helpers/cli.ts';
import { beginTurn, openTurn } from '../helpers/in-turn.ts';
import { apiOf, serving } from '../helpers/serve.ts';

describe('an agent in its turn in one project', () => {
  it('speaks for nobody of the same id in another, and may look there', async () => {
    const [project, other] = [await projectWithAda(), await projectWithAda()];
    const env = openTurn(project, 'ada');
    const said = async (...argv: string[]): Promise<string> => {
      const { stdout, stderr } = await project.council(argv, { env });
      return stdout + stderr;
    };
    const there = (...argv: string[]) => said(...argv, '--root', other.root);
    for (const argv of [
      ['send', 'bob', 'Yes.'],
      ['inbox', 'ada'],
      ['respond', 'ada'],
      ['view', 'ada'],
      ['reserve', 'src'],
    ])
      expect(await there(...argv), argv[0]).toContain('it speaks for nobody in this one');
    expect(await there('status')).toContain('No council is active');
    expect(await said('send', 'bob', 'Yes.')).toContain('Sent to bob');
    const server = await serving(other, [], { XDG_STATE_HOME: project.env.XDG_STATE_HOME! });
    const headers = { 'council-turn': env.COUNCIL_TURN };
    const answer = await apiOf(server.url).post('send', { to: ['bob'], text: 'Yes.' }, headers);
    expect(await answer.text()).toContain('it speaks for nobody in this one');
    await server.stop();
  });
});

/** The address of this machine that is not the loopback address. */
const ADDRESS = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

/** What a program prints that ada's turn belongs to. */
async function printedInTurn(project: Project, asked: string): Promise<string> {
  const script = `process.stdin.once('data', async () => console.log(await (async () => { ${asked} })()))`;
  const child = spawn(process.execPath, ['-e', script], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  beginTurn(project, 'ada').setGroup(identifyProcess(child.pid!));
  child.stdin.end('go');
  return text(child.stdout);
}

describe.runIf(process.platform === 'linux')('an agent that asks a server with a program of its own', () => {
  it('is known by its connection', async () => {
    const project = await projectWithAda();
    const server = await serving(project);
    const ask = (header: string) => `return (await fetch('${server.url}/api/v1/start', {
      method: 'POST', headers: { 'content-type': 'application/json'${header} }, body: '{"topic":"Who?","agents":["ada"]}',
    })).text()`;
    expect(await printedInTurn(project, ask(''))).toContain('an agent in its turn cannot call start');
    // A secret that opens nothing does not hide it.
    const wrong = ask(`, 'council-turn': 'council_tn_none'`);
    expect(await printedInTurn(project, wrong)).toContain('an agent in its turn cannot call start');
    // The test itself is in no turn.
    expect(JSON.stringify(await apiOf(server.url).ok('start', { topic: 'Who?', agents: ['ada'] }))).toContain(
      'COLLECT',
    );
    await server.stop();
  });

  it.runIf(ADDRESS)('is known by whichever address of this machine it asks', async () => {
    const project = await projectWithAda();
    const authorization = `Bearer ${await createToken(project, 'admin')}`;
    const server = await serving(project, ['--host', '0.0.0.0']);
    const headers = JSON.stringify({ 'content-type': 'application/json', authorization });
    const ask = `return (await fetch('http://${ADDRESS}:${new URL(server.url).port}/api/v1/start', {
      method: 'POST', headers: ${headers}, body: '{"topic":"Who?","agents":["ada"]}',
    })).text()`;
    expect(await printedInTurn(project, ask)).toContain('an agent in its turn cannot call start');
    await server.stop();
  });

  it('decides nothing and invites nobody on pages, where it comes in as whoever is at this machine', async () => {
    const project = await projectWithAda();
    const server = await serving(project);
    await apiOf(server.url).ok('start', { topic: 'Who?', agents: ['ada'], coordinator: '', name: 'who' });
    const send = (path: string, fields: string) => `
      const page = await fetch('${server.url}/councils/who', { headers: { accept: 'text/html' } });
      const cookie = page.headers.get('set-cookie').split(';')[0];
      const [, token] = /name="form-token" value="([^"]+)"/.exec(await page.text());
      return (await fetch('${server.url}${path}', {
        method: 'POST', redirect: 'manual',
        headers: { cookie, origin: '${server.url}', accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
        body: 'form-token=' + token + '&${fields}',
      })).text()`;
    const forms = {
      '/councils/who/cancel': 'why=enough&sure=yes',
      '/councils/who/tick': 'why=now&sure=yes',
      '/councils/who/invite': 'agent=ada&do=invite',
      '/councils/who/seat': 'as=bob&text=Mine.&do=send&tour=1',
    };
    for (const [path, fields] of Object.entries(forms)) {
      const said = await printedInTurn(project, send(path, fields));
      // A slow machine answers a tick before it is refused: with an empty page, and nothing moves.
      if (said.trim() !== '' || !path.endsWith('/tick'))
        expect(said, path).toMatch(
          /an agent in its turn cannot call|You may not do or see this|speaks for itself/,
        );
      expect(said, path).not.toContain('/join#');
    }
    await server.stop();
    const { json } = await project.council<{ councils: object[] }>(['status', '--json']);
    expect(json.councils).toMatchObject([{ name: 'who', revision: 1 }]);
  });
});
