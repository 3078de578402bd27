// Reacts to Ctrl-C: an abort signal, and a note while programs are being ended.
import { running } from '../agents/runners/process-group.ts';
import { atWork } from '../heartbeat/launch/running-leases.ts';
import { isRemote } from './app.ts';
import type { App } from './app.ts';

/** Asks to be interrupted. Says then that it takes a moment, if something runs: programs may take two seconds to end. */
export function interruptible(app: App): AbortSignal {
  const signal = app.interruption();
  const say = (): void => {
    if (running.size > 0 || atWork.size > 0)
      app.note('Stopping what is still running; press Ctrl-C again to quit at once.');
  };
  // A caller that cancels has no keyboard here.
  if (!isRemote(app)) signal.addEventListener('abort', say, { once: true });
  return signal;
}
