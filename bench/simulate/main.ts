import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, platform } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { svgOf } from './chart.ts';
import { EXPERIMENTS } from './experiments.ts';
import { councilsPlayed } from './measure.ts';
import { putBlock } from './page.ts';

/**
 * Plays all experiments and writes their tables and charts into docs/deliberation.md and docs/deliberation/.
 * `--councils N` plays fewer or more per cell, `--dry` writes nothing and prints the tables.
 */
function main(): void {
  const { values } = parseArgs({
    options: { councils: { type: 'string', default: '10000' }, dry: { type: 'boolean', default: false } },
  });
  const councils = Number(values.councils);
  if (!Number.isInteger(councils) || councils < 1)
    throw new RangeError('--councils takes a whole number from 1.');
  const docs = join(import.meta.dirname, '..', '..', 'docs');
  const page = join(docs, 'deliberation.md');
  const started = performance.now();
  const results = EXPERIMENTS.map(({ name, run }) => {
    const result = { name, ...run(councils) };
    if (values.dry) console.log(`${name}\n${result.table}\n`);
    return result;
  });
  const elapsed = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage();
  const rate = (seconds: number) => Math.round(councilsPlayed() / seconds);
  const line = [
    `Written on ${new Date().toISOString().slice(0, 10)}, ${machineName()}: ${councils} councils in each cell, ${councilsPlayed()} in all,`,
    `${rate(elapsed)} a second by the clock, ${rate((user + system) / 1e6)} a second of processor time, in one process.`,
  ].join(' ');
  console.log(line);
  if (values.dry) return;
  mkdirSync(join(docs, 'deliberation'), { recursive: true });
  // Read late: somebody may have edited the page while the councils were played.
  let text = putBlock(readFileSync(page, 'utf8'), 'machine', line);
  for (const { name, table, chart } of results) {
    const image = chart ? `\n\n![${chart.title}](deliberation/${name}.svg)` : '';
    text = putBlock(text, name, `${table}${image}`);
    if (chart) writeFileSync(join(docs, 'deliberation', `${name}.svg`), svgOf(chart));
  }
  writeFileSync(page, text);
}

function machineName(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  return `${cpus().length} × ${model}, ${platform()}, Node ${process.versions.node}`;
}

main();
