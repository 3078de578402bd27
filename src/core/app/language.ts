// Determines the language of a command's output.
import { readConfig } from '../base/config.ts';
import { CouncilError } from '../base/errors.ts';
import { LANGUAGES, readLocale } from '../base/words/words.ts';
import type { Language } from '../base/words/words.ts';
import { findProject, readTextFile } from '../store/local/project.ts';
import type { App } from './app.ts';

/** Returns the language of the settings, or of the environment if there is none or the settings cannot be read. */
export async function readLanguage({ cwd, env, root }: Pick<App, 'cwd' | 'env' | 'root'>): Promise<Language> {
  try {
    const path = findProject({ cwd, env, root })?.councilFile;
    const text = path === undefined ? undefined : readTextFile(path);
    return (await readConfig({ text, path: path ?? '', env, flags: {} })).lang;
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    return readLocale(env);
  }
}

/** Says what doctor has found, or an agent or a mode is, in the language of the settings. */
export async function loadFindingWords(
  app: Pick<App, 'cwd' | 'env' | 'root'>,
): Promise<(english: string) => string> {
  if ((await readLanguage(app)) !== 'fr') return String;
  return (await import('../base/words/fr/findings.ts')).toFrenchFinding;
}

/** Returns the language for errors: of the command line, otherwise of the project here, otherwise of the environment. */
export async function readErrorLanguage(argv: readonly string[]): Promise<Language> {
  const asked = LANGUAGES.find(
    (lang) =>
      argv.includes(`--lang=${lang}`) || argv.some((one, at) => one === '--lang' && argv[at + 1] === lang),
  );
  return asked ?? readLanguage({ cwd: process.cwd(), env: process.env, root: undefined });
}
