import { describe, it, expect } from 'vitest';
import fc from 'fast-check';
import { isId, requireId, sha256, nameSlug, toSlug } from '../../../src/core/base/ids.ts';
import { countCases } from '../../helpers/long.ts';

describe('isId', () => {
  it.each(['henry', 'a', '0', 'a-b', '9lives', 'console', 'com10', 'a'.repeat(64)])('accepts %s', (id) => {
    expect(isId(id)).toBe(true);
  });

  it.each([
    '',
    'Henry',
    '-a',
    'a_b',
    'a.b',
    '../../x',
    'a/b',
    'a b',
    'é',
    'henry\n',
    'con',
    'nul',
    'aux',
    'prn',
    'com1',
    'lpt9',
    'constructor',
    'prototype',
    '__proto__',
    'a'.repeat(65),
    42,
    null,
    undefined,
    ['a'],
  ])('refuses %j', (value) => {
    expect(isId(value)).toBe(false);
  });

  it('accepts no name that every object already has', () => {
    for (const key of Object.getOwnPropertyNames(Object.prototype)) expect(isId(key), key).toBe(false);
  });
});

describe('requireId', () => {
  it('returns an id and refuses the rest by name, cut to a bearable length', () => {
    expect(requireId('henry', 'agent')).toBe('henry');
    expect(() => requireId('../../x', 'council name')).toThrow(
      expect.objectContaining({ code: 'invalid_id', message: 'Not a valid council name: "../../x".' }),
    );
    expect(() => requireId('x'.repeat(9999), 'agent')).toThrow(/^Not a valid agent: "x{80}"\.$/);
  });
});

describe('slug', () => {
  it.each([
    ['Faut-il créer un bot météo ?', 'faut-il-creer-un-bot-meteo'],
    ['  Tabs, or spaces!  ', 'tabs-or-spaces'],
    ['ﬁnal Ⅷ', 'final-viii'],
    ['漢字', 'council'],
    ['', 'council'],
    ['CON', 'council'],
    ['../../etc/passwd', 'etc-passwd'],
    [`${'a'.repeat(59)} b`, 'a'.repeat(59)],
  ])('of %j is %s', (text, expected) => {
    expect(toSlug(text)).toBe(expected);
  });

  it('is always an id of at most 60 characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const name = toSlug(text);
        expect(isId(name)).toBe(true);
        expect(name.length).toBeLessThanOrEqual(60);
      }),
      { numRuns: countCases(1000) },
    );
  });

  it('takes the fallback it is given', () => {
    expect(toSlug('???', 'agent')).toBe('agent');
  });
});

describe('nameSlug', () => {
  it.each([
    ['Où héberger ?', 'ou-heberger'],
    ['分割商店吗？', '分割商店吗'],
    ['Split the 店舗ガイド?', 'split-the-店舗ガイド'],
    ['Разделить магазин?', 'разделить-магазин'],
    ['दुकान बाँटें?', 'दुकान-बाँटें'],
    ['🎉 ???', 'council'],
    ['../con', 'council'],
  ])('of %j is %j', (text, expected) => {
    expect(nameSlug(text)).toBe(expected);
  });

  it('fits into a file name', () => {
    for (const text of ['店'.repeat(100), '𠀀'.repeat(100), `a${'𠀀'.repeat(100)}`])
      expect(Buffer.byteLength(nameSlug(text))).toBeLessThan(200);
  });
});

describe('sha256', () => {
  it('is the known hash of the UTF-8 bytes', () => {
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(sha256('é')).toBe(sha256(new Uint8Array([0xc3, 0xa9])));
  });
});
