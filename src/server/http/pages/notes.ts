// Notes that are shown once, on the page that a browser is led to after a form: to whoever sent it, and to nobody else.
import { newSecret } from './sessions.ts';

/** Of those that nobody came for, the oldest go. */
const MOST = 1000;

export interface Notes<T> {
  /** Keeps a note for a session, by the token of its forms; by the name that it returns it is found. */
  leave(formToken: string, note: T): string;
  /** The note, once; null where there is none, or it is somebody else's. */
  take(formToken: string, id: string | undefined): T | null;
}

export function notesOnce<T>(): Notes<T> {
  const kept = new Map<string, { formToken: string; note: T }>();
  return {
    leave(formToken, note) {
      const [oldest] = kept.keys();
      if (kept.size >= MOST && oldest !== undefined) kept.delete(oldest);
      const id = newSecret();
      kept.set(id, { formToken, note });
      return id;
    },
    take(formToken, id = '') {
      const one = kept.get(id);
      if (one?.formToken !== formToken) return null;
      kept.delete(id);
      return one.note;
    },
  };
}
