// Use case `who`: which agents are awake.
import { whoIsThere } from '../presence.ts';
import type { Presence } from '../presence.ts';
import { isAlive } from '../../../core/store/local/liveness.ts';
import type { App, Result } from '../../../core/app/app.ts';
import { openWorkspace } from '../../../core/app/workspace.ts';
import { openPresences } from './ports.ts';

/** Everybody who was ever awake here; offline at once when their process is gone. */
export async function who(app: App): Promise<Result<{ agents: Presence[] }>> {
  const presences = openPresences(openWorkspace(app));
  return { document: { agents: await whoIsThere(presences, app.startedAt, isAlive) } };
}
