// Every contract on every driver of its port, and on each driver once more with others going first at every call.
import { createJsonStampReader } from '../../../src/core/store/documents.ts';
import { join } from 'node:path';
import { openAgentHealth, readHealthStamp } from '../../../src/core/store/agent-health.ts';
import { createTaskStore } from '../../../src/team/tasks/store.ts';
import { createMemoryDueIndex } from '../../../src/core/store/due-index.ts';
import { archiveFiles, openLateFiles } from '../../../src/core/store/file/archive-files.ts';
import { fileStore } from '../../../src/core/store/file/file-store.ts';

import { fingerprintFolder } from '../../../src/core/store/file/list-documents.ts';
import { messageFiles } from '../../../src/core/store/file/message-files.ts';
import { openPresenceFiles, openHeartbeatFiles } from '../../../src/core/store/file/heartbeat-files.ts';
import { openPrivateDir } from '../../../src/core/store/file/private-dir.ts';
import {
  createMemoryArchives,
  createMemoryLateFiles,
  createMemoryTexts,
  memoryMessageLog,
  memoryStore,
} from '../../../src/core/store/memory/memory-store.ts';
import { memoryHeartbeats, memoryPresences } from '../../helpers/memory-drivers.ts';
import { createDeliveries } from '../../../src/team/messages/delivery.ts';
import { createMailboxes } from '../../../src/team/messages/mailbox.ts';

import { agentHealthContract } from '../../contracts/agent-health.ts';
import { archivesContract } from '../../contracts/archives.ts';
import { dueIndexContract } from '../../contracts/due-index.ts';
import { lateFilesContract } from '../../contracts/late-files.ts';
import { deliveriesContract, mailboxesContract } from '../../contracts/deliveries.ts';
import { messageLogContract } from '../../contracts/message-log.ts';
import { heartbeatsContract } from '../../contracts/heartbeats.ts';
import { presencesContract } from '../../contracts/presences.ts';
import { privateTextsContract } from '../../contracts/private-texts.ts';
import { storeContract } from '../../contracts/store.ts';
import { tasksContract } from '../../contracts/tasks.ts';
import { macrotask, yielding, yieldingDocuments } from '../../helpers/yielding.ts';
import { bench, scratch } from './scratch.ts';

const drivers = {
  file: {
    texts: () => {
      const dir = scratch();
      return openPrivateDir({
        env: { XDG_STATE_HOME: join(dir, 'state') },
        projectRoot: join(dir, 'project'),
      });
    },
    late: () => openLateFiles(scratch()),
    messages: () => messageFiles({ dir: scratch() }),
    presences: () => openPresenceFiles(scratch()),
    heartbeats: () => openHeartbeatFiles(scratch()),
    archives: () => archiveFiles({ root: scratch() }),
    documents: () => bench().store,
    health: () => fileStore({ dir: scratch(), prefix: '', readStamp: readHealthStamp }),
    due: () => {
      const { dir, store } = bench();
      return {
        store,
        due: createMemoryDueIndex(async (name, now) => fingerprintFolder(join(dir, '.versions', name), now)),
      };
    },
    tasks: () => fileStore({ dir: scratch(), prefix: '', readStamp: createJsonStampReader('tasks') }),
    mail: () => fileStore({ dir: scratch(), prefix: '', readStamp: createJsonStampReader('mailbox') }),
    deliveries: () =>
      fileStore({ dir: scratch(), prefix: '', readStamp: createJsonStampReader('deliveries') }),
  },
  memory: {
    texts: () => createMemoryTexts(),
    late: createMemoryLateFiles,
    messages: memoryMessageLog,
    presences: memoryPresences,
    heartbeats: () => memoryHeartbeats(),
    archives: () => createMemoryArchives(),
    documents: memoryStore,
    health: memoryStore,
    due: () => {
      const store = memoryStore();
      return { store, due: createMemoryDueIndex((name) => store.revision(name)) };
    },
    tasks: memoryStore,
    mail: memoryStore,
    deliveries: memoryStore,
  },
};

for (const [
  name,
  { texts, late, messages, presences, heartbeats, archives, documents, health, due, tasks, mail, deliveries },
] of Object.entries(drivers)) {
  privateTextsContract(name, texts);
  lateFilesContract(name, late);
  messageLogContract(name, messages);
  presencesContract(name, presences);
  heartbeatsContract(name, heartbeats);
  archivesContract(name, archives);
  agentHealthContract(name, () => openAgentHealth(health()));
  dueIndexContract(name, due);
  tasksContract(name, () => createTaskStore(tasks()));
  mailboxesContract(name, () => createMailboxes(mail()));
  deliveriesContract(name, () => createDeliveries(deliveries()));
  const slow = `${name}, others going first`;
  privateTextsContract(slow, () => yielding(texts(), macrotask, ['path']));
  lateFilesContract(slow, () => yielding(late(), macrotask));
  messageLogContract(slow, () => yielding(messages(), macrotask, ['watch']));
  archivesContract(slow, () => yielding(archives(), macrotask, ['absolute']));
  agentHealthContract(slow, () => openAgentHealth(yieldingDocuments(health(), macrotask)));
  tasksContract(slow, () => createTaskStore(yieldingDocuments(tasks(), macrotask)));
  mailboxesContract(slow, () => createMailboxes(yieldingDocuments(mail(), macrotask)));
  deliveriesContract(slow, () => createDeliveries(yieldingDocuments(deliveries(), macrotask)));
  storeContract(slow, () => yieldingDocuments(documents(), macrotask));
}
