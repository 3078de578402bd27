// Writes the message log, and the messages of council itself.
import { join } from 'node:path';
import { runInSpan } from '../../../core/base/trace.ts';
import { poster, nameCouncilChannel, COUNCIL } from '../channel.ts';
import type { Post } from '../channel.ts';
import { createLogEntry } from '../log-entry.ts';
import type { MessageService } from '../message-service.ts';
import type { DayLog } from '../../log/day-log.ts';
import { dayLogFiles } from '../../log/day-log.ts';
import type { Project } from '../../../core/store/local/project.ts';
import { systemClock } from '../../../core/store/local/system.ts';
import type { App } from '../../../core/app/app.ts';
import type { Workspace } from '../../../core/app/workspace.ts';
import { openProjectStorage } from '../../../core/app/storage/project-storage.ts';
import type { StorageApp } from '../../../core/app/storage/ports.ts';
import { CouncilError } from '../../../core/base/errors.ts';
import { toOneLine } from '../../../core/base/text.ts';
import { fill, loadWords } from '../../../core/base/words/words.ts';
import type { Language } from '../../../core/base/words/words.ts';
import type { Notice } from '../../../core/council/machine/transition-result.ts';
import { awaited, getSeat } from '../../../core/council/state/state.ts';
import type { CouncilState } from '../../../core/council/state/state.ts';
import type { Notifier } from '../../../core/notify/notifier.ts';

/**
 * Posts the messages of council itself. No role check, and not durable: the state file contains the
 * same facts, so there is no need to wait for the disk.
 */
export function createAnnouncer(app: StorageApp, { project }: Pick<Workspace, 'project'>): Post {
  const { clock, messages } = openProjectStorage(app, project);
  const post = poster(messages(), clock);
  return logEachPost((draft) => post(draft, { durable: false }), createRecorder(app, project));
}

/** Returns a function that adds events of messages to the log of a project. */
export function createRecorder(app: Pick<App, 'note'>, project: Project): MessageService['record'] {
  const days = openDayLog(app, { project });
  return (event, message, about) => {
    const at = systemClock.now();
    return days.append(at, JSON.stringify(createLogEntry(event, message, at, about)));
  };
}

/** Wraps `post` to log every message. */
export const logEachPost =
  (post: Post, record: MessageService['record']): Post =>
  (draft, how) =>
    runInSpan(
      'council.send',
      { 'council.channel': draft.channel, 'council.type': draft.kind },
      async (tell) => {
        const message = await post(draft, how);
        tell({ 'council.message': message.id });
        await record('stored', message);
        return message;
      },
    );

export const openDayLog = (
  app: Pick<App, 'note'>,
  { project: { root } }: Pick<Workspace, 'project'>,
): DayLog => dayLogFiles({ dir: join(root, 'memory', 'logs'), root, warn: (message) => app.note(message) });

interface AnnouncerSettings {
  /** Opens the channels when there is something to announce. */
  open: () => Promise<Post>;
  lang: Language;
}

/** Posts council events, never the words of a contribution: in a blind phase these are secret. */
export const createChannelNotifier = ({ open, lang }: AnnouncerSettings): Notifier => {
  const post = async (name: string, texts: string[]) => {
    try {
      const send = await open();
      const channel = nameCouncilChannel(name);
      // Addressed to the channel: only those mentioned get it in their inbox.
      for (const body of texts)
        await send({
          from: COUNCIL,
          to: channel,
          channel,
          kind: 'event',
          body,
          turn: COUNCIL,
        });
      return [];
    } catch (error) {
      if (!(error instanceof CouncilError)) throw error;
      return [
        { type: 'warning' as const, message: `The council's channel was not written: ${error.message}` },
      ];
    }
  };
  return {
    notify: ({ state, notices }) =>
      post(
        state.name,
        notices.flatMap((notice) => renderNoticeText(state, notice) ?? []),
      ),
    tellLanding: (name, participant) => post(name, [fill(loadWords(lang).notice.landed, { participant })]),
  };
};

function renderNoticeText(state: CouncilState, notice: Notice): string | undefined {
  const { notice: words } = loadWords(state.lang);
  switch (notice.type) {
    case 'phase_opened': {
      // Mentions only people, who get no other notification; agents with a program are launched by the
      // heartbeat.
      const people = awaited(state).filter((id) => getSeat(state, id).runner === 'human');
      const { phase, tour } = notice;
      const values = { phase, tour, deadline: state.timeoutAt, topic: toOneLine(state.topic, 200) };
      return [fill(words.opened, values), ...people.map((id) => `@${id}`)].join(' ');
    }
    case 'absent': {
      const { participant, phase, reason } = notice;
      return fill(words.absent, { participant, phase, reason: toOneLine(reason, 200) });
    }
    case 'synthesis_wanted':
      return fill(words.synthesis, { coordinator: notice.coordinator });
    case 'archived':
      return fill(words.archived, { path: notice.path });
    case 'deadline_moved':
      return undefined;
  }
}

export const isFromCouncil = ({ from }: { from: string }): boolean => from === COUNCIL;

/** Returns whether a message is the council's own, in the channel of one of these councils. */
export const isCouncilNotice = (
  { from, channel }: { from: string; channel: string },
  councils: readonly { name: string }[],
): boolean => isFromCouncil({ from }) && councils.some(({ name }) => channel === nameCouncilChannel(name));
