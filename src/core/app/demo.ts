// Use case `demo`: a debate of scripted characters in a temporary folder.
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from './app.ts';
import { readGivenFile } from './given-file.ts';
import { checkInput } from './input/check-input.ts';
import { runFields } from './input/council.ts';
import { READ_LIMITS } from '../base/limits.ts';
import { makeFolders } from '../store/local/disk.ts';
import { initProject, readMarkdownFiles, findPackageDir } from '../store/local/project.ts';
import { run } from './run.ts';
import type { RunDocument, RunResult, RunView } from './run.ts';

const TABLE = {
  agents: ['henry', 'sage', 'nova', 'echo'],
  coordinator: 'maman',
  mode: 'debate',
  trust: true,
};

export interface DemoDocument extends RunDocument {
  /** The temporary folder; nothing outside of it was written. */
  folder: string;
  root: string;
}

export interface DemoResult extends RunResult {
  document: DemoDocument;
}

/**
 * Plays the job-queue debate from start to archive with scripted characters, in a new system temp folder,
 * which also contains council's files outside of the project.
 */
export async function playDemo(app: App, view?: RunView): Promise<DemoResult> {
  const folder = mkdtempSync(join(tmpdir(), 'council-demo-'));
  const root = join(folder, 'queue');
  setUp(root);
  const env = { ...app.env, XDG_STATE_HOME: join(folder, 'state'), XDG_CONFIG_HOME: join(folder, 'config') };
  const inside: App = {
    ...app,
    cwd: root,
    root,
    env,
    ask: undefined,
    note: (line) => app.note(line.replaceAll(`${root}/`, '')),
    // A demonstration cannot be resumed.
    setResumeCommand: () => undefined,
  };
  const brief = join(root, 'brief.md');
  const bytes = async (): Promise<Uint8Array> => readGivenFile(root, brief, READ_LIMITS.brief);
  const toGivenText = (given?: string) => (given === undefined ? undefined : { from: given, bytes });
  app.note(
    'A demonstration: four characters and a coordinator follow a script. No model is asked, nothing leaves this machine.',
  );
  const result = await run(
    inside,
    checkInput(
      runFields,
      { ...TABLE, brief },
      { command: 'demo', env: {}, isOwnCommandLine: false, text: toGivenText },
    ),
    view,
  );
  return { ...result, document: { ...result.document, folder, root } };
}

/** Copies the debate's files, and sets this Node as the program of its characters. */
function setUp(root: string): void {
  const from = join(findPackageDir(), 'templates', 'demo');
  makeFolders(root);
  initProject(root, {});
  cpSync(from, root, { recursive: true });
  const node = JSON.stringify(process.execPath).slice(1, -1);
  for (const { path, text } of readMarkdownFiles(join(root, 'agents')))
    if (text !== undefined)
      writeFileSync(
        path,
        text.replace('${NODE}', () => node),
      );
}
