// Answers one call of `council mcp --http` from stdin to stdout.
import { readFileSync } from 'node:fs';
import type { CallInput } from '../server/remote/call-process.ts';
import { performCall } from '../server/remote/perform-call.ts';
import { printableJson } from '../core/base/terminal.ts';
import { FEATURES } from '../features.ts';
import { processCli } from '../core/cli/io.ts';
import { writeOut } from '../core/cli/stdout.ts';

/** Answers one call of `council mcp --http`, from stdin to stdout: the other side of `createProcessPerformer`. */
export async function answerCall(): Promise<void> {
  const { root, ...asked } = JSON.parse(readFileSync(0).toString('utf8')) as CallInput;
  const cli = processCli({ json: true, root, features: FEATURES });
  const done = await performCall(cli, asked, cli.interruption());
  writeOut(printableJson(done));
}
