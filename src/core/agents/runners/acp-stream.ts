// Agent Client Protocol: the agent's pipes as a stream of messages for the SDK.
import type { Readable, Writable } from 'node:stream';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { isMapping } from '../front-matter-fields.ts';

export interface StreamEvents {
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
export function acpStream(stdin: Writable, stdout: Readable, maxLine: number, events: StreamEvents): Stream {
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
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
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
