// File driver: recognizes copies of a document under another name.
import { CouncilError, ignoreRefusal } from '../../base/errors.ts';
import type { Layout } from './layout.ts';
import { readStampOfBytes } from './stamps.ts';
import type { Stamp } from '../documents.ts';
import { readHead } from './versions.ts';

// A document is bound to its name, and its identity to one name: a copied or renamed state file would become
// a second council that writes to the archive of the first one.

/** Throws `hand_edit` if a text belongs to another key than its own. */
export function requireOwnPlace(layout: Layout, key: string, stamp: Stamp): void {
  const refused = findWrongPlace(layout, key, stamp);
  if (refused) throw refused;
}

/** Also returns why another live key with the same identity prevents importing a state file. */
export const findMisplacement = (layout: Layout, key: string, stamp: Stamp): CouncilError | undefined =>
  findWrongPlace(layout, key, stamp) ?? findDuplicate(layout, key, stamp);

function findWrongPlace(layout: Layout, key: string, stamp: Stamp): CouncilError | undefined {
  const { name } = stamp;
  if (name === undefined || name === key) return undefined;
  const [path, own] = [layout.projection(key), layout.projection(name)];
  const isThere = isLive(layout, name) || layout.keysWithProjection().includes(name);
  return createHandEditError(
    `${path} was copied or renamed from ${own}: it holds the council "${name}", and nothing is recorded in it as "${key}".`,
    isThere || !hasFile(layout, key)
      ? describeCopyRemoval(layout, key)
      : `Give it its name back: mv ${path} ${own}`,
    { path, own },
  );
}

function findDuplicate(layout: Layout, key: string, stamp: Stamp): CouncilError | undefined {
  const other = layout.keysWithHistory().find((one) => one !== key && holdsIdentity(layout, one, stamp.id));
  if (other === undefined) return undefined;
  const [path, own] = [layout.projection(key), layout.projection(other)];
  return createHandEditError(
    `${path} holds the same council as ${own} (conversationId ${stamp.id}), and a council has one name only.`,
    describeCopyRemoval(layout, key),
    { path, own },
  );
}

/**
 * Whether a key's newest text has this identity, in its own place. A copied history does not rival its
 * original; nor does an unreadable one, which must not block others.
 */
function holdsIdentity(layout: Layout, key: string, id: string): boolean {
  const stamp = ignoreRefusal(() => readStampOfBytes(layout, readHead(layout, key).bytes));
  return stamp?.id === id && (stamp.name ?? key) === key;
}

const isLive = (layout: Layout, key: string): boolean => {
  const head = readHead(layout, key);
  return head.revision > 0 && !head.removed;
};

const createHandEditError = (message: string, hint: string, details: Record<string, string>): CouncilError =>
  new CouncilError('hand_edit', message, { hint, details });

/** A copy that an earlier build took for a council of its own has a history as well. */
function describeCopyRemoval(layout: Layout, key: string): string {
  const history = readHead(layout, key).revision > 0;
  const moved = [
    ...(hasFile(layout, key) ? [layout.projection(key)] : []),
    ...(history ? [layout.history(key)] : []),
  ];
  const way = moved.map((path) => `mv ${path} ${path}.old`).join(' && ');
  return `Move it out of the way, after a look at what it holds: ${way}`;
}

const hasFile = (layout: Layout, key: string): boolean => layout.keysWithProjection().includes(key);
