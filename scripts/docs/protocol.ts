// The tables of the documents, from the data that codecs, rules, agent files and permissions are read with.
import { listCacheableShares } from './cacheable.ts';
import { CAPABILITIES } from '../../src/core/agents/work-settings.ts';
import { PERMISSIONS } from '../../src/core/app/permissions.ts';
import type { Permission } from '../../src/core/app/permissions.ts';
import { SETTINGS, nameVariable } from '../../src/core/base/config.ts';
import { MEANINGS } from '../../src/team/messages/codecs/codec-types.ts';
import { GRAMMARS } from '../../src/team/messages/codecs/grammar.ts';
import type { Grammar } from '../../src/team/messages/codecs/grammar.ts';
import { MATRIX } from '../../src/team/messages/policy.ts';

const VERSIONS = ['v2', 'v3', 'v4', 'v5'] as const;
/** What older versions call otherwise stands in the row of V5. */
const NAMES: Record<string, string> = { task: 'tid', role: 'route' };
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '\\<').replaceAll('*', '\\*');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** A row for each segment, a column for each version. */
function grammars(): string {
  const newest = VERSIONS.toReversed();
  const columns = newest.map((version) => describeGrammar(GRAMMARS[version]));
  const names = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  const { types, readTypes = {} } = GRAMMARS.v5;
  const words = (letters: object): string =>
    Object.entries(letters)
      .map(([letter, kind]) => `${letter} ${kind}`)
      .join(', ');
  return [
    table(
      ['', ...newest.map((version) => version.toUpperCase())],
      names.map((name) => [
        name,
        ...columns.map((column, at) => {
          const text = column.get(name) ?? '';
          return at > 0 && text !== '' && text === columns[at - 1]!.get(name) ? 'the same' : text;
        }),
      ]),
    ),
    '',
    `Types: ${words(types)}; read only: ${words(readTypes)}.`,
  ].join('\n');
}

/** What each segment must be, and the code of the error where it is not. */
function describeGrammar({ segments, countCode, data }: Grammar): Map<string, string> {
  const length = data.most ? `${data.most.characters} characters, the rest is cut with a warning; ` : '';
  return new Map([
    ['segments', `${segments.length + 1} (${countCode})`],
    ...segments.map(({ name, expected, code }): [string, string] => [NAMES[name] ?? name, `${cell(expected)} (${code})`]),
    ['data', `${length}no ${cell(data.named)} (${data.code}); not empty (${countCode})`],
  ]);
}

const codes = (): string =>
  table(
    ['Meaning', ...VERSIONS],
    Object.entries(MEANINGS).map(([meaning, row]) => [meaning, ...VERSIONS.map((version) => row[version] ?? '')]),
  );

const matrix = (): string => {
  const rights = Map.groupBy(MATRIX, ({ from, kinds }) => `${from} | ${kinds.length === 0 ? 'nothing' : kinds.join(', ')}`);
  return table(
    ['From', 'May send', 'To'],
    [...rights].map(([right, routes]) => [right, routes.map(({ to }) => to).join(', ')]),
  );
};

const councilSettings = (): string =>
  table(
    ['Setting', 'What it is for', 'Accepted', 'Without it', 'Variable'],
    Object.entries(SETTINGS).map(([key, { help, expected, fallback, otherwise, isFileOnly }]) => [
      `\`${key}\``,
      help,
      cell(expected),
      otherwise ?? `\`${String(fallback)}\``,
      isFileOnly ? '' : `\`${nameVariable(key)}\``,
    ]),
  );

const capabilities = (): string => CAPABILITIES.map((name) => `\`${name}\``).join(', ');

const IN_WORDS: Partial<Record<Permission, string>> = { refused: 'no', own: 'as itself' };

/** A row for each answer but yes, with all commands that get it; some commands get another for each action. */
const permissions = (): string => {
  const asked = Object.entries(PERMISSIONS).flatMap(([name, row]): [string, Permission][] =>
    typeof row === 'string'
      ? [[`\`${name}\``, row]]
      : [...Map.groupBy(Object.entries(row), ([, permission]) => permission)].map(([permission, actions]) => [
          `\`${name}\` (${actions.map(([action]) => action).join(', ')})`,
          permission,
        ]),
  );
  const rows = [...Map.groupBy(asked, ([, permission]) => permission)];
  return table(
    ['In a turn', 'Commands'],
    rows.flatMap(([permission, names]) => {
      const answer = IN_WORDS[permission];
      return answer ? [[answer, names.map(([name]) => name).join(', ')]] : [];
    }),
  );
};

/** Measured on the same texts in every run. */
const cacheable = (): string =>
  table(
    ['Council', 'Prompts in all', 'Cacheable, a model for each seat', 'Cacheable, one model in all seats'],
    listCacheableShares(),
  );

const TABLES: Record<string, () => string> = {
  cacheable,
  grammars,
  codes,
  matrix,
  councilSettings,
  capabilities,
  permissions,
};

/** The page with its tables written anew. */
export const withTables = (text: string): string =>
  text.replace(
    /<!-- (\w+): npm run docs -->[\s\S]*?<!-- end of \1 -->/g,
    (_, name: string) => `<!-- ${name}: npm run docs -->\n\n${TABLES[name]!()}\n\n<!-- end of ${name} -->`,
  );
