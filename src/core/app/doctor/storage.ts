// Doctor: the file system, the active councils' documents and the private folder.
import { basename, dirname } from 'node:path';
import { parse } from '../../council/document/document.ts';
import { getSeat } from '../../council/state/state.ts';
import { findLostTexts } from '../../council/use/dropped-texts.ts';
import { findSealedFileName } from '../../council/use/seal.ts';
import { CouncilError, catchRefusal, ignoreRefusal } from '../../base/errors.ts';
import { formatCount, quoteShellWord } from '../../base/text.ts';
import type { findSyncedFolder, PrivateFacts, MountFacts } from '../../store/file/inspect-folders.ts';
import type { DocumentFacts, StoreFacts } from '../../store/file/inspect-store.ts';
import { renderMissingTextLine } from '../progress.ts';
import { createFindingReporter, formatFirstFew } from './finding.ts';
import type { Finding } from './finding.ts';

/**
 * Checks that the project's file system keeps the guarantees. `refused` is the error of a trial commit,
 * undefined without a trial.
 */
export function checkFileSystem(
  path: string,
  mount: MountFacts & { synced?: ReturnType<typeof findSyncedFolder> },
  refused: CouncilError | null | undefined,
): Finding[] {
  const { ok, warning, error } = createFindingReporter('file-system');
  const where = `${path} (${mount.type ?? 'type unknown'})`;
  const findings: Finding[] = [];
  if (mount.readOnly) findings.push(error(`${where} is mounted read-only.`, 'Mount it writable'));
  else if (refused) findings.push(error(refused.message, refused.hint));
  if (mount.network === true)
    findings.push(
      warning(
        `${where} is kept by another machine: several machines at one council are not supported, and a power cut there may undo what was acknowledged.`,
        'Move the project to a local disk',
      ),
    );
  if (mount.synced)
    findings.push(
      warning(
        `${path} lies in ${mount.synced.folder}, which ${mount.synced.by} syncs: where two machines go on with one council, answers are kept aside.`,
        'Move the project out of it. For several machines: council help serve, or a project in PostgreSQL',
      ),
    );
  const facts = [refused === null && 'hard links work', mount.network === false && 'local'].filter(Boolean);
  if (findings.length === 0) findings.push(ok([where, ...facts].join(', ')));
  return findings;
}

/** Checks the documents of active councils. `files` are those of the private folder. */
export function storeFindings(
  shared: string,
  { documents, unreadable, ...rest }: StoreFacts,
  files: string[] = [],
): Finding[] {
  const { ok, warning, error } = createFindingReporter('store');
  const findings = [
    ...unreadable.map(({ message, hint }) => error(message, hint)),
    ...documents.flatMap(checkDocument),
    ...documents.flatMap((facts) => [...checkLostTexts(facts, files), ...checkMissingTexts(facts, files)]),
  ];
  const { quarantined, edits } = rest;
  if (quarantined.length > 0)
    findings.push(
      warning(
        `Damaged texts were set aside: ${formatFirstFew(quarantined)}. Check that nothing in them is needed.`,
        `rm ${quarantined.map(quoteShellWord).join(' ')}`,
      ),
    );
  if (findings.length > 0) return findings;
  const active = documents.filter(({ text }) => text !== null).length;
  const kept = edits.length > 0 ? `, ${formatCount(edits.length, 'dropped hand edit')} kept in .edits/` : '';
  return [ok(`${shared}: ${formatCount(active, 'active council')}, all sound${kept}`)];
}

function checkDocument(facts: DocumentFacts): Finding[] {
  const { key, path, revision, text, sound, shown, lost, refused } = facts;
  const { warning, error } = createFindingReporter('store');
  const name = `council "${key}"`;
  const status = `council status --name ${key}`;
  // A crash at the very start leaves a folder without revisions; the next start uses it.
  if (revision === 0 && shown === 'same') return [];
  if (refused) return [error(refused.message, refused.hint)];
  if (revision === 0)
    return [warning(`${path} has no history here (a fresh clone?): the next command imports it.`, status)];
  if (!sound)
    return [error(`${name}: revision ${revision} is damaged on the disk. Reading it repairs it.`, status)];
  if (lost)
    return [
      error(
        `${name}: revision ${revision + 1} is missing, and ${path} still shows it. Reading puts it back.`,
        status,
      ),
    ];
  const unreadable = text === null ? null : catchRefusal(() => parse(text, name));
  if (unreadable instanceof CouncilError)
    return [error(unreadable.message, unreadable.hint ?? `council history --name ${key}`)];
  return checkStateFile(facts);
}

