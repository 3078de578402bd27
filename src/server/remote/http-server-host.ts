// The host of a server that many clients reach over HTTP.
import { CouncilError } from '../../core/base/errors.ts';
import type { App } from '../../core/app/app.ts';
import { pinnedRoot } from '../../core/app/store-trouble.ts';
import { createPageLooks } from '../page/use/page-looks.ts';
import type { Looks } from '../page/use/page-looks.ts';
import { createProcessPerformer } from './call-process.ts';
import { createTokenLookup } from './token-lookup.ts';
import type { WideDoors } from './token-lookup.ts';
import { createChangeEvents } from './change-events.ts';
import type { Hints } from './change-events.ts';
import { createLightCallCheck } from './light-calls.ts';
import { createHost, unlessGone } from './host.ts';
import type { Host } from './host.ts';
import { performCall } from './perform-call.ts';

/** Settings of the person who started the server; they must not apply to its clients. */
const OWN = [
  'COUNCIL_TOKEN',
  'COUNCIL_TURN',
  'COUNCIL_PARTICIPANT',
  'COUNCIL_NAME',
  'COUNCIL_TOUR',
  'COUNCIL_SERVER',
];

/** A host whose calls run in processes of their own; one that only waits for something takes none. */
export function hostForMany(own: App, stop: AbortSignal) {
  const app = withoutOwn(own);
  const isolatedCall = createProcessPerformer(app, stop);
  const here: Host['perform'] = (asked, gone) =>
    unlessGone(app, asked, () => performCall(app, asked, AbortSignal.any([gone, stop])));
  const host = createHost(app, stop, (asked, gone) =>
    asked.name === 'wait' ? here(asked, gone) : isolatedCall(asked, gone),
  );
  return { ...host, here, isLight: createLightCallCheck(app) };
}

/**
 * Opens the token lookup for this address. Throws `forbidden` if other machines could reach it and
 * there are no tokens yet, `no_project` without a project.
 */
export async function doorsOn(
  own: App,
  host: Parameters<typeof createTokenLookup>[1],
  address: string,
): Promise<WideDoors> {
  const isLoopback = LOOPBACK.test(address);
  const doors = createTokenLookup(withoutOwn(own), host, isLoopback);
  if (isLoopback || (await doors.hasTokens())) return doors;
  throw new CouncilError(
    'forbidden',
    `Without a token, nobody but this machine may come in, and others can reach ${address}.`,
    {
      hint: 'Make one first: council token create --role admin. Or serve on the loopback address: --host 127.0.0.1',
    },
  );
}

/** What changes in the project of a server. */
export const createServerChangeEvents = (own: App): Hints => createChangeEvents(withoutOwn(own));

/** What its pages look at. */
export const createServerPageLooks = (own: App): Looks => createPageLooks(withoutOwn(own));

const LOOPBACK = /^(127(\.\d{1,3}){3}|localhost|::1)$/;

const withoutOwn = (own: App): App => ({
  ...own,
  root: pinnedRoot(own),
  env: Object.fromEntries(Object.entries(own.env).filter(([name]) => !OWN.includes(name))),
});
