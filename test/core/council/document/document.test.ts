import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CouncilError } from '../../../../src/core/base/errors.ts';
import { encodeUtf8 } from '../../../../src/core/base/text.ts';
import {
  alteredContributions,
  parse,
  readStamp,
  serialize,
  addContributions,
} from '../../../../src/core/council/document/document.ts';
import { scanMarked, writeMarked } from '../../../../src/core/council/document/markers.ts';
import type { Council } from '../../../../src/core/council/state/state.ts';
import { anyCouncil, anyText, said, stateOf } from '../fixtures.ts';

const plain = (over: Partial<Council> = {}): Council => ({
  state: stateOf(),
  brief: 'Why?',
  contributions: [],
  ...over,
});
const unhashed = (council: Council): Council => ({ ...council, state: { ...council.state, textSha256: '' } });

function refusal(text: string): CouncilError {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof CouncilError) return error;
    throw error;
  }
  throw new Error('it was parsed');
}

describe('the state file', () => {
  it('gives back every council it was given', () => {
    fc.assert(
      fc.property(
        anyCouncil,
        (council) => void expect(unhashed(parse(serialize(council)))).toEqual(unhashed(council)),
      ),
      { numRuns: 400 },
    );
  });

  it('writes the same text again from what it read', () => {
    fc.assert(
      fc.property(anyCouncil, (council) => serialize(parse(serialize(council))) === serialize(council)),
      { numRuns: 100 },
    );
  });

  it('is one council each time it is read, also right after a look at its stamp', () => {
    const text = serialize(plain());
    readStamp(text);
    const [first, second] = [parse(text), parse(text)];
    first.state.order.push('somebody');
    expect(second.state.order).not.toContain('somebody');
    readStamp(text);
    expect(parse(serialize(plain({ brief: 'Another one.' }))).brief).toBe('Another one.');
    expect(parse(text)).toEqual(second);
  });

  it('keeps a contribution byte for byte', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const [back] = parse(serialize(plain({ contributions: [said('a', text)] }))).contributions;
        expect(Buffer.from(back!.text).equals(Buffer.from(text))).toBe(true);
        expect(alteredContributions(plain({ contributions: [back!] }))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('has one state block and the sections of the format', () => {
    const text = serialize(plain({ contributions: [said('a', 'Yes.'), said('b', 'No.')] }));
    expect(text.startsWith('<!--council-state\n{\n  "schema": 2,\n  "revision": 1,\n  "textSha256": "')).toBe(
      true,
    );
    expect(text.match(/^#+ .*$/gm)).toEqual([
      '# Active conversation: A topic',
      '## Metadata',
      '## Brief (immutable)',
      '## Participants',
      '## Responses: COLLECT (round 1)',
      '### 🦉 A',
      '### 🦉 B',
      '## Convergence',
      '## Next phase',
    ]);
    expect(text).toContain('\n\nYes.\n'.slice(1));
  });

  it('writes < > & and line separators of the state block as escapes', () => {
    const text = serialize(plain({ state: stateOf({ topic: '--> <b> & \u2028' }) }));
    const block = text.slice(0, text.indexOf('\n-->'));
    expect(block.slice('<!--council-state'.length)).not.toMatch(/[<>&\u2028]/);
    expect(parse(text).state.topic).toBe('--> <b> & \u2028');
  });

  it('reads CRLF, a BOM and a missing last newline around its own lines', () => {
    const text = serialize(plain({ contributions: [said('a', 'one line')] }));
    const expected = parse(text);
    expect(parse(`\uFEFF${text}`)).toEqual(expected);
    expect(parse(text.trimEnd())).toEqual(expected);
    expect(parse(text.replaceAll('\n', '\r\n'))).toEqual(expected);
  });

  it('tells an edit from its own text', () => {
    const text = serialize(plain());
    expect(readStamp(text)).toMatchObject({
      id: stateOf().conversationId,
      revision: 1,
      intact: true,
      name: stateOf().name,
    });
    expect(readStamp(text.replace('Why?', 'What?'))?.intact).toBe(false);
    expect(readStamp(text.replace('"revision": 1', '"revision": 2'))).toMatchObject({
      id: stateOf().conversationId,
      revision: 2,
      intact: false,
    });
    // Neither name nor predecessor: an edit took them away, or the first revision.
    expect(readStamp(text.replace('"name"', '"nom"'))).not.toHaveProperty('name');
    expect(readStamp(serialize(plain({ state: stateOf({ previous: 'a'.repeat(64) }) })))).toMatchObject({
      previous: 'a'.repeat(64),
    });
    expect(readStamp('no council')).toBeUndefined();
    // A bug is no missing stamp: what is not about the text is thrown.
    expect(() => readStamp(undefined as never)).toThrow(TypeError);
    expect(readStamp('<!--council-state\n{"revision":1}\n-->')).toBeUndefined();
    expect(readStamp('<!--council-state\n[1]\n-->')).toBeUndefined();
  });

  it('measures a brief anew that was changed by hand, and only then', () => {
    const text = serialize(plain({ brief: 'Buy or build?' }));
    const facts = (written: string) =>
      JSON.parse(/<!--council-brief (.*?)-->/.exec(written)![1]!) as { sha256: string };
    // As in a process that has not written it itself.
    serialize(plain());
    readStamp(text);
    expect(facts(serialize(parse(text)))).toEqual(facts(text));
    const edited = text.replace('Buy or build?', 'Buy or borrow?');
    expect(readStamp(edited)!.intact).toBe(false);
    expect(facts(serialize(parse(edited)))).toEqual(facts(serialize(plain({ brief: 'Buy or borrow?' }))));
    // Its marker lies, which an intact text never does.
    const lying = edited.replace(facts(text).sha256, '0'.repeat(64));
    readStamp(lying);
    expect(facts(serialize(parse(lying))).sha256).toBe(
      facts(serialize(plain({ brief: 'Buy or borrow?' }))).sha256,
    );
  });

  it('takes what a forged marker says of a brief over for no other council', () => {
    const text = serialize(plain({ brief: 'Buy or build?' }));
    const of = (written: string) => /"sha256":"(\w{64})"/.exec(/<!--council-brief .*/.exec(written)![0])![1]!;
    const lying = text
      .replace(of(text), 'e'.repeat(64))
      .replace(parse(text).state.textSha256, '0'.repeat(64));
    const forged = lying.replace('0'.repeat(64), createHash('sha256').update(lying).digest('hex'));
    expect(readStamp(forged)!.intact).toBe(true);
    parse(forged);
    const other = plain({
      brief: 'Buy or build?',
      state: stateOf({ conversationId: '00000000-0000-4000-8000-000000000009' }),
      contributions: [said('a', 'Buy or build?')],
    });
    expect(of(serialize(other))).toBe(of(text));
    expect(alteredContributions(other)).toEqual([]);
  });

  it('has a stamp also where a list asks for those of its texts', () => {
    const text = serialize(plain());
    expect([text, text].map(readStamp).map((stamp) => stamp!.intact)).toEqual([true, true]);
  });

  it('has the UTF-8 that was encoded while it was hashed, and none for half of a pair', () => {
    fc.assert(
      fc.property(anyCouncil, (council) => {
        const text = serialize(council);
        return encodeUtf8(text)?.equals(Buffer.from(text)) === true;
      }),
      { numRuns: 100 },
    );
    expect(encodeUtf8(serialize(plain({ brief: 'half: \uD83E' })))).toBeUndefined();
    expect(encodeUtf8('é')).toEqual(Buffer.from('é'));
    expect(encodeUtf8('\uDD89')).toBeUndefined();
  });

  it('is no longer intact with any byte changed', () => {
    const text = serialize(plain({ brief: 'Buy 🦉 or build?' }));
    const bytes = Buffer.from(text);
    expect(readStamp(text, bytes)!.intact).toBe(true);
    for (let at = text.indexOf('-->'); at < bytes.length; at += 7) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      expect(readStamp(text, changed)!.intact).toBe(false);
    }
  });

  it('is not intact where its hash is written in another way', () => {
    const text = serialize(plain());
    const { textSha256: hash } = parse(text).state;
    const escaped = [...hash].map((digit) => `\\u00${digit.charCodeAt(0).toString(16)}`).join('');
    expect(readStamp(text.replace(hash, escaped))).toMatchObject({ hash, intact: false });
    expect(readStamp(text.replace(hash, hash.toUpperCase()))!.intact).toBe(false);
  });

  it('finds its own hash first, whatever else looks like one', () => {
    const topic = '0'.repeat(64);
    expect(readStamp(serialize(plain({ state: stateOf({ topic }), brief: topic })))?.intact).toBe(true);
  });

  it('reports what was altered by hand', () => {
    const text = serialize(plain({ contributions: [said('a', 'I say yes'), said('b', 'I say no')] }));
    expect(alteredContributions(parse(text.replace('I say no', 'I say yo'))).map((c) => c.by)).toEqual(['b']);
    expect(alteredContributions(parse(text.replace('I say no', 'I say no!'))).map((c) => c.by)).toEqual([
      'b',
    ]);
  });

  it('puts contributions in the order of tours, then seats, whoever has none first, and replaces within a turn', () => {
    let council = plain();
    const nobody = said('nobody', '5', 2, 'CHALLENGE');
    for (const c of [said('c', '1'), said('a', '2', 2, 'CHALLENGE'), nobody, said('a', '3'), said('c', '4')])
      council = { ...council, contributions: addContributions(council, [c]) };
    expect(council.contributions.map((c) => `${c.by}${c.tour}${c.text}`)).toEqual([
      'a13',
      'c14',
      'nobody25',
      'a22',
    ]);
  });

  it.each([
    ['nothing', '', 'corrupt', /does not start/],
    ['no end of the block', '<!--council-state {', 'corrupt', /does not start/],
    ['no JSON', '<!--council-state\n{nope}\n-->', 'corrupt', /not valid JSON/],
    ['a list', '<!--council-state\n[]\n-->', 'corrupt', /expected a JSON object/],
    [
      'a key that reaches into the prototype',
      '<!--council-state\n{"__proto__": {}}\n-->',
      'corrupt',
      /__proto__/,
    ],
    [
      'an escaped key that reaches into the prototype',
      '<!--council-state\n{"\\u005f_proto__": {}}\n-->',
      'corrupt',
      /__proto__/,
    ],
    ['a newer schema', '<!--council-state\n{"schema": 3}\n-->', 'corrupt', /schema 3/],
    ['no participants', '<!--council-state\n{"schema": 1}\n-->', 'corrupt', /lacks participants/],
    [
      'no list of absences',
      '<!--council-state\n{"schema": 1, "participants": {}, "order": [], "phases": [], "transitions": []}\n-->',
      'corrupt',
      /lacks/,
    ],
  ])('refuses %s', (_, text, code, message) => {
    const error = refusal(text);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(error.hint).toBeTruthy();
  });

  it('refuses a second state block and broken markers, with the line', () => {
    const text = serialize(plain({ contributions: [said('a', 'x')] }));
    expect(refusal(`${text}<!--council-state {}-->\n{}\n<!--/council-state-->`).message).toMatch(
      /more than one state block/,
    );
    expect(refusal(text.replace('<!--/council-response-->', '')).message).toMatch(
      /:\d+: no <!--\/council-response-->/,
    );
    expect(refusal(text.replace('"by":"a"', '"by":"a')).message).toMatch(/not JSON/);
    expect(refusal(text.replace(/response \{.*\}/, 'response [1]')).message).toMatch(/not a JSON object/);
    expect(refusal(`${text}<!--council-response`).message).toMatch(/without a kind or an end/);
    expect(refusal(`${text}<!--council-X {}-->`).message).toMatch(/without a kind or an end/);
    expect(refusal(text.replace('\nx\n', '\n<!--council-brief {}-->\n')).message).toMatch(/inside another/);
  });

  it('reads a file without a brief', () => {
    const text = serialize(plain());
    expect(parse(text.replace(/<!--council-brief[\s\S]*?<!--\/council-brief-->/, '')).brief).toBe('');
  });

  it('stays linear with 20,000 unclosed markers in a contribution', () => {
    const hostile = '<!--council-response {"by":"b"}-->\n<!-- '.repeat(20_000);
    const text = serialize(plain({ contributions: [said('a', hostile)] }));
    expect(parse(text).contributions).toHaveLength(1);
    // A quadratic scan of these 900 KB would take minutes: the time limit of the test is the assertion.
    expect(scanMarked(writeMarked({ kind: 'x', facts: {}, text: hostile }).repeat(5), 'x')).toHaveLength(5);
  });

  it('is UTF-8 that other programs read', () => {
    const text = serialize(plain({ contributions: [said('a', 'été 🦉')] }));
    expect(
      execFileSync(process.execPath, ['-e', 'process.stdout.write(require("fs").readFileSync(0, "utf8"))'], {
        input: text,
        encoding: 'utf8',
      }),
    ).toBe(text);
  });
});
