// The active councils, and resolving a reference: a name, a part of it, `last`, or none.
import { CouncilError } from '../base/errors.ts';
import { isId } from '../base/ids.ts';
import { findByPart, isNewest, LAST } from '../base/unknown-name.ts';
import { DEFAULT_NAME, formatSomeNames, createUnknownCouncilError } from '../council/use/unknown-council.ts';
import type { Workspace } from './workspace.ts';
import { parse } from '../council/document/document.ts';
import type { CouncilState } from '../council/state/state.ts';

/**
 * Resolves a council: the named one, the default one, or the only active one. If none of the existing ones
 * can be read, throws the reason, rather than that none is active.
 */
export async function resolveCouncilName(workspace: Workspace, given: string | undefined): Promise<string> {
  if (given !== undefined) return resolveCouncilReference(workspace, given);
  const { store } = workspace;
  if ((await store.list(DEFAULT_NAME, { look: false })).includes(DEFAULT_NAME)) return DEFAULT_NAME;
  const there = await store.list('', { look: false });
  // Reading the only one reports what is wrong with it.
  if (there.length <= 1) return there[0] ?? DEFAULT_NAME;
  const active = await store.list();
  if (active.length === 0) for (const name of there) await store.read(name);
  if (active.length <= 1) return active[0] ?? DEFAULT_NAME;
  throw new CouncilError('unknown_council', 'Several councils are active: say which one.', {
    hint: `Choose with --name: ${formatSomeNames(active)}. See: council status`,
  });
}

/**
 * Resolves `ref`: an exact name of any council ever; for `last` the newest active one; the only active one
 * with it in its name; else `ref` itself, which then cannot be read. Throws `unknown_council`.
 */
async function resolveCouncilReference(workspace: Workspace, ref: string): Promise<string> {
  const { ports, store } = workspace;
  // A reference to an ended council must not match another one whose name contains it.
  if (isId(ref) && (await hasBeenCouncil(workspace, ref))) return ref;
  const part = ref === LAST ? undefined : findByPart(ref, await store.list(), ACTIVE);
  if (part === undefined && isNewest(ref)) return requireNewestCouncil(workspace);
  if (part !== undefined) return part;
  if (isId(ref)) return ref;
  throw await createUnknownCouncilError(ports, ref);
}

/**
 * Without a history, such as in a fresh clone, archives are searched. They are loaded lazily, as it is a lot
 * of code.
 */
async function hasBeenCouncil({ ports, store }: Workspace, name: string): Promise<boolean> {
  if ((await store.revision(name)) > 0) return true;
  const { archiveOfName } = await import('../archive/read.ts');
  return (await archiveOfName(ports.archives, name)) !== undefined;
}

/** How to look up a part of an active council's name. */
export const ACTIVE = {
  plural: 'active councils',
  code: 'unknown_council',
  listNames: (name: string) => [name],
  show: (name: string) => name,
} as const;

async function requireNewestCouncil(workspace: Workspace): Promise<string> {
  const newest = await findNewestCouncil(workspace);
  if (newest !== undefined) return newest;
  throw new CouncilError('unknown_council', 'No council is active.', {
    hint: 'Start one with: council ask "QUESTION". The newest archive: council show',
    details: { name: LAST },
  });
}

/** Returns the active council that started last. */
export async function findNewestCouncil(workspace: Workspace): Promise<string | undefined> {
  const { states } = await readActiveStates(workspace);
  return states.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0]?.name;
}

/** A council whose document cannot be read. */
export interface Unreadable {
  name: string;
  error: CouncilError;
}

/** Reads the states of the active councils, or of the named one. An unreadable one does not hide the others. */
export async function readActiveStates(
  { store }: Workspace,
  only?: string,
): Promise<{ states: CouncilState[]; unreadable: Unreadable[] }> {
  const states: CouncilState[] = [];
  const unreadable: Unreadable[] = [];
  for (const name of only === undefined ? await store.list('', { look: false }) : [only]) {
    try {
      const stored = await store.read(name);
      // Archived between listing and reading: it is no longer active.
      if (stored) states.push(parse(stored.text, `council "${name}"`).state);
    } catch (error) {
      if (!(error instanceof CouncilError) || only !== undefined) throw error;
      unreadable.push({ name, error });
    }
  }
  return { states, unreadable };
}
