// Storage for workers: the memories of agents, and the journal of a tool loop among the private texts.
import { join } from 'node:path';
import type { Memory } from '../../core/store/agent-memory.ts';
import type { Memories } from '../../core/store/file/agent-memory.ts';
import { findPathKind } from '../../core/store/local/project.ts';
import type { Project } from '../../core/store/local/project.ts';
import type { Journal } from '../../core/agents/tools/tool.ts';
import { formatIso } from '../../core/base/clock.ts';
import type { Clock } from '../../core/base/clock.ts';
import { sha256OfParts } from '../../core/base/ids.ts';
import { decodeText } from '../../core/base/text.ts';
import type { PrivateTexts } from '../../core/store/small-files.ts';

/** Number of memories in a prompt. */
const MOST_RECALLED = 10;

const getMemoryPath = ({ shared }: Pick<Project, 'shared'>): string =>
  join(shared, '.versions', '.memory', 'agents.sqlite');

/** Opens the memories of a project. The caller closes them. */
export async function openMemories(project: Pick<Project, 'root' | 'shared'>): Promise<Memories> {
  const { openAgentMemories } = await import('../../core/store/file/agent-memory.ts');
  return openAgentMemories({ path: getMemoryPath(project), root: project.root });
}

/** Returns the newest memories of an agent, newest first. */
export async function recallNewestMemories(
  project: Pick<Project, 'root' | 'shared'>,
  agent: string,
): Promise<Memory[]> {
  if (findPathKind(getMemoryPath(project)) === undefined) return [];
  const memories = await openMemories(project);
  try {
    return await memories.openMemory(agent).list({ limit: MOST_RECALLED });
  } finally {
    memories.close();
  }
}

/** Private texts of all projects share one folder, so the name is a hash of project, session, task and agent. */
function hashFolderName(...parts: string[]): string {
  const hash = sha256OfParts(parts);
  const part = (start: number, end: number): string => hash.slice(start, end);
  return `${part(0, 8)}-${part(8, 12)}-8${part(13, 16)}-8${part(17, 20)}-${part(20, 32)}`;
}

interface JournalOwner {
  root: string;
  session: string;
  task: string;
  agent: string;
}

/** Opens a journal: one file per entry, sorted by name. Like all private texts, they are deleted after 30 days. */
export function createLoopJournal(
  texts: PrivateTexts,
  clock: Pick<Clock, 'now'>,
  { root, session, task, agent }: JournalOwner,
): Journal {
  const folder = hashFolderName('tool-loop', root, session, task, agent);
  let last = 0;
  const formatEntryName = (number: number): string => `entry-${String(number).padStart(6, '0')}.json`;
  return {
    async read() {
      const names = (await texts.list(folder)).filter((name) => /^entry-\d{6}\.json$/.test(name)).sort();
      last = Number(names.at(-1)?.slice(6, 12) ?? 0);
      const found = await Promise.all(names.map((name) => texts.read(folder, name)));
      return found.flatMap((bytes, at) => (bytes ? [decodeText(bytes, names[at] ?? folder)] : []));
    },
    async append(entry) {
      last++;
      await texts.write(folder, formatEntryName(last), Buffer.from(entry));
      if (last === 1) await texts.markArchived(folder, formatIso(clock.now()));
    },
  };
}
