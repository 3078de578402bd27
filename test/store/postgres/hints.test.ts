// Who watches hears what others commit: by hints of the server's, and without them by looking.
import { describe, expect, it } from 'vitest';
import { openPostgres } from '../../../src/store/postgres/open.ts';
import { placeOf } from '../../../src/store/postgres/place.ts';
import { connected, migratedSchema, sharedPostgres } from '../../helpers/postgres/shared.ts';
import { until } from '../scratch.ts';
import { opener } from './place.ts';

const server = await sharedPostgres();

describe.skipIf(!server)('watching in PostgreSQL', async () => {
  if (!server) return;
  const { schema, appUrl } = await migratedSchema(server);
  const place = placeOf(appUrl, 'the test', { secret: true });
  const open = opener(place);
  const nowhere = placeOf('postgres://nobody@127.0.0.1:1/none', 'the test', { secret: true });

  it.each([
    ['with hints', place],
    ['without a way to hear them', nowhere],
  ])('hears commits and messages of another process, %s', async (how, direct) => {
    const project = how.replaceAll(' ', '-');
    const options = {
      place,
      direct,
      size: 1,
      actor: 'a',
      factsOf: () => ({}),
      conversationOf: () => undefined,
    };
    const [watching, other] = [await openPostgres(options, project), await open(project)];
    const heard: string[] = [];
    let messages = 0;
    await other.documents('council').commit('old', 'one', 0);
    const stops = [
      watching.documents('council').watch('', (key) => heard.push(key)),
      watching.messages.watch('general', () => messages++),
    ];
    await other.documents('council').commit('new', 'one', 0);
    await until(() => heard.includes('new'), 'the new one to be heard');
    const before = heard.filter((key) => key === 'new').length;
    await other.documents('council').commit('new', 'two', 1);
    await until(
      () => heard.filter((key) => key === 'new').length > before,
      'the second revision to be heard',
    );
    const seen = messages;
    await other.messages.append('general', 'msg-20260111-100000-ana-0000.json', '{}');
    await until(() => messages > seen, 'the message to be heard');
    for (const stop of stops) stop();
    await watching.database.end();
  });

  it('tells keys and nothing else to whoever listens', async () => {
    const other = await open('told');
    const payloads: string[] = [];
    await connected(appUrl, async (client) => {
      client.on('notification', ({ payload }) => payloads.push(payload ?? ''));
      await client.query(`LISTEN "council_${schema}"`);
      for (let revision = 0; revision < 3; revision++)
        await other.documents('council').commit('k', 'CANARY', revision);
      await until(() => payloads.length > 0, 'a hint');
    });
    expect(new Set(payloads)).toEqual(new Set(['["told/k"]']));
  });
});
