// `npm run bench:scale`: how costs grow with councils, archives, participants, revisions and passes. Writes docs/growth.md with
// its plots. `-- --small` takes small sizes, `--dry` writes nothing, `--only tick,list` measures some, `--in FOLDER` puts the
// projects there.
import fs from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machine } from '../machine.ts';
import { pageOf } from './page.ts';
import type { Measured } from './page.ts';
import { SERIES } from './series.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    in: { type: 'string' },
    small: { type: 'boolean', default: false },
    dry: { type: 'boolean', default: false },
  },
});
const root = join(import.meta.dirname, '../..');
const scratch = fs.mkdtempSync(join(values.in ?? join(root, 'dist'), 'scale-'));
process.once('exit', () => fs.rmSync(scratch, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const only = values.only?.split(',');
const before = machine();
const measured: Measured[] = [];
for (const series of SERIES.filter(({ name }) => only?.includes(name) ?? true)) {
  const rows = [];
  for (const size of values.small ? series.small : series.sizes) {
    process.stderr.write(`${series.name}: ${size} ${series.of} …\n`);
    const folder = join(scratch, `${series.name}-${size}`);
    fs.mkdirSync(folder);
    rows.push({ size, ...(await series.measure(folder, size)) });
    fs.rmSync(folder, { recursive: true });
  }
  measured.push({ ...series, rows });
}
const { page, plots } = pageOf(measured, { ...before, loadAfter: machine().load });
if (values.dry) console.log(page);
else {
  fs.mkdirSync(join(root, 'docs', 'growth'), { recursive: true });
  for (const [name, svg] of plots) fs.writeFileSync(join(root, 'docs', 'growth', name), svg);
  fs.writeFileSync(join(root, 'docs', 'growth.md'), page);
}
