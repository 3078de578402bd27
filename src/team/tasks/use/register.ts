// Registers workers that join, change and leave by lines of version 5, and answers as the orchestrator.
import type { App } from '../../../core/app/app.ts';
import { loadAgents, openWorkspace } from '../../../core/app/workspace.ts';
import type { Workspace } from '../../../core/app/workspace.ts';
import { openRegistryBook } from './ports.ts';
import type { Agent } from '../../../core/agents/agent.ts';
import { CouncilError } from '../../../core/base/errors.ts';
import { decodeText } from '../../../core/base/text.ts';
import { codecs } from '../../messages/codecs/codecs.ts';
import type { WireError } from '../../messages/codecs/codec-types.ts';
import type { Member } from '../registry-members.ts';
import { expireMembers, hearWorker, refuseUnreadableLine } from '../worker-registry.ts';
import type { RegistryAnswer, Speaker } from '../worker-registry.ts';
import type { TextSource } from '../../../core/app/input/fields.ts';
import { requireSender } from '../../messages/use/send.ts';
import { dismiss } from './create-tasks.ts';

export interface RegisterDocument {
  /** The orchestrator's answers, one line each; in version 4 for workers that asked for it. */
  answers: string[];
  workers: Member[];
}

/**
 * Handles the lines of a worker. An invalid line is answered with its fault, and the others are handled. Throws
 * `usage` if there is no line of version 5 at all.
 */
export async function register(
  app: App,
  { lines, as }: { lines: TextSource | undefined; as: string | undefined },
): Promise<RegisterDocument> {
  if (lines === undefined)
    throw new CouncilError(
      'usage',
      'What does the worker say? Give its lines on stdin, or in a file with --lines.',
      {
        hint: "For example: echo 'M1|W1>O1|J|T0|-|-|-|0|S0|-|caps=plan' | council agents register",
      },
    );
  const workspace = openWorkspace(app);
  const { speaker, agent } = await resolveRegisterSpeaker(app, workspace, as);
  const said = decodeText(await lines.bytes(), 'The lines')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  const read = said.map((line) => ({ line, result: codecs.v5.decode(line) }));
  const messages = read.flatMap(({ result }) => (result.ok ? [result.value] : []));
  const [first] = read;
  if (first && !first.result.ok && messages.length === 0)
    throw createUnreadableLineError(first.line, first.result.error);
  const { registry, answers } = await openRegistryBook(app, workspace).change((before) => {
    const now = workspace.keeping.clock.now();
    let { registry: known, answers: told } = expireMembers(before, now);
    for (const { line, result } of read) {
      const heard = result.ok
        ? hearWorker(known, result.value, speaker, now)
        : refuseUnreadableLine(known, guessLineSender(line), result.error);
      [known, told] = [heard.registry, [...told, ...heard.answers]];
    }
    return { registry: known, result: { registry: known, answers: told } };
  });
  const hasLeft = agent && messages.some(({ kind }) => kind === 'leave');
  if (hasLeft && !registry.members.some((one) => one.agent === agent.id))
    dismiss({ project: workspace.project, note: (message) => app.note(message) }, agent, 'has left');
  return { answers: answers.map(encodeRegistryAnswer), workers: [...registry.members] };
}

/** Returns the workers that have joined, including permanent ones that left. */
export async function listJoinedWorkers(
  app: App,
  workspace: Pick<Workspace, 'project' | 'keeping'>,
): Promise<Member[]> {
  const book = openRegistryBook(app, workspace);
  return [...expireMembers(await book.read(), workspace.keeping.clock.now()).registry.members];
}

/** A named agent has the lifecycle of its file. Throws `unknown_agent`, `forbidden`. */
async function resolveRegisterSpeaker(
  app: App,
  workspace: Workspace,
  as: string | undefined,
): Promise<{ speaker: Speaker; agent: Agent | undefined }> {
  if (as === undefined) return { speaker: { agent: null, lifecycle: null, ttl: null }, agent: undefined };
  const agent = (await loadAgents(app, workspace)).require(requireSender(as));
  const { id, lifecycle, ttl } = agent;
  return { speaker: { agent: id, lifecycle, ttl }, agent };
}

/** Returns the recipient of the answer to an invalid line: its sender, if readable. */
const guessLineSender = (line: string): string => /^M\d+\|(W[1-9]\d?)>O[1-9]\|/.exec(line)?.[1] ?? '*';

function createUnreadableLineError(
  line: string,
  { code, segment, name, expected, received }: WireError,
): CouncilError {
  const what = `expected ${expected}; received ${JSON.stringify(received)}`;
  return new CouncilError('usage', `${code} at segment ${segment} (${name}): ${what}.`, {
    hint: 'See: council protocol explain --from v5',
    details: { line: line.slice(0, 200) },
  });
}

function encodeRegistryAnswer({ message, version }: RegistryAnswer): string {
  const line = codecs[version].encode(message, { asRead: true });
  if (line.ok) return line.value;
  throw new CouncilError('failed', `The answer to a worker cannot be written: ${line.error.expected}.`, {
    hint: 'This is a fault of the program: please report it.',
  });
}
