// Commands `ledger` and `metrics`.
import type { EitherInput } from '../../app/input/archive.ts';
import { ledger, metrics } from '../../app/ledger.ts';
import { ledgerTable } from '../../archive/ledger-table.ts';
import { ledgerWords } from '../../archive/ledger-words.ts';
import { measuresTable } from '../../archive/measures.ts';
import { renderMarkdown } from '../../archive/show.ts';
import { wordsFor } from '../../base/words/words.ts';
import { pageOptions } from '../page-options.ts';
import { told } from '../print.ts';
import type { Command } from '../spec.ts';

export const ledgerCommand: Command<EitherInput> = async (cli, input) => {
  const result = await ledger(cli, input);
  const table = ledgerTable(result.document, ledgerWords(wordsFor(result.lang))).join('\n');
  const text = table === '' ? '' : await renderMarkdown(table, pageOptions(cli));
  return told(result, text || 'The ledger is empty: claims are read when COLLECT closes.');
};

export const metricsCommand: Command<EitherInput> = async (cli, input) => {
  const result = await metrics(cli, input);
  const table = measuresTable(result.document, wordsFor(result.lang));
  return told(result, await renderMarkdown(table, pageOptions(cli)));
};
