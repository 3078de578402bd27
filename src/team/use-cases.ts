// The use cases of messages, tasks and workers, by command name.
import * as archive from '../core/app/input/archive.ts';
import * as messages from './input/messages.ts';
import { auditFields, approvalsFields, taskFields, protocolFields } from './input/tasks.ts';
import * as project from '../core/app/input/project.ts';
import { createUseCase } from '../core/app/use-cases.ts';

const importReservations = () => import('./messages/use/reserve.ts');

export const teamUseCases = {
  metrics: createUseCase(
    'metrics',
    archive.metricsFields,
    async () => (await import('./metrics.ts')).reportMetrics,
  ),
  logs: createUseCase('logs', archive.logsFields, async () => (await import('./log/logs.ts')).readLaunchLogs),
  send: createUseCase('send', messages.sendFields, async () => (await import('./messages/use/send.ts')).send),
  inbox: createUseCase(
    'inbox',
    messages.inboxFields,
    async () => (await import('./messages/use/inbox.ts')).readInbox,
  ),
  ack: createUseCase('ack', messages.ackFields, async () => (await import('./messages/use/inbox.ts')).ack),
  nack: createUseCase(
    'nack',
    messages.nackFields,
    async () => (await import('./messages/use/inbox.ts')).nack,
  ),
  sent: createUseCase(
    'sent',
    messages.sentFields,
    async () => (await import('./messages/use/sent.ts')).listSentMessages,
  ),
  channel: createUseCase(
    'channel',
    messages.channelFields,
    async () => (await import('./messages/use/channel.ts')).manageChannels,
  ),
  log: createUseCase('log', messages.logFields, async () => (await import('./log/log.ts')).log),
  who: createUseCase(
    'who',
    messages.whoFields,
    async () => async (app) => (await import('./messages/use/presence.ts')).showPresences(app),
  ),
  task: createUseCase(
    'task',
    taskFields,
    async () => (await import('./tasks/use/manage-tasks.ts')).manageTasks,
  ),
  reserve: createUseCase('reserve', messages.reserveFields, async () => (await importReservations()).reserve),
  release: createUseCase('release', messages.releaseFields, async () => (await importReservations()).release),
  reservations: createUseCase(
    'reservations',
    messages.reservationsFields,
    async () => async (app) => (await importReservations()).listReservations(app),
  ),
  approvals: createUseCase(
    'approvals',
    approvalsFields,
    async () => (await import('./approvals/approvals.ts')).manageApprovals,
  ),
  audit: createUseCase(
    'audit',
    auditFields,
    async () => (await import('./approvals/approvals.ts')).readAuditTrail,
  ),
  agents: createUseCase(
    'agents',
    project.agentsFields,
    async () => (await import('./agents/agents.ts')).manageAgents,
  ),
  protocol: createUseCase(
    'protocol',
    protocolFields,
    async () => (await import('./messages/use/protocol.ts')).processProtocol,
  ),
};
