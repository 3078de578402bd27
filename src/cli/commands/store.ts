// Command `store`: what was done to the database, in words.
import type { StoreInput } from '../../app/input/store.ts';
import { store } from '../../app/store.ts';
import { told } from '../print.ts';
import type { Command } from '../spec.ts';

export const storeCommand: Command<StoreInput> = async (cli, input) => {
  const result = await store(cli, input);
  const { dryRun, database, applied, at, roles } = result.document;
  const lines = applied.map(
    ({ number, title, beside }) =>
      `${String(number).padStart(4, '0')}  ${title} (council ${beside} and newer may go on beside it)`,
  );
  const did = dryRun ? 'Would apply to' : 'Applied to';
  const head =
    applied.length === 0 ? `${database} is up to date, at migration ${at}.` : `${did} ${database}:`;
  const granted =
    roles.length === 0
      ? 'No role but the owner may use it: council store migrate --app-role ROLE'
      : `${dryRun ? 'May then use it' : 'May use it'}: ${roles.join(', ')}`;
  return told(result, [head, ...lines, granted].join('\n'));
};
