// The file with the environment variables that a schedule needs.
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import type { Agent } from '../../agents/agent.ts';
import { CouncilError, ignoreSystemFault } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import { makeFolders } from '../../store/local/disk.ts';
import { readTextFile } from '../../store/local/project.ts';
import { getConfigHome } from '../../store/file/trust-book.ts';
import type { App } from '../app.ts';
import type { InstallInput } from '../input/project.ts';
import { toOneLine } from '../../base/text.ts';
import { findAddressVariable, listKeyVariables } from '../../agents/providers.ts';
import { isPreset } from '../../agents/runner-kind.ts';
import { presets } from '../../agents/runners/presets/preset-table.ts';

/** What the schedule needs to log in as the agents do here. */
export interface ScheduleVariables {
  path: string;
  /** What is to be in the file; nothing at all means that there is none. */
  variables: Record<string, string>;
  /** Sentences for people: what is left out, and why. */
  notes: string[];
}

/**
 * File of the schedule's environment variables: outside the project, readable only by its owner.
 */
export const getVariablesPath = ({ env }: Pick<App, 'env'>, root: string): string =>
  join(getConfigHome(env), 'council', `${sha256(root).slice(0, 12)}.env`);

/** Names of variables, each with the agents that use it. */
type VariableUsers = Map<string, string[]>;

/**
 * Chooses which variables of the agents go into the schedule's file: those of `--env`, all that are set with `--yes`, else
 * what the person on the terminal says, else those that are in it already. Values are never shown. Throws `usage`.
 */
export async function chooseVariables(
  app: App,
  root: string,
  agents: Agent[],
  options: Pick<InstallInput, 'env' | 'yes' | 'dryRun'>,
): Promise<ScheduleVariables> {
  const path = getVariablesPath(app, root);
  const before = readVariables(path);
  const users: VariableUsers = new Map();
  for (const agent of agents)
    for (const name of listAgentVariables(agent)) users.set(name, [...(users.get(name) ?? []), agent.id]);
  const isSet = (name: string): boolean => (app.env[name] ?? '') !== '';
  const offered = [...users.keys()].filter((name) => isSet(name) || Object.hasOwn(before, name)).sort();
  const chosen = await askForVariables(app, { path, offered, users, before }, options);
  const variables = Object.fromEntries(
    chosen.map((name) => [name, (isSet(name) ? app.env[name] : before[name]) ?? ''] as const),
  );
  const declared = new Set(agents.flatMap(({ env }) => env));
  const notes = [...declared]
    .filter((name) => !isSet(name) && !chosen.includes(name))
    .map((name) => `${name} is not set here: ${(users.get(name) ?? []).join(', ')} will not have it.`);
  const left = offered.filter((name) => !chosen.includes(name));
  if (left.length > 0)
    notes.push(
      `Left out, so that the schedule's agents do not have them: ${left.map(nameWithUsers(users)).join(', ')}.`,
    );
  if (left.length > 0 && options.env === undefined)
    notes.push(`To write them: council install --env ${left.join(',')}, or --yes for all.`);
  return { path, variables, notes };
}

const nameWithUsers =
  (users: VariableUsers) =>
  (name: string): string =>
    `${name} (${(users.get(name) ?? []).join(', ')})`;

interface VariableChoice {
  path: string;
  offered: string[];
  users: VariableUsers;
  before: Record<string, string>;
}

