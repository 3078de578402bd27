// The pages of the server: the frame, then each of them.
import type { Looks } from '../../page/use/page-looks.ts';
import type { WideDoors } from '../../remote/token-lookup.ts';
import type { Events } from '../events.ts';
import { streamEvents } from '../events.ts';
import type { Bucket } from '../limits.ts';
import { sorryPage } from './answers.ts';
import { addArchives } from './archives.ts';
import { addAssets } from './assets.ts';
import { addCouncil } from './council.ts';
import { addCouncils } from './councils.ts';
import { addJoin } from './join.ts';
import { addSeat } from './seat.ts';
import { takeOffers } from './offers.ts';
import { sessionsInMemory } from './sessions.ts';
import { siteOf } from './site.ts';
import { addStart } from './start.ts';
import type { Frame } from './site.ts';

/** What the pages need of a server beyond what its API has. */
export interface PagesOf {
  doors: WideDoors;
  publicUrl: URL | undefined;
  /** By which `council open` and this server know each other. */
  secret: string;
  looks: Looks;
}

interface Adding extends Omit<Frame, 'sessions' | 'doors' | 'own'>, PagesOf {
  port: () => number;
  unknown: Bucket;
  events: Events;
}

/** Adds every page. */
export function addPages({ events, unknown, port, publicUrl, secret, ...frame }: Adding): void {
  const site = siteOf({ ...frame, sessions: sessionsInMemory(), own: { port, publicUrl } });
  addAssets(site);
  addJoin(site, { doors: frame.doors, once: takeOffers(frame.app, { secret, port }), unknown });
  frame.app.get('/events', ...site.enter('/events', true), streamEvents(events));
  addCouncils(site);
  addSeat(site);
  addCouncil(site);
  addStart(site);
  addArchives(site);
  site.nowhere((c, visitor) =>
    sorryPage(c, visitor, { status: 404, code: 'not_found', says: visitor.w.site.nowhere }),
  );
}
