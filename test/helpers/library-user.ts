// A program that uses the library as whoever has installed the package does: it is compiled strictly, then run.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const PROGRAM = `import { awaited, codecs, convert, CouncilError, EXIT_CODES, isFor, memoryMessageLog, memoryStore, parse, PHASES, poster, readMessages, transition } from 'council';
import type { Agent, Codec, Council, CouncilState, Documents, Entry, Message, MessageLog, Participant, Ports, TransitionResult, View } from 'council';

const store: Documents = memoryStore();
const waiting = (council: Council): string[] => awaited(council.state);
const pid = (one: Participant): number | undefined => one.lease?.pid;
const phase: CouncilState['currentPhase'] = PHASES[0];
export const close = (council: Council, at: number): TransitionResult =>
  transition(council, { type: 'close', texts: [], missing: [], seed: '', closeTour: () => { throw new Error('never'); } }, at);
export type Used = [Agent, Ports, View];
export { pid, waiting };

const log: MessageLog = memoryMessageLog();
const post = poster(log, { now: () => 0, clocks: () => undefined });
await post({ from: 'ana', to: 'ben', channel: 'general', kind: 'chat', body: 'Hello' });
const posted = await readMessages(log, 'general', { limit: 1 }, () => undefined);
const v5: Codec = codecs.v5;
const decoded = v5.decode('M1|O1>W1|R|T1|P1|N|-|0|S1|B500|call=x');
export const kind: Message['kind'] | undefined = decoded.ok ? decoded.value.kind : undefined;
export const lost = convert('M1|O1>W1|R|T1|P1|N|-|0|S1|B500|call=x', 'v5', 'v4');
export const isBens: boolean = posted.every((one) => isFor('ben', one));
export type Logged = Entry['event'];

try {
  parse('no council', 'nothing.md');
} catch (error) {
  if (!(error instanceof CouncilError)) throw error;
  const exit: number = EXIT_CODES[error.code];
  console.log(JSON.stringify({ code: error.code, exit, phase, stored: await store.read('nothing') }));
}
`;

/** Puts the program into a folder where the package is installed, and says what the compiler has against it. */
export function compileLibraryUser(folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  // The types of Node are not installed.
  writeFileSync(join(folder, 'console.d.ts'), 'declare const console: { log(text: string): void };');
  writeFileSync(join(folder, 'use.ts'), PROGRAM);
  const program = ts.createProgram([join(folder, 'use.ts'), join(folder, 'console.d.ts')], {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    target: ts.ScriptTarget.ES2024,
    lib: ['lib.es2024.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
    outDir: folder,
  });
  const { diagnostics } = program.emit();
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(
    ({ file, messageText }) =>
      `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
  );
}
