// Use case `who`: which agents are awake.
import { whoIsThere } from '../../messages/presence.ts';
import type { Presence } from '../../messages/presence.ts';
import { isAlive } from '../../store/local/liveness.ts';
import type { App, Result } from '../app.ts';
import { openWorkspace } from '../workspace.ts';
import { openPresences } from './ports.ts';

/** Everybody who was ever awake here; offline at once when their process is gone. */
export async function who(app: App): Promise<Result<{ agents: Presence[] }>> {
  const presences = openPresences(openWorkspace(app));
  return { document: { agents: await whoIsThere(presences, app.startedAt, isAlive) } };
}
