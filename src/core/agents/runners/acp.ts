// Runner for programs that speak the Agent Client Protocol.
import type { Readable, Writable } from 'node:stream';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { isObject, MAX_CONTRIBUTION_BYTES, parseJsonOrUndefined } from '../../base/text.ts';
import { runSession } from './acp-session.ts';
import { readAcpUsage } from './acp-result.ts';
import type { ConversationOutcome } from './acp-result.ts';
import { buildChildEnvironment, expandPlaceholders } from './find-command.ts';
import { createByteCollector } from './streams.ts';
import { buildTurnResult } from './turn-result.ts';
import type { FinishedTurn } from './finished-turn.ts';
import { runProgram } from './program.ts';
import type { RunningProgram } from './program.ts';
import { redactLine } from './redact.ts';
import type { Runner, SpeakRequest, SpeakResult } from './turn-types.ts';

/** Maximum size of one message in bytes: agents may show whole files while they work. */
const MAX_MESSAGE = 32 * 1024 * 1024;
/** Maximum bytes of all messages other than the answer. */
const MAX_TRAFFIC = 256 * 1024 * 1024;

/**
 * Prompts a program over the Agent Client Protocol on its pipes, in a session of its own. It is launched like
 * any command, and nothing is sent before its process group is recorded. The answer is the text of its
 * messages to the user.
 */
export function createAcpRunner(): Runner {
  return {
    speak: async (request) => {
      const { agent } = request;
      const argv = [...agent.command, ...agent.args].map(expandPlaceholders);
      const env = buildChildEnvironment(request.env, agent.env, request.extraEnv);
      const heard: ConversationFacts = { told: null, costUsd: null, noise: null };
      const ended = await runProgram(request, { argv, env }, (running) =>
        openConversation(request, running, heard),
      );
      return buildAcpResult(request, ended, heard);
    },
  };
}

/** Facts about the conversation, apart from its text. */
interface ConversationFacts {
  /** Null before the answer, or if the connection ended without one. */
  told: ConversationOutcome | null;
  /** The cost of its session, as reported by the agent. */
  costUsd: number | null;
  /** The first printed line that is not a message. */
  noise: string | null;
}

function openConversation(
  request: SpeakRequest,
  { child, pid, alive, stop }: RunningProgram,
  heard: ConversationFacts,
) {
  let traffic = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    alive();
    traffic += chunk.length;
    if (traffic > MAX_TRAFFIC) stop('overflow');
  });
  const answer = collectAgentText(request, heard, () => stop('overflow'));
  const stream = createAcpStream(child.stdin, child.stdout, MAX_MESSAGE, {
    onNotification: (method, params) => method === 'session/update' && answer.take(params),
    onNoise: (line) => (heard.noise ??= line),
    onFlood: () => stop('overflow'),
  });
  const converseOnce = async (): Promise<void> => {
    await request.onSpawn(pid);
    heard.told = await runSession(await import('@agentclientprotocol/sdk'), stream, request);
    if (heard.told) stop('done');
  };
  return { talked: converseOnce(), stdout: answer.text };
}

/** Collects the agent's text for the user, up to the limit, and the reported cost of its session. */
function collectAgentText(
  { maxOutput = MAX_CONTRIBUTION_BYTES, onOutput }: SpeakRequest,
  heard: ConversationFacts,
  onFull: () => void,
) {
  const kept = createByteCollector(maxOutput, (count) => onOutput?.(count));
  return {
    text: kept.bytes,
    take(params: unknown): void {
      const update = isObject(params) && isObject(params.update) ? params.update : {};
      if (update.sessionUpdate === 'usage_update' && isObject(update.cost)) {
        const { amount, currency } = update.cost;
        if (typeof amount === 'number' && currency === 'USD') heard.costUsd = amount;
      }
      if (update.sessionUpdate !== 'agent_message_chunk' || !isObject(update.content)) return;
      if (update.content.type !== 'text') return;
      if (!kept.take(Buffer.from(String(update.content.text)))) onFull();
    },
  };
}

