// Notifier that posts to the council's channel, where watchers are woken by it.
import { CouncilError } from '../../../core/base/errors.ts';
import { oneLine } from '../../../core/base/text.ts';
import { fill, loadWords } from '../../../core/base/words/words.ts';
import type { Language } from '../../../core/base/words/words.ts';
import type { Notice } from '../../../core/council/machine/notice.ts';
import { awaited, seat } from '../../../core/council/state/state.ts';
import type { CouncilState } from '../../../core/council/state/state.ts';
import { channelOfCouncil, COUNCIL } from '../channel.ts';
import type { Post } from '../channel.ts';
import type { Notifier } from '../../../core/notify/notifier.ts';

interface Settings {
  /** Opens the channels when there is something to tell. */
  open: () => Promise<Post>;
  lang: Language;
}

/** Posts council events, never the words of a contribution: in a blind phase these are secret. */
export const channelNotifier = ({ open, lang }: Settings): Notifier => {
  const post = async (name: string, texts: string[]) => {
    try {
      const send = await open();
      const channel = channelOfCouncil(name);
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
    landed: (name, participant) => post(name, [fill(loadWords(lang).notice.landed, { participant })]),
  };
};

function renderNoticeText(state: CouncilState, notice: Notice): string | undefined {
  const { notice: words } = loadWords(state.lang);
  switch (notice.type) {
    case 'phase_opened': {
      // Nothing else reaches people; agents with a program are launched by the heartbeat.
      const people = awaited(state).filter((id) => seat(state, id).runner === 'human');
      const { phase, tour } = notice;
      const values = { phase, tour, deadline: state.timeoutAt, topic: oneLine(state.topic, 200) };
      return [fill(words.opened, values), ...people.map((id) => `@${id}`)].join(' ');
    }
    case 'absent': {
      const { participant, phase, reason } = notice;
      return fill(words.absent, { participant, phase, reason: oneLine(reason, 200) });
    }
    case 'synthesis_wanted':
      return fill(words.synthesis, { coordinator: notice.coordinator });
    case 'archived':
      return fill(words.archived, { path: notice.path });
    case 'deadline_moved':
      return undefined;
  }
}
