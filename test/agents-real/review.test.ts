import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Review } from '../../src/review/report.ts';
import { canary } from '../helpers/canary.ts';
import type { Asked, Reply } from '../helpers/fake-model.ts';
import { addAgent } from '../helpers/speakers.ts';
import { preset } from './debate.ts';
import { KINDS } from './install.ts';
import { newLab } from './lab.ts';

const ROOT = join(import.meta.dirname, '../..');
const COMMITS = 10;
/** Bytes of a diff that is one part of a review. */
const ONE_PART = 40_000;

const readGit = (...args: string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1024 ** 3 });

/** A line that a commit adds, whose code stands there once. */
interface AddedLine {
  file: string;
  number: number;
  code: string;
}

/** The newest commits of this repository that are small enough, each with a line that can be found in it. */
function chooseCommits(): { commit: string; line: AddedLine }[] {
  const chosen: { commit: string; line: AddedLine }[] = [];
  for (const commit of readGit('rev-list', '--no-merges', '--max-count=300', 'HEAD').trim().split('\n')) {
    const diff = readGit('show', '--format=', '--unified=3', commit, '--', 'src', 'test');
    const line = diff.length < ONE_PART ? findAddedLine(diff) : undefined;
    if (line) chosen.push({ commit, line });
    if (chosen.length === COMMITS) return chosen;
  }
  throw new Error(`${ROOT} has too few commits for this test.`);
}

function findAddedLine(diff: string): AddedLine | undefined {
  let [file, number] = ['', 0];
  for (const line of diff.split('\n')) {
    file = /^\+\+\+ b\/(.+)$/.exec(line)?.[1] ?? file;
    const hunk = /^@@ -\S+ \+(\d+)/.exec(line);
    if (hunk) number = Number(hunk[1]);
    else if (/^\+(?!\+\+)/.test(line)) {
      const code = line.slice(1);
      if (/^[\w .()=,;'{}]{20,80}$/.test(code) && diff.split(code.trim()).length === 2)
        return { file, number, code };
      number++;
    } else if (line.startsWith(' ')) number++;
  }
  return undefined;
}

/** Two find the line, one says it ten lines off; one invents; one finds nothing. All confirm whatever they are shown. */
const answer =
  (line: () => AddedLine) =>
  ({ raw, system, users, schema }: Asked): Reply => {
    if (schema) return {};
    const seat = KINDS.find((kind) => raw.includes(`SEAT-${kind}`));
    const prompt = [system, ...users].join('\n');
    if (seat === undefined || !/Phase: (?:COLLECT|CHALLENGE) \(round \d/.test(prompt))
      return { text: 'A title' };
    if (/Phase: CHALLENGE \(round \d/.test(prompt))
      return {
        text:
          [...prompt.matchAll(/^### (F\d+) /gm)].map(([, id]) => `${id}: confirm`).join('\n') ||
          'Nothing to judge.',
      };
    const { file, number, code } = line();
    const find = (at: number, quote: string): string =>
      `### major, correctness: it fails\n${file}:${at}\n> ${quote.trim()}\nFails when: it is called twice.\n`;
    const said = {
      claude: find(number, code),
      codex: find(number + 10, code),
      gemini: find(number, `await refund(${canary()});`),
      opencode: 'Nothing found.\nLooked at: all of it.\n',
    };
    return { text: said[seat] };
  };

describe('commits of this repository, reviewed by claude, codex, gemini and opencode', () => {
  it(
    'get each finding where its code stands, and nothing that was invented',
    { timeout: 1_800_000 },
    async (context) => {
      const commits = chooseCommits();
      let at = 0;
      const lab = await newLab(
        context,
        [...KINDS],
        answer(() => commits[at]!.line),
      );
      const { project } = lab;
      execFileSync('git', ['init', '-q', '-b', 'main', project.root]);
      execFileSync('git', ['fetch', '-q', ROOT, 'HEAD'], { cwd: project.root });
      for (const kind of KINDS)
        addAgent(
          project,
          kind,
          { timeout: '120s', ...preset(kind) },
          `You review code. Your seat is SEAT-${kind}.`,
        );
      for (; at < commits.length; at++) {
        const { commit, line } = commits[at]!;
        const began = performance.now();
        const { code, stdout, stderr } = await project.council([
          'review',
          `${commit}~1..${commit}`,
          '--json',
          '--trust',
        ]);
        const seconds = ((performance.now() - began) / 1000).toFixed(1);
        const json = JSON.parse(stdout) as Review;
        expect({ code, ...json }, `${stdout}${stderr}`).toMatchObject({
          code: 1,
          reviewers: Array(4).fill({ status: 'read' }),
        });
        const found = json.findings.filter(({ finders }) => !finders.includes('council'));
        expect(
          found.map(({ standing, finders, place }) => [standing, finders, place?.file, place?.start]),
        ).toEqual([
          ['blocking', ['claude', 'codex'], line.file, line.number],
          ['refuted', ['gemini'], undefined, undefined],
        ]);
        const cost = await project.council<Cost>(['cost', '--by', 'agent', '--json']);
        const tokens = cost.json.rows.map(
          ({ key, inputTokens, outputTokens }) => `${key} ${inputTokens}/${outputTokens}`,
        );
        console.log(`${commit.slice(0, 8)}: ${seconds} s; tokens in/out so far: ${tokens.join(', ')}`);
      }
    },
  );
});

interface Cost {
  rows: { key: string; inputTokens: number | null; outputTokens: number | null }[];
}
