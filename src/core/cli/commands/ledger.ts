// Command `ledger`.
import type { EitherInput } from '../../app/input/archive.ts';
import { ledger } from '../../app/ledger.ts';
import { pageOptions } from '../page-options.ts';
import { performHereOrAtServer } from '../performed.ts';
import { toTextOutcome } from '../print.ts';
import { renderMarkdown } from '../render-markdown.ts';
import type { Command } from '../spec.ts';

export const ledgerCommand: Command<EitherInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => ledger(cli, input),
    (_, { page }) => ({ table: () => String(page) }),
  );
  const text = await renderMarkdown(result.table(), pageOptions(cli));
  return toTextOutcome(result, text || 'The ledger is empty: claims are read when COLLECT closes.');
};
