// The use cases of messages, tasks and workers, by command name.
import * as archive from '../core/app/input/archive.ts';
import * as messages from './input/messages.ts';
import { auditFields, approvalsFields, taskFields, protocolFields } from './input/tasks.ts';
import * as project from '../core/app/input/project.ts';
import { createUseCase, nameUseCases } from '../core/app/use-cases.ts';

const importReservations = () => import('./messages/use/reserve.ts');

export const teamUseCases = nameUseCases({
  metrics: createUseCase(archive.metricsFields, async () => (await import('./metrics.ts')).reportMetrics),
  logs: createUseCase(archive.logsFields, async () => (await import('./log/logs.ts')).readLaunchLogs),
  send: createUseCase(messages.sendFields, async () => (await import('./messages/use/send.ts')).send),
  inbox: createUseCase(messages.inboxFields, async () => (await import('./messages/use/inbox.ts')).readInbox),
  ack: createUseCase(messages.ackFields, async () => (await import('./messages/use/inbox.ts')).ack),
  nack: createUseCase(messages.nackFields, async () => (await import('./messages/use/inbox.ts')).nack),
  sent: createUseCase(
    messages.sentFields,
    async () => (await import('./messages/use/sent.ts')).listSentMessages,
  ),
  channel: createUseCase(
    messages.channelFields,
    async () => (await import('./messages/use/channel.ts')).manageChannels,
  ),
  log: createUseCase(messages.logFields, async () => (await import('./log/log.ts')).log),
  who: createUseCase(
    messages.whoFields,
    async () => async (app) => (await import('./messages/use/presence.ts')).showPresences(app),
  ),
  task: createUseCase(taskFields, async () => (await import('./tasks/use/manage-tasks.ts')).manageTasks),
  reserve: createUseCase(messages.reserveFields, async () => (await importReservations()).reserve),
  release: createUseCase(messages.releaseFields, async () => (await importReservations()).release),
  reservations: createUseCase(
    messages.reservationsFields,
    async () => async (app) => (await importReservations()).listReservations(app),
  ),
  approvals: createUseCase(
    approvalsFields,
    async () => (await import('./approvals/approvals.ts')).manageApprovals,
  ),
  audit: createUseCase(auditFields, async () => (await import('./approvals/approvals.ts')).readAuditTrail),
  agents: createUseCase(project.agentsFields, async () => (await import('./agents/agents.ts')).manageAgents),
  protocol: createUseCase(
    protocolFields,
    async () => (await import('./messages/use/protocol.ts')).processProtocol,
  ),
});
