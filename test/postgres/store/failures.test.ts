// What people are told of a failure of the server, and of an address that means nothing.
import { describe, expect, it } from 'vitest';
import { asStoreError } from '../../../src/postgres/store/failures.ts';
import { parseDatabaseAddress } from '../../../src/postgres/store/place.ts';

const TOLD = 'postgres://db.example/council/council';
const fromServer = (code: string): Error => Object.assign(new Error('CANARY'), { code, severity: 'ERROR' });
const fromNode = (code: string): Error => Object.assign(new Error('CANARY'), { code });

describe('a failure', () => {
  it.each([
    [fromServer('28P01'), 'failed', 'the password is wrong', '~/.pgpass'],
    [fromServer('28000'), 'failed', 'does not let this user in', 'pg_hba.conf'],
    [fromServer('3D000'), 'failed', 'no such database', 'CREATE DATABASE'],
    [fromServer('53100'), 'io', `The disk of ${TOLD} is full`, 'Make space there'],
    [fromServer('53300'), 'io', 'connections', 'again'],
    [fromNode('ENOTFOUND'), 'io', 'cannot be reached', 'name of the host'],
    [fromNode('ECONNREFUSED'), 'io', 'cannot be reached', 'Is the server running?'],
    [fromNode('DEPTH_ZERO_SELF_SIGNED_CERT'), 'failed', 'is not trusted', 'sslrootcert'],
    [
      new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'),
      'failed',
      'asks for a password',
      'PGPASSWORD',
    ],
    [new Error('The server does not support SSL connections'), 'failed', 'no encrypted', 'sslmode'],
  ])('%s says what to do next, and nothing that the server said', (thrown, code, message, hint) => {
    const error = asStoreError(thrown, TOLD);
    expect(error).toMatchObject({
      code,
      message: expect.stringContaining(message) as string,
      hint: expect.stringContaining(hint) as string,
    });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('CANARY');
  });
});

describe('an address', () => {
  const at = (query: string) =>
    parseDatabaseAddress(`postgres://me:pw@db.example/council${query}`, 'here', { secret: true });

  it.each(['?shema=mine', '?sslmode=bogus', '?schema=Mine', '?options=-c', '?password=a&bcd'])(
    'is refused with %s, and not shown',
    (query) => {
      expect(() => at(query)).toThrow(expect.objectContaining({ code: 'invalid_config' }) as Error);
      expect(() => at(query)).not.toThrow(/bogus|shema|bcd|pw/);
    },
  );

  it('is encrypted and verified as the driver does it, without its warning', () => {
    expect(at('?sslmode=require').url).toContain('sslmode=verify-full');
    expect(at('?sslmode=require&uselibpqcompat=true').url).toContain('sslmode=require');
    expect(at('?sslmode=disable&channel_binding=prefer&connect_timeout=5').url).toContain('sslmode=disable');
  });
});
