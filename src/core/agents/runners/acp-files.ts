// What an agent of the Agent Client Protocol may read of the project, where the council allows that.
import { isAbsolute, relative } from 'node:path';
import type * as Acp from '@agentclientprotocol/sdk';
import type { ReadTextFileRequest, ReadTextFileResponse, ToolCallUpdate } from '@agentclientprotocol/sdk';
import { CouncilError } from '../../base/errors.ts';
import { READ_LIMITS } from '../../base/limits.ts';
import { leadsTo, readBytes } from '../../store/local/read.ts';
import type { SpeakRequest } from './turn-types.ts';

type FileAccessRequest = Pick<SpeakRequest, 'agent' | 'cwd' | 'reads' | 'writes'>;

const READING: readonly unknown[] = ['read', 'search'];
const WRITING: readonly unknown[] = ['edit', 'delete', 'move'];

/**
 * Whether a tool of the agent may do what it asks about: read where the project lies, write where that is a worktree of its own,
 * or anything where its file says so.
 */
export function mayDo(
  { kind, locations }: ToolCallUpdate,
  { agent, cwd, reads, writes }: FileAccessRequest,
): boolean {
  if (agent.permissions === 'allow') return true;
  const isAllowed = (reads && READING.includes(kind)) || (writes && WRITING.includes(kind));
  if (!isAllowed || !locations?.length) return false;
  return locations.every(({ path }) => isInside(path, cwd));
}

/** A text file of the project, or the lines of it that are asked for. Throws the protocol's own errors. */
export function readProjectFile(
  { RequestError }: typeof Acp,
  { cwd, reads }: FileAccessRequest,
  { path, line, limit }: ReadTextFileRequest,
): ReadTextFileResponse {
  if (!reads) throw RequestError.methodNotFound('fs/read_text_file');
  // Whatever lies outside is not there.
  const bytes = isInside(path, cwd) ? readOrNot(path) : undefined;
  if (!bytes) throw RequestError.resourceNotFound(path);
  const text = bytes.toString('utf8');
  if (!line && !limit) return { content: text };
  const first = Math.max(1, line ?? 1) - 1;
  const lines = text.split('\n').slice(first, limit ? first + limit : undefined);
  return { content: lines.join('\n') };
}

function readOrNot(path: string): Buffer | undefined {
  try {
    return readBytes(path, { limit: READ_LIMITS.brief });
  } catch (error) {
    if (error instanceof CouncilError) return undefined;
    throw error;
  }
}

function isInside(path: string, folder: string): boolean {
  if (!isAbsolute(path)) return false;
  try {
    const way = relative(leadsTo(folder), leadsTo(path));
    return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
  } catch (error) {
    if (error instanceof CouncilError) return false;
    throw error;
  }
}
