// The error for a council that is not there.
import { CouncilError } from '../../base/errors.ts';
import { nearest } from '../../base/unknown-name.ts';
import type { Ports } from './ports.ts';

/** `unknown_council`, with the name that is nearest and some that exist. */
export async function unknownCouncil(ports: Pick<Ports, 'store'>, name: string): Promise<CouncilError> {
  const active = await ports.store.list();
  const near = nearest(name, active);
  return new CouncilError('unknown_council', `There is no active council "${name}".`, {
    hint:
      active.length === 0
        ? 'Start one with: council ask "QUESTION"'
        : `${near === undefined ? '' : `Did you mean ${near}? `}Active: ${someNames(active)}. Choose one with --name.`,
    details: { name },
  });
}

const MOST = 5;

/** The first five names, and how many more there are. */
export function someNames(names: readonly string[]): string {
  const more = names.length > MOST ? ` and ${names.length - MOST} more (see: council status)` : '';
  return `${names.slice(0, MOST).join(', ')}${more}`;
}