function buildAcpResult(
  request: SpeakRequest,
  ended: FinishedTurn,
  { told, costUsd, noise }: ConversationFacts,
): SpeakResult {
  const usage = readAcpUsage(told, request.agent.model, costUsd);
  // Council ends an agent that has answered, so its exit status means nothing.
  if (told)
    return buildTurnResult(request, { ...ended, usage, failure: told.failure, exitCode: 0, signal: null });
  const isGone = ended.stoppedFor === null && ended.broken === null;
  const gone = { kind: 'failed' as const, reason: 'it ended without an answer' };
  const failure = isGone && ended.exitCode === 0 ? gone : null;
  const base = buildTurnResult(request, { ...ended, usage, failure });
  if (!isGone || noise === null) return base;
  const secrets = request.agent.env.map((name) => request.env[name] ?? '');
  const printed = `it printed ${JSON.stringify(redactLine(noise, secrets, 80))}`;
  return { ...base, reason: redactLine(`${base.reason}; ${printed}`, secrets) };
}

// Agent Client Protocol: the agent's pipes as a message stream for the SDK.

interface StreamEvents {
  /** Called for notifications. They do not reach the SDK, which prints unknown ones to council's stderr. */
  onNotification(method: string, params: unknown): void;
  /** Called for a line that is no message, or answers no request. Programs print greetings and warnings. */
  onNoise(line: string): void;
  /** Called for a line longer than `maxLine` bytes; reading stops. */
  onFlood(): void;
}

/**
 * Wraps the pipes of an agent as the stream the SDK takes. The SDK's own reader answers every line that is no
 * message with an error, which agents that print a greeting do not expect; here such lines are passed to
 * `onNoise`.
 */
function createAcpStream(stdin: Writable, stdout: Readable, maxLine: number, events: StreamEvents): Stream {
  const asked = new Set<unknown>();
  let open = true;
  const readable = new ReadableStream<AnyMessage>({
    start(controller) {
      const lines = splitLines(maxLine, (line) => {
        const message = open && dispatchAcpLine(line, asked, events);
        if (message) controller.enqueue(message);
      });
      stdout.on('data', (chunk: Buffer) => {
        if (!open || lines.push(chunk)) return;
        stdout.destroy();
        events.onFlood();
      });
      // 'close' follows 'end', and is also emitted when the pipe is destroyed.
      stdout.once('close', () => {
        if (open) lines.flush();
        if (open) controller.close();
        open = false;
      });
    },
    // The SDK closed the connection: further output is read and dropped.
    cancel: () => void (open = false),
  });
  const writable = new WritableStream<AnyMessage>({
    // Never fails: a program that does not read is noticed by its exit or its silence.
    write: (message) =>
      new Promise((done) => {
        if ('method' in message && 'id' in message) asked.add(message.id);
        stdin.write(`${JSON.stringify(message)}\n`, () => done());
      }),
  });
  return { readable, writable };
}

/** Parses a line; returns only messages for the SDK: requests, and responses to its own. */
function dispatchAcpLine(line: string, asked: Set<unknown>, events: StreamEvents): AnyMessage | undefined {
  const message = parseMessage(line);
  const isNotification = typeof message?.method === 'string' && !('id' in message);
  const isAnswer = message !== undefined && typeof message.method !== 'string';
  if (isNotification) events.onNotification(String(message.method), message.params);
  else if (isAnswer ? !asked.delete(message.id) : !message) {
    if (line.trim() !== '') events.onNoise(line);
  } else return message as AnyMessage;
  return undefined;
}

function parseMessage(line: string): Record<string, unknown> | undefined {
  const value = parseJsonOrUndefined(line);
  return isObject(value) && value.jsonrpc === '2.0' ? value : undefined;
}

/** Splits bytes into lines. `push` returns false, and buffers no more, once a line is longer than `max` bytes. */
function splitLines(
  max: number,
  onLine: (line: string) => void,
): { push(chunk: Buffer): boolean; flush(): void } {
  let pending: Buffer[] = [];
  let size = 0;
  const flush = (): void => {
    const line = Buffer.concat(pending).toString('utf8');
    pending = [];
    size = 0;
    onLine(line);
  };
  return {
    flush,
    push(chunk) {
      let from = 0;
      for (let to = chunk.indexOf(10); to !== -1; to = chunk.indexOf(10, from)) {
        pending.push(chunk.subarray(from, to));
        flush();
        from = to + 1;
      }
      const rest = chunk.subarray(from);
      pending.push(rest);
      size += rest.length;
      if (size <= max) return true;
      pending = [];
      return false;
    },
  };
}
