// Pages that show what commands print. A fence with `scene=NAME` is written anew: the lines after "$ " are run in that scene, and what
// they print stands below them. `file=PATH` shows a file instead, `lines=A-B` a part of it, `until=WORDS` interrupts a command
// that does not end by itself. `write=PATH` puts what stands there into a file of the scene. Comments `<!-- $ command -->` above a fence are run and not shown.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sandbox } from './sandbox.ts';
import type { Sandbox } from './sandbox.ts';
import { scenes } from './scenes.ts';

const FENCE = /((?:^<!-- \$ .* -->\n+)*)^(`{3,})([a-z]*) (scene=[^\n]*)\n([^]*?)^\2$/gm;

/** The page with every played fence as of today. Fences of one scene share its folder, in the order of the page. */
export async function played(page: string): Promise<string> {
  const open = new Map<string, Sandbox>();
  const parts: string[] = [];
  let from = 0;
  try {
    for (const match of page.matchAll(FENCE)) {
      const [whole, hidden = '', ticks = '', language = '', info = '', body = ''] = match;
      const { scene: name = '', ...attributes } = attributesOf(info);
      let scene = open.get(name);
      if (!scene) open.set(name, (scene = await opened(name)));
      for (const [, line] of hidden.matchAll(/^<!-- \$ (.*) -->$/gm)) await scene.shell(line!);
      if (attributes.write) {
        writeFileSync(join(scene.root, attributes.write), body);
        continue;
      }
      const block = attributes.file
        ? scene.settled(readFileSync(oneFile(scene.root, attributes.file), 'utf8')).trimEnd()
        : await transcript(scene, body, attributes.until);
      parts.push(
        page.slice(from, match.index),
        `${hidden}${ticks}${language} ${info}\n${cut(block, attributes.lines)}\n${ticks}`,
      );
      from = match.index + whole.length;
    }
  } finally {
    for (const scene of open.values()) scene.remove();
  }
  return [...parts, page.slice(from)].join('');
}

/** The file that a pattern means, such as `conseils/*.md`. */
function oneFile(root: string, pattern: string): string {
  const found = globSync(pattern, { cwd: root });
  if (found.length !== 1) throw new Error(`"${pattern}" means ${found.length} files in the scene.`);
  return join(root, found[0]!);
}

async function opened(name: string): Promise<Sandbox> {
  const prepare = scenes[name];
  if (!prepare) throw new Error(`There is no scene "${name}". They are: ${Object.keys(scenes).join(', ')}.`);
  const scene = sandbox(name);
  await prepare(scene);
  return scene;
}

const attributesOf = (info: string): Record<string, string> =>
  Object.fromEntries(
    [...info.matchAll(/([a-z]+)=(?:"([^"]*)"|(\S+))/g)].map(([, key, quoted, bare]) => [key, quoted ?? bare]),
  ) as Record<string, string>;

/** The commands of a fence, each with what it prints. */
async function transcript(scene: Sandbox, body: string, until?: string): Promise<string> {
  const commands = [...body.matchAll(/^\$ ((?:[^\n]*\\\n)*[^\n]*)$/gm)].map(([, line]) => line!);
  if (commands.length === 0) throw new Error(`No line begins with "$ ":\n${body}`);
  const shown: string[] = [];
  for (const line of commands) {
    const output = await scene.shell(line, until === undefined ? undefined : new RegExp(until));
    shown.push(`$ ${line}`, ...(output.trim() === '' ? [] : [output.trimEnd()]));
  }
  return shown.join('\n');
}

/** Lines A to B, with a mark where something is left out. */
function cut(text: string, lines?: string): string {
  if (lines === undefined) return text;
  const all = text.split('\n');
  const [first, last] = lines.split('-').map(Number) as [number, number];
  return [...(first > 1 ? ['…'] : []), ...all.slice(first - 1, last), ...(last < all.length ? ['…'] : [])].join('\n');
}
