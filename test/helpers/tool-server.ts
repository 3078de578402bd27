// A tool server for tests, over stdio: it adds, and behaves badly when it is asked to.
import { spawn } from 'node:child_process';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const server = new McpServer({ name: 'tests', version: '1.0.0' });
const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });

server.registerTool(
  'add',
  { description: 'Adds two numbers.', inputSchema: z.object({ a: z.number(), b: z.number() }) },
  ({ a, b }) => text(String(a + b)),
);
const told = { inputSchema: z.object({ what: z.string().optional() }) };
server.registerTool('fail', told, () => ({ ...text('The disk is full.'), isError: true }));
server.registerTool('die', told, () => {
  console.error('out of hay');
  process.exit(3);
});
server.registerTool('hang', told, () => new Promise<never>(() => undefined));
server.registerTool('chatter', told, () => {
  console.log('This line is no message.');
  return text('x'.repeat(50_000));
});
server.registerTool('picture', told, () => ({
  content: [{ type: 'image' as const, data: 'aGF5', mimeType: 'image/png' }],
}));
server.registerTool('variable', told, ({ what = '' }) => text(String(process.env[what])));
server.registerTool('child', told, () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  return text(String(child.pid));
});
server.registerTool('odd name.with/signs', told, () => text('odd'));

if (process.argv[2] === 'never') setInterval(() => undefined, 1000);
else if (process.argv[2] === 'crash') {
  console.error('no hay today');
  process.exit(1);
} else await server.connect(new StdioServerTransport());
