// Builds dist/ where npm packs a clone: `npm install -g git+https://…`. In a clone of one's own `npm ci` has built it already.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, realpathSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const { npm_config_global: isGlobal, npm_execpath: npm, ...env } = process.env;
const prefix = env.npm_config_global_prefix ?? env.npm_config_prefix;

if (!existsSync(join(root, 'dist/council.js'))) {
  // npm hands "global" on to the npm that is to install the dev dependencies of the clone: they are missing then.
  for (const name of ['npm_config_location', 'npm_config_prefix']) delete env[name];
  const { status } = spawnSync(process.execPath, [npm ?? '', 'ci', '--no-audit', '--no-fund'], {
    ...{ cwd: root, env, stdio: 'inherit' },
  });
  if (status !== 0) process.exit(status ?? 1);
}

// For the same reason it has linked this clone, which it removes afterwards, into the place where the package goes.
const place = isGlobal && prefix ? join(prefix, 'lib/node_modules/council') : undefined;
if (
  place &&
  lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() &&
  realpathSync(place) === realpathSync(root)
) {
  unlinkSync(place);
  mkdirSync(place);
}
