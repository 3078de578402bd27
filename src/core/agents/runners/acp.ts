// Runner for programs that speak the Agent Client Protocol.
import type { Readable, Writable } from 'node:stream';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { MAX_CONTRIBUTION_BYTES, parseJson } from '../../base/text.ts';
import { isMapping } from '../front-matter-fields.ts';
import { converse } from './acp-session.ts';
import { readAcpUsage } from './acp-result.ts';
import type { ConversationOutcome } from './acp-result.ts';
import { childEnvironment, expandPlaceholders } from './find-command.ts';
import { outcome } from './turn-result.ts';
import type { FinishedTurn } from './finished-turn.ts';
import { runProgram } from './program.ts';
import type { Running } from './program.ts';
import { redactedLine } from './redact.ts';
import type { Runner, SpeakRequest, SpeakResult } from './turn-types.ts';

/** Bytes one message of an agent may have: it may show whole files while it works. */
const MAX_MESSAGE = 32 * 1024 * 1024;
/** Bytes of all it sends that is not its answer. */
const MAX_TRAFFIC = 256 * 1024 * 1024;

/**
 * Prompts a program that speaks the Agent Client Protocol on its pipes, in a session of its own. It is launched like
 * any command; nothing is sent before its group is recorded. The answer is the text of its messages to the user.
 */
export function acpRunner(): Runner {
  return {
    speak: async (request) => {
      const { agent } = request;
      const argv = [...agent.command, ...agent.args].map(expandPlaceholders);
      const env = childEnvironment(request.env, agent.env, request.extraEnv);
      const heard: ConversationFacts = { told: null, costUsd: null, noise: null };
      const ended = await runProgram(request, { argv, env }, (running) => talk(request, running, heard));
      return result(request, ended, heard);
    },
  };
}

/** What is known of the conversation beside its text. */
interface ConversationFacts {
  /** Null while there is no answer, and when the connection ended before it. */
  told: ConversationOutcome | null;
  /** What the agent says its session has cost. */
  costUsd: number | null;
  /** The first line it printed that is no message. */
  noise: string | null;
}

function talk(request: SpeakRequest, { child, pid, alive, stop }: Running, heard: ConversationFacts) {
  let traffic = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    alive();
    traffic += chunk.length;
    if (traffic > MAX_TRAFFIC) stop('overflow');
  });
  const answer = collectAgentText(request, heard, () => stop('overflow'));
  const stream = acpStream(child.stdin, child.stdout, MAX_MESSAGE, {
    onNotification: (method, params) => method === 'session/update' && answer.take(params),
    onNoise: (line) => (heard.noise ??= line),
    onFlood: () => stop('overflow'),
  });
  const converseOnce = async (): Promise<void> => {
    await request.onSpawn(pid);
    heard.told = await converse(await import('@agentclientprotocol/sdk'), stream, request);
    if (heard.told) stop('done');
  };
  return { talked: converseOnce(), stdout: answer.text };
}

/** Collects what the agent says to the user, up to the limit, and what it says its session has cost. */
function collectAgentText(
  { maxOutput = MAX_CONTRIBUTION_BYTES, onOutput }: SpeakRequest,
  heard: ConversationFacts,
  onFull: () => void,
) {
  const parts: Buffer[] = [];
  let size = 0;
  return {
    text: () => Buffer.concat(parts),
    take(params: unknown): void {
      const update = isMapping(params) && isMapping(params.update) ? params.update : {};
      if (update.sessionUpdate === 'usage_update' && isMapping(update.cost)) {
        const { amount, currency } = update.cost;
        if (typeof amount === 'number' && currency === 'USD') heard.costUsd = amount;
      }
      if (update.sessionUpdate !== 'agent_message_chunk' || !isMapping(update.content)) return;
      if (update.content.type !== 'text') return;
      const bytes = Buffer.from(String(update.content.text));
      const kept = bytes.subarray(0, maxOutput - size);
      parts.push(kept);
      size += kept.length;
      onOutput?.(size);
      if (kept.length < bytes.length) onFull();
    },
  };
}

function result(
  request: SpeakRequest,
  ended: FinishedTurn,
  { told, costUsd, noise }: ConversationFacts,
): SpeakResult {
  const usage = readAcpUsage(told, request.agent.model, costUsd);
  // Council ends an agent that has answered, so how it ended tells nothing.
  if (told) return outcome(request, { ...ended, usage, failure: told.failure, exitCode: 0, signal: null });
  const isGone = ended.stoppedFor === null && ended.broken === null;
  const gone = { kind: 'failed' as const, reason: 'it ended without an answer' };
  const failure = isGone && ended.exitCode === 0 ? gone : null;
  const base = outcome(request, { ...ended, usage, failure });
  if (!isGone || noise === null) return base;
  const secrets = request.agent.env.map((name) => request.env[name] ?? '');
  const printed = `it printed ${JSON.stringify(redactedLine(noise, secrets, 80))}`;
  return { ...base, reason: redactedLine(`${base.reason}; ${printed}`, secrets) };
}

// Agent Client Protocol: the agent's pipes as a stream of messages for the SDK.

interface StreamEvents {
  /** A notification. They do not reach the SDK: it prints what it does not know to council's stderr. */
  onNotification(method: string, params: unknown): void;
  /** A line that is no message, or answers nothing. Programs print greetings and warnings. */
  onNoise(line: string): void;
  /** A line longer than `maxLine` bytes; reading ends. */
  onFlood(): void;
}

/**
 * The pipes of an agent as the stream the SDK takes. Its own reader answers every line that is no message with an error,
 * which an agent that greets on stdout does not expect; here such lines are passed to `onNoise`.
 */
function acpStream(stdin: Writable, stdout: Readable, maxLine: number, events: StreamEvents): Stream {
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
      // 'close' comes after 'end', and also when the pipe is destroyed.
      stdout.once('close', () => {
        if (open) lines.flush();
        if (open) controller.close();
        open = false;
      });
    },
    // The SDK closed the connection: what still comes is read and dropped.
    cancel: () => void (open = false),
  });
  const writable = new WritableStream<AnyMessage>({
    // A program that does not read shows by its end or its silence: the write itself never fails here.
    write: (message) =>
      new Promise((done) => {
        if ('method' in message && 'id' in message) asked.add(message.id);
        stdin.write(`${JSON.stringify(message)}\n`, () => done());
      }),
  });
  return { readable, writable };
}

/** The message in a line that the SDK is to see: a request, or the answer to one. */
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
  const value = parseJson(line);
  return isMapping(value) && value.jsonrpc === '2.0' ? value : undefined;
}

/** Cuts bytes into lines. `push` is false, and keeps nothing more, when a line is longer than `max` bytes. */
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
