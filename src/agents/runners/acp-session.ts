import type * as Acp from '@agentclientprotocol/sdk';
import type { ClientConnection, McpServer, Stream } from '@agentclientprotocol/sdk';
import { oneLine } from '../../base/text.ts';
import { isMapping } from '../fields.ts';
import type { FailureKind, SpeakRequest, ToolServer, Usage } from './speak.ts';

type Choices = { current: string | null; ids: string[]; select(id: string): Promise<unknown> };

/** How the conversation with an agent went; the text it said is collected elsewhere. */
export type Told =
  | { failure: null; model: string | null }
  | { failure: FailureKind; reason: string }
  /** The connection ended before the answer did: how the program ended says why. */
  | { failure: 'gone' };

/** What agents report outside of the stable protocol, by method, as it came. */
export type Results = Map<string, unknown>;

/** Initializes an agent, opens a session, chooses the model and prompts once. Failures of the agent are results. */
export async function converse(
  sdk: typeof Acp,
  stream: Stream,
  request: SpeakRequest,
  results: Results,
): Promise<Told> {
  const connection = sdk
    .client({ name: 'council' })
    .onRequest('session/request_permission', ({ params }) => ({
      outcome: answerPermission(params.options, request.agent.permissions),
    }))
    .connect(stream);
  try {
    return await ask(sdk, connection, request, results);
  } catch (error) {
    if (error instanceof sdk.RequestError) return refusedRequest(error, request, results);
    if (connection.signal.aborted) return { failure: 'gone' };
    // What the SDK's checks throw for a result that is not in the protocol.
    const detail = error instanceof Error ? error.message : String(error);
    return { failure: 'failed', reason: `it does not keep to the protocol: ${oneLine(detail, 200)}` };
  } finally {
    connection.close();
  }
}

async function ask(
  sdk: typeof Acp,
  { agent }: ClientConnection,
  request: SpeakRequest,
  results: Results,
): Promise<Told> {
  const { protocolVersion } = await agent.request('initialize', {
    protocolVersion: sdk.PROTOCOL_VERSION,
    clientInfo: { name: 'council', version: '1' },
    // Neither files nor terminals: who wants to read the project does so by its own means and permissions.
    clientCapabilities: {},
  });
  if (protocolVersion !== sdk.PROTOCOL_VERSION) {
    const versions = `${protocolVersion}, council speaks ${sdk.PROTOCOL_VERSION}`;
    return { failure: 'config', reason: `it wants version ${versions} of the Agent Client Protocol` };
  }
  const session = await agent.request('session/new', {
    cwd: request.cwd,
    mcpServers: request.toolServers.map(stdioServer),
  });
  const { sessionId } = session;
  const choices = modelChoices(session.configOptions ?? [], results.get('session/new'), {
    option: (configId, value) => agent.request('session/set_config_option', { sessionId, configId, value }),
    model: (modelId) => agent.request('session/set_model', { sessionId, modelId }),
  });
  const wanted = request.agent.model;
  if (wanted !== null && choices) {
    const id = choices.ids.find((one) => one === wanted) ?? only(choices.ids.filter(endsWith(wanted)));
    if (id === undefined) return unknownModel(wanted, choices.ids);
    if (id !== choices.current) await choices.select(id);
  }
  const text = request.system === '' ? request.input : `${request.system}\n\n${request.input}`;
  const { stopReason } = await agent.request('session/prompt', {
    sessionId,
    prompt: [{ type: 'text', text }],
  });
  switch (stopReason) {
    case 'end_turn':
      return { failure: null, model: wanted ?? choices?.current ?? null };
    case 'refusal':
      return { failure: 'refusal', reason: 'the model refused to answer' };
    case 'max_tokens':
      return { failure: 'failed', reason: 'the answer was cut off: the limit of tokens was reached' };
    case 'max_turn_requests':
      return { failure: 'failed', reason: 'the agent used up its model requests before it answered' };
    case 'cancelled':
      return { failure: 'failed', reason: 'the agent cancelled the turn' };
  }
}

const stdioServer = ({ name, command: [command = '', ...args], env }: ToolServer): McpServer => ({
  name,
  command,
  args,
  env: Object.entries(env).map(([name, value]) => ({ name, value })),
});

interface Option {
  optionId: string;
  kind: string;
}

