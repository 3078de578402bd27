// Doctor: documents that are on their way into another store, because a move was interrupted.
import { CouncilError } from '../../core/base/errors.ts';
import { formatCount } from '../../core/base/text.ts';
import type { Documents } from '../../core/store/documents.ts';
import { moveCommand, parseMoveMarker } from '../../core/store/moving.ts';
import type { App } from '../../core/app/app.ts';
import type { DoctorPlace } from '../../core/app/feature.ts';
import { loadKinds, listShelves } from '../copy/document-kinds.ts';
import { inDatabase } from '../database.ts';
import { inFiles } from '../../core/app/storage/files.ts';
import { findProjectDatabase } from '../named-database.ts';
import { about, some } from '../../core/app/doctor/finding.ts';
import type { Finding } from '../../core/app/doctor/finding.ts';

/** A move goes through the documents of a kind in their order: what is left of it is among the first. */
const LOOKED_AT = 100;

/**
 * What a move has left half done, in the files of this checkout and in the database that is named; nothing where all is whole.
 * `councils` are those of the files as they lie there: reading them through their store would mend what is damaged, unseen.
 */
export async function movingFindings(
  app: App,
  { project, workspace, councils }: DoctorPlace,
): Promise<Finding[]> {
  if (!workspace) return [];
  const named = findProjectDatabase(app.env, project);
  const kinds = await loadKinds(app);
  const files = listShelves(inFiles(app, project), kinds).map(({ kind, documents }) =>
    kind === 'council' ? { kind, documents: toReadableCouncils(councils) } : { kind, documents },
  );
  const stores = [files, ...(named ? [listShelves(inDatabase(app, project, named), kinds)] : [])];
  const findings: Finding[] = [];
  for (const shelves of stores)
    try {
      findings.push(...(await findInterruptedMoves(shelves)));
    } catch (error) {
      // A database that cannot be reached is told of beside the server.
      if (!(error instanceof CouncilError)) throw error;
    }
  return findings;
}

type Readable = Pick<Documents, 'list' | 'read'>;

const toReadableCouncils = (councils: DoctorPlace['councils']): Readable => ({
  list: async () => councils.map(({ key }) => key),
  async read(wanted) {
    const found = councils.find(({ key }) => key === wanted);
    return found && found.text !== null ? { revision: found.revision, text: found.text } : undefined;
  },
});

async function findInterruptedMoves(
  shelves: readonly { kind: string; documents: Readable }[],
): Promise<Finding[]> {
  const left = new Map<string, { since: string; names: string[] }>();
  for (const { kind, documents } of shelves)
    for (const key of (await documents.list()).slice(0, LOOKED_AT)) {
      const moving = parseMoveMarker((await readable(documents, key)) ?? '');
      if (!moving) continue;
      const one = left.get(moving.to) ?? { since: moving.at, names: [] };
      one.names.push(kind === 'council' ? `council "${key}"` : `${key} (${kind})`);
      left.set(moving.to, one);
    }
  return [...left].map(([to, { since, names }]) =>
    about('store').warning(
      `${formatCount(names.length, 'document is', 'documents are')} half moved to ${to}, since ${since}, and nothing is changed in them here: ${some(names)}.`,
      `${moveCommand(to)} (goes on where it was interrupted)`,
    ),
  );
}

/** Undefined also for what is damaged: others say so. */
async function readable(documents: Readable, key: string): Promise<string | undefined> {
  try {
    return (await documents.read(key))?.text;
  } catch (error) {
    if (error instanceof CouncilError) return undefined;
    throw error;
  }
}
