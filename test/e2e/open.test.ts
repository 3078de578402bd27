import { readFileSync, statSync, writeFileSync, chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { filesIn, newProject, runs, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { must } from '../helpers/scenarios.ts';
import { apiOf, serving } from '../helpers/serve.ts';
import { visitorAt } from '../helpers/visitor.ts';
import { openTurn } from '../helpers/in-turn.ts';

interface Record {
  url: string;
  secret: string;
  since: number;
  process: { pid: number };
}
const recordsOf = (project: Project): { path: string; record: Record }[] =>
  filesIn(join(project.privateDir, 'serving'))
    .map((path) => ({ path, record: JSON.parse(readFileSync(path, 'utf8')) as Record }))
    .toSorted((a, b) => b.record.since - a.record.since);
/** The newest. */
const recordOf = (project: Project) => recordsOf(project)[0]!;
const started: number[] = [];
afterEach(() => {
  for (const pid of started.splice(0)) if (runs(pid)) process.kill(pid, 'SIGTERM');
});
const open = async (project: Project, ...args: string[]): Promise<string> => {
  const { code, json, stderr } = await project.council<{ url: string; pid: number }>([
    'open',
    ...args,
    '--json',
  ]);
  expect([code, stderr]).toEqual([0, '']);
  expect(json).toEqual({ url: json.url, pid: json.pid, end: `kill ${json.pid}` });
  expect(runs(json.pid)).toBe(true);
  return json.url;
};
const codeOf = (url: string): string => url.slice(url.indexOf('#') + 1);
const originOf = (url: string): string => new URL(url).origin;

async function ofTwo(): Promise<Project> {
  const project = await newProject();
  for (const id of ['ada', 'ben']) await must(project, ['agents', 'add', id, '--runner', 'human']);
  await must(project, ['start', 'Where?', '--agents', 'ada,ben', '--coordinator', '', '--name', 'queue']);
  return project;
}

describe('council open', () => {
  it('starts a server with a heartbeat, finds it again, and lets in once with each code', async () => {
    const project = await ofTwo();
    const url = await open(project);
    const { path, record } = recordOf(project);
    started.push(record.process.pid);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/join#[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/);
    expect(originOf(url)).toBe(record.url);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const visitor = visitorAt(record.url);
    expect((await visitor.join(codeOf(url))).body).toContain('<h1>Needs me</h1>');
    expect((await visitorAt(record.url).post('/join', { code: codeOf(url) })).status).toBe(403);
    // The first one counts as the first token: the machine itself is asked as well.
    expect((await visitorAt(record.url).get('/')).status).toBe(303);
    expect((await apiOf(record.url).post('status')).status).toBe(401);
    const again = await open(project, 'queue');
    expect(again.startsWith(`${record.url}/join?to=%2Fcouncils%2Fqueue#`)).toBe(true);
    expect(
      (await visitorAt(record.url).post('/join?to=%2Fcouncils%2Fqueue', { code: codeOf(again) })).headers
        .location,
    ).toBe('/councils/queue');
    // Whoever sits there is asked first, which uses up no code; the owner of the machine is not.
    const { json: invited } = await project.council<{ code: string }>(['invite', 'ada', '--json']);
    const ada = visitorAt(record.url);
    await ada.join(invited.code);
    const third = codeOf(await open(project));
    expect((await ada.post('/join', { code: third })).body).toContain('ada, at the council queue');
    expect((await ada.get('/')).headers.location).toBe('/councils/queue/seat');
    expect((await ada.post('/join', { code: third, sure: 'yes' })).headers.location).toBe('/');
    expect((await ada.post('/join', { code: third, sure: 'yes' })).status).toBe(403);
    expect((await visitor.post('/join', { code: codeOf(await open(project)) })).status).toBe(303);
    process.kill(record.process.pid, 'SIGTERM');
    await until('the server has ended', () => !runs(record.process.pid));
    expect(existsSync(path)).toBe(false);
  });

  it('hands the address to the browser in a file of its owner, and in nobody’s arguments', async () => {
    const project = await newProject();
    const server = await serving(project);
    const seen = join(project.outside, 'seen');
    const bin = join(project.outside, 'xdg-open');
    writeFileSync(
      bin,
      `#!/bin/sh\n{ stat -c %a "$1"; echo "$@"; cat "$1"; } > ${seen}.part\nmv ${seen}.part ${seen}\n`,
    );
    chmodSync(bin, 0o755);
    const env = { DISPLAY: ':0', PATH: `${project.outside}:${project.env.PATH}` };
    const { code, stdout } = await project.council(['open'], { env });
    expect([code, stdout]).toEqual([0, 'The browser opens it.\n']);
    await until('the browser was started', () => existsSync(seen));
    const [mode, args, page = ''] = readFileSync(seen, 'utf8').split('\n');
    expect(mode).toBe('600');
    expect(args).toMatch(/^\/.*\/council\/open\/[0-9a-f]{32}\.html$/);
    expect(page).toContain(`content="0;url=${server.url}/join#`);
    await server.stop();
  });

  it('finds whichever server runs, and takes away the record of one that was killed', async () => {
    const project = await newProject();
    const first = await serving(project);
    const second = await serving(project);
    expect(recordsOf(project).map(({ record }) => record.url)).toEqual([second.url, first.url]);
    expect(originOf(await open(project))).toBe(second.url);
    second.running.child.kill('SIGKILL');
    await second.running.ended;
    expect(originOf(await open(project))).toBe(first.url);
    expect(recordsOf(project).map(({ record }) => record.url)).toEqual([first.url]);
    const { stderr } = await project.council(['open', '--print']);
    const { pid } = recordOf(project).record.process;
    expect(stderr).toContain(`The server is already running as process ${pid} (stop: kill ${pid})`);
    await first.stop();
    expect(recordsOf(project)).toEqual([]);
  });

  it('gives its code to nobody who does not know the secret of the record', async () => {
    const project = await newProject();
    const server = await serving(project);
    const { path, record } = recordOf(project);
    expect(server.events()[0]).toMatchObject({
      event: 'listening',
      url: server.url,
      pid: record.process.pid,
    });
    // A record that somebody else's server stands behind: what `open` then starts is another one.
    writeFileSync(path, JSON.stringify({ ...record, secret: 'x'.repeat(43) }));
    const url = await open(project);
    started.push(recordOf(project).record.process.pid);
    expect(originOf(url)).not.toBe(server.url);
    for (const body of ['', '{}', JSON.stringify({ hash: 'a', at: Date.now(), proof: 'b' })]) {
      const answer = await fetch(`${server.url}/join/offer`, { method: 'POST', body });
      expect(answer.status).toBe(403);
    }
    const { events } = await server.stop();
    expect(new Set(events.flatMap(({ route }) => route ?? []))).toEqual(new Set(['/join/offer']));
  });

  it('is for people: an agent is refused, and so is a council that is not there', async () => {
    const project = await ofTwo();
    const turn = openTurn(project, 'ada');
    for (const command of [['open'], ['invite', 'ada']])
      expect(
        (await project.council<{ error: { code: string } }>([...command, '--json'], { env: turn })).json.error
          .code,
      ).toBe('forbidden');
    expect((await project.council(['open', 'nowhere'])).code).toBe(2);
    expect(filesIn(join(project.privateDir, 'serving'))).toEqual([]);
  });
});

describe('the page New', () => {
  it('says in the language of the page what is wrong, keeps what was filled in, and starts what is right', async () => {
    const project = await ofTwo();
    const server = await serving(project);
    const visitor = visitorAt(server.url);
    const french = { 'accept-language': 'fr' };
    await visitor.get('/start', french);
    const fields = { topic: 'Où vit la « file » ?', name: 'queue', agents: ['ada', 'ben'], do: 'start' };
    const wrong = await visitor.post('/start', { ...fields, timeout: 'une heure' }, french);
    expect(wrong.status).toBe(422);
    expect(wrong.body).toContain('Ce n’est pas une durée.');
    expect(wrong.body).toContain('value="une heure"');
    expect(wrong.body).toMatch(/id="timeout"[^>]*aria-invalid="true"/);
    expect(wrong.body).not.toMatch(/must be|expected|argument/);
    const taken = await visitor.post('/start', { ...fields, timeout: '1h' }, french);
    expect(taken.body).toMatch(/Un conseil nommé .*queue.* est déjà en cours/);
    const right = await visitor.post('/start', { ...fields, timeout: '1h', name: 'file' }, french);
    expect(right.headers.location).toBe('/councils/file?done=start');
    const extended = await visitor.post('/councils/file/extend', { duration: 'a lot', why: 'it is much' });
    expect([extended.status, extended.body.includes('This is not a length of time.')]).toEqual([422, true]);
    const { events } = await server.stop();
    const refused = events.filter(({ event }) => event === 'refused');
    expect(refused.map(({ route, status, reason }) => [route, status, reason])).toEqual([
      ['/start', 422, 'usage'],
      ['/start', 422, 'name_taken'],
      ['/councils/{name}/extend', 422, 'usage'],
    ]);
  });
});

describe('the page of a council', () => {
  it('makes a link for a person, takes it back, and keeps its maker signed in', async () => {
    const project = await ofTwo();
    const server = await serving(project);
    const owner = visitorAt(server.url);
    expect((await owner.get('/councils/queue')).body).toContain('Invite somebody');
    // Before the first link whoever reaches this address is the owner: that must not end in front of a closed door.
    const made = await owner.post('/councils/queue/invite', { agent: 'ada', do: 'invite' });
    const [, url] = /value="(http:[^"]+\/join#[^"]+)"/.exec(made.body)!;
    expect(url).toBe(`${server.url}/join#${codeOf(url!)}`);
    expect(made.body).toContain(`<code>${codeOf(url!)}</code>`);
    expect(made.body).toMatch(/<time datetime="\d{4}-/);
    expect(made.body).toContain('The link works on this machine only.');
    await until('this address asks', async () => (await visitorAt(server.url).get('/')).status === 303);
    expect((await owner.get('/councils/queue')).status).toBe(200);
    const ada = visitorAt(server.url);
    expect((await ada.join(codeOf(url!))).body).toContain('You sit as ada');
    expect((await ada.post('/councils/queue/invite', { agent: 'ben', do: 'invite' })).status).toBe(403);
    expect((await owner.post('/councils/queue/invite', { agent: 'nobody', do: 'invite' })).status).toBe(404);
    expect((await owner.post('/councils/none/invite', { agent: 'ada', do: 'invite' })).status).toBe(404);
    const back = await owner.post('/councils/queue/invite', { agent: 'ada', do: 'revoke' });
    expect(back.body).toContain('Revoked: 1.');
    await until('the link opens nothing', async () => {
      const { status } = await visitorAt(server.url).post('/join', { code: codeOf(url!) });
      return status === 403;
    });
    await server.stop();
  });
});

describe('council invite', () => {
  it('gives one person one seat, until it is taken back', async () => {
    const project = await ofTwo();
    const server = await serving(project);
    const { json, stderr } = await project.council<Record & { code: string; expiresAt: string }>([
      'invite',
      'ada',
      '--json',
    ]);
    expect(json).toMatchObject({ participant: 'ada', name: 'queue', url: `${server.url}/join#${json.code}` });
    expect(stderr).toContain('The link works on this machine only.');
    expect(Date.parse(json.expiresAt)).toBeGreaterThan(Date.now() + 6 * 24 * 3_600_000);
    const ada = visitorAt(server.url);
    await until(
      'the code is known',
      async () => (await ada.post('/join', { code: json.code })).status === 303,
    );
    expect((await ada.get('/')).headers.location).toBe('/councils/queue/seat');
    const revoked = await project.council<{ revoked: string[] }>(['invite', 'ada', '--revoke', '--json']);
    expect(revoked.json.revoked).toHaveLength(1);
    await until('the seat is closed', async () => (await ada.get('/')).headers.location === '/join');
    expect((await project.council(['invite', 'nobody'])).code).toBe(2);
    // A program reads no link.
    await must(project, ['agents', 'add', 'bot', '--', 'cat']);
    await must(project, ['start', 'And now?', '--agents', 'ada,bot', '--coordinator', '', '--name', 'two']);
    expect(await project.council(['invite', 'bot', '--name', 'two'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        'council: bot is a program: council launches it, and it takes no link.\nPeople at this table: ada.\n',
    });
    await server.stop();
  });
});

describe('the pages', () => {
  it('show the folders of this machine to whoever runs the server, and to nobody else', async () => {
    const project = await ofTwo();
    const server = await serving(project);
    for (const id of ['ada', 'ben'])
      await must(project, ['respond', id, '--name', 'queue'], `See ${project.root}/notes.md, says ${id}.`);
    await must(project, ['tick', '--name', 'queue', '--no-launch']);
    const { json: member } = await project.council<{ token: string }>([
      'token',
      'create',
      '--role',
      'member',
      '--json',
    ]);
    const { json: admin } = await project.council<{ token: string }>([
      'token',
      'create',
      '--role',
      'admin',
      '--json',
    ]);
    const shownTo = async (token: string): Promise<string> => {
      const visitor = visitorAt(server.url);
      await visitor.join(token);
      return (await visitor.get('/councils/queue')).body;
    };
    expect(await shownTo(admin.token)).toContain(`See ${project.root}/notes.md, says`);
    const shown = await shownTo(member.token);
    // What people wrote is theirs, to the letter: it is quoted. What council itself says names no folder.
    const said = `See ${project.root}/notes.md, says`;
    expect(shown).toContain(said);
    expect(shown.replaceAll(said, '')).not.toContain(project.root);
    await server.stop();
  });

  it('take a reason with each decision, which the history keeps', async () => {
    const project = await ofTwo();
    const server = await serving(project);
    const visitor = visitorAt(server.url);
    const { body } = await visitor.get('/councils/queue');
    for (const what of ['extend', 'excuse', 'tick', 'cancel'])
      expect(body).toMatch(new RegExp(`<input id="why-${what}" name="why" value="[^"]*" required`));
    expect((await visitor.post('/councils/queue/extend', { duration: '1h', why: ' ' })).status).toBe(422);
    const extend = { duration: '1h', why: 'ada is on a train' };
    const unsure = await visitor.post('/councils/queue/extend', extend);
    expect(unsure.status).toBe(422);
    expect(unsure.body).toContain('Confirm it: tick the box above the button.');
    expect((await visitor.send('/councils/queue/extend', { ...extend, sure: 'yes' })).body).toContain(
      'The phase has more time.',
    );
    const excuse = { agent: 'ada', why: 'the train stands', sure: 'yes' };
    expect((await visitor.post('/councils/queue/excuse', excuse)).status).toBe(303);
    await must(project, ['respond', 'ben', '--name', 'queue'], 'One table.');
    const tick = { why: 'ben is in a hurry', sure: 'yes' };
    expect((await visitor.post('/councils/queue/tick', tick)).status).toBe(303);
    await until('the tick has closed the phase', async () => {
      const { json } = await project.council<{ councils: { tour: number }[] }>(['status', '--json']);
      return json.councils[0]?.tour === 2;
    });
    await must(project, ['extend', '10m', '--name', 'queue', '--why', 'and a little more']);
    const { json } = await project.council<{ versions: { action: string; why?: string }[] }>([
      'history',
      '--name',
      'queue',
      '--json',
    ]);
    expect(json.versions.flatMap(({ action, why }) => (why === undefined ? [] : [[action, why]]))).toEqual([
      ['extend', 'ada is on a train'],
      ['excuse', 'the train stands'],
      ['close', 'ben is in a hurry'],
      ['extend', 'and a little more'],
    ]);
    expect((await project.council(['history', '--name', 'queue'])).stdout).toContain(
      'given more time ("ada is on a train")',
    );
    await server.stop();
  });
});
