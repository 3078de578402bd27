import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Listed, Started } from '../helpers/documents.ts';
import { listening, overHttp, overStdio } from '../helpers/mcp.ts';
import type { Connected } from '../helpers/mcp.ts';
import { addAgent, addSpeaker } from '../helpers/speakers.ts';

type WithTokens = Started & { tokens: Record<string, string> };

/** A path that people name: everybody is told their words to the letter. */
const saidOf = ({ root }: Project): string => `${root}/said/queue.ts`;

/** A project with an archive in which paths stand, and a council of ana and bob. */
async function withCouncil(): Promise<{ project: Project; token: string; archive: string }> {
  const project = await newProject();
  for (const id of ['ana', 'bob']) addAgent(project, id);
  // Its reasons name the program, and it says where it is.
  addAgent(project, 'ghost', { runner: 'command', command: [join(project.root, 'no such program')] });
  addSpeaker(project, 'ada', { any: { say: `I am in ${saidOf(project)}.` } });
  const ran = await project.council<{ archive: string }>([
    'run',
    `Paths in ${saidOf(project)}?`,
    '--mode',
    'synthesis',
    '--agents',
    'ada,ghost',
    '--name',
    'earlier',
    '--json',
  ]);
  const { json } = await project.council<WithTokens>([
    'start',
    `Who mends ${saidOf(project)}?`,
    '--identity',
    'token',
    '--timeout',
    '1h',
    '--agents',
    'ana,bob',
    '--json',
  ]);
  return { project, token: json.tokens.ana!, archive: ran.json.archive };
}

const idOf = (archive: string): string => archive.slice(archive.lastIndexOf('/') + 1, -'.md'.length);

/** Every tool, resource and prompt with arguments that work and that do not: all that it says, as text. */
async function everything(client: Connected, archive: string, kinds: number): Promise<string[]> {
  const said: string[] = [];
  const say = async (asked: Promise<unknown>): Promise<void> => {
    said.push(
      await asked.then(
        (answer) => JSON.stringify(answer),
        (error: unknown) => `${String(error)} ${JSON.stringify(error)}`,
      ),
    );
  };
  const id = idOf(archive);
  const wrong = [
    '/etc/passwd',
    'no-such-thing',
    '\0',
    undefined,
    '',
    '../../etc/passwd',
    'x\ny',
    'a'.repeat(3000),
  ];
  for (const arg of wrong.slice(0, kinds)) {
    await say(client.call('view', { agent: arg }));
    await say(client.call('view', { name: arg }));
    await say(client.call('respond', { agent: arg, text: 'x' }));
    await say(client.call('respond', { text: 'x', name: arg }));
    await say(client.call('search', { query: arg }));
    await say(client.call('show', { archive: arg }));
    await say(client.read(`archive://${encodeURIComponent(arg ?? '')}`));
    await say(client.read(`council://${encodeURIComponent(arg ?? '')}`));
    await say(client.prompt('respond', { agent: arg ?? '' }));
  }
  for (const text of [
    '',
    ' ',
    'x\0',
    'y'.repeat((1 << 20) + 1),
    '---\nposition: [\n---\nx',
    'One.',
    'Two.',
    'One.',
  ])
    await say(client.call('respond', { text }));
  for (const [tool, args] of [
    ['list', {}],
    ['view', {}],
    ['search', { query: 'paths' }],
    ['search', { query: 'program', limit: 3 }],
    ['show', { archive: id }],
    ['status', {}],
    ['tick', {}],
    ['start', { topic: 'x' }],
    ['nothing', {}],
  ] as const)
    await say(client.call(tool, args));
  await say(client.resources());
  await say(client.prompts());
  await say(client.tools());
  await say(client.read(`archive://${id}`));
  await say(client.prompt('respond', {}));
  await say(client.prompt('convene', { question: 'x' }));
  return said;
}

/** Damage that makes commands fail in their several ways; each undoes itself. */
const DAMAGE: Record<string, (project: Project, archive: string) => () => void> = {
  none: () => () => undefined,
  'settings that cannot be read': (project) =>
    instead(join(project.root, 'COUNCIL.md'), '---\nmode: [\n---\n'),
  'a mode that cannot be read': (project) =>
    added(join(project.root, 'modes/debate.md'), '---\nphases: {\n---\n'),
  'an agent that cannot be read': (project) =>
    added(join(project.root, 'agents/zoe.md'), '---\ncouncil: 7\n---\n'),
  'a folder where settings should be': (project) => folderInstead(join(project.root, 'COUNCIL.md')),
  'a folder where an archive should be': (project, archive) => folderInstead(join(project.root, archive)),
  'a damaged archive': (project, archive) =>
    instead(join(project.root, archive), '---\ntopic: 7\nconversationId: x\n---\n<!--council-'),
  'an archive that is no text': (project, archive) =>
    instead(join(project.root, archive), Buffer.from([0xff, 0xfe, 0])),
  'a file where archives should be': (project) => fileInstead(join(project.root, 'conseils')),
  'a file where the private folder should be': (project) => fileInstead(project.privateDir),
  'a file where agents should be': (project) => fileInstead(join(project.root, 'agents')),
  'a link that leads nowhere': (project, archive) =>
    linkInstead(join(project.root, archive), '/nowhere/at/all'),
  'a link that leads outside': (project, archive) =>
    linkInstead(join(project.root, archive), join(project.outside, 'secret.md')),
};

