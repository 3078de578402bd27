// Doctor: programs of the project that still wait for trust.
import { formatRunnableKey } from '../../agents/runnable-trust.ts';
import type { Runnable } from '../../agents/runnable-trust.ts';
import type { Trusting } from '../trust.ts';
import { about, some } from './finding.ts';
import type { Finding } from './finding.ts';

/**
 * What a tick would not run. In a folder of this user's own, what is new is trusted when it is seated by hand, so
 * only what has changed since is worth a word.
 */
export function trustFindings({ isOwn, waiting }: Trusting, root: string, items: Runnable[]): Finding[] {
  const own = isOwn();
  const untrusted = waiting(items).filter(({ news }) => !own || news === 'changed');
  if (untrusted.length === 0) return [];
  const names = some(untrusted.map(({ key, news }) => `${formatRunnableKey(key)} (${news})`));
  return [
    about('trust').warning(
      `Waiting for trust in ${root}, and not run until then: ${names}.`,
      'council trust',
    ),
  ];
}
