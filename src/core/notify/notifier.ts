// The port of notifiers, and how notices reach all of them.
import type { Notice } from '../council/machine/transition-result.ts';
import type { CouncilState } from '../council/state/state.ts';

/** What one commit has brought, with the state that it left. */
interface News {
  state: CouncilState;
  notices: readonly Notice[];
}

/** Why something was not delivered: a reason, or a program that is not trusted. */
type NotTold =
  { type: 'warning'; message: string } | { type: 'untrusted'; participant?: undefined; runs: string };

/** Notifies people or programs of council events. */
export interface Notifier {
  /** Tells all of it, or until `signal` aborts. Answers what could not be told, and throws nothing: no council depends on it. */
  notify(news: News, signal: AbortSignal): Promise<NotTold[]>;
  /** Hears that a contribution was recorded; of what it says, nothing. Answers and throws like `notify`. */
  tellLanding?(council: string, participant: string): Promise<NotTold[]>;
}

/** Progress of a council: a notice, or a notification that failed. */
export type CouncilProgress = { council: string } & ({ type: 'notice'; notice: Notice } | NotTold);

/** Tells what a commit has brought to `onProgress` and to all notifiers. */
export async function tell(
  { notifiers }: { notifiers: readonly Notifier[] },
  news: News,
  { onProgress, signal }: { onProgress(told: CouncilProgress): void; signal: AbortSignal },
): Promise<void> {
  const council = news.state.name;
  for (const notice of news.notices) onProgress({ type: 'notice', council, notice });
  if (news.notices.length === 0) return;
  await Promise.all(
    notifiers.map(async (notifier) => {
      for (const problem of await notifier.notify(news, signal)) onProgress({ council, ...problem });
    }),
  );
}

/** Tells all notifiers that want to know it that a contribution was recorded. */
export async function tellLanded(
  { notifiers }: { notifiers: readonly Notifier[] },
  { council, participant }: { council: string; participant: string },
  onProgress: (told: CouncilProgress) => void,
): Promise<void> {
  await Promise.all(
    notifiers.map(async (notifier) => {
      for (const problem of (await notifier.tellLanding?.(council, participant)) ?? [])
        onProgress({ council, ...problem });
    }),
  );
}
