import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { McpServer } from '../../../../src/core/agents/mcp-servers.ts';
import { connectServerTools } from '../../../../src/core/agents/runners/mcp-tools.ts';
import type { ServerTools } from '../../../../src/core/agents/runners/mcp-tools.ts';
import { runs } from '../../../helpers/cli.ts';

const SERVER = join(import.meta.dirname, '../../../helpers/tool-server.ts');
const open: ServerTools[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const place = { cwd: '/', env: {}, extraEnv: {}, onSpawn: () => undefined };

async function connect(args: string[] = [], env: Record<string, string> = {}): Promise<ServerTools> {
  const command = [process.execPath, SERVER, ...args];
  const server: McpServer = {
    name: 'herd',
    kind: 'program',
    command,
    env: { NODE_NO_WARNINGS: '1', ...env },
  };
  const connected = await connectServerTools(server, {
    ...place,
    env: { ...process.env, HAY: 'much', SECRET: 's' },
  });
  open.push(connected);
  return connected;
}

const call = async (
  { tools }: ServerTools,
  name: string,
  input: Record<string, unknown> = {},
): Promise<unknown> => {
  const tool = tools.find((one) => one.name === `herd__${name}`)!;
  return tool.call(input, new AbortController().signal);
};

describe('the tools of a server', () => {
  it('are called by their own names, with what the server says of them', async () => {
    const herd = await connect();
    expect(herd.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['herd__add', 'herd__die']));
    const add = herd.tools.find(({ name }) => name === 'herd__add')!;
    expect(add).toMatchObject({ kind: 'mcp', description: 'Adds two numbers.' });
    expect(add.input.json).toMatchObject({ type: 'object', required: ['a', 'b'] });
    expect(await call(herd, 'add', { a: 2, b: 3 })).toBe('5');
    const odd = herd.tools.find(({ name }) => name.startsWith('herd__odd'))!;
    expect(odd.name).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(await odd.call({}, new AbortController().signal)).toBe('odd');
  });

  it('tell what went wrong', async () => {
    const herd = await connect();
    await expect(call(herd, 'fail')).rejects.toThrow('The disk is full.');
    await expect(call(herd, 'add', { a: 'two' })).rejects.toThrow(/expected number/i);
    expect(await call(herd, 'picture')).toBe('[image]');
    // A line that is no message is passed over, and the server goes on.
    expect(await call(herd, 'chatter')).toHaveLength(50_000);
    await expect(call(herd, 'die')).rejects.toThrow(/The MCP server herd: .*\(out of hay\)/);
    await expect(call(herd, 'add', { a: 1, b: 1 })).rejects.toThrow('The MCP server herd:');
  });

  it('end with the call that is aborted, and with the server', async () => {
    const herd = await connect();
    const abort = new AbortController();
    const hanging = herd.tools.find(({ name }) => name === 'herd__hang')!.call({}, abort.signal);
    abort.abort();
    await expect(hanging).rejects.toThrow();
    const child = Number(await call(herd, 'child'));
    expect(runs(child)).toBe(true);
    await herd.close();
    await expect.poll(() => runs(child)).toBe(false);
  });

  it('see the usual variables and those that are named', async () => {
    const herd = await connect([], { FEED: '${HAY} hay' });
    expect(await call(herd, 'variable', { what: 'FEED' })).toBe('much hay');
    expect(await call(herd, 'variable', { what: 'SECRET' })).toBe('undefined');
    expect(await call(herd, 'variable', { what: 'PATH' })).toBe(process.env.PATH);
  });

  it('are missing where the server does not start', async () => {
    await expect(connect(['crash'])).rejects.toThrow('no hay today');
    const nothing: McpServer = { name: 'x', kind: 'program', command: ['no-such-program'], env: {} };
    await expect(connectServerTools(nothing, place)).rejects.toThrow('was not found on PATH');
    const nowhere: McpServer = { name: 'x', kind: 'address', url: 'http://127.0.0.1:1/mcp', headers: {} };
    await expect(connectServerTools(nowhere, place)).rejects.toThrow(/fetch failed|ECONNREFUSED/);
  });
});
