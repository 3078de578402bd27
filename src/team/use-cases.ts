// The use cases of messages, tasks and workers, by command name.
import * as archive from '../core/app/input/archive.ts';
import * as messages from './input/messages.ts';
import { auditFields, approvalsFields, taskFields, protocolFields } from './input/tasks.ts';
import * as project from '../core/app/input/project.ts';
import { useCase } from '../core/app/use-cases.ts';

const importReservations = () => import('./messages/use/reserve.ts');

export const teamUseCases = {
  metrics: useCase('metrics', archive.metricsFields, async () => (await import('./metrics.ts')).metrics),
  logs: useCase('logs', archive.logsFields, async () => (await import('./log/logs.ts')).logs),
  send: useCase('send', messages.sendFields, async () => (await import('./messages/use/send.ts')).send),
  inbox: useCase('inbox', messages.inboxFields, async () => (await import('./messages/use/inbox.ts')).inbox),
  ack: useCase('ack', messages.ackFields, async () => (await import('./messages/use/inbox.ts')).ack),
  nack: useCase('nack', messages.nackFields, async () => (await import('./messages/use/inbox.ts')).nack),
  sent: useCase('sent', messages.sentFields, async () => (await import('./messages/use/sent.ts')).sent),
  channel: useCase(
    'channel',
    messages.channelFields,
    async () => (await import('./messages/use/channel.ts')).channel,
  ),
  log: useCase('log', messages.logFields, async () => (await import('./log/log.ts')).log),
  who: useCase(
    'who',
    messages.whoFields,
    async () => async (app) => (await import('./messages/use/presence.ts')).who(app),
  ),
  task: useCase('task', taskFields, async () => (await import('./tasks/use/task.ts')).task),
  reserve: useCase('reserve', messages.reserveFields, async () => (await importReservations()).reserve),
  release: useCase('release', messages.releaseFields, async () => (await importReservations()).release),
  reservations: useCase(
    'reservations',
    messages.reservationsFields,
    async () => async (app) => (await importReservations()).reservations(app),
  ),
  approvals: useCase(
    'approvals',
    approvalsFields,
    async () => (await import('./approvals/approvals.ts')).approvals,
  ),
  audit: useCase('audit', auditFields, async () => (await import('./approvals/approvals.ts')).audit),
  agents: useCase('agents', project.agentsFields, async () => (await import('./agents/agents.ts')).agents),
  protocol: useCase(
    'protocol',
    protocolFields,
    async () => (await import('./messages/use/protocol.ts')).protocol,
  ),
};
