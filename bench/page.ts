// The tables of docs/performance.md. What is measured is kept in figures.json beside this file, so that some rows can be measured anew.
import fs from 'node:fs';
import { join } from 'node:path';
import type { Compared, Result } from './figure.ts';
import type { Machine } from './machine.ts';
import type { Place } from './places.ts';
import type { Section } from './sections.ts';

/** A figure as it was measured somewhere; null where the place makes no difference. */
export interface Measured extends Result {
  place: Place['name'] | null;
  machine: Machine & { loadAfter: number };
}

const DOCS = join(import.meta.dirname, '..', 'docs');
const PAGE = join(DOCS, 'performance.md');
const FIGURES = join(import.meta.dirname, 'figures.json');

/** What was measured, by this run or an earlier one. */
export const kept = (): Measured[] =>
  fs.existsSync(FIGURES) ? (JSON.parse(fs.readFileSync(FIGURES, 'utf8')) as Measured[]) : [];

/** Keeps a figure in place of an earlier one from the same place. */
export function keep(one: Measured): void {
  const others = kept().filter(({ name, place }) => name !== one.name || place !== one.place);
  const sorted = [...others, one].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  fs.writeFileSync(FIGURES, `${JSON.stringify(sorted, null, 2)}\n`);
}

const keyOf = ({ name, place }: Measured): string => `${name} ${place}`;

export function writePage(sections: readonly Section[], measured: readonly Measured[]): void {
  fs.writeFileSync(PAGE, pageOf(fs.readFileSync(PAGE, 'utf8'), sections, measured));
}

/** The page with the tables of these sections in their places; everything else in it stays as it is. */
export function pageOf(page: string, sections: readonly Section[], measured: readonly Measured[]): string {
  return sections.reduce((text, { name, figures }) => {
    const rows = figures.flatMap((figure) =>
      measured.filter((one) => one.name === figure.name).map((one) => ({ ...one, why: figure.why ?? null })),
    );
    const [opening, closing] = [`<!-- figures: ${name} -->`, '<!-- /figures -->'];
    const from = text.indexOf(opening);
    const to = text.indexOf(closing, from);
    if (from === -1 || to === -1) throw new Error(`docs/performance.md has no place for ${name}: ${opening}`);
    return `${text.slice(0, from)}${opening}\n\n${tableOf(rows)}\n\n${text.slice(to)}`;
  }, page);
}

const HEAD = ['figure', 'on', 'wall time', 'processor time', 'memory', 'goal', 'met', 'load'];

/** One row a figure and place, then what the figures are, then the machine. */
export function tableOf(measured: readonly Measured[]): string {
  if (measured.length === 0) return 'Not measured yet.';
  const rows = [HEAD, HEAD.map((_, at) => (at < 2 ? '---' : '---:')), ...measured.map(cells)];
  const table = rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
  const explained = [...new Set(measured.map((one) => explanationOf(one, measured)))].join('\n');
  return [table, explained, whereOf(measured)].join('\n\n');
}

function cells(one: Measured): string[] {
  const { name, place, wall, cpu, mb, mostMb, met, unit } = one;
  const { load, loadAfter } = one.machine;
  const isMost = mostMb === null ? '' : `, ${mostMb} MB`;
  return [
    name,
    place ?? '',
    unit === 'ms' ? sidesOf(wall, 'ms') : '',
    cpu === null || unit !== 'ms' ? '' : sidesOf(cpu, 'ms'),
    unit === 'ms' ? (mb === null ? '' : `${mb} MB`) : sidesOf(wall, unit),
    one.goal === null ? 'none' : `${goalOf(one)}${isMost}`,
    met === null ? '' : met ? 'yes' : 'no',
    `${load} to ${loadAfter}`,
  ];
}

const sidesOf = ({ figure, baseline, ratio, interval }: Compared, unit: string): string =>
  `${told(figure)} over ${told(baseline)} ${unit}: ${ratio.toFixed(2)}${intervalText(interval)}`;

const intervalText = ([low, high]: Compared['interval']): string =>
  low === high ? '' : ` (${low.toFixed(2)} to ${high.toFixed(2)})`;

function goalOf({ goal, allowanceMs, stretch, unit }: Measured): string {
  if (goal === 0) return `≤ ${allowanceMs} ${unit}`;
  const more = allowanceMs === null ? '' : ` + ${allowanceMs} ${unit}`;
  return `≤ ${goal}${more}${stretch === null ? '' : ` (${stretch})`}`;
}

function explanationOf({ name, what, against, why, rounds }: Measured, all: readonly Measured[]): string {
  const places = all.filter((one) => one.name === name);
  const missed = places.some(({ met }) => met === false) && why !== null ? ` ${why}` : '';
  const p99 = places.map((one) => `${told(one.p99)} ${one.unit}`).join(' and ');
  return `- ${name}: ${what}, against ${against} (${rounds} rounds; 99 of 100 within ${p99}).${missed}`;
}

/** The machines, which are mostly one, and whether memory was among the places. */
function whereOf(measured: readonly Measured[]): string {
  const places = measured.flatMap(({ place }) => place ?? []);
  const machines = measured.map(
    ({ machine: { date, node, system, cores, cpu } }) =>
      `${date}, Node ${node}, ${system}, ${cores} cores (${cpu}).`,
  );
  const absent = places.length > 0 && !places.includes('tmpfs') ? ['There was no tmpfs (/dev/shm).'] : [];
  return [...new Set([...machines, ...absent])].join(' ');
}

const told = (value: number): string => value.toFixed(Math.abs(value) < 10 ? 2 : 1);
