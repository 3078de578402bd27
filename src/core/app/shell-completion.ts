// Use case `completion install`: installs a completion script, and the lines that it needs in the shell's start file.
import fs from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { CouncilError } from '../base/errors.ts';
import { isYes } from '../base/words/words.ts';
import { makeDir, replacePath, unlinkIfThere, writeNew } from '../store/local/disk.ts';
import { readBytes } from '../store/local/read.ts';
import type { App, Result } from './app.ts';
import type { CompletionInput } from './input/project.ts';

type Shell = NonNullable<CompletionInput['shell']>;

export interface CompletionDocument {
  shell: Shell;
  action: 'install' | 'uninstall';
  /** The script; `changed` if it was written or removed. */
  file: string;
  changed: boolean;
  /** The start file of the shell, if the script alone is not found; `present` if it now has the lines. */
  start: { file: string; lines: string[]; present: boolean; changed: boolean } | null;
}

/** Returns this user's shell. Throws `usage` if there is no completion for it. */
export function detectUserShell({ SHELL }: NodeJS.ProcessEnv): Shell {
  const name = basename(SHELL ?? '');
  if (name === 'bash' || name === 'zsh' || name === 'fish') return name;
  throw new CouncilError('usage', name === '' ? 'Which shell?' : `There is no completion for ${name}.`, {
    hint: 'Name one of these: council completion install bash, … zsh or … fish',
  });
}

/** Writes the script, and after a confirmation the lines in the start file. Idempotent. */
export async function installCompletion(
  app: App,
  { shell, script, yes }: { shell: Shell; script: string; yes: boolean },
): Promise<Result<CompletionDocument>> {
  const { file, start } = resolveCompletionPaths(app.env, shell);
  const text = toLatin1(`${script}\n`);
  const changed = readStartFileText(file) !== text;
  if (changed) {
    makeDir(dirname(file));
    writeStartFile(file, text);
  }
  if (start === undefined) return { document: { shell, action: 'install', file, changed, start: null } };
  const before = readStartFileText(start.file) ?? '';
  const after = addBlock(before, start.lines);
  const agreed = before === after || yes || (await isAgreed(app, start));
  if (agreed && before !== after) writeStartFile(start.file, after);
  return {
    document: {
      shell,
      action: 'install',
      file,
      changed,
      start: { ...start, present: agreed, changed: agreed && before !== after },
    },
  };
}

/** Removes the script, and the lines added to the start file. */
export async function uninstallCompletion(app: App, shell: Shell): Promise<Result<CompletionDocument>> {
  const { file, startFile } = resolveCompletionPaths(app.env, shell);
  const changed = unlinkIfThere(file);
  const before = startFile === undefined ? '' : (readStartFileText(startFile) ?? '');
  const after = removeBlock(before);
  if (startFile !== undefined && before !== after) writeStartFile(startFile, after);
  const start =
    startFile === undefined
      ? null
      : { file: startFile, lines: [], present: false, changed: before !== after };
  return { document: { shell, action: 'uninstall', file, changed, start } };
}

async function isAgreed(
  { ask, note }: App,
  { file, lines }: { file: string; lines: string[] },
): Promise<boolean> {
  if (!ask) return false;
  for (const line of [`${file} needs these lines:`, ...lines.map((one) => `  ${one}`)]) note(line);
  return isYes(await ask('Add them? [y/N] '));
}

interface Places {
  file: string;
  /** The start file, if it may have our lines. */
  startFile: string | undefined;
  /** Set if the shell does not find the script by itself. */
  start: { file: string; lines: string[] } | undefined;
}

function resolveCompletionPaths(env: NodeJS.ProcessEnv, shell: Shell): Places {
  const home = env.HOME || homedir();
  const data = env.XDG_DATA_HOME || join(home, '.local/share');
  switch (shell) {
    case 'fish': {
      const config = env.XDG_CONFIG_HOME || join(home, '.config');
      return { file: join(config, 'fish/completions/council.fish'), startFile: undefined, start: undefined };
    }
    case 'zsh': {
      const folder = join(data, 'zsh/site-functions');
      const startFile = join(env.ZDOTDIR || home, '.zshrc');
      const lines = [
        `fpath=(${quoteShellText(folder)} $fpath)`,
        '(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }',
        'autoload -Uz _council && compdef _council council',
      ];
      return { file: join(folder, '_council'), startFile, start: { file: startFile, lines } };
    }
    case 'bash': {
      const user = env.BASH_COMPLETION_USER_DIR || join(data, 'bash-completion');
      const file = join(user, 'completions/council');
      const startFile = join(home, '.bashrc');
      const lines = [`[ -r ${quoteShellText(file)} ] && . ${quoteShellText(file)}`];
      const start = loadsCompletions(startFile) ? undefined : { file: startFile, lines };
      return { file, startFile, start };
    }
  }
}

/** Whether bash-completion is active, which loads the script on demand. */
const loadsCompletions = (startFile: string): boolean =>
  [startFile, '/etc/bash.bashrc', '/etc/bashrc'].some((file) =>
    /^[^#\n]*(?:\.|source)\s[^#\n]*bash_completion/m.test(readStartFileText(file) ?? ''),
  );

const quoteShellText = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const BEGIN = '# >>> council completion >>>';
const END = '# <<< council completion <<<';
/** Never spans another beginning, or more lines than council ever wrote: lines inside a damaged block are the owner's. */
const BLOCK = new RegExp(`^${BEGIN}\n(?:(?!${BEGIN}|${END}).*\n){0,3}${END}\n?`, 'm');

const removeBlock = (text: string): string => text.replace(BLOCK, '');

function addBlock(text: string, lines: string[]): string {
  const block = toLatin1(`${[BEGIN, ...lines, END].join('\n')}\n`);
  // A function, because `$` in a replacement text refers to the match.
  if (BLOCK.test(text)) return text.replace(BLOCK, () => block);
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${block}`;
}

/** Reads a file with one character per byte, since a start file may have any encoding. */
const readStartFileText = (file: string): string | undefined => readBytes(file)?.toString('latin1');

/** Converts our own text to that form. */
const toLatin1 = (text: string): string => Buffer.from(text).toString('latin1');

/** Replaces the file atomically, keeps its permissions, and follows a link to the real start file. */
function writeStartFile(file: string, text: string): void {
  const there = fs.existsSync(file);
  const real = there ? fs.realpathSync(file) : file;
  const temp = `${real}.council-${process.pid}`;
  writeNew(temp, Buffer.from(text, 'latin1'), there ? { mode: fs.statSync(real).mode & 0o777 } : {});
  replacePath(temp, real);
}
