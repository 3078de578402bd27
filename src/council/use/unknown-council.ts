// The error for a council that is not there.
import { CouncilError } from '../../base/errors.ts';
import type { Ports } from './ports.ts';

/** `unknown_council`, with the names that exist. */
export async function unknownCouncil(ports: Pick<Ports, 'store'>, name: string): Promise<CouncilError> {
  const active = await ports.store.list();
  return new CouncilError('unknown_council', `There is no active council "${name}".`, {
    hint:
      active.length === 0
        ? 'Start one with: council start "topic"'
        : `Active: ${active.slice(0, 20).join(', ')}. Choose one with --name.`,
    details: { name, active },
  });
}
