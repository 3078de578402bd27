// Layout options for showing Markdown on this terminal.
import type { ShowOptions } from './render-markdown.ts';
import type { Cli } from './io.ts';

/** How Markdown is laid out for this terminal. */
export const pageOptions = (cli: Pick<Cli, 'paint'>): ShowOptions => ({
  width: Math.min(process.stdout.columns || 80, 100),
  color: cli.paint('bold', 'x') !== 'x',
});
