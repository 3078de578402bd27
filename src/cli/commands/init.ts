import { findProject } from '../../store/local/project.ts';
import { CouncilError } from '../../base/errors.ts';
import { prepare } from '../../app/prepare.ts';
import { seatDetected, seatingLines } from '../../app/seat-detected.ts';
import type { LegacyCommand } from '../spec.ts';
import { openWorkspace } from '../../app/workspace.ts';
import { resolve } from 'node:path';

export const initCommand: LegacyCommand = async (cli, _args, options) => {
  const root = resolve(cli.cwd, cli.root ?? '.');
  const { lang } = options;
  if (lang !== undefined && lang !== 'en' && lang !== 'fr')
    throw new CouncilError('usage', `There is no language ${JSON.stringify(lang)}.`, {
      hint: 'Languages: en, fr.',
    });
  const created = prepare(cli, root, lang === undefined ? {} : { lang });
  const around = findProject({ cwd: root, env: {} });
  const seating =
    options.detect === false
      ? { written: [], refused: [] }
      : await seatDetected(cli, openWorkspace({ ...cli, root }));
  const lines =
    created.length === 0
      ? [`${root} was already prepared.`]
      : [`Prepared ${root}:`, ...created.map((path) => `  ${path}`)];
  lines.push(...seatingLines(seating).map((line) => `  ${line}`));
  const next =
    seating.written.length > 0
      ? ['  council doctor --probe', '  council run "your question"']
      : [
          '  council agents add henry --title Henry -- your-program --flags',
          '  council run "your question"',
          'or, with no agent at all:',
          '  council run --panel offline --brief README.md',
        ];
  lines.push('', 'Next:', ...next);
  return {
    json: { root: around?.root ?? root, created, agents: seating.written, notSeated: seating.refused },
    text: lines.join('\n'),
  };
};
