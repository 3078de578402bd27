import { describe, expect, it } from 'vitest';
import { utf8Lines } from '../../src/mcp/utf8.ts';

/** What is passed on and what is refused when `bytes` come in pieces of `size`. */
async function through(bytes: Buffer, size: number) {
  const refused: unknown[] = [];
  const passed: Buffer[] = [];
  const lines = utf8Lines((id) => void refused.push(id));
  lines.on('data', (chunk: Buffer) => passed.push(chunk));
  for (let at = 0; at < bytes.length; at += size) lines.write(bytes.subarray(at, at + size));
  lines.end();
  await new Promise((resolve) => lines.once('end', resolve));
  return { passed: Buffer.concat(passed).toString('utf8'), refused };
}

describe('fault 20: messages over stdio that are not UTF-8', () => {
  it.each([1, 3, 1000])('are refused with their id, in pieces of %i bytes', async (size) => {
    const good = ['{"id":1,"x":"café 🦉"}\n', '\n', '{"id":2,"x":"\uFFFD"}\n'];
    const bad = ['{"id":7,"x":"caf\xe9"}\n', '{"id":"a\xff"}\n', '{"x":"\xff"}\n', 'null \xff\n', '[\xff]\n'];
    const bytes = Buffer.concat([
      Buffer.from(good[0]!),
      ...bad.map((line) => Buffer.from(line, 'latin1')),
      Buffer.from(good[1]! + good[2]!),
    ]);
    expect(await through(bytes, size)).toEqual({
      passed: good.join(''),
      refused: [7, null, null, null, null],
    });
  });

  it('are not held back without end', async () => {
    const { passed, refused } = await through(Buffer.alloc(20 << 20, 'x'), 1 << 20);
    expect({ passed: passed.length > 10 << 20, refused }).toEqual({ passed: true, refused: [] });
  });
});
