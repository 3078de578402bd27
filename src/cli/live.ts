// Live progress of `run` on a terminal, plain lines elsewhere.
import { oneLine } from '../base/text.ts';
import type { Progress } from '../app/app.ts';
import type { Cli } from './io.ts';
import { asLine, plainLines } from '../app/progress.ts';

/** Where `run` reports: `settle` ends what is still drawn. */
export interface Reporter {
  onProgress(progress: Progress): void;
  settle(): Promise<void>;
}

/** Who is at work in rows that change on a terminal, and what has happened in lines above; plain lines on stderr elsewhere. */
export async function reporter(cli: Cli): Promise<Reporter> {
  // A terminal that does not know its width (0 columns) cannot be drawn on.
  if (!cli.live || !process.stderr.isTTY || !process.stdout.columns)
    return { onProgress: plainLines(cli), settle: async () => undefined };
  const { liveRegion } = await import('./live-region.ts');
  const region = await liveRegion(cli);
  return {
    settle: region.settle,
    onProgress(progress) {
      const line = asLine(progress);
      switch (progress.type) {
        case 'launching':
          for (const id of progress.participants) region.row(id, `${id}: queued`);
          return;
        case 'launched':
        case 'asked_again':
          return region.row(progress.participant, line);
        case 'recorded':
        case 'paused':
          cli.note(`${progress.type === 'recorded' ? '✔' : '…'} ${line}`);
          return region.row(progress.participant, undefined);
        case 'untrusted':
          cli.note(`… ${line}`);
          return progress.participant === undefined ? undefined : region.row(progress.participant, undefined);
        case 'attempt_failed':
          cli.note(`✖ ${line}`);
          return region.row(
            progress.participant,
            progress.next === 'again' ? `asking ${progress.participant} again soon` : undefined,
          );
        default:
          if (line !== undefined) cli.note(oneLine(line, 1000));
      }
    },
  };
}
