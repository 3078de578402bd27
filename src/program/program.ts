// The program with all commands, and the answer to one call received over HTTP.

import { runCommand } from './run-command.ts';
import { specs } from './specs.ts';
import { text } from 'node:stream/consumers';
import type { CallInput } from '../server/remote/call-process.ts';
import { performCall } from '../server/remote/perform-call.ts';
import { formatPrintableJson } from '../core/base/terminal.ts';
import { FEATURES } from '../features.ts';
import { createProcessCli } from '../core/cli/io.ts';
import { writeOut } from '../core/cli/stdout.ts';

/** Runs one command; returns the exit code. */
export const main = (argv: string[]): Promise<number> => runCommand(argv, specs);

/** Answers one call of `council mcp --http`, from stdin to stdout: the counterpart of `createProcessPerformer`. */
export async function answerCall(): Promise<void> {
  // Asynchronously, since reading an empty pipe synchronously fails.
  const { root, ...asked } = JSON.parse(await text(process.stdin)) as CallInput;
  const cli = createProcessCli({ json: true, root, features: FEATURES });
  const done = await performCall(cli, asked, cli.interruption());
  writeOut(formatPrintableJson(done));
}
