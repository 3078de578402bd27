// Public interface of the package (re-exports only).
export type { PhaseName } from './core/council/state/allowed-values.ts';
export { PHASES } from './core/council/state/allowed-values.ts';
// The library's public names, listed one by one.
export { CouncilError, EXIT_CODES } from './core/base/errors.ts';
export type { ErrorCode } from './core/base/errors.ts';
export type { Clock, Random } from './core/base/clock.ts';
export type {
  Documents,
  Stored,
  Version,
  Change,
  Updated,
  Stamp,
  ReadStamp,
} from './core/store/documents.ts';
export { fileStore } from './core/store/file/file-store.ts';
export type { HandEdits } from './core/store/documents.ts';
export { memoryMessageLog, memoryStore } from './core/store/memory/memory-store.ts';
export { memoryPorts } from './core/app/storage/memory-ports.ts';
export { initProject } from './core/store/local/project.ts';
export type { Prepared } from './core/store/local/project.ts';
export { parseAgent } from './core/agents/agent.ts';
export { renderAgent } from './core/agents/render-agent.ts';
export type { Agent } from './core/agents/agent.ts';
export { agentRegistry } from './core/agents/registry.ts';
export type { AgentRegistry } from './core/agents/registry.ts';
export { awaited } from './core/council/state/state.ts';
export type {
  Absence,
  Contribution,
  Council,
  CouncilState,
  Decision,
  Participant,
  Verdict,
} from './core/council/state/state.ts';
export { parse, serialize, readStamp, alteredContributions } from './core/council/document/document.ts';
export { transition } from './core/council/machine/transition.ts';
export type { PhaseEvent, TransitionResult } from './core/council/machine/transition.ts';
export type { Notice } from './core/council/machine/transition-result.ts';
export { closeRound as closeTour } from './core/council/ledger/ledger.ts';
export { decide } from './core/council/vote/decision.ts';
export type { DecisionInput } from './core/council/vote/decision.ts';
export { blindVotes, collectVotes } from './core/council/vote/votes.ts';
export type { Vote } from './core/council/vote/votes.ts';
export { computeMetrics } from './core/council/vote/metrics.ts';
export type { Metrics, MetricsInput } from './core/council/vote/metrics.ts';
export { parseMode } from './core/council/state/mode.ts';
export type { Mode } from './core/council/state/mode.ts';
export { viewFor } from './core/council/view/view.ts';
export type { View, ViewInput } from './core/council/view/view.ts';
export type { Ports } from './core/council/use/ports.ts';
export { start } from './core/council/use/start.ts';
export { respond } from './core/council/use/respond.ts';
export { advance, cancel } from './core/council/use/advance.ts';
export { reveal } from './core/council/use/seal.ts';
export { adopt, restoreRevision } from './core/council/use/restore.ts';
export { commitmentOf } from './core/council/use/seal.ts';
export { readArchive } from './core/archive/read.ts';
export { exportArchive } from './core/archive/export.ts';
export { codecs, formatOf } from './team/messages/codecs/codecs.ts';
export type {
  Codec,
  Decoded,
  EncodeOptions,
  Encoded,
  WireError,
} from './team/messages/codecs/codec-types.ts';
export type { Format, Message, Priority } from './team/messages/message.ts';
export { convert } from './team/messages/convert.ts';
export type { Converted, ConvertOptions } from './team/messages/convert.ts';
export { followConversation } from './team/messages/conversation.ts';
export { signLine, checkLine } from './team/messages/codecs/line-agreement.ts';
export { negotiate } from './team/messages/codecs/line-agreement.ts';
export type { Agreement } from './team/messages/codecs/line-agreement.ts';
export type { MessageLog, Span } from './core/store/message-log.ts';
export { messageFiles } from './core/store/file/message-files.ts';
export { poster, readMessages } from './team/messages/channel.ts';
export type { Draft, Post, Posted } from './team/messages/channel.ts';
export { isFor, wakes } from './team/messages/addressing.ts';
export type { DayLog } from './team/log/day-log.ts';
export { dayLogFiles } from './team/log/day-log.ts';
export { parseLogEntry as readEntry } from './team/messages/log-entry-schema.ts';
export type { Entry } from './team/messages/log-entry-schema.ts';
export { logLine } from './team/messages/log-entry.ts';
