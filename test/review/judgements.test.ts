import { describe, expect, it } from 'vitest';
import { parseDiff } from '../../src/review/change.ts';
import { readJudgements } from '../../src/review/read-judgements.ts';
import { readFindings } from '../../src/review/read-findings.ts';
import { expectLinear } from '../helpers/growth.ts';

const CODE = 'if (await charge(job)) break;';
const CHANGE = parseDiff(
  `diff --git a/q.js b/q.js\n--- a/q.js\n+++ b/q.js\n@@ -1,1 +1,2 @@\n const alpha = beta;\n+${CODE}\n`,
);

/** `F1 confirm`, `F2 reject`, `F2 reject?` where it does not count, `F3 minor`, `F4 ?` where it cannot be told. */
function judge(text: string): string[] {
  const { judgements, unclear } = readJudgements(text, CHANGE);
  return [
    ...judgements.map(({ id, kind, severity, counted }) => `${id} ${severity ?? kind}${counted ? '' : '?'}`),
    ...unclear.map((id) => `${id} ?`),
  ].sort();
}

describe('judgements', () => {
  it.each<[shape: string, text: string]>([
    ['as they were asked for', `F11: confirm\nTrue.\n\nF22: reject\n> ${CODE}`],
    ['in a numbered list', `1. F11: confirm\n2) F22: reject\n> ${CODE}`],
    ['with bullets and dashes', `• F11: confirm\n- F22 — reject\n  > ${CODE}`],
    ['in bold', `**F11:** **Confirm** – yes\n**F22: reject.** For \`${CODE}\` stands there.`],
    ['with arrows and pictures', `F11 → ✅ confirm\nF22 = ❌ reject\n> ${CODE}`],
    ['behind a word', `Finding F11: confirm\nFinding F22: reject\n> ${CODE}`],
    ['before the number', `Confirm F11.\nReject F22: no.\n> ${CODE}`],
    ['below the number', `### F11\n\nConfirm\n\n### F22\n**Verdict:** reject\n> ${CODE}`],
    [
      'below a copied heading',
      `### F11 blocker, correctness: no lock\nq.js:2\n> ${CODE}\nConfirm: it is so.\n\n### F22: major, security: open\n\nReject.\n> ${CODE}`,
    ],
    ['behind the severity in brackets', `F11 (blocker): confirm\nF22 (major, security) - reject\n> ${CODE}`],
    [
      'as a table',
      `| # | Finding | Verdict | Reason |\n|---|---|---|---|\n| 1 | F11 (no lock) | confirm | |\n| 2 | F22 | reject | \`${CODE}\` |`,
    ],
    [
      'as JSON in one line',
      `[{"id":"F11","verdict":"confirm","severity":"major, as it says"},{"id":"F22","severity":"major","verdict":"reject","quote":"${CODE}"}]`,
    ],
    [
      'as JSON by number',
      `Here:\n\n\`\`\`json\n{"judgements": {"F11": "confirm", "F22": {"verdict": "reject", "code": "${CODE}"}}}\n\`\`\``,
    ],
    [
      'as YAML',
      `\`\`\`yaml\n- finding: F11\n  verdict: confirm\n- finding: F22\n  verdict: reject\n  code: ${CODE}\n\`\`\``,
    ],
    ['in French', `F11 : confirmé\nF22 : rejeté\n> ${CODE}`],
  ])('are read %s', (_, text) => expect(judge(text)).toEqual(['F11 confirm', 'F22 reject']));

  it.each<[text: string, read: string[]]>([
    ['{"F11": "minor", "F22": "confirm", "F33": "blocker"}', ['F11 minor', 'F22 confirm', 'F33 blocker']],
    [
      'F11: confirm, but minor\nF22: confirm as blocker\nF33: confirm (note)',
      ['F11 minor', 'F22 blocker', 'F33 note'],
    ],
    ['F11: minor\nConfirm. It is rare.', ['F11 minor']],
    ['F11: minor\nReject: it cannot happen.', ['F11 minor']],
    ['F11 minor', ['F11 minor']],
    ['F11: confirm: high time to mend it', ['F11 confirm']],
    ['F11 blocker, correctness: no lock\nSeverity: minor', ['F11 minor']],
    ['F11: reject\nF11: confirm', ['F11 confirm']],
    ['F11: reject\nNo code, only words.', ['F11 reject?']],
  ])('give the severity that was said, and of two the stricter one: %j', (text, read) =>
    expect(judge(text)).toEqual(read),
  );

  it.each<[text: string, read: string[]]>([
    ['F11: confirm\nF22: partially', ['F11 confirm', 'F22 ?']],
    ['F11: I do not confirm this', ['F11 ?']],
    ['### F11 blocker, correctness: no lock\n\nI cannot tell.', ['F11 ?']],
    ['I would rather confirm F11.', []],
    ['F11: reject\nSee F22 for more.\n> ' + CODE, ['F11 reject']],
    ['F11: same as F22', []],
  ])('are not guessed: %j', (text, read) => expect(judge(text)).toEqual(read));

  it('are read in linear time', () =>
    expectLinear('judgements', 2000, (n) =>
      readJudgements(`${'F11 ('.repeat(n)}\n${'| F1 | a |\n'.repeat(n)}F1 ${'blocker '.repeat(n)}`, CHANGE),
    ));
});

it('a name with a line end is a place in data as well', () => {
  const text = JSON.stringify([
    { severity: 'major', title: 'it races', file: 'new\nline.js', line: 3, quote: CODE },
  ]);
  expect(readFindings(text, ['new\nline.js', 'line.js']).findings).toMatchObject([
    { file: 'new\nline.js', lines: { start: 3, end: 3 } },
  ]);
});
