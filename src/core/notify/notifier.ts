// The notifier interface, and the delivery of notices to all notifiers.
import type { Notice } from '../council/machine/transition-result.ts';
import type { CouncilState } from '../council/state/state.ts';

/** The notices of one commit, with the resulting state. */
interface CommitNotices {
  state: CouncilState;
  notices: readonly Notice[];
}

/** Why something was not delivered: a warning, or a program that is not trusted. */
type DeliveryProblem =
  { type: 'warning'; message: string } | { type: 'untrusted'; participant?: undefined; runs: string };

/** Notifies people or programs of council events. */
export interface Notifier {
  /** Delivers notices until `signal` aborts. Returns what failed; never throws: no council depends on it. */
  notify(news: CommitNotices, signal: AbortSignal): Promise<DeliveryProblem[]>;
  /** Reports that a contribution was recorded, without its content. Returns and throws like `notify`. */
  tellLanding?(council: string, participant: string): Promise<DeliveryProblem[]>;
}

/** Progress of a council: a notice, or a notification that failed. */
export type CouncilProgress = { council: string } & ({ type: 'notice'; notice: Notice } | DeliveryProblem);

/** Reports a commit's notices to `onProgress` and to all notifiers. */
export async function tellNotifiers(
  { notifiers }: { notifiers: readonly Notifier[] },
  news: CommitNotices,
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

/** Reports a recorded contribution to all notifiers that want to know. */
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
