import { expect, it } from 'vitest';
import { isForeign } from '../../../src/server/http/origin.ts';

const told = (host: string | undefined, origin: string | undefined, onlyLocal = false, site?: string) =>
  isForeign({ host, origin, site, writes: true }, onlyLocal);

it.each([
  ['council.example', 'https://council.example'],
  ['council.example', 'http://council.example'],
  ['council.example:443', 'https://council.example'],
  ['council.example:8443', 'https://council.example:8443'],
  ['127.0.0.1:7333', 'http://127.0.0.1:7333'],
  ['[::1]:7333', 'http://[::1]:7333'],
  ['council.example', undefined],
])('at %s a page of %s may ask', (host, origin) => {
  expect(told(host, origin)).toBeUndefined();
});

it.each([
  ['council.example', 'https://council.example:8443'],
  ['council.example:8443', 'https://council.example'],
  ['council.example', 'https://evil.example'],
  ['council.example', 'https://council.example.evil.example'],
  ['council.example', 'https://user@council.example'],
  ['council.example', 'null'],
  ['127.0.0.1:7333', 'http://127.0.0.1:3000'],
  ['127.0.0.1:7333', 'http://localhost:7333'],
])('at %s a page of %s may not', (host, origin) => {
  expect(told(host, origin)).toBe(`Invalid Origin: ${origin}`);
});

it('takes one name of this machine for the other where only these count', () => {
  expect(told('127.0.0.1:7333', 'http://localhost:7333', true)).toBeUndefined();
  expect(told('127.0.0.1:7333', 'http://localhost:3000', true)).toBe('Invalid Origin: http://localhost:3000');
  expect(told('council.example', undefined, true)).toBe('Invalid Host: council.example');
  expect(told(undefined, undefined)).toBe('Invalid Host: none');
});

it('believes a browser that says that another page asks, where something is changed', () => {
  const claims = { host: 'council.example', origin: undefined, site: 'cross-site' };
  expect(isForeign({ ...claims, writes: true }, false)).toBe('Invalid Sec-Fetch-Site: cross-site');
  // A link that was followed.
  expect(isForeign({ ...claims, writes: false }, false)).toBeUndefined();
});
