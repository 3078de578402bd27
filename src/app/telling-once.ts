// Tells each line once to whoever listens: what is damaged lies there for long, and is looked at again and again.
import type { App } from './app.ts';

const heard = new WeakMap<App['note'], Set<string>>();

/** `note`, which hears no line a second time, whoever has told it the first time. */
export function tellingOnce(note: App['note']): App['note'] {
  const lines = heard.get(note) ?? new Set();
  heard.set(note, lines);
  return (line) => {
    if (lines.has(line)) return;
    lines.add(line);
    note(line);
  };
}
