// `npm run docs`: writes what the documents say of commands from the same data that the command line is made of, and plays
// the debate that docs/deliberation.md shows.
// With --check nothing is written, and the exit code is 1 where a document is not of today; `npm test` does that.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argumentsOf, optionsOf } from '../src/cli/options.ts';
import type { CommandSpec } from '../src/cli/spec.ts';
import { specs } from '../src/cli/specs.ts';
import { debate } from './debate.ts';

const ROOT = join(import.meta.dirname, '..');

const escaped = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '\\<');
const cell = (text: string): string => text.replaceAll('|', '\\|');
const usage = ({ name, fields }: CommandSpec): string => `council ${name} ${argumentsOf(fields)}`.trimEnd();

const section = (spec: CommandSpec): string =>
  [
    `## ${spec.name}`,
    '',
    `\`${usage(spec)}\`: ${escaped(spec.summary)}.`,
    ...(spec.details ? ['', escaped(spec.details)] : []),
    ...(optionsOf(spec.fields).length === 0
      ? []
      : [
          '',
          '| Option | Meaning |',
          '| --- | --- |',
          ...optionsOf(spec.fields).map(({ flags, help }) => `| \`${cell(flags)}\` | ${escaped(help)} |`),
        ]),
    '',
    '```sh',
    ...spec.examples,
    '```',
    '',
  ].join('\n');

const page = `# Commands

<!-- Written by npm run docs. -->

Every command takes \`--json\` (one document on stdout), \`--root DIR\` (the project's folder; otherwise the nearest one upwards
that has COUNCIL.md or \`memory/shared/\`) and \`--help\`; the first two may also stand before the command. \`council --version\`
prints the version, \`council help COMMAND\` explains one. Durations are \`300s\`, \`30m\`, \`1h30m\`, \`2d\`; a bare number is
seconds. What \`--json\` prints is in [formats](formats.md#json-contract).

${specs.map(({ name }) => `[${name}](#${name})`).join(' · ')}

${specs.map(section).join('\n')}`;

const table = ['| Command | What it does |', '| --- | --- |']
  .concat(
    specs.map(
      (spec) => `| [\`${cell(usage(spec))}\`](docs/commands.md#${spec.name}) | ${escaped(spec.summary)} |`,
    ),
  )
  .join('\n');

/** A document with what stands between two of its lines written anew. */
function withBlock(path: string, begin: string, end: string, block: string): string {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const [before, rest = ''] = text.split(begin);
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error(`${path} lacks the lines "${begin}" and "${end}".`);
  return `${before}${begin}\n\n${block}\n\n${end}${after}`;
}

const isCheck = process.argv.includes('--check');
for (const [path, text] of [
  ['docs/commands.md', page],
  ['README.md', withBlock('README.md', '<!-- commands: npm run docs -->', '<!-- end of commands -->', table)],
  [
    'docs/deliberation.md',
    withBlock('docs/deliberation.md', '<!-- debate: npm run docs -->', '<!-- end of debate -->', debate()),
  ],
] as const) {
  const file = join(ROOT, path);
  const before = readFileSync(file, 'utf8');
  if (before === text) continue;
  if (isCheck) {
    console.error(`${path} is not of today. Write it anew with: npm run docs`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, text);
    console.log(`wrote ${path}`);
  }
}
