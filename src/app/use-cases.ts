// Table of all use cases by the name of their command.
import type { App, Result } from './app.ts';
import { checkInput } from './input/check-input.ts';
import type { Given } from './input/check-input.ts';
import type { Fields, InputOf, Raw } from './input/fields.ts';
import * as archive from './input/archive.ts';
import * as leased from './input/leased.ts';
import * as messages from './input/messages.ts';
import * as reservations from './input/reservations.ts';
import { auditFields } from './input/audit.ts';
import { approvalsFields } from './input/approvals.ts';
import * as project from './input/project.ts';
import * as council from './input/council.ts';
import { taskFields } from './input/tasks.ts';
import { inviteFields, openFields, tokenFields } from './input/access.ts';
import { protocolFields } from './input/protocol.ts';
import { readFields } from './input/read.ts';
import { storeFields } from './input/store.ts';

/** A use case for a face that calls many of them alike. */
export interface UseCase {
  fields: Fields;
  /** Checks what was given, then does it. */
  perform(app: App, raw: Raw, given: Omit<Given, 'command'>): Promise<Result>;
}

/** `load` is the only import that a call pays for. */
function useCase<F extends Fields>(
  command: string,
  fields: F,
  load: () => Promise<(app: App, input: InputOf<F>) => Promise<Result>>,
): UseCase {
  return {
    fields,
    async perform(app, raw, given) {
      const input = checkInput(fields, raw, { ...given, command });
      return (await load())(app, input);
    },
  };
}

const revisions = () => import('./revisions.ts');
const archives = () => import('./archives.ts');
const manage = () => import('./manage.ts');
const reserving = () => import('./messages/reserve.ts');
const schedule = () => import('./schedule/install.ts');

/** Every use case that ends with a document, by the name of its command. */
export const useCases = {
  run: useCase(
    'run',
    council.runFields,
    async () => async (app, input) =>
      input.dryRun
        ? (await import('./before/plan.ts')).plan(app, input)
        : (await import('./run.ts')).run(app, input),
  ),
  demo: useCase('demo', project.demoFields, async () => async (app) => (await import('./demo.ts')).demo(app)),
  start: useCase('start', council.startFields, async () => (await import('./start.ts')).start),
  respond: useCase('respond', council.respondFields, async () => (await import('./respond.ts')).respond),
  view: useCase('view', council.viewFields, async () => (await import('./view.ts')).view),
  read: useCase('read', readFields, async () => (await import('./read.ts')).read),
  status: useCase('status', council.statusFields, async () => (await import('./status.ts')).status),
  wait: useCase('wait', council.waitFields, async () => (await import('./wait.ts')).wait),
  tick: useCase('tick', council.tickFields, async () => (await import('./tick.ts')).tick),
  extend: useCase('extend', council.extendFields, async () => (await manage()).extend),
  excuse: useCase('excuse', council.excuseFields, async () => (await manage()).excuse),
  retry: useCase('retry', council.retryFields, async () => (await manage()).retry),
  cancel: useCase('cancel', council.cancelFields, async () => (await manage()).cancel),
  reveal: useCase('reveal', council.revealFields, async () => (await manage()).reveal),
  history: useCase('history', archive.historyFields, async () => (await revisions()).history),
  restore: useCase('restore', archive.restoreFields, async () => (await revisions()).restore),
  adopt: useCase('adopt', archive.adoptFields, async () => (await revisions()).adopt),
  list: useCase('list', archive.listFields, async () => (await archives()).list),
  show: useCase('show', archive.showFields, async () => (await archives()).show),
  search: useCase('search', archive.searchFields, async () => (await import('./search.ts')).search),
  archives: useCase(
    'archives',
    archive.archivesFields,
    async () => (await import('./pull-archives.ts')).pullArchives,
  ),
  export: useCase('export', archive.exportFields, async () => (await import('./export.ts')).exportCouncil),
  cost: useCase('cost', archive.costFields, async () => (await import('./cost.ts')).cost),
  logs: useCase('logs', archive.logsFields, async () => (await import('./logs.ts')).logs),
  ledger: useCase('ledger', archive.ledgerFields, async () => (await import('./ledger.ts')).ledger),
  metrics: useCase('metrics', archive.metricsFields, async () => (await import('./ledger.ts')).metrics),
  send: useCase('send', messages.sendFields, async () => (await import('./messages/send.ts')).send),
  inbox: useCase('inbox', messages.inboxFields, async () => (await import('./messages/inbox.ts')).inbox),
  ack: useCase('ack', messages.ackFields, async () => (await import('./messages/answer.ts')).ack),
  nack: useCase('nack', messages.nackFields, async () => (await import('./messages/answer.ts')).nack),
  sent: useCase('sent', messages.sentFields, async () => (await import('./messages/sent.ts')).sent),
  channel: useCase(
    'channel',
    messages.channelFields,
    async () => (await import('./messages/channel.ts')).channel,
  ),
  log: useCase('log', messages.logFields, async () => (await import('./log/log.ts')).log),
  who: useCase(
    'who',
    messages.whoFields,
    async () => async (app) => (await import('./messages/who.ts')).who(app),
  ),
  task: useCase('task', taskFields, async () => (await import('./tasks/task.ts')).task),
  reserve: useCase('reserve', reservations.reserveFields, async () => (await reserving()).reserve),
  release: useCase('release', reservations.releaseFields, async () => (await reserving()).release),
  reservations: useCase(
    'reservations',
    reservations.reservationsFields,
    async () => async (app) => (await reserving()).reservations(app),
  ),
  approvals: useCase(
    'approvals',
    approvalsFields,
    async () => (await import('./approvals/approvals.ts')).approvals,
  ),
  lease: useCase('lease', leased.leaseFields, async () => (await import('./leased/lease.ts')).lease),
  renew: useCase('renew', leased.renewFields, async () => (await import('./leased/lease.ts')).renew),
  record: useCase('record', leased.recordFields, async () => (await import('./leased/record.ts')).record),
  fail: useCase('fail', leased.failFields, async () => (await import('./leased/record.ts')).fail),
  token: useCase('token', tokenFields, async () => (await import('./access/token.ts')).token),
  open: useCase('open', openFields, async () => (await import('./access/open.ts')).open),
  invite: useCase('invite', inviteFields, async () => (await import('./access/invite.ts')).invite),
  audit: useCase('audit', auditFields, async () => (await import('./audit/audit.ts')).audit),
  init: useCase('init', project.initFields, async () => (await import('./init.ts')).init),
  doctor: useCase('doctor', project.doctorFields, async () => (await import('./doctor/doctor.ts')).doctor),
  agents: useCase('agents', project.agentsFields, async () => (await import('./agents.ts')).agents),
  trust: useCase('trust', project.trustFields, async () => (await import('./trust-project.ts')).trust),
  modes: useCase('modes', project.modesFields, async () => (await import('./list-modes.ts')).modes),
  install: useCase('install', project.installFields, async () => (await schedule()).install),
  uninstall: useCase('uninstall', project.uninstallFields, async () => (await schedule()).uninstall),
  store: useCase('store', storeFields, async () => (await import('./store.ts')).store),
  protocol: useCase('protocol', protocolFields, async () => (await import('./protocol.ts')).protocol),
  skill: useCase('skill', project.skillFields, async () => (await import('./skill.ts')).skill),
};

export type UseCaseName = keyof typeof useCases;
