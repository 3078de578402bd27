// The use cases of workers elsewhere and of access, by the name of their command.
import * as leased from './input/remote-worker.ts';
import { inviteFields, openFields, tokenFields } from './input/access.ts';
import { useCase } from '../core/app/use-cases.ts';

export const serverUseCases = {
  lease: useCase('lease', leased.leaseFields, async () => (await import('./remote-worker/lease.ts')).lease),
  renew: useCase('renew', leased.renewFields, async () => (await import('./remote-worker/lease.ts')).renew),
  record: useCase(
    'record',
    leased.recordFields,
    async () => (await import('./remote-worker/record.ts')).record,
  ),
  fail: useCase('fail', leased.failFields, async () => (await import('./remote-worker/record.ts')).fail),
  token: useCase('token', tokenFields, async () => (await import('./access/token.ts')).token),
  open: useCase('open', openFields, async () => (await import('./access/open.ts')).open),
  invite: useCase('invite', inviteFields, async () => (await import('./access/open.ts')).invite),
};
