// The error for a council that is not active, and the default name.
import { CouncilError } from '../../base/errors.ts';
import { findNearest } from '../../base/unknown-name.ts';
import type { Ports } from './ports.ts';

const MOST = 5;

/** The default name of a council. */
export const DEFAULT_NAME = 'active-conversation';

/** Returns `unknown_council`, with the closest name and some existing ones. */
export async function createUnknownCouncilError(
  ports: Pick<Ports, 'store'>,
  name: string,
): Promise<CouncilError> {
  const active = await ports.store.list();
  const near = findNearest(name, active);
  // With nothing active, the default name says nothing to the user.
  const isDefaultAndNoneActive = name === DEFAULT_NAME && active.length === 0;
  const message = isDefaultAndNoneActive ? 'No council is active.' : `There is no active council "${name}".`;
  return new CouncilError('unknown_council', message, {
    hint:
      active.length === 0
        ? 'Start one with: council ask "QUESTION"'
        : `${near === undefined ? '' : `Did you mean ${near}? `}Active: ${formatSomeNames(active)}${active.length > MOST ? ' (see: council status)' : ''}. Choose one with --name.`,
    details: { name },
  });
}

/** Returns the first five names, and how many more there are. */
export function formatSomeNames(names: readonly string[]): string {
  const more = names.length > MOST ? ` and ${names.length - MOST} more` : '';
  return `${names.slice(0, MOST).join(', ')}${more}`;
}
