// `npm run bench`: every figure with its baseline, measured in turns in the same run, on the disk and in memory; the tables of
// docs/performance.md are written by it. `-- --only respond,tick` measures some and keeps the other rows, `--in FOLDER` puts
// the projects there only. `--dry` prints the rows and writes nothing; so do `--json`, which prints one document,
// and `--rounds N`, which plays fewer rounds.
import fs from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { resultOf } from './figure.ts';
import type { Figure } from './figure.ts';
import { machine } from './machine.ts';
import { limitRounds } from './measure.ts';
import { kept, keep, tableOf, writePage } from './page.ts';
import type { Measured } from './page.ts';
import { places } from './places.ts';
import type { Place } from './places.ts';
import { SECTIONS } from './sections.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    in: { type: 'string' },
    rounds: { type: 'string' },
    json: { type: 'boolean', default: false },
    dry: { type: 'boolean', default: false },
  },
});
const isDry = values.dry || values.json || values.rounds !== undefined;
if (values.rounds !== undefined) limitRounds(Number(values.rounds));

// Interrupted, it removes what it made as well.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const only = chosen(values.only);
const measured: Measured[] = [];
for (const { figures, once } of SECTIONS)
  for (const figure of figures.filter(({ name }) => only?.includes(name) ?? true))
    for (const place of places(values.in).slice(0, once ? 1 : undefined)) {
      const one = await measure(figure, place, once);
      measured.push(one);
      // After each: a run that is interrupted keeps what it has.
      if (!isDry) keep(one);
    }
if (values.json) console.log(JSON.stringify(measured, null, 2));
else if (isDry) console.log(tableOf(measured));
else writePage(SECTIONS, kept());

async function measure(figure: Figure, place: Place, once = false): Promise<Measured> {
  const at = once ? null : place.name;
  process.stderr.write(`${figure.name}${at === null ? '' : ` (${at})`} …\n`);
  const scratch = fs.mkdtempSync(join(place.folder, 'bench-'));
  const remove = (): void => fs.rmSync(scratch, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    const before = machine();
    const timings = await figure.measure(scratch);
    return {
      ...resultOf(figure, timings),
      place: at,
      machine: { ...before, loadAfter: machine().load },
    };
  } finally {
    process.off('exit', remove);
    remove();
  }
}

function chosen(text: string | undefined): string[] | undefined {
  const all = SECTIONS.flatMap(({ figures }) => figures.map(({ name }) => name));
  const names = text?.split(',');
  const unknown = names?.find((name) => !all.includes(name));
  if (unknown !== undefined)
    throw new Error(`There is no figure ${JSON.stringify(unknown)}. Figures: ${all.join(', ')}.`);
  return names;
}
