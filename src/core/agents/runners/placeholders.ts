// Expands the placeholders in agent commands and finds council's package folder.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CouncilError } from '../../base/errors.ts';

/**
 * A part of an agent's command with `${NODE}` replaced by the Node binary that runs council, and
 * `${COUNCIL_HOME}` by council's package folder. Everything else stays as it is, `$HOME` and `~` included.
 */
export function expandPlaceholders(part: string): string {
  return part.replace(/\$\{(NODE|COUNCIL_HOME)\}/g, (_, name) =>
    name === 'NODE' ? process.execPath : packageHome(),
  );
}

/** The folder council is installed in. Source and bundle lie at different depths of it, so it is looked for upwards. */
export function packageHome(from = import.meta.dirname): string {
  if (existsSync(join(from, 'package.json'))) return from;
  const parent = dirname(from);
  if (parent === from) {
    throw new CouncilError(
      'failed',
      `No package.json above ${import.meta.dirname}: council is not installed completely.`,
      {
        hint: 'Install the package again; ${COUNCIL_HOME} in an agent file stands for its folder.',
      },
    );
  }
  return packageHome(parent);
}
