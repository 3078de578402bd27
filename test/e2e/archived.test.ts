import fs from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Failed } from '../helpers/documents.ts';
import { addAgent } from '../helpers/speakers.ts';

it('a council that is over is found by its name', async () => {
  const project = await newProject();
  addAgent(project, 'ana');
  await project.council(['start', 'Over?', '--name', 'plan']);
  await project.council(['cancel', '--name', 'plan', '--why', 'enough']);

  const waited = await project.council(['wait', '--for', 'archived', '--name', 'plan', '--json']);
  expect(waited.code).toBe(0);
  expect(JSON.parse(waited.stdout)).toMatchObject({ name: 'plan', archived: true });
  const shown = await project.council(['show', 'plan', '--json']);
  expect(JSON.parse(shown.stdout)).toMatchObject({ meta: { name: 'plan', status: 'CANCELLED' } });

  const status = await project.council(['status', '--name', 'plan', '--json']);
  expect(status.code).toBe(2);
  const { error } = JSON.parse(status.stdout) as Failed;
  expect(error).toMatchObject({
    code: 'unknown_council',
    hint: expect.stringMatching(/council show .*over/),
  });

  const never = await project.council(['wait', '--for', 'archived', '--name', 'never']);
  expect(never.code).toBe(2);
});

it.each([
  ['archived', 'is not archived'],
  ['turn:ben', 'does not wait for ben'],
  ['phase:RESOLVE', 'has not reached RESOLVE'],
])('what is waited for in vain is told: %s', async (goal, told) => {
  const project = await newProject();
  for (const id of ['ana', 'ben']) addAgent(project, id);
  await project.council(['start', 'When?', '--name', 'plan']);
  await project.council(['respond', 'ben', '--name', 'plan'], { input: 'Now.' });
  const waited = await project.council(['wait', '--for', goal, '--timeout', '10ms']);
  expect(waited.code).toBe(124);
  expect(waited.stderr).toContain(`council: Timed out: "plan" ${told} yet.`);
});

it('an archive is found by its stem, path, conversationId and their beginnings wherever a council is named', async () => {
  const project = await newProject();
  addAgent(project, 'ana');
  const paths: string[] = [];
  for (const topic of ['Where do logs go?', 'Who reads them?']) {
    await project.council(['start', topic, '--name', 'plan']);
    await project.council(['respond', 'ana', '--name', 'plan'], { input: 'Say platypus.\n' });
    const { json } = await project.council<{ archive: string }>([
      'cancel',
      '--name',
      'plan',
      '--why',
      'x',
      '--json',
    ]);
    paths.push(json.archive);
  }
  const [path, other] = paths as [string, string];
  const stem = path.replace(/^conseils\/|\.md$/g, '');
  const { json: shown } = await project.council<{ meta: { conversationId: string } }>([
    'show',
    stem,
    '--json',
  ]);
  const { conversationId } = shown.meta;
  const refs = [
    stem,
    `${stem}.md`,
    path,
    `../${path}`,
    join(project.root, path),
    conversationId,
    conversationId.slice(0, 8),
    'where-do-logs-go',
  ];
  for (const ref of refs) {
    for (const command of ['show', 'export', 'ledger', 'metrics', 'cost'])
      expect((await project.council([command, ref])).code, `${command} ${ref}`).toBe(0);
    for (const args of [['status'], ['view', 'ana'], ['history']]) {
      const { code, stderr } = await project.council([...args, '--name', ref]);
      expect([code, stderr], `${args.join(' ')} ${ref}`).toEqual([
        2,
        expect.stringContaining(`council show ${stem}`),
      ]);
    }
  }
  for (const ref of [stem, path, conversationId]) {
    const { json } = await project.council<{ results: { path: string }[] }>(['search', ref, '--json']);
    expect(json.results[0], ref).toMatchObject({ path, excerpt: 'Where do logs go?' });
  }
  expect(
    (await project.council<{ meta: { topic: string } }>(['show', 'plan', '--json'])).json.meta.topic,
  ).toBe('Who reads them?');

  // A copy has the same conversationId, by which one of them is meant. Without the day both have the same name.
  const copy = join(project.root, 'conseils/2026-01-01-where-do-logs-go copy.md');
  fs.writeFileSync(copy, project.read(path));
  for (const ref of [conversationId, conversationId.slice(0, 13)])
    expect((await project.council<{ meta: object }>(['show', ref, '--json'])).json.meta).toMatchObject({
      path,
    });
  fs.renameSync(copy, join(project.root, 'conseils/2026-01-01-where-do-logs-go.md'));
  for (const args of [['show'], ['ledger'], ['cost'], ['status', '--name']]) {
    const { code, stderr } = await project.council([...args, 'where-do-logs-go']);
    expect([code, stderr], args.join(' ')).toEqual([
      2,
      expect.stringContaining('2 archives match "where-do-logs-go"'),
    ]);
    expect(stderr).toContain(`Name one by its file: `);
  }
  expect((await project.council(['show', path])).code).toBe(0);

  // One that is cut is said to be cut, under whatever name.
  fs.truncateSync(join(project.root, other), 2000);
  const { json: list } = await project.council<{ archives: object[] }>(['list', '--json']);
  expect(list.archives).toHaveLength(1);
  expect((await project.council(['status', '--name', other])).stderr).toContain(`${other} is cut: `);

  // Where nothing can be read, nobody is told that nothing was ever archived.
  for (const name of fs.readdirSync(join(project.root, 'conseils')))
    fs.truncateSync(join(project.root, 'conseils', name), 2000);
  const { stdout, stderr } = await project.council(['list']);
  expect(stdout).toBe('No archive can be read. What is wrong with each: council doctor\n');
  expect(stderr.match(/is cut: /g)).toHaveLength(3);
  expect(stderr.split(other)).toHaveLength(2);
});

