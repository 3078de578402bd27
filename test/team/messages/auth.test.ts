import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkLine, createNonce, signLine } from '../../../src/team/messages/codecs/line-agreement.ts';
import { codecs } from '../../../src/team/messages/codecs/codecs.ts';

const KEY = 'shared out of band';
const LINE = 'M1|O1>W1|R|T1|P1|N|-|0|S1|B500|call=web_search';
const fresh = (): boolean => false;

describe('a signed line', () => {
  const signed = signLine(LINE, 'a3f2', KEY)!;

  it('has session, nonce and eight digits of an HMAC over all of it', () => {
    const expected = createHmac('sha256', KEY)
      .update(LINE.replace('|S1|', '|S1:a3f2|'))
      .digest('hex')
      .slice(0, 8);
    expect(signed).toBe(LINE.replace('|S1|', `|S1:a3f2:${expected}|`));
    expect(checkLine(signed, KEY, fresh)).toBeUndefined();
  });

  it('is read and written like any other, in upper case as well', () => {
    const read = codecs.v5.decode(signed);
    expect(read).toMatchObject({ ok: true, value: { context: 'S1', auth: { nonce: 'a3f2' } } });
    expect(read.ok && codecs.v5.encode(read.value)).toEqual({ ok: true, value: signed });
    const [, signature] = /S1:a3f2:([0-9a-f]{8})/.exec(signed)!;
    const loud = signed.replace(signature!, signature!.toUpperCase());
    expect(codecs.v5.decode(loud)).toEqual(read);
    expect(checkLine(loud, KEY, fresh)).toBeUndefined();
  });

  it.each([
    ['altered', signed.replace('T1', 'T2')],
    ['without a signature', LINE],
    ['from another session', signed.replace('S1:', 'S2:')],
    ['with half a signature', signed.replace(/([0-9a-f]{4})[0-9a-f]{4}\|B500/, '$1|B500')],
  ])('is E90 at segment 9 when it is %s', (_, line) => {
    expect(checkLine(line, KEY, fresh)).toMatchObject({ error: { code: 'E90', segment: 9, name: 'ctx' } });
  });

  it('is E90 with another key, and when its nonce comes again', () => {
    expect(checkLine(signed, 'another', fresh)).toMatchObject({ error: { code: 'E90' } });
    const seen = new Set<string>();
    const isRepeated = (session: string, nonce: string): boolean => {
      const had = seen.has(`${session}:${nonce}`);
      seen.add(`${session}:${nonce}`);
      return had;
    };
    expect(checkLine(signed, KEY, isRepeated)).toBeUndefined();
    expect(checkLine(signed, KEY, isRepeated)).toMatchObject({ error: { code: 'E90' } });
  });

  it('takes every nonce of a session once, and then none', () => {
    // All but one in 256: where few are left side by side, it looks at nearly all of them each time.
    const all = Array.from({ length: 0x10000 }, (_, count) => count.toString(16).padStart(4, '0'));
    const used = new Set(all.filter((nonce) => !nonce.endsWith('00')));
    const isUsed = (session: string, nonce: string): boolean =>
      session === 'S1' && used.size === used.add(nonce).size;
    for (let count = 0; count < 0x100; count++) createNonce(LINE, isUsed);
    expect(used.size).toBe(0x10000);
    expect(createNonce(LINE, isUsed)).toBe('');
  });

  it('needs a session and a nonce of four digits', () => {
    expect(signLine('M1|O1>W1|R|T1|P1|N|-|0|-|-|a', 'a3f2', KEY)).toBeUndefined();
    expect(signLine(LINE, 'A3F2', KEY)).toBeUndefined();
  });
});
