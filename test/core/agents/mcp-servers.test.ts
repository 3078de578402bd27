import { describe, expect, it } from 'vitest';
import {
  buildToolName,
  readMcpServers,
  buildServerRunnable,
  expandVariables,
} from '../../../src/core/agents/mcp-servers.ts';

const read = (servers: unknown) => readMcpServers(JSON.stringify({ mcpServers: servers }), '.mcp.json');

describe('the servers of .mcp.json', () => {
  it('are programs or addresses', () => {
    const servers = read({
      files: { type: 'stdio', command: 'files', args: ['docs'], env: { TOKEN: '${FILES_TOKEN}' } },
      far: {
        type: 'http',
        url: 'https://example.org/mcp',
        headers: { Authorization: 'Bearer ${FAR:-none}' },
      },
      bare: { command: 'bare' },
    });
    expect(servers).toEqual([
      { name: 'files', kind: 'program', command: ['files', 'docs'], env: { TOKEN: '${FILES_TOKEN}' } },
      {
        name: 'far',
        kind: 'address',
        url: 'https://example.org/mcp',
        headers: { Authorization: 'Bearer ${FAR:-none}' },
      },
      { name: 'bare', kind: 'program', command: ['bare'], env: {} },
    ]);
    expect(readMcpServers('{}', 'x')).toEqual([]);
  });

  it.each([
    ['{"mcpServers": {', 'this is no JSON'],
    [{ a: {} }, 'must have a "command" or a "url"'],
    [{ a: { command: '' } }, 'must have a "command" or a "url"'],
    [{ a: { command: 'x', args: 'y' } }, '"args" of the server "a" must be a list of texts'],
    [{ a: { command: 'x', env: { K: 1 } } }, '"env" of the server "a" must be texts'],
    [{ a: { url: 'file:///etc/passwd' } }, '"url" of the server "a" must be a web address'],
    [{ a: { url: 'http://x', headers: { K: null } } }, '"headers" of the server "a" must be texts'],
  ])('are refused as %j', (servers, message) => {
    const text = typeof servers === 'string' ? servers : JSON.stringify({ mcpServers: servers });
    expect(() => readMcpServers(text, '.mcp.json')).toThrow(message);
  });

  it('tell their owner everything that they would run, and are another thing once anything changes', () => {
    const [one] = read({ files: { command: 'files', args: ['a b'], env: { TOKEN: '${FILES_TOKEN}' } } });
    const [other] = read({ files: { command: 'files', args: ['a', 'b'], env: { TOKEN: '${FILES_TOKEN}' } } });
    expect(buildServerRunnable(one!, '/p/.mcp.json')).toMatchObject({
      key: 'mcp:files',
      file: '/p/.mcp.json',
      runs: 'the MCP server "files" "a b"',
      env: ['TOKEN', 'FILES_TOKEN'],
      needs: 'word',
    });
    expect(buildServerRunnable(one!, 'x').sha256).not.toBe(buildServerRunnable(other!, 'x').sha256);
  });

  it('take variables out of the environment', () => {
    const values = { a: 'x ${ONE} ${TWO:-2} ${THREE:-3} $ONE', b: '${FOUR}' };
    expect(expandVariables(values, { ONE: '$&', THREE: 'three' })).toEqual({ a: 'x $& 2 three $ONE', b: '' });
  });
});

describe('names of tools', () => {
  it('are unique and such as every provider takes', () => {
    expect(buildToolName('files', 'read')).toBe('files__read');
    const odd = [
      buildToolName('files', 'a.b'),
      buildToolName('files', 'a/b'),
      buildToolName('s', 'x'.repeat(80)),
      buildToolName('é', 'ü'),
    ];
    for (const name of odd) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(new Set(odd).size).toBe(4);
  });
});
