// Use case `log`: what happened to messages.
import { CouncilError } from '../../base/errors.ts';
import { readEntry } from '../../messages/entry.ts';
import type { Entry } from '../../messages/entry.ts';
import { logLine } from '../../messages/entry-line.ts';
import { dayAt } from '../../store/day-log.ts';
import type { App, Result } from '../app.ts';
import type { LogInput } from '../input/messages.ts';
import { openWorkspace } from '../workspace.ts';
import { dayLogOf } from './announcer.ts';
import { sinceWhen } from './since-when.ts';

export { logLine };
export type { Entry };

export interface LogDocument {
  /** The newest, the oldest of them first. */
  entries: Entry[];
  /** True when there are older ones that were asked for too. */
  more: boolean;
}

/** The newest entries of the log. To follow it is no one document. */
export async function log(app: App, input: LogInput): Promise<Result<LogDocument>> {
  if (input.follow)
    throw new CouncilError('usage', '--follow prints a stream, not one document.', {
      hint: 'For one object a line: council log --follow --format json',
    });
  return { document: await newest(app, input) };
}

/** Shows the newest entries, then each new one, until it is interrupted. */
export async function followLog(app: App, input: LogInput, show: (entry: Entry) => void): Promise<void> {
  const { isMeant } = wanted(app, input);
  const came: string[] = [];
  let tell = (line: string): void => void came.push(line);
  const stop = dayLogOf(app, openWorkspace(app)).follow((line) => tell(line));
  try {
    const { entries } = await newest(app, input);
    for (const entry of entries) show(entry);
    // What came meanwhile may have been read already.
    const told = new Set(entries.map((entry) => JSON.stringify(entry)));
    tell = (line) => {
      const entry = readEntry(line);
      if (entry && isMeant(entry) && !told.delete(JSON.stringify(entry))) show(entry);
    };
    came.forEach(tell);
    await aborted(app.interruption());
  } finally {
    stop();
  }
}

async function newest(app: App, input: LogInput): Promise<LogDocument> {
  const { from, isMeant } = wanted(app, input);
  const entries: Entry[] = [];
  for await (const line of dayLogOf(app, openWorkspace(app)).read({ newest: true, ...(from && { from }) })) {
    const entry = readEntry(line);
    if (!entry || !isMeant(entry)) continue;
    if (entries.length === input.limit) return { entries: entries.reverse(), more: true };
    entries.push(entry);
  }
  return { entries: entries.reverse(), more: false };
}

/** Which entries are meant, and the day of the first that may be. */
function wanted(
  app: App,
  { since, channel, agent }: LogInput,
): { from: string | undefined; isMeant(entry: Entry): boolean } {
  const start = since === undefined ? undefined : sinceWhen(since, app.startedAt);
  return {
    from: start === undefined ? undefined : dayAt(start),
    isMeant: (entry) =>
      (start === undefined || Date.parse(entry.timestamp) >= start) &&
      (channel === undefined || entry.channel === channel) &&
      (agent === undefined || [entry.from, entry.to, entry.agent].includes(agent)),
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener('abort', () => done(), { once: true });
  });
