// What a watcher works with and tells, and what it notes of the messages that it handles.
import type { Agent } from '../../../core/agents/agent.ts';
import type { Language } from '../../../core/base/words/words.ts';
import type { Posted } from '../channel.ts';
import { handle, isUnhandled, show } from '../mailbox.ts';
import type { Handled, Mail } from '../mailbox.ts';
import type { Office } from '../message-service.ts';
import type { Project } from '../../../core/store/local/project.ts';
import type { KeptPresence } from './presence.ts';

/** What a watcher tells: that it waits, what came, and what it did with it. */
export type WatcherNews =
  | { type: 'watching'; agent: string; channel: string }
  | { type: 'message'; message: Posted }
  | { type: 'answered'; message: Posted; id: string }
  /** By its agent itself, with a tool or command; `unsent` says that it printed something all the same. */
  | { type: 'handled'; message: Posted; as: ByItself; unsent: boolean }
  | { type: 'skipped'; message: Posted; why: string }
  | { type: 'failed'; message: Posted; why: string; attempt: number };

/** How an agent has handled a message by itself. */
export type ByItself = 'answered' | Handled['as'];

/** What a watcher works with. */
export interface Answering {
  office: Office;
  program: Agent;
  agent: string;
  channel: string;
  lang: Language;
  retries: number;
  replyErrors: boolean;
  project: Project;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** When the watcher began, in milliseconds since the epoch. */
  startedAt: number;
  presence: KeptPresence;
  /** The conversations of the agent's own messages of the last hour, by the names of their files. */
  threads: Map<string, readonly string[]>;
  tell(news: WatcherNews): void;
  /** Throws `untrusted`. */
  requireWord(agent: Agent): void;
}

const now = ({ office }: Answering): string => new Date(office.clock.now()).toISOString();

/** The messages are handled; what was handled before stays as it was. */
export async function settle(
  answering: Answering,
  messages: readonly Posted[],
  how: Pick<Handled, 'as' | 'reason'>,
): Promise<void> {
  const at = now(answering);
  const fresh = await updateMailbox(answering, messages, isUnhandled, (mail) =>
    handle(mail, messages, { ...how, at }),
  );
  const { as, reason } = how;
  const about = { agent: answering.agent, ...(as === 'refused' && reason && { reason }) };
  for (const message of fresh) await answering.office.record(as, message, about);
}

/** A turn with these messages has really begun. */
export async function markMessagesShown(answering: Answering, messages: readonly Posted[]): Promise<void> {
  const at = now(answering);
  const isNew = (mail: Mail, one: Posted): boolean =>
    isUnhandled(mail, one) && !Object.hasOwn(mail.shown, one.id);
  const fresh = await updateMailbox(answering, messages, isNew, (mail) => show(mail, messages, at));
  for (const message of fresh)
    await answering.office.record('delivered', message, { agent: answering.agent });
}

/** Changes the mailbox; resolves to those messages for which `is` held just before. */
async function updateMailbox(
  { office, agent, channel }: Answering,
  messages: readonly Posted[],
  is: (mail: Mail, message: Posted) => boolean,
  change: (mail: Mail) => Mail | undefined,
): Promise<Posted[]> {
  let fresh: Posted[] = [];
  await office.boxes.change(agent, channel, (mail) => {
    fresh = messages.filter((one) => is(mail, one));
    return change(mail);
  });
  return fresh;
}
