// The library's public names, listed one by one.
export { CouncilError, EXIT_CODES } from './base/errors.ts';
export type { ErrorCode } from './base/errors.ts';
export type { Clock, Random } from './base/clock.ts';
export type { Store, Stored, Version, Change, Updated, Stamp, ReadStamp } from './store/store.ts';
export { fileStore } from './store/file-store.ts';
export type { FileStore } from './store/file-store.ts';
export { memoryStore } from './store/memory-store.ts';
export { parseAgent } from './agents/agent.ts';
export { renderAgent } from './agents/render-agent.ts';
export type { Agent } from './agents/agent.ts';
export { agentRegistry } from './agents/registry.ts';
export type { AgentRegistry } from './agents/registry.ts';
export { PHASES, awaited } from './council/state.ts';
export type {
  Absence,
  Contribution,
  Council,
  CouncilState,
  Participant,
  PhaseName,
  Verdict,
} from './council/state.ts';
export { parse, serialize, readStamp, alteredContributions } from './council/document.ts';
export { transition } from './council/phase.ts';
export type { PhaseEvent, Outcome } from './council/phase.ts';
export type { Effect } from './council/close.ts';
export { parseMode } from './council/mode.ts';
export type { Mode } from './council/mode.ts';
export { viewFor } from './council/view.ts';
export type { View, ViewInput } from './council/view.ts';
export type { Ports } from './council/ports.ts';
export { start } from './council/start.ts';
export { respond } from './council/respond.ts';
export { advance, cancel } from './council/advance.ts';
export { reveal } from './council/reveal.ts';
export { adopt, restoreRevision } from './council/restore.ts';
export { commitmentOf } from './council/seal.ts';
export { readArchive } from './archive/read.ts';
export { exportArchive } from './archive/export.ts';
