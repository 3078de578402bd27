// Command `read`.
import type { ReadInput } from '../../app/input/read.ts';
import { previewContribution } from '../../app/preview-contribution.ts';
import { performHereOrAtServer } from '../performed.ts';
import { toldInLines } from '../print.ts';
import { describeReading } from '../describe-reading.ts';
import type { Command } from '../spec.ts';

export const readCommand: Command<ReadInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => previewContribution(cli, input),
    () => ({}),
  );
  return toldInLines(result, describeReading(result.document.read).join('\n'));
};
