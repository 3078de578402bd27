// The contract suites on PostgreSQL.
import { randomBytes } from 'node:crypto';
import { describe, it } from 'vitest';
import { openAgentHealth } from '../../../src/core/store/agent-health.ts';
import { deferStore } from '../../../src/postgres/store/deferred.ts';
import { memoryAccessTokens } from '../../helpers/memory-drivers.ts';
import { createDeliveries } from '../../../src/team/messages/delivery.ts';
import { createMailboxes } from '../../../src/team/messages/mailbox.ts';
import { createMemoryTexts } from '../../../src/core/store/memory/memory-store.ts';
import { requireArchivePath } from '../../../src/core/store/names.ts';
import { createTaskStore } from '../../../src/team/tasks/store.ts';
import { accessTokensContract } from '../../contracts/access-tokens.ts';
import { agentHealthContract } from '../../contracts/agent-health.ts';
import { archivesContract } from '../../contracts/archives.ts';
import { deliveriesContract, mailboxesContract } from '../../contracts/deliveries.ts';
import { lateFilesContract } from '../../contracts/late-files.ts';
import { messageLogContract } from '../../contracts/message-log.ts';
import { heartbeatsContract } from '../../contracts/heartbeats.ts';
import { presencesContract } from '../../contracts/presences.ts';
import { storeContract } from '../../contracts/store.ts';
import { tasksContract } from '../../contracts/tasks.ts';
import { sharedPostgres } from '../../helpers/postgres/shared.ts';
import { macrotask, yieldingDocuments } from '../../helpers/yielding.ts';
import { opener, preparedPlace } from './place.ts';

const server = await sharedPostgres();
if (!server) {
  describe.skip('PostgreSQL', () => it('needs a server'));
} else {
  const open = opener(await preparedPlace(server));
  /** The ports of a project of its own, which is opened once. */
  const ports = (project?: string) => {
    let opened: ReturnType<typeof open> | undefined;
    return deferStore(() => (opened ??= open(project)), {
      displayName: 'here',
      local: createMemoryTexts(),
      archives: { dir: 'conseils', absolute: requireArchivePath },
    });
  };
  const documents = (kind = 'council') => ports().documents(kind);
  accessTokensContract('postgres', () => {
    const project = randomBytes(6).toString('hex');
    const tokens = () => ports(project).accessTokens(memoryAccessTokens());
    return { one: tokens(), again: tokens() };
  });
  storeContract('postgres', () => documents(), { locks: true });
  storeContract('postgres, others going first', () => yieldingDocuments(documents(), macrotask));
  lateFilesContract('postgres', () => ports().lateFiles());
  archivesContract('postgres', () => ports().archives());
  messageLogContract('postgres', () => ports().messages());
  presencesContract('postgres', () => ports().presences());
  heartbeatsContract('postgres', () => ports().heartbeats());
  agentHealthContract('postgres', () => openAgentHealth(documents('health')));
  tasksContract('postgres', () => createTaskStore(documents('tasks')));
  mailboxesContract('postgres', () => createMailboxes(documents('mail')));
  deliveriesContract('postgres', () => createDeliveries(documents('deliveries')));
}
