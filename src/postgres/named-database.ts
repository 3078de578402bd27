// Which database keeps a project, by the environment and COUNCIL.md.
import { CouncilError } from '../core/base/errors.ts';
import { cutFrontMatter } from '../core/base/front-matter-block.ts';
import { readTextFile } from '../core/store/local/project.ts';
import type { Project } from '../core/store/local/project.ts';
import { parseDatabaseAddress } from './store/place.ts';
import type { DatabasePlace } from './store/place.ts';

/** The database that keeps a project, and a way to it for what listens. */
export interface NamedDatabase {
  place: DatabasePlace;
  direct: DatabasePlace;
}

/** Settings in inline YAML, { … }: not supported for `store`, and reported as an error. */
const INLINE = /^\s*\{[^]*\bstore\b/;
const HINT = 'Expected: store: files, or store: postgres://user@host:5432/database?schema=my_project';

/** The database that is named; undefined for a project in files. Throws `invalid_config`, and never tells a password. */
export function findProjectDatabase(env: NodeJS.ProcessEnv, project: Project): NamedDatabase | undefined {
  const given = env.COUNCIL_DATABASE_URL;
  const place = given
    ? parseDatabaseAddress(given, 'the environment variable COUNCIL_DATABASE_URL', { secret: true })
    : placeInSettings(project.councilFile);
  if (!place) return undefined;
  const listen = env.COUNCIL_DATABASE_LISTEN_URL;
  const direct = listen
    ? parseDatabaseAddress(listen, 'the environment variable COUNCIL_DATABASE_LISTEN_URL', { secret: true })
    : place;
  return { place, direct };
}

/** Every command looks for this: one line is read, and no YAML. */
function placeInSettings(path: string): DatabasePlace | undefined {
  const yaml = cutFrontMatter(readSettingsText(path))?.yaml ?? '';
  const found = INLINE.test(yaml) ? '|' : /^(?:store|"store"|'store')[ \t]*:(.*)$/m.exec(yaml)?.[1];
  if (found === undefined) return undefined;
  const value = plainScalar(found.trim());
  if (value === 'files' || value === '') return undefined;
  if (value?.startsWith('postgres'))
    return parseDatabaseAddress(value, `${path}: "store"`, { secret: false });
  throw new CouncilError(
    'invalid_config',
    `${path}: "store" names no place that council can keep a project in.`,
    {
      hint: HINT,
    },
  );
}

const UNREADABLE: readonly string[] = ['not_a_file', 'too_large', 'invalid_text'];

/**
 * Unreadable settings name no database: commands that need the settings report it, doctor and
 * status go on.
 */
function readSettingsText(path: string): string {
  try {
    return readTextFile(path) ?? '';
  } catch (error) {
    if (error instanceof CouncilError && UNREADABLE.includes(error.code)) return '';
    throw error;
  }
}

/** A value on one line, quoted or not, without the comment behind it; undefined for anything else. */
const plainScalar = (value: string): string | undefined =>
  /^(?:"([^"\\]*)"|'([^']*)'|([^"'\s#][^\s]*)?)(?:\s+#.*|#.*)?$/
    .exec(value)
    ?.slice(1, 4)
    .find((one) => one !== undefined) ?? (/^(?:#.*)?$/.test(value) ? '' : undefined);
