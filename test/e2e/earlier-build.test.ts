import fs from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, serialize } from '../../src/council/document/document.ts';
import { newProject } from '../helpers/cli.ts';
import type { Project, Run } from '../helpers/cli.ts';
import { clockSetTo } from '../helpers/set-clock.ts';
import type { Responded, Ticked } from '../helpers/documents.ts';

const FIXTURE = join(import.meta.dirname, '../fixtures/build-0.1');
/** An hour after the fixture was written: all its deadlines are 30 days after that. */
const NOW = clockSetTo('2026-11-22T12:00:00.000Z');

interface Found {
  id: string;
  path: string;
}

const ANY_TEXT: unknown = expect.any(String);

/** The same build a little later: its archives have ballots. */
const WITH_BALLOT = join(import.meta.dirname, '../fixtures/build-0.1-ballot');

const expectedIn = (fixture: string): string[] =>
  fs.readdirSync(join(fixture, 'expected')).map((file) => file.slice(0, -'.json'.length));

async function copied(fixture = FIXTURE): Promise<Project> {
  const project = await newProject({ init: false });
  fs.cpSync(join(fixture, 'project'), project.root, { recursive: true });
  if (fs.existsSync(join(fixture, 'private')))
    fs.cpSync(join(fixture, 'private'), project.privateDir, { recursive: true });
  return project;
}

/** A document as it was expected, wherever the project lies. */
const here = (json: unknown, project: Project): unknown =>
  JSON.parse(JSON.stringify(json).replaceAll(JSON.stringify(project.root).slice(1, -1), 'ROOT'));

describe.concurrent.each([FIXTURE, WITH_BALLOT])('a project of the build of November 2026: %s', (fixture) => {
  let project: Project;
  beforeAll(async () => {
    project = await copied(fixture);
  });

  it.each(expectedIn(fixture))('prints what it printed: %s', async (line) => {
    const { json } = await project.council(line.split(' '), NOW);
    const then = JSON.parse(fs.readFileSync(join(fixture, 'expected', `${line}.json`), 'utf8')) as object;
    // The words around what was said may change; a view has all of it in its other keys as well. So may what a search shows of a find.
    expect(here(json, project)).toMatchObject({
      ...then,
      ...('prompt' in then && { prompt: ANY_TEXT }),
      ...('results' in then && {
        results: (then.results as Found[]).map(
          ({ id, path }) => expect.objectContaining({ id, path }) as unknown,
        ),
      }),
    });
  });
});

it('reads and writes the state of the build of November 2026 byte by byte', () => {
  const dir = join(FIXTURE, 'project/memory/shared');
  const files = fs.readdirSync(dir).filter((file) => file.endsWith('.md'));
  expect(files).toHaveLength(5);
  const block = (text: string): string =>
    /^<!--council-state\n[^]*?\n-->/.exec(text)![0].replace(/"textSha256": *"[^"]*"/, '');
  for (const file of files) {
    const text = fs.readFileSync(join(dir, file), 'utf8');
    const council = parse(text, file);
    const again = serialize(council);
    // The words for people may change, and the hash of the whole file with them.
    expect(block(again)).toBe(block(text));
    expect(parse(again, file).contributions).toEqual(council.contributions);
  }
});

describe.concurrent('a council of the build of November 2026 goes on', () => {
  async function table(name: string): Promise<{
    say(id: string, text: string): Promise<Run<Responded>>;
    tick(): Promise<Ticked['councils'][number] | undefined>;
    read(): string;
  }> {
    const project = await copied();
    return {
      say: (id, text) =>
        project.council<Responded>(['respond', id, '--name', name, '--json'], { ...NOW, input: text }),
      tick: async () =>
        (await project.council<Ticked>(['tick', '--name', name, '--no-launch', '--json'], NOW)).json
          .councils[0],
      read: () => project.read(`memory/shared/council-${name}.md`).toString(),
    };
  }
  const position = (held: string): string => `---\nposition: ${held}\n---\n\nSo I say.\n`;

  it('in COLLECT, with the text that was sealed then', async () => {
    const { say, tick, read } = await table('collect');
    for (const id of ['bob', 'cleo'])
      expect((await say(id, position('buy'))).json).toMatchObject({ accepted: true });
    expect(await tick()).toMatchObject({ from: 'COLLECT', to: 'CHALLENGE', reason: 'all-responded' });
    expect(read()).toContain('Sealed by ana.');
  });

  it('in CHALLENGE', async () => {
    const { say, tick } = await table('challenge');
    expect((await say('bob', position('build'))).json).toMatchObject({ accepted: false });
    for (const id of ['ana', 'cleo'])
      expect((await say(id, position('buy'))).json).toMatchObject({ accepted: true });
    expect(await tick()).toMatchObject({ from: 'CHALLENGE', to: 'RESOLVE', reason: 'all-responded' });
  });

  it('in RESOLVE, with a vote by the rules set then', async () => {
    const { say, tick } = await table('resolve');
    for (const id of ['ana', 'bob', 'cleo'])
      expect((await say(id, position('build'))).json).toMatchObject({ accepted: true });
    expect(await tick()).toMatchObject({ from: 'RESOLVE', reason: 'all-responded' });
  });

  it('in SYNTHESIZE, to its archive', async () => {
    const { say, tick } = await table('synthesize');
    expect((await say('eve', '# Buy it\n')).json).toMatchObject({ accepted: true });
    expect((await tick())?.archive).toMatch(/^conseils\/2026-11-22-seat-the-goat/);
  });

  it('with an absence excused then', async () => {
    const { say, tick } = await table('absent');
    expect((await say('ana', 'Alone.\n')).json).toMatchObject({ accepted: true });
    expect(await tick()).toMatchObject({ from: 'COLLECT', reason: 'all-responded' });
  });
});
