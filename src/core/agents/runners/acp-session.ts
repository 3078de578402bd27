// Agent Client Protocol: one conversation with an agent, from `initialize` to a single prompt.
import { isObject } from '../../base/text.ts';
import { isAbsolute, relative } from 'node:path';
import type * as Acp from '@agentclientprotocol/sdk';
import type {
  ClientConnection,
  McpServer,
  PermissionOption,
  Stream,
  ReadTextFileRequest,
  ReadTextFileResponse,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import {
  findModel,
  filterMappings,
  readModelChoices,
  toFailedConversation,
  isAuthRequired,
  toErrorOutcome,
  toStopOutcome,
} from './acp-result.ts';
import type { ConversationOutcome } from './acp-result.ts';
import type { SpeakRequest, ToolServer } from './turn-types.ts';
import { ignoreRefusal } from '../../base/errors.ts';
import { READ_LIMITS } from '../../base/limits.ts';
import { resolveAllLinks, readBytes } from '../../store/local/read.ts';

type AcpResponse = Record<string, unknown>;
type AcpCall = (method: string, params: unknown) => Promise<AcpResponse>;

/**
 * Initializes an agent, opens a session, chooses the model and prompts once. Failures of the agent are
 * returned as results. Returns null if the connection ended before the answer: how the program ended shows
 * why.
 */
export async function runSession(
  sdk: typeof Acp,
  stream: Stream,
  request: SpeakRequest,
): Promise<ConversationOutcome | null> {
  const connection = sdk
    .client({ name: 'council' })
    .onRequest('session/request_permission', ({ params }) => ({
      outcome: answerPermission(params.options, mayAccess(params.toolCall, request) ? 'allow' : 'refuse'),
    }))
    .onRequest('fs/read_text_file', ({ params }) => readProjectFile(sdk, request, params))
    .connect(stream);
  const call = createAcpCaller(connection);
  let initialized: AcpResponse = {};
  try {
    initialized = await call('initialize', {
      protocolVersion: sdk.PROTOCOL_VERSION,
      clientInfo: { name: 'council', version: '1' },
      // No terminals and no write access.
      clientCapabilities: request.reads ? { fs: { readTextFile: true, writeTextFile: false } } : {},
    });
    const spoken = JSON.stringify(initialized.protocolVersion);
    if (spoken === String(sdk.PROTOCOL_VERSION)) return await promptAgent(call, initialized, request);
    const reason = `it wants version ${spoken} of the Agent Client Protocol, council speaks ${sdk.PROTOCOL_VERSION}`;
    return toFailedConversation('config', reason);
  } catch (error) {
    if (error instanceof sdk.RequestError) return toErrorOutcome(error, request, initialized);
    if (connection.signal.aborted) return null;
    throw error;
  } finally {
    connection.close();
  }
}

/** The SDK does not validate results. */
const createAcpCaller =
  ({ agent }: ClientConnection): AcpCall =>
  async (method, params) => {
    const result = await agent.request<unknown, unknown>(method, params);
    return isObject(result) ? result : {};
  };

async function promptAgent(
  call: AcpCall,
  initialized: AcpResponse,
  request: SpeakRequest,
): Promise<ConversationOutcome> {
  const session = await openSession(call, initialized, request);
  const { sessionId } = session;
  if (typeof sessionId !== 'string')
    return toFailedConversation(
      'failed',
      'it does not keep to the protocol: it opened a session without an id',
    );
  const model = await chooseModel(call, session, request);
  if (typeof model === 'object' && model) return model;
  const text = request.system === '' ? request.input : `${request.system}\n\n${request.input}`;
  return toStopOutcome(await call('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }), model);
}

/** Opens a session, logging in first if the agent requires it and a key is enough. */
async function openSession(
  call: AcpCall,
  initialized: AcpResponse,
  request: SpeakRequest,
): Promise<AcpResponse> {
  const open = () =>
    call('session/new', { cwd: request.cwd, mcpServers: request.toolServers.map(toStdioServer) });
  try {
    return await open();
  } catch (error) {
    const methodId = isAuthRequired(error) ? findKeyMethod(initialized, request) : undefined;
    if (methodId === undefined) throw error;
    await call('authenticate', { methodId });
    return open();
  }
}

/** Returns the model that will answer, null if unknown, or a failure if the requested one is missing. */
async function chooseModel(
  call: AcpCall,
  session: AcpResponse,
  { agent }: SpeakRequest,
): Promise<string | null | ConversationOutcome> {
  const choices = readModelChoices(session);
  // Claude Code's name for the configured default model.
  const wanted = agent.model === 'inherit' ? null : agent.model;
  if (wanted === null || !choices) return wanted ?? choices?.current ?? null;
  const id = findModel(wanted, choices.ids);
  if (id === undefined) {
    const known = choices.ids.length > 0 ? choices.ids.join(', ') : 'none';
    return toFailedConversation('config', `it has no model ${JSON.stringify(wanted)}: it offers ${known}`);
  }
  const { method, params } = choices.select;
  if (id !== choices.current) await call(method, { sessionId: session.sessionId, ...params(id) });
  return id;
}

/**
 * Returns the agent's login method that uses an API key, if it has one and a declared variable is set. Other
 * methods open a browser or prompt a person, so they are not used.
 */
function findKeyMethod(initialized: AcpResponse, { agent, env }: SpeakRequest): string | undefined {
  if (!agent.env.some((name) => (env[name] ?? '') !== '')) return undefined;
  const method = filterMappings(initialized.authMethods).find(
    (one) => one.type === 'env_var' || (isObject(one._meta) && 'api-key' in one._meta),
  );
  return typeof method?.id === 'string' ? method.id : undefined;
}

const toStdioServer = ({ name, command: [command = '', ...args], env }: ToolServer): McpServer => ({
  name,
  command,
  args,
  env: Object.entries(env).map(([name, value]) => ({ name, value })),
});

/** Allows once rather than always: a turn is one answer, and permanent permissions are for the user to grant. */
function answerPermission(options: PermissionOption[], policy: 'refuse' | 'allow') {
  const kinds = policy === 'allow' ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const option = kinds.map((kind) => options.find((one) => one.kind === kind)).find((one) => one);
  return option
    ? { outcome: 'selected' as const, optionId: option.optionId }
    : { outcome: 'cancelled' as const };
}

// What an agent may read of the project over the protocol, if the council allows it.

type FileAccessRequest = Pick<SpeakRequest, 'agent' | 'cwd' | 'reads' | 'readable' | 'writes'>;

const READING: readonly unknown[] = ['read', 'search'];
const WRITING: readonly unknown[] = ['edit', 'delete', 'move'];

/**
 * Whether a tool call is allowed: reading within the project, writing within a worktree of its own, or
 * anything if the agent's file allows it.
 */
function mayAccess(
  { kind, locations }: ToolCallUpdate,
  { agent, cwd, reads, readable, writes }: FileAccessRequest,
): boolean {
  if (agent.permissions === 'allow') return true;
  const isAllowed = (reads && READING.includes(kind)) || (writes && WRITING.includes(kind));
  if (!isAllowed || !locations?.length) return false;
  const folders = [cwd, ...(readable !== undefined && READING.includes(kind) ? [readable] : [])];
  return locations.every(({ path }) => folders.some((folder) => isInside(path, folder)));
}

/** Reads a text file of the project, or the requested lines. Throws the protocol's own errors. */
function readProjectFile(
  { RequestError }: typeof Acp,
  { cwd, reads, readable }: FileAccessRequest,
  { path, line, limit }: ReadTextFileRequest,
): ReadTextFileResponse {
  if (!reads) throw RequestError.methodNotFound('fs/read_text_file');
  // Files outside are reported as not found.
  const isThere = isInside(path, cwd) || (readable !== undefined && isInside(path, readable));
  const bytes = isThere ? readOrNot(path) : undefined;
  if (!bytes) throw RequestError.resourceNotFound(path);
  const text = bytes.toString('utf8');
  if (!line && !limit) return { content: text };
  const first = Math.max(1, line ?? 1) - 1;
  const lines = text.split('\n').slice(first, limit ? first + limit : undefined);
  return { content: lines.join('\n') };
}

function readOrNot(path: string): Buffer | undefined {
  return ignoreRefusal(() => readBytes(path, { limit: READ_LIMITS.brief }));
}

function isInside(path: string, folder: string): boolean {
  if (!isAbsolute(path)) return false;
  const way = ignoreRefusal(() => relative(resolveAllLinks(folder), resolveAllLinks(path)));
  return way !== undefined && way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}
