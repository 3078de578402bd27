import { Readable, Writable } from 'node:stream';
import { RequestError, agent, ndJsonStream } from '@agentclientprotocol/sdk';
import type {
  AgentContext,
  InitializeResponse,
  NewSessionRequest,
  NewSessionResponse,
  PermissionOption,
  StopReason,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk';

/** One prompt, as the program of a test answers it. */
export interface AcpTurn {
  text: string;
  /** What the client opened the session with. */
  session: NewSessionRequest;
  /** The model that was chosen by either way, null for none. */
  model: string | null;
  client: AgentContext;
  say(text: string): Promise<void>;
  update(update: Record<string, unknown>): Promise<void>;
  /** Asks for a permission; the id of the option chosen, or "cancelled". */
  ask(kinds: PermissionOption['kind'][], about?: Partial<ToolCallUpdate>): Promise<string>;
}

export interface AcpScript {
  /** Added to the answer of `initialize`. */
  initialized?: Partial<InitializeResponse>;
  /** Added to the answer of `session/new`; agents of before configuration options add `models`. */
  opened?: Partial<NewSessionResponse> & { models?: unknown };
  /** Refuses sessions until somebody logs in with the method `api-key`. */
  loggedOut?: boolean;
  /** Added to the answer of `session/prompt`. */
  ended?: Record<string, unknown>;
}

/** An agent of the Agent Client Protocol on stdin and stdout, built on the SDK: what it says is up to `prompted`. */
export function playAgent(
  prompted: (turn: AcpTurn) => Promise<StopReason | void>,
  { initialized = {}, opened = {}, loggedOut = false, ended = {} }: AcpScript = {},
): void {
  const sessionId = 'session-1';
  let session: NewSessionRequest | undefined;
  let model: string | null = null;
  let loggedIn = false;
  const anything = (params: unknown): Record<string, unknown> => params as Record<string, unknown>;
  agent({ name: 'fake' })
    .onRequest('initialize', ({ params }) => ({
      protocolVersion: params.protocolVersion,
      agentCapabilities: {},
      ...initialized,
    }))
    .onRequest('session/new', anything, ({ params }) => {
      if (loggedOut && !loggedIn) throw RequestError.authRequired();
      session = params as NewSessionRequest;
      return { sessionId, ...opened };
    })
    .onRequest('authenticate', ({ params }) => {
      if (params.methodId !== 'api-key') throw RequestError.invalidParams();
      loggedIn = true;
      return {};
    })
    .onRequest('session/set_model', anything, ({ params }) => {
      model = String(params.modelId);
      return {};
    })
    .onRequest('session/set_config_option', ({ params }) => {
      model = `${params.configId}=${String(params.value)}`;
      return { configOptions: [] };
    })
    .onRequest('session/prompt', anything, async ({ params, client }) => {
      const update = (update: Record<string, unknown>) =>
        client.notify<unknown>('session/update' as string, { sessionId, update });
      const blocks = params.prompt as { text: string }[];
      const stopReason = await prompted({
        text: blocks.map(({ text }) => text).join(''),
        session: session!,
        model,
        client,
        update,
        say: (text) => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }),
        async ask(kinds, about) {
          const { outcome } = await client.request('session/request_permission', {
            sessionId,
            toolCall: { toolCallId: 'call-1', title: 'Delete everything', ...about },
            options: kinds.map((kind): PermissionOption => ({
              kind,
              optionId: `option-${kind}`,
              name: kind,
            })),
          });
          return outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome;
        },
      });
      return { stopReason: stopReason ?? 'end_turn', ...ended };
    })
    .connect(
      ndJsonStream(
        Writable.toWeb(process.stdout),
        Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
      ),
    );
}
