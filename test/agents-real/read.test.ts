import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canary } from '../helpers/canary.ts';
import type { Ran } from '../helpers/documents.ts';
import type { Reply } from '../helpers/fake-model.ts';
import { exported } from '../helpers/look.ts';
import { acp, preset, seatAll } from './debate.ts';
import { KINDS } from './install.ts';
import type { Kind } from './install.ts';
import { expectNobodyLeft, newLab } from './lab.ts';
import type { Lab } from './lab.ts';
import { script } from './speech.ts';

/** How each program's model reads a file, and all of its tools that reach files. */
const TOOLS: Record<Kind, { read(path: string): NonNullable<Reply['tool']>; files: string[] }> = {
  claude: { read: (path) => ({ name: 'Read', input: { file_path: path } }), files: ['Glob', 'Grep', 'Read'] },
  codex: {
    read: (path) => ({ name: 'exec_command', input: { cmd: `cat '${path}'` } }),
    files: ['exec_command', 'view_image', 'write_stdin'],
  },
  gemini: {
    read: (path) => ({ name: 'read_file', input: { file_path: path } }),
    files: ['glob', 'grep_search', 'list_directory', 'read_file'],
  },
  opencode: {
    read: (path) => ({ name: 'read', input: { filePath: path } }),
    files: ['glob', 'grep', 'read'],
  },
};
/** What any of them changes files or runs commands with; codex does both in a sandbox that lets it write nothing. */
const WRITING =
  /^(Bash|Edit|Write|NotebookEdit|shell|apply_patch|run_shell_command|write_file|replace|bash|edit|write|patch|task)$/;

interface Quoted {
  lab: Lab;
  archive: Awaited<ReturnType<typeof exported>>;
  inside: string;
  outside: string;
  /** All that the model was sent. */
  sent: string;
  tools: string[];
  stderr: string;
}

/** A council of one whose model reads a file of the project, then one outside of it, and says what it has seen. */
async function quoting(
  context: Parameters<typeof newLab>[0],
  kind: Kind,
  read: string,
  keys: Record<string, unknown>,
): Promise<Quoted> {
  const said = script(['ada']);
  const [inside, outside] = [canary(), canary()];
  const paths: string[] = [];
  const lab = await newLab(context, [kind], (asked) => {
    if (asked.schema || said.turnOf(asked) === null) return said.answer(asked);
    const path = paths.shift();
    const { read: call, files } = TOOLS[kind];
    if (path !== undefined && asked.tools.some((tool) => files.includes(tool))) return { tool: call(path) };
    const seen = [inside, outside].filter((word) => asked.raw.includes(word));
    return { text: `---\nposition: In memory\n---\n\n> ${seen.join(' ') || 'nothing'}\n` };
  });
  const { project, model } = lab;
  project.write('notes/queue.md', `# Queue\n\nIt lives in memory: ${inside}.\n`);
  fs.writeFileSync(join(project.outside, 'secret.md'), `${outside}\n`);
  paths.push(join(project.root, 'notes/queue.md'), join(project.outside, 'secret.md'));
  seatAll(lab, said, { ada: keys });
  const run = await project.council<Ran>([
    ...[
      'run',
      'Where does the queue live?',
      '--mode',
      'synthesis',
      '--agents',
      'ada',
      '--coordinator',
      'none',
    ],
    ...['--read', read, '--json'],
  ]);
  expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 0 });
  const archive = await exported(project, run.json.archive);
  await expectNobodyLeft(lab);
  const asked = model.asked();
  const sent = asked.map(({ raw }) => raw).join('\n');
  return {
    ...{ lab, archive, inside, outside, sent, stderr: run.stderr },
    tools: asked.flatMap(({ tools }) => tools),
  };
}

describe('--read project', () => {
  it.for(KINDS)('lets %s quote a file of the project, and write none', async (kind, context) => {
    const { archive, inside, outside, sent, tools, stderr } = await quoting(
      context,
      kind,
      'project',
      preset(kind),
    );
    expect(archive.contributions[0]?.text).toContain(`> ${inside}`);
    // The sandbox of codex keeps it from writing, not from reading elsewhere.
    if (kind !== 'codex') expect(sent).not.toContain(outside);
    expect(tools).toEqual(expect.arrayContaining(TOOLS[kind].files));
    expect(tools.filter((tool) => WRITING.test(tool))).toEqual([]);
    expect(stderr).toContain("Reading the project's files, and changing none: ada.");
    expect(sent).toContain('You can read the files of the project');
  });

  it('lets gemini quote a file over ACP', async (context) => {
    const { archive, inside, outside, sent } = await quoting(
      context,
      'gemini',
      'project',
      acp('gemini', 'gemini', '--acp'),
    );
    expect(archive.contributions[0]?.text).toContain(`> ${inside}`);
    expect(sent).not.toContain(outside);
  });
});

describe('without it', () => {
  it.for(KINDS)('%s has no tools for files', async (kind, context) => {
    const { archive, inside, tools, sent } = await quoting(context, kind, 'none', preset(kind));
    expect(archive.contributions[0]?.text).toContain('> nothing');
    expect(sent).not.toContain(inside);
    expect(tools.filter((tool) => TOOLS[kind].files.includes(tool) || WRITING.test(tool))).toEqual([]);
  });
});