async function askForVariables(
  app: App,
  { path, offered, users, before }: VariableChoice,
  { env, yes, dryRun }: Pick<InstallInput, 'env' | 'yes' | 'dryRun'>,
): Promise<string[]> {
  const known = Object.keys(before);
  if (env !== undefined) return env === 'none' ? [] : parseVariableNames(env, app.env, known, 'usage');
  if (yes) return offered;
  const asBefore = offered.filter((name) => known.includes(name));
  if (dryRun || offered.length === 0) return asBefore;
  const list = offered.map((name) => `  ${nameWithUsers(users)(name)}`).join('\n');
  const question = `Agents of this project use these variables, which cron and systemd do not know:\n${list}\nThey would be written to ${path}, which only you can read.\nWrite all of them? [yes, no, or the names]: `;
  const answer = (await app.ask?.(question))?.trim();
  if (answer === undefined || answer === '') return asBefore;
  if (/^(y|yes|all)$/i.test(answer)) return offered;
  return /^(n|no|none)$/i.test(answer) ? [] : parseVariableNames(answer, app.env, known, 'answer');
}

/** The names of a list. Throws `usage` for what is no variable, or has no value. */
function parseVariableNames(
  list: string,
  env: NodeJS.ProcessEnv,
  known: string[],
  from: 'usage' | 'answer',
): string[] {
  const names = [...new Set(list.split(/[\s,]+/).filter((name) => name !== ''))];
  for (const name of names) {
    const hint = from === 'usage' ? 'For example: --env ANTHROPIC_API_KEY,OPENAI_API_KEY' : 'Run it again.';
    if (!/^[A-Za-z_]\w*$/.test(name))
      throw new CouncilError('usage', `Not the name of a variable: ${JSON.stringify(name)}.`, { hint });
    if (!env[name] && !known.includes(name))
      throw new CouncilError('usage', `The variable ${name} is not set.`, {
        hint: `Set it first: export ${name}=…`,
      });
  }
  return names;
}

/** What is in the file now. */
export const readVariables = (path: string): Record<string, string> =>
  readEnvironmentFile(readTextFile(path) ?? '');

/** Writes the file for this user alone, whole or not at all; takes it away when nothing is to be in it. */
export function writeVariables(root: string, { path, variables }: ScheduleVariables): void {
  if (Object.keys(variables).length === 0) return removeVariables(path);
  makeFolders(dirname(path), 0o700);
  const temp = `${path}.${process.pid}.tmp`;
  try {
    fs.writeFileSync(temp, renderEnvironmentFile(root, variables), { mode: 0o600, flag: 'wx', flush: true });
    fs.renameSync(temp, path);
  } catch (error) {
    fs.rmSync(temp, { force: true });
    throw error;
  }
}

/** Deletes the file of variables where there is one. */
export const removeVariables = (path: string): void => ignoreSystemFault(() => fs.unlinkSync(path), 'ENOENT');

/**
 * Variables as a file that sh reads with `.` and systemd with `EnvironmentFile=`. In double quotes both take a backslash
 * before these four characters for the character, and everything else, line breaks included, as it is.
 */
export function renderEnvironmentFile(root: string, variables: Readonly<Record<string, string>>): string {
  const lines = Object.entries(variables).map(
    ([name, value]) => `${name}="${value.replace(/["\\$`]/g, '\\$&')}"\n`,
  );
  return `# Written by council install, for the agents of ${toOneLine(root, 500)}. Keep it to yourself.\n${lines.join('')}`;
}

/** What `renderEnvironmentFile` has written. Anything else in the text is left out. */
export function readEnvironmentFile(text: string): Record<string, string> {
  const found = text.matchAll(/^([A-Za-z_]\w*)="((?:[^"\\]|\\[^])*)"$/gm);
  return Object.fromEntries(
    [...found].map(([, name = '', value = '']) => [name, value.replace(/\\(["\\$`])/g, '$1')] as const),
  );
}

/** The variables an agent can do something with: those of its file, and those its runner logs in with or is set by. */
export function listAgentVariables(agent: Agent): string[] {
  const preset = isPreset(agent.runner) ? presets[agent.runner] : undefined;
  const keys =
    agent.runner === 'model' ? listKeyVariables(agent).concat(findAddressVariable(agent) ?? []) : [];
  return [...new Set([...agent.env, ...keys, ...(preset?.secrets ?? []), ...(preset?.settings ?? [])])];
}
