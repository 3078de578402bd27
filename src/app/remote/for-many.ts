// The host of a server that many clients reach over HTTP.
import type { App } from '../app.ts';
import { isolated } from './call-process.ts';
import { hostOf } from './host.ts';
import { performCall } from './perform.ts';

/** What belongs to whoever started the server, and must not stand for those who reach it. */
const OWN = ['COUNCIL_TOKEN', 'COUNCIL_PARTICIPANT', 'COUNCIL_NAME', 'COUNCIL_TOUR', 'COUNCIL_SERVER'];

/** A host whose calls run in processes of their own; one that only waits for something takes none. */
export function hostForMany<A extends App>(own: A, stop: AbortSignal) {
  const env = Object.fromEntries(Object.entries(own.env).filter(([name]) => !OWN.includes(name)));
  const app: App = { ...own, env };
  const isolatedCall = isolated(app, stop);
  return hostOf(app, stop, (asked, gone) =>
    asked.name === 'wait'
      ? performCall(app, asked, AbortSignal.any([gone, stop]))
      : isolatedCall(asked, gone),
  );
}
