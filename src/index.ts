// Public interface of the package (re-exports only).
export type { PhaseName } from './council/state/choices.ts';
export { PHASES } from './council/state/choices.ts';
// The library's public names, listed one by one.
export { CouncilError, EXIT_CODES } from './base/errors.ts';
export type { ErrorCode } from './base/errors.ts';
export type { Clock, Random } from './base/clock.ts';
export type { Documents, Stored, Version, Change, Updated, Stamp, ReadStamp } from './store/documents.ts';
export { fileStore } from './store/file/file-store.ts';
export type { HandEdits } from './store/hand-edits.ts';
export { memoryMessageLog, memoryStore } from './store/memory/memory-store.ts';
export { initProject } from './store/local/project.ts';
export type { Prepared } from './store/local/project.ts';
export { parseAgent } from './agents/agent.ts';
export { renderAgent } from './agents/render-agent.ts';
export type { Agent } from './agents/agent.ts';
export { agentRegistry } from './agents/registry.ts';
export type { AgentRegistry } from './agents/registry.ts';
export { awaited } from './council/state/state.ts';
export type {
  Absence,
  Contribution,
  Council,
  CouncilState,
  Participant,
  Verdict,
} from './council/state/state.ts';
export { parse, serialize, readStamp, alteredContributions } from './council/document/document.ts';
export { transition } from './council/machine/transition.ts';
export type { PhaseEvent, TransitionResult } from './council/machine/transition.ts';
export type { Notice } from './council/machine/notice.ts';
export { closeTour } from './council/ledger/ledger.ts';
export { parseMode } from './council/state/mode.ts';
export type { Mode } from './council/state/mode.ts';
export { viewFor } from './council/view/view.ts';
export type { View, ViewInput } from './council/view/view.ts';
export type { Ports } from './council/use/ports.ts';
export { start } from './council/use/start.ts';
export { respond } from './council/use/respond.ts';
export { advance, cancel } from './council/use/advance.ts';
export { reveal } from './council/use/reveal.ts';
export { adopt, restoreRevision } from './council/use/restore.ts';
export { commitmentOf } from './council/use/seal.ts';
export { readArchive } from './archive/read.ts';
export { exportArchive } from './archive/export.ts';
export { codecs, formatOf } from './messages/codecs/codecs.ts';
export type { Codec, Decoded, EncodeOptions, Encoded, WireError } from './messages/codecs/result.ts';
export type { Format, Message, Priority } from './messages/message.ts';
export { convert } from './messages/convert.ts';
export type { Converted, ConvertOptions } from './messages/convert.ts';
export { followConversation } from './messages/conversation.ts';
export { signLine, checkLine } from './messages/codecs/auth.ts';
export { negotiate } from './messages/negotiate.ts';
export type { Agreement } from './messages/negotiate.ts';
export type { MessageLog, Span } from './store/message-log.ts';
export { messageFiles } from './store/file/message-files.ts';
export { poster, readMessages } from './messages/channel.ts';
export type { Draft, Post, Posted } from './messages/channel.ts';
export { isFor, wakes } from './messages/addressing.ts';
export type { DayLog } from './store/day-log.ts';
export { dayLogFiles } from './store/file/day-log.ts';
export { readEntry } from './messages/entry.ts';
export type { Entry } from './messages/entry.ts';
export { logLine } from './messages/entry-line.ts';
