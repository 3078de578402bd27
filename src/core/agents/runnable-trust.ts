// What an agent or a notice would run, with its hash, and the rule of trust.
import { sha256 } from '../base/ids.ts';
import type { Agent } from './agent.ts';
import { isPreset } from './runner-kind.ts';

/** Something of a project that council would run, or send a key to, with everything about it that its owner has to know. */
export interface Runnable {
  /** `agent:henry`, or `notify`. */
  key: string;
  file: string;
  /** What would run, in words: the whole command line. */
  runs: string;
  /** The variables it would be given beside the usual ones; null for all that there are. */
  env: string[] | null;
  /**
   * What permission it needs: none for council's own programs, a trusted project for the user's
   * agents (`~/.claude/agents`), and approval of this exact command for everything a project brings
   * along.
   */
  needs: 'nothing' | 'project' | 'word';
  /** Over everything that decides what is run: another hash is another command. */
  sha256: string;
}

/** Of something that is not trusted: whether it never was, or was another command then. */
export type News = 'new' | 'changed';

/** What its owner has said about a project, as far as one thing goes. */
export interface Word {
  /** Whether the project as a whole is trusted. */
  project: boolean;
  /** The hash of what was trusted under the same key; undefined for nothing. */
  sha256: string | undefined;
}

/** Why something may not run; undefined when it may. The one rule of trust. */
export function findTrustProblem({ needs, sha256: hash }: Runnable, word: Word): News | undefined {
  if (needs === 'nothing' || (needs === 'project' && word.project)) return undefined;
  if (needs === 'word' && word.sha256 === hash) return undefined;
  return word.sha256 === undefined ? 'new' : 'changed';
}

/** What launching an agent would run; undefined for a person, who is waited for. */
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

/** Named only where there are any: what was trusted without them stays so. */
const pickToolServers = ({ mcp_servers: servers }: Agent): { servers?: string[] } =>
  servers.length > 0 ? { servers } : {};

/** What a notice would run: the notify command of COUNCIL.md. */
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

/** A key as people say it. */
export const formatRunnableKey = (key: string): string =>
  key === 'notify' ? 'the notify command' : key.slice(key.indexOf(':') + 1);

/** Keys in the order in which they are written above, so that the same command always has the same hash. */
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
  const servers = mcp_servers.length > 0 && `with the tools of ${mcp_servers.map(word).join(', ')}`;
  if (runner === 'model') {
    const where = baseUrl === null ? '' : ` at ${word(baseUrl)}`;
    return `asks the model ${word(model ?? '')}${where}${servers === false ? '' : `, ${servers}`}`;
  }
  const program = command.length === 0 ? [runner] : command;
  const facts = [
    isPreset(runner) && command.length > 0 && `in place of ${runner}, with its keys`,
    model !== null && runner !== 'command' && `model ${word(model)}`,
    permissions === 'allow' && 'may do whatever it asks for',
    servers,
  ].filter(Boolean);
  const argv = runner === 'command' ? program : [...program, ...args];
  return `${formatCommandLine(argv)}${facts.length === 0 ? '' : ` (${facts.join('; ')})`}`;
}

const formatCommandLine = (argv: string[]): string => argv.map(word).join(' ');

/** Quotes one argument where needed, so that word boundaries and invisible characters show. */
const word = (text: string): string =>
  /^[\w@%+=:,./${}-]+$/.test(text)
    ? text
    : JSON.stringify(text).replace(
        /[^ \p{L}\p{N}\p{P}\p{S}]/gu,
        (hidden) => `\\u{${(hidden.codePointAt(0) ?? 0).toString(16)}}`,
      );
