import { describe, expect, it } from 'vitest';
import { checkServer } from '../../../src/postgres/doctor/database.ts';
import { inspectServer } from '../../../src/postgres/store/inspect-server.ts';
import { connected, logOf, migratedSchema, runOn, sharedPostgres } from '../../helpers/postgres/shared.ts';
import { sealer } from '../../helpers/postgres/sealing.ts';

const server = await sharedPostgres();
const place = server && (await migratedSchema(server));

/** What the doctor says of the server as council's role sees it, after these settings of the session. */
const told = (...settings: string[]): Promise<string[]> =>
  connected(server!.url, async (root) => {
    for (const one of settings) await root.query(`SET ${one}`);
    await root.query(`SET SESSION AUTHORIZATION ${place!.app}`);
    const facts = await inspectServer(runOn(root));
    return checkServer('here', facts, []).map(({ level, message }) => `${level}: ${message}`);
  });

describe.skipIf(!server)('what the doctor says of a server', () => {
  it('tells which one it is, and that it keeps secrets', async () => {
    expect(await told()).toEqual([
      expect.stringMatching(/^ok: here, PostgreSQL \d+/),
      'ok: This role cannot look at sealed texts, and the log tells none',
    ]);
  });

  it.each([
    ["log_statement = 'all'", 'log_statement = all'],
    ['log_statement = mod', 'log_statement = mod'],
    ['log_min_duration_statement = 0', 'log_min_duration_statement = 0'],
    ['log_min_duration_sample = 5', 'log_min_duration_sample = 5ms'],
    ['log_transaction_sample_rate = 0.5', 'log_transaction_sample_rate = 0.5'],
    ['log_parameter_max_length_on_error = 100', 'log_parameter_max_length_on_error = 100B'],
    ['debug_print_plan = on', 'debug_print_plan = on'],
  ])('names a setting that writes texts into the log: %s', async (setting, named) => {
    expect((await told(setting)).join('\n')).toContain(
      `warning: The server writes texts into its log, sealed ones too, by ${named}.`,
    );
  });

  it.each(['log_statement = ddl', 'log_duration = on', 'log_min_messages = debug1'])(
    'is content with %s',
    async (setting) => {
      expect((await told(setting)).filter((line) => !line.startsWith('ok'))).toEqual([]);
    },
  );

  it('is content where statements are logged without their values, and so is the log', async () => {
    const settings = ["log_statement = 'all'", 'log_parameter_max_length = 0'];
    expect((await told(...settings)).filter((line) => !line.startsWith('ok'))).toEqual([]);
    const canary = `canary-${Date.now()}`;
    await connected(server!.url, async (root) => {
      for (const one of settings) await root.query(`SET ${one}`);
      await root.query(`SET SESSION AUTHORIZATION ${place!.app}`);
      await sealer(root, place!, 'logged').put(1, 'ana', canary);
    });
    expect(logOf(server!)).toContain('seal_put');
    expect(logOf(server!)).not.toContain(Buffer.from(canary).toString('hex'));
  });

  it('would find a text in a log that is told to hold it', async () => {
    const canary = `canary-${Date.now()}-told`;
    await connected(server!.url, async (root) => {
      await root.query("SET log_statement = 'all'");
      await sealer(root, place!, 'logged').put(1, 'ben', canary);
    });
    expect(logOf(server!)).toContain(Buffer.from(canary).toString('hex'));
  });

  it('refuses a role that may only read', async () => {
    expect(await told('default_transaction_read_only = on')).toEqual([
      'error: here lets this role read only.',
      'ok: This role cannot look at sealed texts, and the log tells none',
    ]);
  });
});
