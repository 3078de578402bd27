// The home folder of the user, where there is one.
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { CouncilError, systemCode } from '../../base/errors.ts';

/** HOME, else what the system knows of this user; undefined for a user id that it knows nothing of, as in many containers. */
export function findHome({ HOME }: NodeJS.ProcessEnv): string | undefined {
  if (HOME) return HOME;
  try {
    return homedir();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

type Variable = 'XDG_STATE_HOME' | 'XDG_CONFIG_HOME' | 'XDG_CACHE_HOME';

/** What a variable names, else its usual folder in the home. A relative one does not count: it would lie in the project. Throws `io`. */
export function userFolder(env: NodeJS.ProcessEnv, variable: Variable, usual: string): string {
  const given = env[variable] ?? '';
  if (isAbsolute(given)) return given;
  const home = findHome(env);
  if (home !== undefined) return join(home, usual);
  throw new CouncilError('io', `This user has no home folder, and ${variable} names no other place.`, {
    hint: `Set HOME, or ${variable}, to a folder of this user's own.`,
  });
}
