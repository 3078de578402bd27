// Command `init`.
import { init } from '../../app/init.ts';
import type { InitInput } from '../../app/input/project.ts';
import { seatingLines } from '../../app/seat-detected.ts';
import { loadWords } from '../../base/words/words.ts';
import { toldInLines } from '../print.ts';
import type { Command } from '../spec.ts';

export const initCommand: Command<InitInput> = async (cli, input) => {
  const result = await init(cli, input);
  const { created, agents: written, notSeated: refused } = result.document;
  const lines =
    created.length === 0
      ? [`${result.folder} was already prepared.`]
      : [`Prepared ${result.folder}:`, ...created.map((path) => `  ${path}`)];
  lines.push(...seatingLines({ written, refused }, loadWords('en')).map((line) => `  ${line}`));
  const next =
    written.length > 0
      ? ['  council doctor --probe', '  council ask "your question"']
      : [
          '  council ask "your question"',
          '  council agents add henry --title Henry -- your-program --flags',
          'or, with no agent at all:',
          '  council run --panel offline --brief README.md',
        ];
  lines.push('', 'Next:', ...next);
  return toldInLines(result, lines.join('\n'));
};
