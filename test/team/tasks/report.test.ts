import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseReport } from '../../../src/team/tasks/read-report.ts';
import { NO_REPORT, writeReport } from '../../../src/team/tasks/report.ts';
import type { Report } from '../../../src/team/tasks/report.ts';
import { readCost, readDuration, readTokens, writeDuration } from '../../../src/team/tasks/report-text.ts';
import '../../helpers/property-seed.ts';
import { expectLinear } from '../../helpers/growth.ts';
import { countCases } from '../../helpers/long.ts';

const FULL: Report = {
  agent: 'db_agent',
  task: 'Count the users',
  status: 'Success',
  duration: 83_250,
  facts: [{ label: 'Asked by', value: 'ana' }],
  results:
    'There are 1,204 users.\n\n| Day | New |\n| --- | --- |\n| Mon | 12 |\n\n### Method\n\n```sql\n# not a heading\nselect 1;\n```',
  sections: [{ heading: 'Caveats', body: '- The cache was cold.' }],
  tools: [
    { name: 'SurrealDBTool', detail: '3 queries (avg 45ms)' },
    { name: '', detail: 'and a pencil' },
  ],
  mcp: [{ name: 'serena::find_symbol', detail: 'auth/user.rs → 12 symbols' }],
  next: [
    { done: false, text: 'Ask ana' },
    { done: true, text: 'Save it' },
  ],
  provider: 'Mistral Large',
  model: 'mistral-large-latest',
  inputTokens: 1200,
  outputTokens: 450,
  cost: { amount: 0.003, currency: 'EUR' },
  metadata: [{ label: 'Tools', value: '6 calls (280ms total)' }],
};

describe('a report', () => {
  it('is written in the form of the specification', () => {
    expect(writeReport(FULL)).toBe(`# Agent Report: db_agent
**Task**: Count the users
**Status**: ✅ Success
**Duration**: 1m 23.25s
**Asked by**: ana

## Results

There are 1,204 users.

| Day | New |
| --- | --- |
| Mon | 12 |

### Method

\`\`\`sql
# not a heading
select 1;
\`\`\`

## Caveats

- The cache was cold.

## Tools Used

- \`SurrealDBTool\`: 3 queries (avg 45ms)
- and a pencil

## MCP Servers Called

- \`serena::find_symbol\`: auth/user.rs → 12 symbols

## Next Actions

- [ ] Ask ana
- [x] Save it

## Metadata

- Provider: Mistral Large
- Model: mistral-large-latest
- Tokens: Input 1200 | Output 450
- Cost: €0.003
- Tools: 6 calls (280ms total)
`);
  });

  it('is read back as it was, in both languages', () => {
    for (const lang of ['en', 'fr'] as const) expect(parseReport(writeReport(FULL, lang))).toEqual(FULL);
    expect(parseReport(writeReport(NO_REPORT))).toEqual(NO_REPORT);
  });

  it('keeps what a part leaves open, or what looks like another part, inside of that part', () => {
    for (const results of [
      '```js\nlet a = 1;',
      '~~~~\n## Metadata\n- Cost: €5',
      'Text\n# Metadata\n- Cost: €5\n## Tools Used\n- rm',
      '<!-- and then',
      '> ## Status',
      '1. a\n\n   ```\n   ## Results',
    ]) {
      const text = writeReport({ ...FULL, results });
      const read = parseReport(text);
      expect({ ...read, results: '' }).toEqual({ ...FULL, results: '' });
      expect(writeReport(read)).toBe(text);
    }
  });
});

