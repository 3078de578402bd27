// `npm run bench`: every figure with its baseline, measured in turns in the same run. `-- --only respond,tick` measures
// some of them, `-- --json` prints one document, `-- --against FOLDER` compares with another build instead, `-- --in FOLDER`
// puts the projects there, say on another file system (/dev/shm).
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildFigures } from './builds.ts';
import { channelFigures } from './channels.ts';
import { coldFigures } from './cold.ts';
import type { Figure, Result } from './figure.ts';
import { resultOf } from './figure.ts';
import { idleFigures } from './idle.ts';
import { messageFigures } from './messages.ts';
import { machine } from './machine.ts';
import { manyFigures } from './many.ts';
import { postgresFigures } from './postgres.ts';
import { asTable } from './table.ts';
import { pageFigures } from './pages.ts';
import { taskFigures } from './tasks.ts';
import { workFigures } from './work.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    against: { type: 'string' },
    in: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const own = [
  ...coldFigures,
  ...idleFigures,
  ...manyFigures,
  ...workFigures,
  ...messageFigures,
  ...channelFigures,
  ...taskFigures,
  ...postgresFigures,
  ...pageFigures,
];
const figures = values.against === undefined ? own : buildFigures(resolve(values.against));

// Beside the program where nothing else is said: a file system that a project would be on; /tmp may be memory.
const scratch = mkdtempSync(join(values.in ?? join(import.meta.dirname, '../dist'), 'bench-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const before = machine();
const results: Result[] = [];
for (const figure of chosen(values.only)) {
  const folder = join(scratch, figure.name);
  mkdirSync(folder);
  process.stderr.write(`${figure.name} …\n`);
  results.push(resultOf(figure, await figure.measure(folder)));
  rmSync(folder, { recursive: true });
}
const report = { ...before, loadAfter: machine().load, figures: results };
console.log(values.json ? JSON.stringify(report, null, 2) : asTable(report));

function chosen(only: string | undefined): Figure[] {
  if (only === undefined) return figures;
  return only.split(',').map((name) => {
    const found = figures.find((figure) => figure.name === name);
    if (!found)
      throw new Error(
        `There is no figure ${JSON.stringify(name)}. Figures: ${figures.map((f) => f.name).join(', ')}.`,
      );
    return found;
  });
}
