// Doctor: documents that are on their way into another store, because a move was interrupted.
import { CouncilError } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import type { Project } from '../../store/local/project.ts';
import { moveCommand, movingOf } from '../../store/moving.ts';
import type { App } from '../app.ts';
import { shelvesOf } from '../copy/shelves.ts';
import { inDatabase } from '../keeping/database.ts';
import { inFiles } from '../keeping/files.ts';
import { databaseOf } from '../keeping/named.ts';
import type { Keeping } from '../keeping/ports.ts';
import { about, some } from './finding.ts';
import type { Finding } from './finding.ts';

/** A move goes through the documents of a kind in their order: what is left of it is among the first. */
const LOOKED_AT = 100;

/** What a move has left half done, in the files of this checkout and in the database that is named; nothing where all is whole. */
export async function movingFindings(app: App, project: Project): Promise<Finding[]> {
  const named = databaseOf(app.env, project);
  const keepings = [inFiles(app, project), ...(named ? [inDatabase(app, project, named)] : [])];
  const findings: Finding[] = [];
  for (const keeping of keepings)
    try {
      findings.push(...(await leftIn(keeping)));
    } catch (error) {
      // A database that cannot be reached is told of beside the server.
      if (!(error instanceof CouncilError)) throw error;
    }
  return findings;
}

async function leftIn(keeping: Keeping): Promise<Finding[]> {
  const left = new Map<string, { since: string; names: string[] }>();
  for (const { kind, documents } of shelvesOf(keeping))
    for (const key of (await documents.list()).slice(0, LOOKED_AT)) {
      const moving = movingOf((await readable(documents, key)) ?? '');
      if (!moving) continue;
      const one = left.get(moving.to) ?? { since: moving.at, names: [] };
      one.names.push(kind === 'council' ? `council "${key}"` : `${key} (${kind})`);
      left.set(moving.to, one);
    }
  return [...left].map(([to, { since, names }]) =>
    about('store').warning(
      `${counted(names.length, 'document is', 'documents are')} half moved to ${to}, since ${since}, and nothing is changed in them here: ${some(names)}.`,
      `${moveCommand(to)} (goes on where it was interrupted)`,
    ),
  );
}

/** Undefined also for what is damaged: others say so. */
async function readable(
  documents: { read(key: string): Promise<{ text: string } | undefined> },
  key: string,
): Promise<string | undefined> {
  try {
    return (await documents.read(key))?.text;
  } catch (error) {
    if (error instanceof CouncilError) return undefined;
    throw error;
  }
}
