// What answers and is no server of council is said to be none: nothing is taken for done, and nobody's codes are believed.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CALLS } from '../../../src/server/remote/calls.ts';
import { askServer } from '../../../src/server/remote/client.ts';
import { createProcessCli } from '../../../src/core/cli/io.ts';

interface Answer {
  status: number;
  type?: string;
  body: unknown;
}
const TOLD = 'application/vnd.council.told+json';
const PROBLEM = 'application/problem+json';

let answer: Answer = { status: 200, body: '' };
let url = '';
const server = http.createServer((req, res) => {
  req.resume().on('end', () => {
    const { status, type = TOLD, body } = answer;
    res.writeHead(status, { 'content-type': type, location: 'https://login.example/' });
    res.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
});
beforeAll(async () => {
  await new Promise((resolve) => void server.listen(0, '127.0.0.1', () => resolve(undefined)));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const notes: string[] = [];
const app = {
  ...createProcessCli({ json: true, root: undefined, features: [] }),
  note: (line: string) => void notes.push(line),
};
const ask = (name: (typeof CALLS)[number], given: Answer, env: NodeJS.ProcessEnv = {}) => {
  answer = given;
  return askServer({ ...app, env }, { server: url, name, input: {} });
};

const OTHERS: [string, Answer][] = [
  ['an empty document', { status: 200, body: { document: {}, notes: [] } }],
  ['a document of its own', { status: 200, body: { document: { recorded: true }, notes: [] } }],
  ['an error as a document', { status: 200, body: { error: { code: 'toString' } } }],
  ['an array', { status: 200, body: [] }],
  ['null', { status: 200, body: 'null' }],
  ['a number', { status: 201, body: '7' }],
  ['half of it', { status: 200, body: '{"document":' }],
  ['notes that are none', { status: 200, body: { document: { agents: [] }, notes: 'Sign in!' } }],
  ['a page', { status: 200, type: 'text/html; charset=utf-8', body: '<h1>Sign in</h1>' }],
  ['JSON of another kind', { status: 200, type: 'application/json', body: { document: {}, notes: [] } }],
  ['a way elsewhere', { status: 302, type: 'text/html', body: '' }],
  ['a page that is not there', { status: 404, type: 'text/html', body: 'Not found' }],
  ['an error of others', { status: 404, type: PROBLEM, body: { code: 'unknown_council', detail: 'x' } }],
  [
    'a problem of others',
    { status: 403, type: PROBLEM, body: { type: 'about:blank', code: 'x', detail: 'x' } },
  ],
];

describe('an answer', () => {
  it.each(OTHERS)('of somebody else is no answer: %s', async (_, given) => {
    for (const name of ['respond', 'who', 'status', 'lease', 'task'] as const) {
      await expect(ask(name, given)).rejects.toMatchObject({
        code: 'unreachable',
        message: expect.stringMatching(/^http:\S+ answers, but not as council's server does/) as string,
      });
    }
    expect(notes).toEqual([]);
  });

  it('that is an empty object is none of a call that tells anything', async () => {
    const silent = ['tick', 'metrics', 'reserve', 'release', 'reservations', 'renew'];
    for (const name of CALLS.filter((one) => !silent.includes(one)))
      await expect(ask(name, { status: 200, body: { document: {}, notes: [] } })).rejects.toMatchObject({
        code: 'unreachable',
      });
  });

  it('of council is told as it is, with whatever a newer server adds', async () => {
    const document = { zeta: 1, agents: [], alpha: { new: true } };
    const told = await ask('who', { status: 200, body: { more: 1, document, notes: ['Good to know.'] } });
    expect(JSON.stringify(told.document)).toBe(JSON.stringify(document));
    expect(notes.splice(0)).toEqual(['Good to know.']);
  });

  it('that refuses has a code of council, or is a failure, and names no place of the server', async () => {
    const problem = (code: string, more = {}) => ({
      status: 409,
      type: PROBLEM,
      body: { type: `urn:council:problem:${code}`, code, detail: 'No.', ...more },
    });
    const error = { code: 'name_taken', message: 'No.', hint: null, kept: '/home/council/kept/x', name: 'c' };
    await expect(ask('start', problem('name_taken', { document: { error } }))).rejects.toMatchObject({
      code: 'name_taken',
      details: { name: 'c' },
    });
    for (const code of ['toString', '__proto__', 'constructor', 'from_next_year'])
      await expect(ask('start', problem(code))).rejects.toMatchObject({ code: 'failed', exitCode: 1 });
    for (const [COUNCIL_TOKEN, message] of [
      ['', /^http:\S+ asks for a token, and COUNCIL_TOKEN is not set\.$/],
      ['council_at_x', /^http:\S+ does not let in who has the token in COUNCIL_TOKEN: No\.$/],
    ] as const)
      await expect(ask('who', problem('unauthorized'), { COUNCIL_TOKEN })).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringMatching(message) as string,
      });
    await expect(ask('start', { ...problem('x'), status: 503 })).rejects.toMatchObject({
      code: 'unreachable',
    });
  });
});
