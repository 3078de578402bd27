// Use case `archives`: writes what a database has archived into this checkout.
import { CouncilError } from '../core/base/errors.ts';
import type { Archives } from '../core/store/archives.ts';
import type { LateFiles } from '../core/store/late-files.ts';
import type { App, Result } from '../core/app/app.ts';
import { extractConversationId } from '../core/app/storage/archive-facts.ts';
import { inFiles } from '../core/app/storage/files.ts';
import { findProjectDatabase } from './named-database.ts';
import { openWorkspace } from '../core/app/workspace.ts';

export interface PulledDocument {
  /** Paths of archives that were written. */
  written: string[];
  /** How many were here already, word for word. */
  same: number;
  /** Paths where another text stands here: it is left alone. */
  differ: string[];
  /** Paths of late texts that were written or stood here. */
  late: string[];
}

/** What is kept, whatever keeps it. */
interface Kept {
  archives: Archives;
  lateFiles: LateFiles;
}

/** Archives and late texts, byte for byte as a project in files has them. Overwrites nothing. Throws `usage` for a project in files. */
export async function pullArchives(app: App): Promise<Result<PulledDocument>> {
  const { project, ports } = openWorkspace(app);
  if (!findProjectDatabase(app.env, project))
    throw new CouncilError('usage', 'This project is kept in files: its archives lie in conseils/ already.', {
      hint: 'See them with: council list',
    });
  const files = inFiles(app, project);
  const here: Kept = { archives: files.archives(), lateFiles: files.lateFiles() };
  const document = await pull(ports, here);
  return { document, failed: document.differ.length > 0 ? 'failed' : undefined };
}

async function pull(from: Kept, to: Kept): Promise<PulledDocument> {
  const done: PulledDocument = { written: [], same: 0, differ: [], late: [] };
  for (const { path } of await from.archives.list()) {
    const text = await from.archives.read(path);
    if (text === undefined) continue;
    if ((await to.archives.create(path, text)) === 'created') done.written.push(path);
    else if ((await to.archives.read(path)) === text) done.same++;
    else done.differ.push(path);
    done.late.push(...(await pullLate(from.lateFiles, to.lateFiles, text)));
  }
  return done;
}

async function pullLate(from: LateFiles, to: LateFiles, archive: string): Promise<string[]> {
  const conversation = extractConversationId(archive);
  const paths: string[] = [];
  if (conversation === undefined) return paths;
  for (const { name, bytes } of await from.list(conversation))
    paths.push(await to.keep(conversation, name, bytes));
  return paths;
}
