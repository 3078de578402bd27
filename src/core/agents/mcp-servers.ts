// Parses .mcp.json, the project's list of MCP servers, in the form that many agents share. Pure.
import { CouncilError } from '../base/errors.ts';
import { sha256 } from '../base/ids.ts';
import { toUnknownRecord, parseJsonSafely } from '../base/text.ts';
import type { Runnable } from './runnable-trust.ts';

/** A server as written in the file: a program or an address. Values may refer to variables: `${TOKEN}`. */
export type McpServer = { name: string } & (
  | { kind: 'program'; command: string[]; env: Record<string, string> }
  | { kind: 'address'; url: string; headers: Record<string, string> }
);

/** Parses the file. Throws `invalid_config` naming `path`, the server, and what was expected. */
export function readMcpServers(text: string, path: string): McpServer[] {
  const refuse = (what: string): never => {
    throw new CouncilError('invalid_config', `${path}: ${what}.`, {
      hint: 'For example: { "mcpServers": { "files": { "command": "files-server", "args": ["docs"] } } }',
    });
  };
  let data: unknown;
  try {
    data = parseJsonSafely(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refuse(`this is no JSON (${error.message})`);
  }
  return Object.entries(toUnknownRecord(toUnknownRecord(data).mcpServers)).map(([name, value]) => {
    const { command, args, env, url, headers } = toUnknownRecord(value);
    const about = `the server ${JSON.stringify(name)}`;
    if (typeof url === 'string') {
      if (!/^https?:\/\//.test(url)) refuse(`"url" of ${about} must be a web address`);
      return {
        name,
        kind: 'address',
        url,
        headers: readTextMap(headers) ?? refuse(`"headers" of ${about} must be texts`),
      };
    }
    if (typeof command !== 'string' || command.trim() === '')
      return refuse(`${about} must have a "command" or a "url"`);
    const list = args ?? [];
    if (!Array.isArray(list) || !list.every((one) => typeof one === 'string'))
      return refuse(`"args" of ${about} must be a list of texts`);
    return {
      name,
      kind: 'program',
      command: [command, ...list],
      env: readTextMap(env) ?? refuse(`"env" of ${about} must be texts`),
    };
  });
}

function readTextMap(value: unknown): Record<string, string> | undefined {
  const entries = Object.entries(toUnknownRecord(value ?? {}));
  const texts = entries.flatMap(([key, one]) => (typeof one === 'string' ? [[key, one] as const] : []));
  return texts.length === entries.length ? Object.fromEntries(texts) : undefined;
}

/** Describes what a server runs or sends secrets to: the owner must see all of it before trusting it. */
export function buildServerRunnable(server: McpServer, file: string): Runnable {
  const values = server.kind === 'program' ? server.env : server.headers;
  const named = Object.values(values).flatMap((value) =>
    [...value.matchAll(VARIABLE)].map(([, name = '']) => name),
  );
  return {
    key: `mcp:${server.name}`,
    file,
    runs:
      server.kind === 'program'
        ? `the MCP server ${server.command.map((part) => JSON.stringify(part)).join(' ')}`
        : `asks the MCP server at ${server.url}`,
    env: [...new Set([...(server.kind === 'program' ? Object.keys(values) : []), ...named])],
    needs: 'word',
    sha256: sha256(JSON.stringify(server)),
  };
}

const VARIABLE = /\$\{(\w+)(?::-([^}]*))?\}/g;

/** Expands `${NAME}` and `${NAME:-default}` in values; an unset variable is empty. */
export const expandVariables = (
  values: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      value.replace(
        VARIABLE,
        (_, name: string, otherwise: string | undefined) => env[name] || (otherwise ?? ''),
      ),
    ]),
  );

const MOST_CHARACTERS = 64;

/**
 * Builds a tool name that all providers accept: `server__tool`; a name that is too long or has other
 * characters is cut and ends in a hash.
 */
export function buildToolName(server: string, tool: string): string {
  const name = `${server}__${tool}`;
  const plain = name.replace(/[^A-Za-z0-9_-]/g, '_');
  if (plain === name && plain.length <= MOST_CHARACTERS) return plain;
  return `${plain.slice(0, MOST_CHARACTERS - 9)}_${sha256(name).slice(0, 8)}`;
}
