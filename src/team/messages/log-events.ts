// What happens to messages, as their log calls it.

/** What happens to a message, and how the log calls that: whose side it is seen from, and how it ended. */
export const EVENTS = {
  /** It lies in its channel. */
  stored: { direction: 'sent', status: 'success' },
  /** It was not sent: a rule forbids it, or its signature is not right. */
  rejected: { direction: 'sent', status: 'failed' },
  /** Shown to a recipient in a turn that really began. */
  delivered: { direction: 'received', status: 'success' },
  acknowledged: { direction: 'received', status: 'success' },
  answered: { direction: 'received', status: 'success' },
  /** Printed by a program that had answered it by itself: `text` was not sent. */
  unsent: { direction: 'received', status: 'success' },
  /** A recipient has read it and will not do it. */
  refused: { direction: 'received', status: 'failed' },
  /** Not acknowledged in time: sent again, or escalated. */
  retried: { direction: 'sent', status: 'timeout' },
  escalated: { direction: 'sent', status: 'timeout' },
  /** Its time to live is over. */
  expired: { direction: 'sent', status: 'timeout' },
  /** Given up: it lies with the dead letters. */
  dead: { direction: 'sent', status: 'failed' },
} as const;
export type MessageEvent = keyof typeof EVENTS;