it('last, or a part that fits one alone, names a council, an archive, a task or a message', async () => {
  const project = await newProject();
  addAgent(project, 'ana');
  const name = async (args: string[]): Promise<string> =>
    (await project.council<{ name: string }>([...args, '--json'])).json.name;
  for (const one of ['buy-or-build', 'buy-12', 'where-to-host'])
    await project.council(['start', `${one}?`, '--name', one]);

  expect(await name(['history', '--name', 'Host'])).toBe('where-to-host');
  expect(await name(['history', '--name', 'last'])).toBe('where-to-host');
  expect(await name(['extend', '5m', '--name', 'build'])).toBe('buy-or-build');
  // Nothing has ended yet.
  const page = await project.council(['export', 'last', '--format', 'html']);
  expect(page.stdout).toContain('<title>where-to-host?');
  const several = await project.council(['cancel', '--name', 'buy', '--why', 'x']);
  expect(several).toMatchObject({
    code: 2,
    stderr: 'council: 2 active councils fit "buy".\nSay which one: buy-12, buy-or-build\n',
  });
  // A number is never cut.
  expect((await project.council(['cancel', '--name', 'buy-1', '--why', 'x'])).code).toBe(2);
  const cancelled = await project.council(['cancel', '--name', 'to-host', '--why', 'x']);
  expect(cancelled.stdout).toContain('"where-to-host" is cancelled.');
  const { json: shown } = await project.council<{ meta: { name: string } }>(['show', '--json']);
  expect(shown.meta.name).toBe('where-to-host');
  expect(await name(['extend', '5m', '--name', 'last'])).toBe('buy-12');
  // One word for one council: open ones beside an archive change nothing.
  for (const command of ['show', 'export', 'export --format html']) {
    const { stdout } = await project.council([...command.split(' '), 'last']);
    expect([command, stdout.includes('where-to-host')]).toEqual([command, true]);
  }

  // One that is over is not taken for another one that has its name in its own.
  await project.council(['start', 'Again?', '--name', 'where-to-host-again']);
  const over = await project.council(['extend', '5m', '--name', 'where-to-host']);
  expect(over.stderr).toContain('The council "where-to-host" is not active any more');
  const both = await project.council(['ledger', 'host']);
  expect(both.stderr).toContain('2 councils fit "host".');

  for (const [kind, args] of [
    ['a council', ['start', 'Last?', '--name', 'last']],
    ['an agent', ['agents', 'add', 'last', '--human']],
  ] as const)
    expect((await project.council([...args])).code, kind).toBe(2);

  await project.council(['send', 'ana', 'hello']);
  const acked = await project.council<{ messages: { id: string }[] }>([
    'ack',
    'last',
    '--as',
    'ana',
    '--json',
  ]);
  const tail = acked.json.messages[0]!.id.split('-').slice(-2).join(' ');
  const again = await project.council<{ messages: { changed: boolean }[] }>([
    'ack',
    tail,
    '--as',
    'ana',
    '--json',
  ]);
  expect(again.json.messages).toMatchObject([{ id: acked.json.messages[0]!.id, changed: false }]);
});
