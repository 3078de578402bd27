// A schema of a test file with the tables of council, and fresh projects in it.
import { randomBytes } from 'node:crypto';
import { afterAll } from 'vitest';
import { openPostgres } from '../../../src/postgres/store/open.ts';
import type { PostgresStore } from '../../../src/postgres/store/open.ts';
import { parseDatabaseAddress } from '../../../src/postgres/store/place.ts';
import type { DatabasePlace } from '../../../src/postgres/store/place.ts';
import { migratedSchema } from '../../helpers/postgres/shared.ts';
import type { SharedServer } from '../../helpers/postgres/shared.ts';

export async function preparedPlace(server: SharedServer): Promise<DatabasePlace> {
  const { appUrl } = await migratedSchema(server);
  return parseDatabaseAddress(appUrl, 'the test', { secret: true });
}

/** Opens fresh projects, each by a process of its own as it were, and closes them when the file is done. */
export function opener(place: DatabasePlace, size = 1): (project?: string) => Promise<PostgresStore> {
  const opened: Promise<PostgresStore>[] = [];
  afterAll(async () => {
    for (const store of opened) await (await store).database.end();
  });
  return (project = randomBytes(6).toString('hex')) => {
    const store = openPostgres(
      {
        place,
        direct: place,
        size,
        actor: 'tester@here via test',
        readFacts: () => ({}),
        readConversation: (text) => /^conversationId: (.*)$/m.exec(text)?.[1],
      },
      project,
    );
    opened.push(store);
    return store;
  };
}
