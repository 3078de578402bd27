// Whether a server and a worker of other versions understand each other.
import { CouncilError } from '../../core/base/errors.ts';
import { SPEAKS } from '../../core/app/protocol-version.ts';
import manifest from '../../../package.json' with { type: 'json' };

/** Version and protocol number of this council. */
export const here = { version: manifest.version, speaks: SPEAKS };

/** Throws `usage` where the two are more than one release apart, and says which of them is the older. */
export function requireSpoken(other: { version: string; speaks: number }): void {
  if (Math.abs(other.speaks - here.speaks) <= 1) return;
  const [older, newer] = other.speaks < here.speaks ? [other, here] : [here, other];
  throw new CouncilError(
    'usage',
    `Council ${older.version} and council ${newer.version} are more than one release apart: one side speaks ${older.speaks}, the other ${newer.speaks}.`,
    { hint: `Upgrade the side with council ${older.version}.`, details: { older: older.version } },
  );
}
