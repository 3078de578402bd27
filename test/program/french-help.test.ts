// The help, doctor and the lists in French: no sentence is missing, and none is of yesterday.
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FINDINGS } from '../../src/core/base/words/fr/findings.ts';
import { HELP, toFrenchHelp, toFrenchOption } from '../../src/program/help/french.ts';
import type { FrenchRow } from '../../src/core/base/words/to-french.ts';
import { listOptions } from '../../src/core/cli/options.ts';
import { renderFirstScreen } from '../../src/core/cli/help.ts';
import { specs } from '../../src/program/specs.ts';

/** Of these, some options are English still: tasks, messages, databases and clients. */
const LATER =
  'eval heartbeat archives send ack sent log watch-channel task reserve release approvals audit install store serve token protocol completion'.split(
    ' ',
  );
const root = join(import.meta.dirname, '../..');

const readAll = (...paths: string[]): string =>
  paths
    .flatMap((path) => {
      const at = join(root, path);
      const files = fs.statSync(at).isDirectory() ? fs.readdirSync(at).map((name) => join(at, name)) : [at];
      return files.map((file) => fs.readFileSync(file, 'utf8'));
    })
    .join('\n')
    .replaceAll("\\'", "'");

/** What an English row says beside what it names: each part stands in the code. */
const listParts = ([english]: FrenchRow): string[] =>
  english.split(/\{\w+\}/).flatMap((part) => (part.trim().length > 3 ? [part.trim()] : []));
const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

describe('French rows', () => {
  it.each([...FINDINGS, ...HELP].map(([english, french]) => ({ english, french })))(
    'name the same: $english',
    ({ english, french }) => {
      expect(placeholders(french)).toEqual(placeholders(english));
    },
  );

  it('are of sentences that the code has today', () => {
    const help = [
      readAll('src/core/cli/help.ts', 'src/core/cli/options.ts', 'src/program/build-program.ts'),
      readAll('node_modules/commander/lib/command.js', 'node_modules/commander/lib/help.js'),
      ...specs.flatMap(({ summary, details, fields }) => [
        summary,
        details,
        ...Object.values(fields).flatMap((field) => [field.help, field.otherwise]),
      ]),
    ].join('\n');
    expect(
      HELP.flatMap(listParts).filter(
        (part) => !help.includes(part.replace('\n', '\\n')) && !help.includes(part),
      ),
    ).toEqual([]);
    const found = readAll(
      'src/core/app/doctor',
      'src/team/messages/use/presence.ts',
      'src/postgres/doctor/database.ts',
      'src/team/commands/agents.ts',
      'src/core/cli/commands/project.ts',
      'src/core/base/text.ts',
      'templates/modes',
    );
    // Counts are put together: "2 councils are", "active".
    const pieces = FINDINGS.flatMap(listParts).flatMap((part) =>
      part.split(/[,;:] ?|(?:^| )(?:is|are)\b|\b\d+ /),
    );
    expect(pieces.filter((part) => !found.includes(part.trim()))).toEqual([]);
  });
});

describe('the help in French', () => {
  it('has what every command does, and all that most of them take', () => {
    const english = specs.flatMap(({ name, summary, details, fields }) =>
      LATER.includes(name)
        ? [summary]
        : [summary, details ?? '', ...listOptions(fields).map(({ help }) => help)],
    );
    // Values of a choice are the same in every language.
    const isSaid = (text: string): boolean =>
      /^(?:[\w-]+(?:(?:, | or )[\w-]+)*(?: \(default: [\w-]+\))?)?$/.test(text);
    expect(english.filter((text) => toFrenchOption(text) === text && !isSaid(text))).toEqual([]);
  });

  it.each([60, 80])('has a first screen of short lines at %i columns', (columns) => {
    const names = specs.map(({ name }) => name);
    const lines = renderFirstScreen(names, columns, toFrenchHelp).split('\n');
    expect(lines.filter((line) => columns === 80 && line.length > 80)).toEqual([]);
    expect(lines.length).toBeLessThanOrEqual(columns === 80 ? 26 : 42);
    expect(lines[0]).toBe('Utilisation : council COMMANDE [options]');
  });

  it('says where a value comes from', () => {
    expect(toFrenchOption('the project folder (default: the nearest one upwards; COUNCIL_ROOT)')).toContain(
      'par défaut',
    );
    expect(toFrenchOption('who writes the synthesis; none for nobody (default: none; COUNCIL_X)')).toBe(
      'qui écrit la synthèse ; none pour personne (par défaut : none ; COUNCIL_X)',
    );
  });
});
