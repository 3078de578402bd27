// Answers one call of `council mcp --http` from stdin to stdout.
import { readFileSync } from 'node:fs';
import type { CallInput } from '../app/remote/call-process.ts';
import { performCall } from '../app/remote/perform.ts';
import { printableJson } from '../base/terminal.ts';
import { FEATURES } from '../features.ts';
import { processCli } from './io.ts';
import { writeOut } from './stdout.ts';

/** Answers one call of `council mcp --http`, from stdin to stdout: the other side of `isolated`. */
export async function answerCall(): Promise<void> {
  const { root, ...asked } = JSON.parse(readFileSync(0).toString('utf8')) as CallInput;
  const cli = processCli({ json: true, root, features: FEATURES });
  const done = await performCall(cli, asked, cli.interruption());
  writeOut(printableJson(done));
}
