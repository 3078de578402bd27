// The use cases of remote workers and of access, by the name of their command.
import * as fields from './input.ts';
import { createUseCase } from '../core/app/use-cases.ts';

export const serverUseCases = {
  lease: createUseCase(
    'lease',
    fields.leaseFields,
    async () => (await import('./remote-worker/lease.ts')).lease,
  ),
  renew: createUseCase(
    'renew',
    fields.renewFields,
    async () => (await import('./remote-worker/lease.ts')).renew,
  ),
  record: createUseCase(
    'record',
    fields.recordFields,
    async () => (await import('./remote-worker/record.ts')).record,
  ),
  fail: createUseCase(
    'fail',
    fields.failFields,
    async () => (await import('./remote-worker/record.ts')).fail,
  ),
  token: createUseCase(
    'token',
    fields.tokenFields,
    async () => (await import('./access/token.ts')).manageTokens,
  ),
  open: createUseCase('open', fields.openFields, async () => (await import('./access/open.ts')).open),
  invite: createUseCase('invite', fields.inviteFields, async () => (await import('./access/open.ts')).invite),
};
