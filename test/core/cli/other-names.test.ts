import { describe, expect, it } from 'vitest';
import {
  findAnswer,
  findOptionAnswer,
  resolveAction,
  resolveCommand,
  resolveOptions,
} from '../../../src/core/cli/other-names.ts';
import { listOptions } from '../../../src/core/cli/options.ts';
import { findNearest } from '../../../src/core/base/unknown-name.ts';
import { specs } from '../../../src/program/specs.ts';

const NAMES = specs.map(({ name }) => name);
const WORDS = ['archive', 'clean', 'reset', 'edit', 'verify', 'share', 'undo', 'config', 'login', 'models'];

describe('a word that names no command', () => {
  it.each(WORDS)('is answered with commands that there are: %s', (word) => {
    expect(NAMES).not.toContain(word);
    const named = [...findAnswer(word)!.matchAll(/: council ([a-z]+)/g)].map(([, name]) => name!);
    expect(named.filter((name) => ![...NAMES, 'version'].includes(name))).toEqual([]);
  });

  it.each([
    ['aks', 'ask'],
    ['shwo', 'show'],
    ['staus', 'status'],
    ['xyz', undefined],
  ])('is taken for the nearest one: %s', (word, meant) => {
    expect(findNearest(word, NAMES)).toBe(meant);
  });
});

describe('what is typed', () => {
  const understand = (...typed: string[]): string =>
    resolveCommand(typed, (name) => NAMES.includes(name)).join(' ');

  it.each([
    [['Build or buy?', '--me'], 'ask Build or buy? --me'],
    [['debate', 'Build or buy?'], 'run Build or buy?'],
    [['personas'], 'agents personas'],
    [['help', 'personas'], 'help agents'],
    [['personas', 'show', 'skeptic'], 'agents personas skeptic'],
    [['resume', 'show'], 'ask --resume --name show'],
    [['ps'], 'status'],
    [['stats', '--json'], 'cost --json'],
    [['--quiet', 'Build or buy?'], 'ask --quiet Build or buy?'],
    [['Why?'], 'ask Why?'],
    [['notes.md'], 'ask notes.md'],
    [['followup', 'And Go?'], 'ask --after last And Go?'],
    [['synthesis', 'Why?'], 'ask --synthesis Why?'],
    [['synthesis'], 'continue synthesis'],
    [['resume'], 'ask --resume'],
    [['resume', 'billing', '--quiet'], 'ask --resume --name billing --quiet'],
    [['resume', '--help'], 'ask --resume --help'],
    [['status', '--help'], 'status --help'],
  ])('is run as the command that is meant: %j', (typed, meant) => {
    expect(understand(...typed)).toBe(meant);
  });

  it.each([
    [['status --json'], 'status --json'],
    [['list all of them'], 'list all of them'],
    [['config', '--help', '--json'], 'config --json'],
    [['xyz'], 'xyz'],
  ])('starts nothing where that is not sure: %j', (typed, meant) => {
    expect(understand(...typed)).toBe(meant);
  });
});

describe('options', () => {
  const understandWords = (...typed: string[]): string[] => {
    const { fields } = specs.find(({ name }) => name === typed[0])!;
    const known = listOptions(fields).map(({ flags }) => flags);
    return resolveOptions(typed, fields, known);
  };
  const understand = (...typed: string[]): string => understandWords(...typed).join(' ');

  it('keep a value of several words whole', () => {
    expect(understandWords('cancel', '--reason=on holiday, back in May')).toEqual([
      'cancel',
      '--why=on holiday, back in May',
    ]);
  });

  it.each([
    [['ask', 'Q?', '-q', '-f', 'notes.md', '--context=b.md'], 'ask Q? --quiet --file notes.md --file=b.md'],
    [['ask', '-c', 'Q?', '--agent', 'claude'], 'ask --after last Q? --agents claude'],
    [['export', 'last', '--html', '-o', 'a.html'], 'export last --format html --output a.html'],
    [['export', '-f', 'html'], 'export --format html'],
    [['continue', '--debate'], 'continue debate'],
    [['agents', '--list'], 'agents list'],
    [['logs', 'codex', '-n', '3'], 'logs codex --last 3'],
    [['run', 'Q?', '--analysis', '-y'], 'run Q? --mode analysis --yes'],
    [['cancel', '-m', 'late'], 'cancel --why late'],
  ])('by other names are those of the command: %j', (typed, meant) => {
    expect(understand(...typed)).toBe(meant);
  });

  it.each([
    [['agents', 'add', 'x', '--', 'prog', '-q', '-f', 'a']],
    [['ask', 'Q?', '-m', 'opus', '--none', '--html=1', '-']],
  ])('stay as they are where it is not sure, and behind --: %j', (typed) => {
    expect(understand(...typed)).toBe(typed.join(' '));
  });
});

it.each([
  ['mv', /council agents edit ID --title/],
  ['probe', /council doctor --probe/],
])('an action that there is not is answered: agents %s', (action, hint) => {
  const agents = specs.find(({ name }) => name === 'agents')!;
  const refused = (() => {
    try {
      return resolveAction(agents, { action });
    } catch (error) {
      return error;
    }
  })();
  expect(refused).toMatchObject({ code: 'usage', hint: expect.stringMatching(hint) as string });
  expect(resolveAction(agents, { action: 'rm' })).toEqual({ action: 'remove' });
});

it('names the options that a letter may stand for', () => {
  expect(findOptionAnswer('t', ['--timeout <duration>', '--table <kind>', '--json'])).toBe(
    'Options are written out: --timeout <duration>, --table <kind>',
  );
  expect(findOptionAnswer('x', ['--follow'])).toBeUndefined();
});
