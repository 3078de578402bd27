// A process that commits: `node writer.ts URL KEY NAME COUNT`. Prints a line for each token: acknowledged, or uncertain.
import { CouncilError } from '../../../src/core/base/errors.ts';
import { openPostgres } from '../../../src/postgres/store/open.ts';
import { parseDatabaseAddress } from '../../../src/postgres/store/place.ts';

const [url = '', key = '', name = '', count = '0'] = process.argv.slice(2);
const place = parseDatabaseAddress(url, 'the test', { secret: true });
const opening = {
  place,
  direct: place,
  size: 1,
  actor: name,
  readFacts: () => ({}),
  readConversation: () => undefined,
};

/** A server that is away is waited for: nothing was sent to it. */
async function sure<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof CouncilError) || !['io', 'conflict'].includes(error.code)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

const { database, documents } = await sure(() => openPostgres(opening));
const store = documents('council');
for (let n = 0; n < Number(count); n++) {
  const token = `${name}-${n}`;
  try {
    await sure(() => store.update(key, () => token));
    console.log(`acknowledged ${token}`);
  } catch (error) {
    if (!(error instanceof CouncilError) || error.code !== 'commit_uncertain') throw error;
    console.log(`uncertain ${token}`);
  }
}
await database.end();