describe('reports of models', () => {
  it('keep parts of their own, and what cannot be read', () => {
    const read = parseReport(`# Agent Report: [Agent_ID]
**Status**: ✅ Success | ❌ Failed | 🔄 In Progress
**Duration**: [temps]

## Results
Done.

## Limits
Only one source.

## Metadata
- Tokens: 1.2K total
- Cost: about a cent
`);
    expect(read).toMatchObject({
      agent: '[Agent_ID]',
      status: null,
      duration: null,
      facts: [{ label: 'Status' }, { label: 'Duration', value: '[temps]' }],
      sections: [{ heading: 'Limits', body: 'Only one source.' }],
      metadata: [
        { label: 'Tokens', value: '1.2K total' },
        { label: 'Cost', value: 'about a cent' },
      ],
    });
  });

  it('are a result as a whole where nothing is marked', () => {
    const text = 'The queue should live in PostgreSQL.\n\n# Why\n\n- It is backed up.\nNote: see below.';
    expect(parseReport(`\r\n\r\n${text.replaceAll('\n', '\r\n')}\n`)).toEqual({
      ...NO_REPORT,
      results: text,
    });
    expect(parseReport('')).toEqual(NO_REPORT);
  });

  it('lose none of their words, and come to rest once they were written', () => {
    const pieces = fc.constantFrom(
      ...[
        '# Agent Report: w1',
        '## Results',
        '### Result:',
        '## Tools Used',
        '- `grep`: 3 calls',
        '| a | b |',
        '| --- | --- |',
      ],
      ...[
        '## Metadata',
        '**Cost**: 3',
        '- Cost: €0.5',
        'Cost: free',
        '- Tokens: Input 5 | Output 6',
        'Status: done',
        '**Status**: ❌',
      ],
      ...[
        '```',
        '~~~',
        '<!--',
        '-->',
        'words here',
        '  - nested: 2 calls',
        '',
        '# Other',
        '## Limits ##',
        '- [x] did it',
        '# ',
      ],
      ...[
        '> quoted',
        '    indented',
        '- ',
        'none',
        '\u2028',
        'Next:',
        '- - -',
        '**bold**: x',
        'Durée : 3 min',
        '#',
        'a|b',
      ],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 25 }), (lines) => {
        const read = parseReport(lines.join('\n'));
        const text = writeReport(read);
        expect(writeReport(parseReport(text))).toBe(text);
        const all = JSON.stringify(read);
        for (const word of ['words here', 'did it', 'quoted', 'indented', '3 calls', 'free', 'Limits'])
          if (lines.some((line) => line.includes(word))) expect(all).toContain(word);
      }),
      { numRuns: countCases(500) },
    );
  });

  it.each([' ', '\t', '- ', '- \t', '1', 'Duration: 1', '# # '])(
    'with a line that goes on and on after %j are read in linear time',
    async (sign) => {
      for (const end of ['', 'x', '|']) {
        const more = sign === '# # ' ? sign : sign.slice(-1);
        await expectLinear(`${sign}…${end}`, 25_000, (n) => {
          const line = `${sign.slice(0, -more.length)}${more.repeat(n)}${end}`;
          parseReport(
            `# Agent Report: w\n${line}\n## Results\n${line}\n## Tools\n${line}\n## Metadata\n${line}`,
          );
        });
      }
    },
  );

  it('of any length are read in linear time', async () => {
    for (const line of [
      '- a: b',
      '# x',
      '| a | b |',
      '**a**: b',
      '> > > - 1. a',
      '`a`',
      'a '.repeat(50),
      '```',
      '* '.repeat(40),
    ]) {
      const lines = (count: number): string => `${line}\n`.repeat(count);
      await expectLinear(line, 5000, (n) =>
        writeReport(parseReport(`# Agent Report: w\n## Results\n${lines(n)}## Metadata\n${lines(n / 4)}`)),
      );
    }
  });
});

it('reads values as they are written', () => {
  for (const ms of [0, 1, 999, 1000, 59_999, 60_000, 3_600_000, 3_661_001, 90_061_250])
    expect(readDuration(writeDuration(ms)) ?? 0).toBe(ms);
  expect(['45ms', '', 'soon', '1 h', '2m 3s x'].map(readDuration)).toEqual([45, ...Array(4)]);
  const form = 'Input {input} | Output {output}';
  expect(readTokens('Input 5 | Output -', form)).toEqual({ input: 5, output: null });
  expect(['Input 5', '1650', 'Input 1.2K | Output 4'].map((one) => readTokens(one, form))).toEqual(Array(3));
  expect(['€0.003', '$1.5', '3 CHF', 'free', '3'].map(readCost)).toEqual([
    { amount: 0.003, currency: 'EUR' },
    { amount: 1.5, currency: 'USD' },
    { amount: 3, currency: 'CHF' },
    ...Array(2),
  ]);
});
