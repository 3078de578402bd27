// The use cases of remote workers and of access, by the name of their command.
import * as fields from './input.ts';
import { createUseCase, nameUseCases } from '../core/app/use-cases.ts';

export const serverUseCases = nameUseCases({
  lease: createUseCase(fields.leaseFields, async () => (await import('./remote-worker/lease.ts')).lease),
  renew: createUseCase(fields.renewFields, async () => (await import('./remote-worker/lease.ts')).renew),
  record: createUseCase(fields.recordFields, async () => (await import('./remote-worker/record.ts')).record),
  fail: createUseCase(fields.failFields, async () => (await import('./remote-worker/record.ts')).fail),
  token: createUseCase(fields.tokenFields, async () => (await import('./access/token.ts')).manageTokens),
  open: createUseCase(fields.openFields, async () => (await import('./access/open.ts')).open),
  invite: createUseCase(fields.inviteFields, async () => (await import('./access/open.ts')).invite),
});
