// The keys that agents sign their messages with: made, replaced, removed. A key itself is never told.
import { CouncilError } from '../../core/base/errors.ts';
import { sha256 } from '../../core/base/ids.ts';
import type { AgentKey, AgentKeys } from '../../core/store/agent-keys.ts';
import type { App } from '../../core/app/app.ts';
import { openAgentKeys } from '../messages/use/ports.ts';
import { loadAgents, openWorkspace } from '../../core/app/workspace.ts';

export interface KeyDocument {
  id: string;
  /** What names the key in messages; null where there is none any more. */
  key: string | null;
  path: string;
  did: 'made' | 'kept' | 'replaced' | 'removed' | 'none';
}

/** Replaced keys that are remembered: what was signed with them before stays believed. */
const MOST_KEPT = 20;

/** Makes an agent's key where it has none; replaces or removes it. Throws `unknown_agent`, `forbidden`. */
export async function agentKey(
  app: App,
  id: string,
  { rotate, removed }: { rotate: boolean; removed: boolean },
): Promise<KeyDocument> {
  if (rotate && removed)
    throw new CouncilError('usage', 'Either --rotate or --remove, not both.', {
      hint: '--rotate gives another key in place of this one, --remove takes it away.',
    });
  const workspace = openWorkspace(app);
  const { id: agent } = (await loadAgents(app, workspace)).require(id);
  const keys = openAgentKeys(app, workspace);
  const before = keys.of(agent);
  const current = before?.find(({ until }) => until === undefined);
  const path = keys.path(agent);
  if (removed) {
    if (before) keys.put(agent, []);
    return { id: agent, key: null, path, did: before ? 'removed' : 'none' };
  }
  if (current && !rotate) return { id: agent, key: current.id, path, did: 'kept' };
  const made = fresh(keys);
  const replaced = (before ?? []).map((one) => ({ ...one, until: one.until ?? made.since }));
  keys.put(agent, [...replaced.slice(-MOST_KEPT), made]);
  return { id: agent, key: made.id, path, did: current ? 'replaced' : 'made' };
}

function fresh(keys: AgentKeys): AgentKey {
  const key = keys.random(32);
  return { id: sha256(Buffer.from(key, 'hex')).slice(0, 8), key, since: new Date().toISOString() };
}