/** Checks that the state file shows the newest revision. */
function checkStateFile({ key, path, revision, text, shown, readable }: DocumentFacts): Finding[] {
  const { warning } = createFindingReporter('store');
  const status = `council status --name ${key}`;
  switch (shown) {
    case 'same':
      return [];
    case 'edited':
      if (text === null)
        return [warning(`${path} stands where no council is active.`, `mv ${path} ${path}.old`)];
      if (!readable)
        return [
          warning(
            `${path} was changed by hand, and no state block can be read in it.`,
            `council restore --name ${key} (puts it back, and keeps a copy)`,
          ),
        ];
      return [
        warning(
          `${path} was changed by hand.`,
          `council adopt --name ${key} (takes it) or council restore --name ${key} (drops it)`,
        ),
      ];
    case 'emptied':
      return [warning(`${path} is empty. Reading puts it back from revision ${revision}.`, status)];
    case 'missing':
    case 'stale':
    case 'diverged':
      return [warning(`${path} does not show revision ${revision}: it is ${shown}.`, status)];
  }
}

/**
 * Answers that were confirmed as recorded but are missing in the newest revision: a sign of a lost
 * revision.
 */
function checkLostTexts({ key, text, revision, sound, lost }: DocumentFacts, files: string[]): Finding[] {
  const name = `council "${key}"`;
  if (text === null || !sound || lost) return [];
  const council = ignoreRefusal(() => parse(text, name));
  if (!council) return [];
  const own = files.filter((path) => basename(dirname(path)) === council.state.conversationId);
  return findLostTexts(
    council,
    own.map((path) => basename(path)),
  ).map((one) =>
    createFindingReporter('store').warning(
      `${name}: a text of ${one.participant} was recorded, and revision ${revision} does not know it: a newer revision is lost, unless this folder is an older copy. The text lies in ${own.find((path) => basename(path) === one.name)}.`,
      `council respond ${one.participant} --name ${key} (with that text), or put memory/shared/.versions/${key} back from a backup`,
    ),
  );
}

/** Reports sealed texts of the open blind phase that are missing here. */
function checkMissingTexts({ key, text, sound }: DocumentFacts, files: string[]): Finding[] {
  const council = text === null || !sound ? undefined : ignoreRefusal(() => parse(text, key));
  if (!council) return [];
  const { state } = council;
  const own = new Set(files.map((path) => basename(path)));
  return state.order.flatMap((id) => {
    const file = findSealedFileName(state, id);
    if (file === undefined || own.has(file)) return [];
    const line = renderMissingTextLine(id, getSeat(state, id).sealedAt ?? null);
    return [
      createFindingReporter('store').warning(
        `council "${key}": ${line}`,
        `council reveal ${id} --name ${key} --file FILE`,
      ),
    ];
  });
}

/** Checks that nobody else can read sealed texts. */
export function checkPrivateFolder(facts: PrivateFacts): Finding[] {
  const { ok, warning, error } = createFindingReporter('private');
  const { path, kind, mode, inside, loose, foreign } = facts;
  const word = quoteShellWord(path);
  const findings: Finding[] = [];
  if (inside) findings.push(error(inside.message, inside.hint));
  if (kind === 'other') return [...findings, error(`${path} is not a folder.`, `mv ${word} ${word}.old`)];
  if (foreign.length > 0)
    findings.push(
      error(
        `Belongs to another user: ${formatFirstFew(foreign)}.`,
        'Set XDG_STATE_HOME to a folder of your own',
      ),
    );
  if (kind === 'folder' && (mode & 0o077) !== 0)
    findings.push(
      error(
        `${path} has mode ${formatMode(mode)}: others can look into it; 0700 is right.`,
        `chmod 700 ${word}`,
      ),
    );
  // Files below a closed folder are unreachable, but a copy or a changed mode would expose them.
  if (loose.length > 0)
    findings.push(
      warning(
        `${formatCount(loose.length, 'file or folder is', 'files or folders are')} open to others: ${formatFirstFew(loose)}`,
        `chmod -R go= ${word}`,
      ),
    );
  if (findings.length > 0) return findings;
  return [
    ok(
      kind === undefined
        ? `${path} is made when it is first needed`
        : `${path}: yours alone (${formatMode(mode)})`,
    ),
  ];
}

const formatMode = (mode: number): string => mode.toString(8).padStart(4, '0');
