// The use cases of remote workers and of access, by the name of their command.
import * as fields from './input.ts';
import { useCase } from '../core/app/use-cases.ts';

export const serverUseCases = {
  lease: useCase('lease', fields.leaseFields, async () => (await import('./remote-worker/lease.ts')).lease),
  renew: useCase('renew', fields.renewFields, async () => (await import('./remote-worker/lease.ts')).renew),
  record: useCase(
    'record',
    fields.recordFields,
    async () => (await import('./remote-worker/record.ts')).record,
  ),
  fail: useCase('fail', fields.failFields, async () => (await import('./remote-worker/record.ts')).fail),
  token: useCase('token', fields.tokenFields, async () => (await import('./access/token.ts')).token),
  open: useCase('open', fields.openFields, async () => (await import('./access/open.ts')).open),
  invite: useCase('invite', fields.inviteFields, async () => (await import('./access/open.ts')).invite),
};
