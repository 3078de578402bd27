// What an agent or a notification would run, with its hash, and the trust rule.
import { sha256 } from '../base/ids.ts';
import type { Agent } from './agent.ts';
import { isPreset } from './runner-kind.ts';

/** A command that a project makes council run, or an address that gets a key, with all its owner must know. */
export interface Runnable {
  /** For example `agent:henry`, or `notify`. */
  key: string;
  file: string;
  /** The whole command line, for people. */
  runs: string;
  /** Variables passed in addition to the usual ones; null for all variables. */
  env: string[] | null;
  /**
   * The required permission: none for council's own programs, a trusted project for the user's agents
   * (`~/.claude/agents`), and approval of this exact command for everything a project brings along.
   */
  needs: 'nothing' | 'project' | 'word';
  /** Hash of everything that decides what is run: a different hash is a different command. */
  sha256: string;
}

/** Why a command is not trusted: it never was, or it was another command then. */
export type TrustProblem = 'new' | 'changed';

/** What the owner has approved in a project, for one key. */
export interface OwnerTrust {
  /** Whether the project as a whole is trusted. */
  project: boolean;
  /** The trusted hash of the same key; undefined if there is none. */
  sha256: string | undefined;
}

/** Returns why a command may not run; undefined if it may. The only trust rule. */
export function findTrustProblem(
  { needs, sha256: hash }: Runnable,
  word: OwnerTrust,
): TrustProblem | undefined {
  if (needs === 'nothing' || (needs === 'project' && word.project)) return undefined;
  if (needs === 'word' && word.sha256 === hash) return undefined;
  return word.sha256 === undefined ? 'new' : 'changed';
}

/** Returns what a launch of an agent would run; undefined for a person. */
export function buildAgentRunnable(agent: Agent): Runnable | undefined {
  const { id, runner, source, command, args, env, model, baseUrl, apiKey, permissions } = agent;
  if (runner === 'human') return undefined;
  const decides = {
    id,
    runner,
    command,
    args,
    env,
    model,
    baseUrl,
    apiKey,
    permissions,
    ...pickToolServers(agent),
  };
  return {
    key: `agent:${id}`,
    file: agent.path,
    runs: describeAgentCommand(agent),
    env: [...new Set([...env, ...(apiKey === null ? [] : [apiKey])])],
    needs: source === 'built-in' ? 'nothing' : source === 'user' ? 'project' : 'word',
    sha256: hashRunnable(decides),
  };
}

/** Left out if empty, so that hashes of agents without servers stay valid. */
const pickToolServers = ({ mcp_servers: servers }: Agent): { servers?: string[] } =>
  servers.length > 0 ? { servers } : {};

/** Describes what a notification would run: the notify command of COUNCIL.md. */
export function notifyRunnable(notify: string[]): Runnable {
  return {
    key: 'notify',
    file: 'COUNCIL.md',
    runs: formatCommandLine(notify),
    env: null,
    needs: 'word',
    sha256: hashRunnable({ notify }),
  };
}

export const formatRunnableKey = (key: string): string =>
  key === 'notify' ? 'the notify command' : key.slice(key.indexOf(':') + 1);

/** Hashes the keys in the order written above, so that the same command always has the same hash. */
const hashRunnable = (decides: Record<string, unknown>): string => sha256(JSON.stringify(decides));

function describeAgentCommand({
  runner,
  command,
  args,
  model,
  baseUrl,
  permissions,
  mcp_servers,
}: Agent): string {
  const servers = mcp_servers.length > 0 && `with the tools of ${mcp_servers.map(quoteArgument).join(', ')}`;
  if (runner === 'model') {
    const where = baseUrl === null ? '' : ` at ${quoteArgument(baseUrl)}`;
    return `asks the model ${quoteArgument(model ?? '')}${where}${servers === false ? '' : `, ${servers}`}`;
  }
  const program = command.length === 0 ? [runner] : command;
  const facts = [
    isPreset(runner) && command.length > 0 && `in place of ${runner}, with its keys`,
    model !== null && runner !== 'command' && `model ${quoteArgument(model)}`,
    permissions === 'allow' && 'may do whatever it asks for',
    servers,
  ].filter(Boolean);
  const argv = runner === 'command' ? program : [...program, ...args];
  return `${formatCommandLine(argv)}${facts.length === 0 ? '' : ` (${facts.join('; ')})`}`;
}

const formatCommandLine = (argv: string[]): string => argv.map(quoteArgument).join(' ');

/** Quotes an argument if needed, to show word boundaries and invisible characters. */
const quoteArgument = (text: string): string =>
  /^[\w@%+=:,./${}-]+$/.test(text)
    ? text
    : JSON.stringify(text).replace(
        /[^ \p{L}\p{N}\p{P}\p{S}]/gu,
        (hidden) => `\\u{${(hidden.codePointAt(0) ?? 0).toString(16)}}`,
      );
