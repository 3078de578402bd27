// The events in the message log.

/** The events of messages, with their direction in the log and their outcome. */
export const EVENTS = {
  /** Written to its channel. */
  stored: { direction: 'sent', status: 'success' },
  /** Not sent: forbidden by a rule, or wrongly signed. */
  rejected: { direction: 'sent', status: 'failed' },
  /** Shown to a recipient in a turn that really began. */
  delivered: { direction: 'received', status: 'success' },
  acknowledged: { direction: 'received', status: 'success' },
  answered: { direction: 'received', status: 'success' },
  /** Printed by a program that had already answered by itself: `text` was not sent. */
  unsent: { direction: 'received', status: 'success' },
  /** A recipient has read it, and declines. */
  refused: { direction: 'received', status: 'failed' },
  /** Not acknowledged in time: sent again, or escalated. */
  retried: { direction: 'sent', status: 'timeout' },
  escalated: { direction: 'sent', status: 'timeout' },
  /** Its time to live is over. */
  expired: { direction: 'sent', status: 'timeout' },
  /** Given up, and moved to the dead letters. */
  dead: { direction: 'sent', status: 'failed' },
} as const;
export type MessageEvent = keyof typeof EVENTS;
