import { describe, expect, it } from 'vitest';
import { createMessageStream } from '../../../src/server/mcp/stdio.ts';

/** What is passed on and what is refused when `bytes` come in pieces of `size`. */
async function through(bytes: Buffer, size: number) {
  const refused: unknown[] = [];
  const codes: number[] = [];
  const passed: Buffer[] = [];
  const lines = createMessageStream(
    (id, { code }) => void (refused.push(id), codes.push(code)),
    () => undefined,
  );
  lines.on('data', (chunk: Buffer) => passed.push(chunk));
  for (let at = 0; at < bytes.length; at += size) lines.write(bytes.subarray(at, at + size));
  lines.end();
  await new Promise((resolve) => lines.once('end', resolve));
  return { passed: Buffer.concat(passed).toString('utf8'), refused, codes };
}

const message = (x: string): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { x } })}\n`;

describe('fault 20: messages over stdio that are not UTF-8', () => {
  it.each([1, 3, 1000])('are refused with their id, in pieces of %i bytes', async (size) => {
    const good = [message('café 🦉'), '\n', message('\uFFFD')];
    const bad = ['{"id":7,"x":"caf\xe9"}\n', '{"id":"a\xff"}\n', '{"x":"\xff"}\n', 'null \xff\n', '[\xff]\n'];
    const bytes = Buffer.concat([
      Buffer.from(good[0]!),
      ...bad.map((line) => Buffer.from(line, 'latin1')),
      Buffer.from(good[1]! + good[2]!),
    ]);
    expect(await through(bytes, size)).toMatchObject({
      passed: good.join(''),
      refused: [7, null, null, null, null],
    });
  });

  it('are not held back without end', async () => {
    const { passed, refused } = await through(Buffer.alloc(20 << 20, 'x'), 1 << 20);
    expect({ passed: passed.length > 10 << 20, refused }).toEqual({ passed: true, refused: [] });
  });
});

describe('a line over stdio that is no message', () => {
  it.each([
    ['half a line', '{"jsonrpc":"2.0","id":1,\n', null, -32700],
    ['half a line at the end', '{"jsonrpc":"2.0","id":1,', null, -32700],
    ['words', 'hello\n', null, -32700],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n', null, -32600],
    ['an empty batch', '[]\n', null, -32600],
    ['a number', '42\n', null, -32600],
    ['null', 'null\n', null, -32600],
    ['no method', '{"jsonrpc":"2.0","id":8}\n', 8, -32600],
    ['no version', '{"id":9,"method":"ping"}\n', 9, -32600],
  ])('%s is refused, and what follows is taken', async (_what, line, id, code) => {
    const bytes = Buffer.from(line.endsWith('\n') ? line + message('next') : message('next') + line);
    expect(await through(bytes, 5)).toEqual({ passed: message('next'), refused: [id], codes: [code] });
  });

  it.each([
    '{"jsonrpc":"2.0","id":1,"result":{}}\n',
    '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}\n',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
    ' {"jsonrpc":"2.0","id":1,"method":"ping"}\r\n',
  ])('is none of %s', async (line) => {
    expect(await through(Buffer.from(line), 7)).toMatchObject({ passed: line, refused: [] });
  });

  it('takes a last message without the end of its line', async () => {
    const whole = message('last');
    expect(await through(Buffer.from(whole.trimEnd()), 7)).toMatchObject({ passed: whole, refused: [] });
  });
});
