// `npm run panel:figures -- FOLDER`: how right the offline panel is, on documents whose defects were written down before.
// Texts that are not kept here are taken from FOLDER by their hash, whatever their files are called.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { assessDocument } from '../src/panel/reviewer.ts';
import { readDocument } from '../src/panel/document.ts';
import type { Located } from '../src/panel/reviewer.ts';
import { loadReviewer } from '../src/panel/speak.ts';
import { computeWilson } from '../src/eval/statistics.ts';

const LABELS = join(import.meta.dirname, '../test/fixtures/documents');
const REVIEWERS = ['consistency', 'completeness', 'structure', 'precision'] as const;

interface Label {
  lines: [number, number];
  kind: string;
  says: string;
}
interface Labelled {
  id: string;
  planted: boolean;
  half: 'work' | 'figure';
  text?: string;
  sha256: string;
  certain: Label[];
  worth: Label[];
}

const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function textsIn(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return new Map(
    files
      .map((one) => readFileSync(join(one.parentPath, one.name)))
      .map((bytes) => [hash(bytes), bytes.toString('utf8')]),
  );
}

const covers = ({ lines: [from, to] }: Label, one: Located): boolean =>
  [one.line, ...one.also].some((line) => from <= line && line <= to);

/** One finding may stand for the same thing on many lines; then each of them has to be labelled. */
function isRight(one: Located, certain: Label[]): boolean {
  if (!['placeholder', 'empty-section'].includes(one.rule))
    return certain.some((label) => covers(label, one));
  return [one.line, ...one.also].every((line) =>
    certain.some(({ lines: [from, to] }) => from <= line && line <= to),
  );
}

async function findingsIn(text: string): Promise<Located[]> {
  const document = readDocument(text);
  const reviewers = await Promise.all(REVIEWERS.map(loadReviewer));
  return reviewers.flatMap((reviewer) => assessDocument(reviewer, document).all);
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
function line(name: string, hits: number, tries: number): string {
  const [from, to] = computeWilson(hits, tries);
  return `${name}: ${hits} of ${tries}${tries === 0 ? '' : ` = ${percent(hits / tries)} (${percent(from)} to ${percent(to)})`}`;
}

async function main(folders: string[], verbose: boolean): Promise<void> {
  const { documents } = JSON.parse(readFileSync(join(LABELS, 'labels.json'), 'utf8')) as {
    documents: Labelled[];
  };
  const texts = new Map([LABELS, ...folders].flatMap((folder) => [...textsIn(folder)]));
  for (const half of ['work', 'figure'] as const) {
    const sums = {
      read: 0,
      first: 0,
      right: 0,
      worth: 0,
      real: { found: 0, labels: 0 },
      planted: { found: 0, labels: 0 },
      worthPlanted: { found: 0, labels: 0 },
    };
    for (const label of documents.filter((one) => one.half === half)) {
      const text = texts.get(label.sha256);
      if (text === undefined) continue;
      sums.read += 1;
      const found = await findingsIn(text);
      const first = found.filter(({ severity }) => severity === 'first');
      const wrong = first.filter((one) => !isRight(one, label.certain));
      const missed = label.certain.filter((certain) => !first.some((one) => covers(certain, one)));
      sums.first += first.length;
      sums.right += first.length - wrong.length;
      sums.worth += found.length - first.length;
      const group = label.planted ? sums.planted : sums.real;
      group.found += label.certain.length - missed.length;
      group.labels += label.certain.length;
      if (label.planted) {
        sums.worthPlanted.labels += label.worth.length;
        sums.worthPlanted.found += label.worth.filter((one) =>
          found.some((finding) => covers(one, finding)),
        ).length;
      }
      // The held-back half is never printed one by one: who reads it would write rules for it.
      if (!verbose || half === 'figure') continue;
      for (const one of wrong)
        console.log(`  wrong  ${label.id}:${one.line} ${one.rule} ${one.advice} | ${one.quote.slice(0, 90)}`);
      for (const one of missed) console.log(`  missed ${label.id}:${one.lines[0]} ${one.kind} ${one.says}`);
      if (label.planted)
        for (const one of label.worth.filter((one) => !found.some((finding) => covers(one, finding))))
          console.log(`  unseen ${label.id}:${one.lines[0]} ${one.kind}`);
      for (const one of found.filter(({ severity }) => severity === 'worth'))
        console.log(`  worth  ${label.id}:${one.line} ${one.rule} ${one.subject} ${one.advice}`);
    }
    console.log(
      `${half === 'work' ? 'For work' : 'Held back'}, ${sums.read} documents, ${sums.worth} things worth checking`,
    );
    console.log(`  ${line('right, of what comes first', sums.right, sums.first)}`);
    console.log(`  ${line('found, of planted defects', sums.planted.found, sums.planted.labels)}`);
    console.log(`  ${line('found, of defects in real documents', sums.real.found, sums.real.labels)}`);
    console.log(
      `  ${line('pointed at, of planted things worth checking', sums.worthPlanted.found, sums.worthPlanted.labels)}`,
    );
  }
}

const args = process.argv.slice(2);
await main(
  args.filter((arg) => arg !== '--verbose'),
  args.includes('--verbose'),
);
