// The error for a council that is not active, and the default name.
import { CouncilError } from '../../base/errors.ts';
import { findNearest } from '../../base/unknown-name.ts';
import type { Ports } from './ports.ts';

/** The default name of a council. */
export const DEFAULT_NAME = 'active-conversation';

/** Returns `unknown_council`, with the closest name and some existing ones. */
export async function createUnknownCouncilError(
  ports: Pick<Ports, 'store'>,
  name: string,
): Promise<CouncilError> {
  const active = await ports.store.list();
  const near = findNearest(name, active);
  // The default name was not typed by the user, so it is left out.
  const isMeantByItself = name === DEFAULT_NAME && active.length === 0;
  const message = isMeantByItself ? 'No council is active.' : `There is no active council "${name}".`;
  return new CouncilError('unknown_council', message, {
    hint:
      active.length === 0
        ? 'Start one with: council ask "QUESTION"'
        : `${near === undefined ? '' : `Did you mean ${near}? `}Active: ${formatSomeNames(active)}. Choose one with --name.`,
    details: { name },
  });
}

const MOST = 5;

/** Returns the first five names, and how many more there are. */
export function formatSomeNames(names: readonly string[]): string {
  const more = names.length > MOST ? ` and ${names.length - MOST} more (see: council status)` : '';
  return `${names.slice(0, MOST).join(', ')}${more}`;
}
