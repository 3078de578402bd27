// Command `read`.
import type { ReadInput } from '../../app/input/read.ts';
import { previewContribution } from '../../app/preview-contribution.ts';
import { describeReading } from '../describe-reading.ts';
import { toProseOutcome } from '../print.ts';
import { performHereOrAtServer } from '../spec.ts';
import type { Command } from '../spec.ts';

export const performRead: Command<ReadInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => previewContribution(cli, input),
    () => ({}),
  );
  return toProseOutcome(result, describeReading(result.document.read).join('\n'));
};
