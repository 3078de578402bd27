// What the pages of a server say to whoever convenes: who failed, who will sit, and what cannot be searched for.
import fs from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import { documentOf, elementsIn, textIn } from '../helpers/html.ts';
import { must } from '../helpers/scenarios.ts';
import { serving } from '../helpers/serve.ts';
import { addSpeaker } from '../helpers/speakers.ts';
import { visitorAt } from '../helpers/visitor.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

const words = (body: string): string => textIn(documentOf(body)).replace(/\s+/g, ' ');

it('names on the page of councils who failed, with why and what helps, while it is blind', async () => {
  const project = await newProject();
  addSpeaker(project, 'cai', { any: { exit: 3, stderr: 'some trouble' } });
  for (const id of ['ana', 'ben', 'zoe']) await must(project, ['agents', 'add', id, '--runner', 'human']);
  await must(project, ['trust', '--yes']);
  const options = ['--option', 'Build it', '--option', 'Buy it'];
  await must(project, [
    'start',
    'Build or buy?',
    '--name',
    'c',
    '--agents',
    'ana,ben,zoe,cai',
    '--coordinator',
    '',
    ...options,
  ]);
  let reason: string | undefined;
  for (let ticks = 0; reason === undefined && ticks < 5; ticks++) {
    await must(project, ['tick']);
    const { stdout } = await project.council(['status']);
    reason = /absent: (.*)/.exec(stdout)?.[1];
  }
  expect(reason).toMatch(/exit code 3/);
  const server = await serving(project);
  const visitor = visitorAt(server.url);
  for (const path of ['/', '/councils/c']) {
    const said = words((await visitor.get(path)).body);
    if (path !== '/') expect(said).toContain('Waiting for:');
    expect(said).toContain(`failed: ${reason}. What to do: council logs cai c`);
    // Once on a page.
    expect(said.split('exit code 3')).toHaveLength(2);
  }
  await server.stop();
});

long('says who sits where nobody is chosen, and who is not trusted only where somebody is not', async () => {
  const project = await newProject();
  addSpeaker(project, 'cai', { any: { say: 'Buy.' } });
  await must(project, ['agents', 'add', 'ana', '--runner', 'human']);
  const server = await serving(project);
  const visitor = visitorAt(server.url);
  const everybody =
    'If you choose nobody, those named in COUNCIL.md take part; if it names nobody, everybody in the folder agents/.';
  const first = words((await visitor.get('/start')).body);
  expect(first).toContain('cannot take part from here: cai. What to do: council trust');
  expect(first.split(everybody)).toHaveLength(2);
  await must(project, ['trust', '--yes']);
  const shown = await visitor.post('/start', { topic: 'Build or buy?', do: 'show' });
  expect(words(shown.body)).not.toContain('Not trusted');
  const command = elementsIn(documentOf(shown.body)).find(({ attributes }) => attributes.id === 'command')!;
  expect(command.text).toContain("council start 'Build or buy?'");
  expect(command.text).toContain(everybody);
  const chosen = await visitor.post('/start', { topic: 'Build or buy?', agents: 'cai', do: 'show' });
  expect(words(chosen.body).split(everybody)).toHaveLength(2);
  await server.stop();
});

long('keeps the form of a search that has no word in it, and says so beside it', async () => {
  const project = await newProject();
  const server = await serving(project);
  const { status, body } = await visitorAt(server.url).get('/archives?q=%22&mode=debate');
  expect(status).toBe(422);
  const fields = elementsIn(documentOf(body)).filter(({ name }) => name === 'input');
  expect(fields.map(({ attributes: { name, value } }) => [name, value])).toEqual(
    expect.arrayContaining([
      ['q', '"'],
      ['mode', 'debate'],
    ]),
  );
  expect(words(body)).toContain('A search needs letters or digits: write a few words.');
  expect(words(body)).not.toContain('council search');
  await server.stop();
});

it('has a member start a council, and tells them of nothing that they may not do', async () => {
  const project = await newProject();
  for (const id of ['ana', 'ben']) await must(project, ['agents', 'add', id, '--runner', 'human']);
  const create = ['token', 'create', '--role', 'member', '--as', 'ana', '--json'];
  const { token } = (await project.council<{ token: string }>(create)).json;
  const server = await serving(project);
  const visitor = visitorAt(server.url);
  const first = await visitor.join(token);
  expect(first.body).toMatch(/<a href="\/start"[^>]*>New<\/a>/);
  expect((await visitor.get('/start')).status).toBe(200);
  const fields = { topic: 'Tea: « vert » or black?', name: 'tea', agents: ['ana', 'ben'], coordinator: '-' };
  const page = await visitor.send('/start', { ...fields, do: 'start' });
  expect(words(page.body)).toContain('The council is open.');
  expect(page.body).not.toContain('/councils/tea/extend');
  const seat = words((await visitor.get('/councils/tea/seat')).body);
  expect(seat).toContain('The other pages of this council show you names');
  expect(seat + words(page.body)).not.toMatch(/convene|You may move/);
  const refused = await visitor.post('/councils/tea/invite', { agent: 'ben', do: 'invite' });
  expect([refused.status, words(refused.body).includes('extend')]).toEqual([403, false]);
  expect(words(refused.body)).toContain('Only whoever runs the councils invites people');
  await server.stop();
});

long('tells the end of a link and of a token in local time, as every other command does', async () => {
  const project = await newProject();
  await must(project, ['agents', 'add', 'ana', '--runner', 'human']);
  await must(project, ['start', 'Where?', '--name', 'c', '--agents', 'ana', '--coordinator', '']);
  const { stderr } = await project.council(['invite', 'ana', '--name', 'c']);
  const { stdout } = await project.council(['token', 'list']);
  for (const said of [stderr, stdout]) {
    expect(said).toMatch(/until \w{3} \d+ \w{3} \d{4}, \d\d:\d\d/);
    expect(said).not.toMatch(/\d{4}-\d\d-\d\dT/);
  }
});

long('saves an archive in every form that export has, with a name of its own', async () => {
  const project = await newProject();
  for (const id of ['ana', 'ben']) addSpeaker(project, id, { any: { say: 'Buy.' } });
  await must(project, ['run', 'Build or buy?', '--name', 'c', '--mode', 'synthesis', '--coordinator', '']);
  const [id = ''] = fs.readdirSync(join(project.root, 'conseils')).map((file) => file.replace(/\.md$/, ''));
  const server = await serving(project);
  const visitor = visitorAt(server.url);
  expect((await visitor.get(`/archives/${id}`)).body).toContain(`href="/archives/${id}/save/json"`);
  for (const [format, end, type] of [
    ['md', '.md', 'text/markdown; charset=utf-8'],
    ['adr', '.decision.md', 'text/markdown; charset=utf-8'],
    ['html', '.html', 'text/html; charset=utf-8'],
    ['json', '.json', 'application/json; charset=utf-8'],
  ]) {
    const { body, headers } = await visitor.get(`/archives/c/save/${format}`);
    const { stdout } = await project.council(['export', id, '--format', format!]);
    expect(body.trim()).toBe(stdout.trim());
    expect([headers['content-type'], headers['content-disposition']]).toEqual([
      type,
      `attachment; filename="${id}${end}"`,
    ]);
  }
  for (const path of ['/archives/c/save/exe', '/archives/none/save/md'])
    expect((await visitor.get(path)).status).toBe(404);
  await server.stop();
});
