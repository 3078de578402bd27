// The class of a failure in a few words, safe to show during a blind phase.
import { inOneLine } from './known-failures.ts';
import type { SpeakResult } from './speak.ts';

/** The class of a failure in a few words, without any word of what the program said: a blind phase shows no more. Null when it is ok. */
export function safeReason({ ok, cancelled, known, safeReason: own }: SpeakResult): string | null {
  if (ok) return null;
  if (cancelled) return 'interrupted';
  return known ? inOneLine(known) : (own ?? 'it reported a failure; its owner sees it with: council logs');
}

/** Why it failed with all that was said about it, for when that may be seen: the class first, where it is a known one. */
export function wholeReason({ known, reason }: SpeakResult): string | null {
  if (!known) return reason;
  // A program that is not there, or that says nothing while it waits, has no words of its own.
  const isAll = known.says.startsWith('the program ') || known.says.includes(reason ?? '');
  return reason === null || isAll ? inOneLine(known) : `${inOneLine(known)}. What it said: ${reason}`;
}
