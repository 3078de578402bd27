// Git repositories with one change each, made in the system's temp folder, and scripted reviewers of it.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { App } from '../../src/core/app/app.ts';
import type { CouncilTexts } from '../../src/core/council/state/mode-reading.ts';
import { renderBrief } from '../../src/review/brief.ts';
import type { Change } from '../../src/review/change.ts';
import { collectFindings, composeParts } from '../../src/review/compose-review.ts';
import type { ReviewedPart } from '../../src/review/compose-review.ts';
import { computeFingerprint, numberFindings } from '../../src/review/merge-findings.ts';
import type { FoundFinding } from '../../src/review/merge-findings.ts';
import type { Finding, Severity } from '../../src/review/report.ts';

/** Files by name: their bytes, `link:` and what they lead to, or null where they are gone. Executable where the name ends with `*`. */
export type Files = Record<string, string | Buffer | null>;

export interface TestRepository {
  root: string;
  app: Pick<App, 'cwd' | 'env' | 'root'> & App;
  git(...args: string[]): string;
  write(files: Files): void;
}

/** A commit starts no other git that would look for something to tidy up. */
const SETTINGS = ['user.name=x', 'user.email=x@example.org', 'maintenance.auto=false'].flatMap((one) => [
  '-c',
  one,
]);

export function newRepository(): TestRepository {
  const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'council-review-')));
  onTestFinished(() => fs.rmSync(root, { recursive: true }));
  const git = (...args: string[]): string =>
    execFileSync('git', [...SETTINGS, ...args], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  git('init', '-q', '-b', 'main');
  const app = { cwd: root, env: process.env, root: undefined, features: [], note: () => undefined };
  return {
    root,
    git,
    app: app as unknown as TestRepository['app'],
    write: (files) => writeFiles(root, files),
  };
}

function writeFiles(root: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name.replace(/\*$/, ''));
    fs.rmSync(path, { force: true });
    if (content === null) continue;
    fs.mkdirSync(dirname(path), { recursive: true });
    if (typeof content === 'string' && content.startsWith('link:')) fs.symlinkSync(content.slice(5), path);
    else fs.writeFileSync(path, content, { mode: name.endsWith('*') ? 0o755 : 0o644 });
  }
}

/** A repository with two commits. */
export function committed(before: Files, after: Files): TestRepository {
  const repository = newRepository();
  for (const files of [before, after]) {
    repository.write(files);
    repository.git('add', '-A');
    repository.git('commit', '-q', '--allow-empty', '-m', 'x');
  }
  return repository;
}

/** What each reviewer writes in COLLECT, and in CHALLENGE if it says anything there; null for no answer at all. */
export type Script = Record<string, readonly [collect: string | null, challenge?: string]>;

export function saidOf(change: Change, script: Script, failOn: Severity = 'major'): CouncilTexts {
  const order = Object.keys(script);
  const turn = { at: '', bytes: 0, sha256: '' };
  const collected: CouncilTexts = {
    brief: renderBrief({ change, failOn, focus: [], part: 1, parts: 1 }, 'en'),
    state: { order, lang: 'en' },
    contributions: order.flatMap((by) => {
      const [text] = script[by]!;
      return text === null ? [] : [{ ...turn, by, phase: 'COLLECT' as const, tour: 1, text }];
    }),
  };
  const ids = rankFindings(collectFindings(collected).found).map(({ id }) => id);
  const judged = order.flatMap((by) => {
    const text = script[by]![1]?.replace(/F(\d)\b/g, (_, rank: string) => ids[Number(rank) - 1] ?? 'F999');
    return text === undefined ? [] : [{ ...turn, by, phase: 'CHALLENGE' as const, tour: 2, text }];
  });
  return { ...collected, contributions: [...collected.contributions, ...judged] };
}

/** Findings in the order by which scripts call them F1, F2 …: by file, quote and category, last those that nobody judges. */
export function rankFindings<
  One extends Pick<Finding, 'place' | 'quote' | 'category'> & { file?: string | null },
>(found: readonly (One & { kind?: FoundFinding['kind']; standing?: Finding['standing'] })[]): One[] {
  const isApart = ({ kind, standing }: (typeof found)[number]): boolean =>
    ['outside', 'refuted'].includes(kind ?? standing ?? '');
  const key = ({ place, file, quote, category }: One): string =>
    [place?.file ?? file ?? '', quote.replace(/\s+/g, ' '), category].join('\n');
  return found.toSorted((a, b) => Number(isApart(a)) - Number(isApart(b)) || (key(a) < key(b) ? -1 : 1));
}

export const reviewBy = (change: Change, script: Script, failOn?: Severity): ReviewedPart =>
  composeParts([saidOf(change, script, failOn)])[0]!;

/** A finding as the prompt asks for it. */
export const finding = (
  severity: string,
  place: string,
  quote: string,
  title = 'it fails',
  category = 'correctness',
): string =>
  `### ${severity}, ${category}: ${title}\n${place}\n${quote.replace(/^/gm, '> ')}\nFails when: it is called twice.\nFix: do it once.\n`;

/** The number that a finding gets which is put on a line of this code. */
export const idOf = (file: string, quote: string, category = 'correctness'): string =>
  numberFindings([{ fingerprint: computeFingerprint(file, quote, category) }])[0]!.id;
