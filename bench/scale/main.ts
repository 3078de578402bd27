// `npm run bench:scale`: how costs grow with councils, archives, participants, revisions and passes. Writes docs/growth.md.
// `-- --small` takes small sizes, `--dry` writes nothing, `--only tick,list` measures some and keeps the
// others, `--in FOLDER` puts the projects there.
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
const figures = join(import.meta.dirname, 'figures.json');
// What is not measured now stays as it was.
const measured = values.dry ? [] : kept();
for (const series of SERIES.filter(({ name }) => only?.includes(name) ?? true)) {
  const before = machine();
  const rows = [];
  for (const size of values.small ? series.small : series.sizes) {
    process.stderr.write(`${series.name}: ${size} ${series.of} …\n`);
    const folder = join(scratch, `${series.name}-${size}`);
    fs.mkdirSync(folder);
    rows.push({ size, ...(await series.measure(folder, size)) });
    fs.rmSync(folder, { recursive: true });
  }
  const { name, what, of } = series;
  const at = measured.findIndex((one) => one.name === name);
  const done = { name, what, of, machine: { ...before, loadAfter: machine().load }, rows };
  measured.splice(at === -1 ? measured.length : at, at === -1 ? 0 : 1, done);
}
const page = pageOf(measured);
if (values.dry) console.log(page);
else {
  fs.writeFileSync(figures, `${JSON.stringify(measured, null, 2)}\n`);
  fs.writeFileSync(join(root, 'docs', 'growth.md'), page);
}

function kept(): Measured[] {
  return fs.existsSync(figures) ? (JSON.parse(fs.readFileSync(figures, 'utf8')) as Measured[]) : [];
}
