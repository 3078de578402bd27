// Serves a small model in the form of OpenAI's on loopback, with llama.cpp's server.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { until } from '../../helpers/cli.ts';
import type { Models } from './install.ts';

export const serveGemma = ({ python, gemma }: Exclude<Models, { missing: string }>): Promise<string> =>
  serveModel(python, { model: gemma, chat_format: 'gemma' });

/** Starts it until the test is over; where it answers, up to and including its version. */
export async function serveModel(
  python: string,
  model: { model: string; chat_format?: string },
): Promise<string> {
  const port = await freePort();
  const settings = { ...model, n_ctx: 8192, n_threads: 1, host: '127.0.0.1', port };
  const args = Object.entries(settings).flatMap(([key, value]) => [`--${key}`, String(value)]);
  const program = join(import.meta.dirname, 'small-server.py');
  const server = spawn(python, [program, ...args], { stdio: 'ignore' });
  const ended = new Promise((resolve) => server.once('close', resolve));
  onTestFinished(async () => {
    server.kill();
    await ended;
  });
  const url = `http://127.0.0.1:${port}/v1`;
  await until('the model server answers', () => isThere(`${url}/models`), 120_000);
  return url;
}

const isThere = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

async function freePort(): Promise<number> {
  const holder = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => holder.once('listening', listening));
  const { port } = holder.address() as AddressInfo;
  await new Promise((closed) => holder.close(closed));
  return port;
}
