import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createHash, randomUUID } from 'node:crypto';
import type * as Library from '../src/index.ts';
import type { Figure } from './figure.ts';
import { council, emptyNode, pairwise, timeOne } from './measure.ts';
import { makeProject, openCouncil, prose, run, settle } from './projects.ts';
import type { Project } from './projects.ts';

const PEOPLE = ['ana', 'ben', 'cleo'];
const COUNCILS = 1000;
const ARCHIVES = 1000;
const ARCHIVE_BYTES = 10 * 1024;

/** Reads every state file of a project once, and does nothing with it. */
const READER = `
import { readdirSync, readFileSync } from 'node:fs';
for (const name of readdirSync('memory/shared')) if (name.endsWith('.md')) readFileSync('memory/shared/' + name, 'utf8');
`;

const tick: Figure = {
  name: 'tick',
  what: `council tick, ${COUNCILS} councils that wait for people`,
  against: 'a Node process that reads their state files once',
  goal: 2,
  async measure(scratch) {
    const project = makeProject(scratch, PEOPLE);
    await openMany(project);
    const reader = join(project.root, 'reader.mjs');
    writeFileSync(reader, READER);
    settle();
    const [ours, reading] = [
      council(['tick'], project.root, project.env),
      { ...emptyNode(project.root, project.env), args: [reader] },
    ];
    return pairwise(
      25,
      () => timeOne(ours),
      () => timeOne(reading),
    );
  },
};

/** One word of every ten archives, and of no other text. */
const RARE = 'escrow';

const search: Figure = {
  name: 'search',
  what: `council search, ${ARCHIVES} archives of 10 KB, index up to date`,
  against: 'an empty process of the same Node, plus twice grep -ri',
  goal: 1,
  async measure(scratch) {
    const project = makeProject(scratch, PEOPLE);
    archiveMany(project);
    settle();
    const { root, env } = project;
    const grep = { command: 'grep', args: ['-ri', RARE, 'conseils'], cwd: root, env };
    const [ours, empty] = [council(['search', RARE, '--limit', '1000'], root, env), emptyNode(root, env)];
    const { results } = JSON.parse(run(project, ['search', RARE, '--limit', '1000', '--json'])) as {
      results: unknown[];
    };
    if (results.length !== ARCHIVES / 10)
      throw new Error(`${results.length} archives were found instead of ${ARCHIVES / 10}.`);
    return pairwise(
      25,
      () => timeOne(ours),
      () => timeOne(empty) + 2 * timeOne(grep),
    );
  },
};

/** The figures over very many files. */
export const manyFigures = [tick, search];

/** The library as others import it. */
export const loadLibrary = (): Promise<typeof Library> =>
  import(pathToFileURL(join(import.meta.dirname, '../dist/index.js')).href) as Promise<typeof Library>;

/** One council is started by the CLI; the others are that one under names and ids of their own. */
async function openMany(project: Project): Promise<void> {
  openCouncil(project, PEOPLE, 4 * 1024);
  const { fileStore, parse, serialize, readStamp } = await loadLibrary();
  const store = fileStore({ dir: join(project.root, 'memory', 'shared'), prefix: 'council-', readStamp });
  const { text } = (await store.read('active-conversation'))!;
  const model = parse(text);
  for (let at = 1; at < COUNCILS; at++) {
    const name = `council-${at}`;
    await store.update(name, (_, revision) =>
      serialize({ ...model, state: { ...model.state, name, conversationId: randomUUID(), revision } }),
    );
  }
}

/** One council is played by the CLI; the other archives are its archive with texts of their own. */
function archiveMany(project: Project): void {
  openCouncil(project, PEOPLE, 4 * 1024);
  const answer = join(project.root, 'answer.md');
  writeFileSync(answer, prose(100, 3));
  for (const id of PEOPLE) run(project, ['respond', id, '--file', answer]);
  run(project, ['cancel', '--why', 'enough was said']);
  const dir = join(project.root, 'conseils');
  const path = join(dir, readdirSync(dir)[0]!);
  const model = readFileSync(path, 'utf8');
  const id = /conversationId: "?([0-9a-f-]{36})/.exec(model)![1]!;
  for (let at = 0; at < ARCHIVES; at++)
    writeFileSync(at === 0 ? path : join(dir, `2026-01-01-topic-${at}.md`), variant(model, id, at));
}

/** The model with another id, and with a first contribution that fills it up; its machine data are right. */
function variant(model: string, id: string, at: number): string {
  const [page, facts] = model.split(/<!--council-archive .*\n/) as [string, string];
  const [whole, opening, old] =
    /(<!--council-response \{.*?\}-->\n)([\s\S]*?)\n<!--\/council-response-->/.exec(page)!;
  const text = `${at % 10 === 0 ? `${RARE} ` : ''}${prose(ARCHIVE_BYTES - model.length + old!.length, at + 2)}`;
  const [before, after] = [measure(old!), measure(text)];
  const json = facts
    .slice(0, facts.lastIndexOf('\n-->'))
    .replace(before, () => after)
    .replaceAll(id, randomUUID());
  const ours = /"conversationId":"([0-9a-f-]{36})"/.exec(json)![1]!;
  const said = page.replace(whole, () => `${opening}${text}\n<!--/council-response-->`).replaceAll(id, ours);
  return `${said}<!--council-archive {"format":2,${measure(json)}}\n${json}\n-->\n`;
}

const measure = (text: string): string =>
  `"bytes":${Buffer.byteLength(text)},"sha256":"${createHash('sha256').update(text).digest('hex')}"`;
