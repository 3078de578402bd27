// Agent Client Protocol: one conversation with an agent, from initialize to a single prompt.
import type * as Acp from '@agentclientprotocol/sdk';
import type { ClientConnection, McpServer, PermissionOption, Stream } from '@agentclientprotocol/sdk';
import { isMapping } from '../fields.ts';
import { findModel, list, modelChoices } from './acp-model.ts';
import { GONE, isAuthRequired, ofError, ofStopReason } from './acp-result.ts';
import type { Told } from './acp-result.ts';
import type { SpeakRequest, ToolServer } from './speak.ts';

/** Initializes an agent, opens a session, chooses the model and prompts once. Failures of the agent are results. */
export async function converse(sdk: typeof Acp, stream: Stream, request: SpeakRequest): Promise<Told> {
  const connection = sdk
    .client({ name: 'council' })
    .onRequest('session/request_permission', ({ params }) => ({
      outcome: answerPermission(params.options, request.agent.permissions),
    }))
    .connect(stream);
  const seen: { initialized?: unknown } = {};
  try {
    return await ask(sdk.PROTOCOL_VERSION, connection, request, seen);
  } catch (error) {
    if (error instanceof sdk.RequestError) return ofError(error, request, seen.initialized);
    if (connection.signal.aborted) return GONE;
    throw error;
  } finally {
    connection.close();
  }
}

async function ask(
  version: number,
  { agent }: ClientConnection,
  request: SpeakRequest,
  seen: { initialized?: unknown },
): Promise<Told> {
  // The SDK hands results over unchecked.
  const call = async (method: string, params: unknown): Promise<Record<string, unknown>> => {
    const result = await agent.request<unknown, unknown>(method, params);
    return isMapping(result) ? result : {};
  };
  const initialized = await call('initialize', {
    protocolVersion: version,
    clientInfo: { name: 'council', version: '1' },
    // Neither files nor terminals: who wants to read the project does so by its own means and permissions.
    clientCapabilities: {},
  });
  seen.initialized = initialized;
  const spoken = JSON.stringify(initialized.protocolVersion);
  if (spoken !== String(version)) {
    const reason = `it wants version ${spoken} of the Agent Client Protocol, council speaks ${version}`;
    return { failure: 'config', reason };
  }
  const mcpServers = request.toolServers.map(stdioServer);
  const open = () => call('session/new', { cwd: request.cwd, mcpServers });
  const session = await open().catch(async (error: unknown) => {
    const methodId = isAuthRequired(error) ? keyMethod(initialized, request) : undefined;
    if (methodId === undefined) throw error;
    await call('authenticate', { methodId });
    return open();
  });
  const { sessionId } = session;
  if (typeof sessionId !== 'string')
    return {
      failure: 'failed',
      reason: 'it does not keep to the protocol: it opened a session without an id',
    };

  const choices = modelChoices(session);
  // Claude Code's word for "the one that is set anyway".
  const wanted = request.agent.model === 'inherit' ? null : request.agent.model;
  let model = wanted ?? choices?.current ?? null;
  if (wanted !== null && choices) {
    const id = findModel(wanted, choices.ids);
    if (id === undefined) {
      const known = choices.ids.length > 0 ? choices.ids.join(', ') : 'none';
      return {
        failure: 'config',
        reason: `it has no model ${JSON.stringify(wanted)}: it offers ${known}`,
      };
    }
    if (id !== choices.current)
      await call(choices.select.method, { sessionId, ...choices.select.params(id) });
    model = id;
  }
  const text = request.system === '' ? request.input : `${request.system}\n\n${request.input}`;
  return ofStopReason(await call('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }), model);
}

/**
 * The agent's way to log in with a key out of its environment, where it has one and a declared variable is set. Others
 * open a browser or ask somebody, which nobody waits for here.
 */
function keyMethod(initialized: Record<string, unknown>, { agent, env }: SpeakRequest): string | undefined {
  if (!agent.env.some((name) => (env[name] ?? '') !== '')) return undefined;
  const method = list(initialized.authMethods).find(
    (one) => one.type === 'env_var' || (isMapping(one._meta) && 'api-key' in one._meta),
  );
  return typeof method?.id === 'string' ? method.id : undefined;
}

const stdioServer = ({ name, command: [command = '', ...args], env }: ToolServer): McpServer => ({
  name,
  command,
  args,
  env: Object.entries(env).map(([name, value]) => ({ name, value })),
});

/** Once rather than always: a turn is one answer, and what an agent remembers is its user's business. */
function answerPermission(options: PermissionOption[], policy: 'refuse' | 'allow') {
  const kinds = policy === 'allow' ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const option = kinds.map((kind) => options.find((one) => one.kind === kind)).find((one) => one);
  return option
    ? { outcome: 'selected' as const, optionId: option.optionId }
    : { outcome: 'cancelled' as const };
}
