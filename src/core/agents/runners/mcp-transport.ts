// A tool server as a program in a process group of its own, and its lines as messages.
import type { JSONRPCMessage, ReadBuffer, Transport } from '@modelcontextprotocol/client';
import type * as Sdk from '@modelcontextprotocol/client';
import { endProgram, startProgram } from './program.ts';
import { keepLast, onWriteFailure } from './streams.ts';

interface ProgramTransportOptions {
  argv: string[];
  cwd: string;
  env: Record<string, string>;
  signal: AbortSignal;
  onSpawn(pid: number): void;
}

/** A transport, and what its program said on stderr last. */
export interface ProgramTransport extends Transport {
  lastWords(): string;
}

/**
 * Starts the program when the client connects; `close` ends its whole group. The official transport leaves grandchildren
 * behind, and outlives a process that is killed: the guardian ends these.
 */
export function programTransport(
  { argv, onSpawn, ...place }: ProgramTransportOptions,
  sdk: typeof Sdk,
): ProgramTransport {
  let stop: (() => Promise<void>) | undefined;
  let write: ((text: string) => void) | undefined;
  let stderr = (): Buffer => Buffer.alloc(0);
  const transport: ProgramTransport = {
    async start() {
      const started = await startProgram(argv, place);
      if (!('child' in started))
        throw new Error('broken' in started ? started.broken.reason : 'cancelled before it was started');
      const { child, pid } = started;
      onSpawn(pid);
      stderr = keepLast(child.stderr, () => undefined);
      onWriteFailure(child.stdin, () => undefined);
      write = (text) => void child.stdin.write(text);
      stop = async () => {
        stop = undefined;
        write = undefined;
        await endProgram(child, pid, 'done');
        transport.onclose?.();
      };
      const buffer = new sdk.ReadBuffer();
      child.stdout.on('data', (chunk: Buffer) => {
        try {
          buffer.append(chunk);
          deliver(buffer, (message) => transport.onmessage?.(message), transport);
        } catch (error) {
          // One line that is longer than anybody can use.
          transport.onerror?.(error as Error);
          void stop?.();
        }
      });
      child.nodeChildProcess.once('exit', () => void stop?.());
    },
    send(message) {
      if (!write) return Promise.reject(new Error('it has ended'));
      write(sdk.serializeMessage(message));
      return Promise.resolve();
    },
    close: async () => stop?.(),
    lastWords: () => stderr().toString('utf8').trim().split('\n').at(-1) ?? '',
  };
  return transport;
}

/** What a server prints beside its messages is passed over. */
function deliver(buffer: ReadBuffer, take: (message: JSONRPCMessage) => void, transport: Transport): void {
  for (;;) {
    try {
      const message = buffer.readMessage();
      if (message === null) return;
      take(message);
    } catch (error) {
      transport.onerror?.(error as Error);
    }
  }
}
