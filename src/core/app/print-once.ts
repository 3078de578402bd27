// Tells each line once: a damaged file stays there, and is read again and again.
import type { App } from './app.ts';

const heard = new WeakMap<App['note'], Set<string>>();

/** The same `note`, without lines that it was given before. */
export function tellingOnce(note: App['note']): App['note'] {
  const lines = heard.get(note) ?? new Set();
  heard.set(note, lines);
  return (line) => {
    if (lines.has(line)) return;
    lines.add(line);
    note(line);
  };
}
