// Fills a project with very many councils or archives: one is made by the CLI, the others are that one under names of their own.
import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Library from '../src/index.ts';
import { CLI } from './measure.ts';
import { openCouncil, prose, run } from './projects.ts';
import type { Project } from './projects.ts';

/** The library as others import it. */
export const importLibrary = (): Promise<typeof Library> =>
  import(pathToFileURL(join(CLI, '..', 'index.js')).href) as Promise<typeof Library>;

/** A council of a project so many times, each with a history of one revision. Nothing is waited for: `settle` does. */
export async function multiply(
  project: Project,
  count: number,
  prefix = 'council',
  from = 'active-conversation',
): Promise<void> {
  const { parse, serialize } = await importLibrary();
  const shared = join(project.root, 'memory', 'shared');
  const model = parse(fs.readFileSync(join(shared, `council-${from}.md`), 'utf8'));
  for (let at = 1; at < count; at++) {
    const name = `${prefix}-${at}`;
    const state = { ...model.state, name, conversationId: randomUUID(), revision: 1 };
    const text = serialize({ ...model, state });
    fs.mkdirSync(join(shared, '.versions', name));
    fs.writeFileSync(join(shared, '.versions', name, '1.md'), text);
    fs.writeFileSync(join(shared, `council-${name}.md`), text);
  }
}

/** `count` archives, of which the text of each is `said(at)`. One council is played by the CLI for it. */
export function archiveMany(
  project: Project,
  people: string[],
  { count, said }: { count: number; said: (at: number) => string },
): void {
  openCouncil(project, people, 4 * 1024);
  const answer = join(project.root, 'answer.md');
  fs.writeFileSync(answer, prose(100, 3));
  for (const id of people) run(project, ['respond', id, '--file', answer]);
  run(project, ['cancel', '--why', 'enough was said']);
  const dir = join(project.root, 'conseils');
  const path = join(dir, fs.readdirSync(dir)[0]!);
  const model = fs.readFileSync(path, 'utf8');
  const id = /conversationId: "?([0-9a-f-]{36})/.exec(model)![1]!;
  for (let at = 0; at < count; at++)
    fs.writeFileSync(at === 0 ? path : join(dir, `2026-01-01-topic-${at}.md`), variant(model, id, said(at)));
}

/** The model with another id, and with a first contribution of its own; its machine data are right, at the end or in a marker. */
function variant(model: string, id: string, text: string): string {
  const [page, facts] = model.split(/<!--council-archive .*\n/) as [string, string | undefined];
  const [whole, opening, old] =
    /(<!--council-response \{.*?\}-->\n)([\s\S]*?)\n<!--\/council-response-->/.exec(page)!;
  const [before, after] = [measured(old!), measured(text)];
  const said = `${opening!.replace(before, () => after)}${text}\n<!--/council-response-->`;
  const changed = page.replace(whole, () => said);
  if (facts === undefined) return changed.replaceAll(id, randomUUID());
  const json = facts
    .slice(0, facts.lastIndexOf('\n-->'))
    .replace(before, () => after)
    .replaceAll(id, randomUUID());
  const ours = /"conversationId":"([0-9a-f-]{36})"/.exec(json)![1]!;
  return `${changed.replaceAll(id, ours)}<!--council-archive {"format":2,${measured(json)}}\n${json}\n-->\n`;
}

const measured = (text: string): string =>
  `"bytes":${Buffer.byteLength(text)},"sha256":"${createHash('sha256').update(text).digest('hex')}"`;
