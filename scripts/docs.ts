// `npm run docs`: writes what the documents say of commands from the same data that the command line is made of, and what commands
// print by running them.
// With --check nothing is written, and the exit code is 1 where a document is not of today; `npm test` does that.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderArgumentSyntax, listOptions } from '../src/core/cli/options.ts';
import { EXIT_CODES } from '../src/core/base/errors.ts';
import type { ErrorCode } from '../src/core/base/errors.ts';
import type { CommandSpec } from '../src/core/cli/spec.ts';
import { specs } from '../src/program/specs.ts';
import { openApi } from '../src/server/http/openapi.ts';
import manifest from '../package.json' with { type: 'json' };
import { WAYS_OUT } from './docs/errors.ts';
import { played } from './docs/played.ts';
import { positions } from './docs/positions.ts';
import { withTables } from './docs/protocol.ts';

const ROOT = join(import.meta.dirname, '..');

const escaped = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '\\<');
const cell = (text: string): string => text.replaceAll('|', '\\|');
const usage = ({ name, fields }: CommandSpec): string =>
  `council ${name} ${renderArgumentSyntax(fields)}`.trimEnd();

const section = (spec: CommandSpec): string =>
  [
    `## ${spec.name}`,
    '',
    `\`${usage(spec)}\`: ${escaped(spec.summary)}.`,
    ...(spec.details ? ['', escaped(spec.details)] : []),
    ...(listOptions(spec.fields).length === 0
      ? []
      : [
          '',
          '| Option | Meaning |',
          '| --- | --- |',
          ...listOptions(spec.fields).map(({ flags, help }) => `| \`${cell(flags)}\` | ${escaped(help)} |`),
        ]),
    '',
    '```sh',
    ...spec.examples,
    '```',
    '',
  ].join('\n');

const MEANINGS: Record<number, string> = {
  0: 'done; also when the same text is sent twice, and when a launched program failed',
  1: 'refused or failed',
  2: 'usage, or a name or file that is wrong',
  3: 'no verdict: too few reviewers of a change could be read',
  75: 'busy, or a server that does not answer: try again',
  124: 'timed out: `wait --timeout`, or a `run` that ended as TIMEOUT',
  130: 'interrupted',
};

const exitCodes = (): string =>
  Object.entries(MEANINGS)
    .map(([exit, meaning]) => `| ${exit} | ${meaning} |`)
    .join('\n');

/** A row for each way out: codes that share one stand together. */
const errors = (): string =>
  [...Map.groupBy(Object.keys(WAYS_OUT) as ErrorCode[], (code) => `${EXIT_CODES[code]} | ${WAYS_OUT[code]}`)]
    .map(([rest, codes]) => `| ${codes.map((code) => `\`${code}\``).join(', ')} | ${rest} |`)
    .join('\n');

const page = `# Commands

<!-- Written by npm run docs. -->

Every command takes \`--json\` (one document on stdout), \`--root DIR\` (the project's folder; otherwise the nearest one upwards
that has COUNCIL.md or \`memory/shared/\`) and \`--help\`; the first two may also stand before the command. \`council --version\`
prints the version, \`council help COMMAND\` explains one. Many take \`--server URL\`
([serve](server/serve.md#the-command-line-against-a-server)). Durations are \`300s\`, \`30m\`, \`1h30m\`, \`2d\`, always
with a unit. What \`--json\` prints is in [formats](formats.md#json-contract). A command ends with one of these [exit codes](#exit-codes);
every error has its [way out](#errors).

${specs.map(({ name }) => `[${name}](#${name})`).join(' · ')}

${specs.map(section).join('\n')}
## Exit codes

| Exit code | Meaning |
| --- | --- |
${exitCodes()}

## Errors

With \`--json\` the code is \`error.code\`. Messages end with the command that helps, where there is one. A refused text is kept, and the message says
where. A launched program that fails is no error of the command: it is named under \`failed\`, and the exit code is 0.

| Code | Exit code | What it means and what to do |
| --- | --- | --- |
${errors()}
`;

function firstDifference(before: string, after: string): string {
  const [old, today] = [before.split('\n'), after.split('\n')];
  const at = today.findIndex((line, index) => line !== old[index]);
  return `  line ${at + 1}, there:  ${old[at]}\n  line ${at + 1}, today:  ${today[at]}`;
}

const under = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
const pages = ['README.md', ...under.map((name) => join('docs', name))].filter(
  (path) => path.endsWith('.md') && path !== 'docs/commands.md',
);
const written = new Map([
  ['docs/commands.md', page],
  ['docs/positions.svg', await positions()],
  ['docs/openapi.json', `${JSON.stringify(openApi(manifest.version), null, 1)}\n`],
]);
for (const path of pages) {
  written.set(path, await played(withTables(readFileSync(join(ROOT, path), 'utf8'))));
}

const isCheck = process.argv.includes('--check');
for (const [path, text] of written) {
  const file = join(ROOT, path);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (before === text) continue;
  if (isCheck) {
    console.error(
      `${path} is not of today. Write it anew with: npm run docs\n${firstDifference(before, text)}`,
    );
    process.exitCode = 1;
  } else {
    writeFileSync(file, text);
    console.log(`wrote ${path}`);
  }
}