/** Once at most: a turn is one answer, and what an agent remembers for ever is its user's business. */
function answerPermission(options: Option[], policy: 'refuse' | 'allow') {
  const kinds = policy === 'allow' ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const option = kinds.map((kind) => options.find((one) => one.kind === kind)).find((one) => one);
  return option
    ? { outcome: 'selected' as const, optionId: option.optionId }
    : { outcome: 'cancelled' as const };
}

/** The models a session offers: as a configuration option, or as the `models` of agents that came before those. */
function modelChoices(
  options: { id: string; category?: string | null; type: string; currentValue: unknown; options?: unknown }[],
  raw: unknown,
  set: {
    option(configId: string, value: string): Promise<unknown>;
    model(modelId: string): Promise<unknown>;
  },
): Choices | undefined {
  const option = options.find((one) => one.type === 'select' && (one.category ?? one.id) === 'model');
  if (option) {
    const entries = list(option.options).flatMap((one) =>
      Array.isArray(one.options) ? list(one.options) : [one],
    );
    const ids = entries.map(({ value }) => String(value));
    return { current: String(option.currentValue), ids, select: (id) => set.option(option.id, id) };
  }
  const models = isMapping(raw) ? raw.models : undefined;
  if (!isMapping(models)) return undefined;
  const ids = list(models.availableModels).map(({ modelId }) => String(modelId));
  const current = typeof models.currentModelId === 'string' ? models.currentModelId : null;
  return { current, ids, select: set.model };
}

const list = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isMapping) : [];
const only = (ids: string[]): string | undefined => (ids.length === 1 ? ids[0] : undefined);
const endsWith = (name: string) => (id: string) => id.endsWith(`/${name}`);

function unknownModel(wanted: string, ids: string[]): Told {
  const known = ids.length > 0 ? `it offers ${ids.join(', ')}` : 'it offers none';
  return { failure: 'config', reason: `it has no model ${JSON.stringify(wanted)}: ${known}` };
}

const AUTH_REQUIRED = -32000;

function refusedRequest(
  error: { code: number; message: string; data?: unknown },
  request: SpeakRequest,
  results: Results,
): Told {
  const reason = `${error.message}${detailOf(error.data)}`;
  if (error.code !== AUTH_REQUIRED) return { failure: kindOfError(reason), reason };
  const initialized = results.get('initialize');
  const ways = list(isMapping(initialized) ? initialized.authMethods : undefined).map(
    ({ name, description }) => String(description ?? name),
  );
  const how = ways.length > 0 ? ` (${ways.join('; ')})` : '';
  const program = request.agent.command[0];
  return {
    failure: 'config',
    reason: `it is not logged in: start ${program} once by hand and log in${how}, or declare its key under council.env. It said: ${reason}`,
  };
}

/** Agents put what went wrong into `data`, as a text or as an object with a message or details. */
function detailOf(data: unknown): string {
  const detail = isMapping(data) ? (data.message ?? data.details ?? data.error) : data;
  return typeof detail === 'string' && detail !== '' ? `: ${detail}` : '';
}

/** The protocol has no code for a provider's limits: agents pass its status on in the text. */
function kindOfError(reason: string): FailureKind {
  if (/\b(429|529)\b|rate.?limit|overloaded|RESOURCE_EXHAUSTED/i.test(reason)) return 'rate-limit';
  return /\b(401|403)\b|invalid api key|unauthori[sz]ed/i.test(reason) ? 'config' : 'failed';
}

/** Tokens and cost, where the agent tells them: in the turn's result, or in its updates (`cost`, US$ in all). */
export function usageOf(result: unknown, model: string | null, costUsd: number | null): Usage | null {
  const said = isMapping(result) ? result : {};
  const meta =
    isMapping(said._meta) && isMapping(said._meta.quota) ? said._meta.quota.token_count : undefined;
  const tokens = isMapping(said.usage) ? said.usage : isMapping(meta) ? meta : {};
  const inputTokens = count(tokens.inputTokens ?? tokens.input_tokens);
  const outputTokens = count(tokens.outputTokens ?? tokens.output_tokens);
  if (inputTokens === null && outputTokens === null && costUsd === null) return null;
  return { model, inputTokens, outputTokens, costUsd };
}

const count = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