function moved(path: string): () => void {
  fs.renameSync(path, `${path}.aside`);
  return () => {
    fs.rmSync(path, { recursive: true, force: true });
    fs.renameSync(`${path}.aside`, path);
  };
}
function instead(path: string, text: string | Buffer): () => void {
  const undo = moved(path);
  fs.writeFileSync(path, text);
  return undo;
}
function folderInstead(path: string): () => void {
  const undo = moved(path);
  fs.mkdirSync(path);
  return undo;
}
const fileInstead = (path: string): (() => void) => instead(path, 'a file');
function linkInstead(path: string, target: string): () => void {
  const undo = moved(path);
  fs.symlinkSync(target, path);
  return undo;
}
function added(path: string, text: string): () => void {
  fs.mkdirSync(dirname(path), { recursive: true });
  fs.writeFileSync(path, text);
  return () => fs.rmSync(path);
}

/** What nobody far away needs to know. The temp folder holds the project, its home and its private folder. */
function foldersOf(project: Project): string[] {
  const scratch = dirname(project.root);
  return [
    scratch,
    project.root,
    project.env.HOME!,
    project.privateDir,
    dirname(dirname(process.execPath)),
    join(import.meta.dirname, '../..'),
  ];
}

describe.each(['http', 'stdio'] as const)('fault 20: a participant over %s', (over) => {
  it('is told no folder of this machine, whatever it calls and whatever is broken', async () => {
    const { project, token, archive } = await withCouncil();
    const server = over === 'http' ? await listening(project) : undefined;
    const client = server
      ? await overHttp('v2', server.url, token)
      : await overStdio('v2', project, { COUNCIL_TOKEN: token });
    const found: { damage: string; said: string }[] = [];
    const codes = new Set<string>();
    for (const [damage, break_] of Object.entries(DAMAGE)) {
      const undo = break_(project, archive);
      const all =
        damage === 'none'
          ? await everything(client, archive, server ? 3 : 8)
          : await several(client, archive);
      undo();
      for (const said of all) {
        for (const [, code] of said.matchAll(/\\?"code\\?":\s*\\?"(\w+)/g)) codes.add(code!);
        const own = said.replaceAll(saidOf(project), '');
        for (const folder of foldersOf(project)) if (own.includes(folder)) found.push({ damage, said });
        expect(said).not.toContain('limits of this token');
        // Nothing that broke in this way is a bug.
        expect(said).not.toContain('This is a bug');
      }
    }
    expect(found).toEqual([]);
    for (const code of ['forbidden', 'different_text', 'unknown_archive', 'invalid_config'])
      expect([...codes]).toContain(code);
    expect((await client.call('view')).text).toContain(`Who mends ${saidOf(project)}?`);
    // Its seat alone: the archives of other councils are not there.
    expect((await client.call<Listed>('list')).json.archives).toEqual([]);
    expect((await client.call<{ results: [] }>('search', { query: 'paths' })).json.results).toEqual([]);
    expect(await client.resources()).toEqual([]);
    const calls = [() => client.call('show', { archive }), () => client.read(`archive://${idOf(archive)}`)];
    for (const ask of calls)
      expect(JSON.stringify(await ask().catch(String))).toContain('There is no archive');
    if (!server) {
      // A wrong token opens no seat, and no archive either.
      const wrong = await overStdio('v2', project, { COUNCIL_TOKEN: 'cpt_wrong' });
      expect((await wrong.call<Listed>('list')).json.archives).toEqual([]);
      expect(JSON.stringify(await wrong.call('view', { agent: 'ana' }))).toContain(
        'This token opens no seat',
      );
      await wrong.close();
      await project.council(['cancel', '--why', 'enough']);
      expect((await client.call<Listed>('list')).json.archives).toHaveLength(1);
    }
    await client.close();
    await server?.stop();
    // Whoever started the server still sees where it is.
    const own = await project.council(['show', archive, '--json']);
    expect(own.stdout).toContain(project.root);
  }, 180_000);
});

/** The calls that look at what may be broken. */
async function several(client: Connected, archive: string): Promise<string[]> {
  const id = idOf(archive);
  const asked = [
    client.call('list'),
    client.call('view'),
    client.call('respond', { text: 'Another text.' }),
    client.call('search', { query: 'paths' }),
    client.call('show', { archive: id }),
    client.read(`archive://${id}`),
    client.resources(),
    client.prompt('respond', {}),
  ];
  return (await Promise.allSettled(asked)).map((result) =>
    result.status === 'fulfilled'
      ? JSON.stringify(result.value)
      : `${String(result.reason)} ${JSON.stringify(result.reason)}`,
  );
}
