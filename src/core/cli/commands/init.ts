// Command `init`.
import { init } from '../../app/init.ts';
import type { InitInput } from '../../app/input/project.ts';
import { seatingLines } from '../../app/seat-detected.ts';
import { readLanguage } from '../../app/language.ts';
import { fill, loadWords } from '../../base/words/words.ts';
import { toldInLines } from '../print.ts';
import type { Command } from '../spec.ts';

export const initCommand: Command<InitInput> = async (cli, input) => {
  const result = await init(cli, input);
  const words = loadWords(input.lang ?? (await readLanguage(cli)));
  const { init: w } = words;
  const { created, agents: written, notSeated: refused } = result.document;
  const lines =
    created.length === 0
      ? [fill(w.already, { folder: result.folder })]
      : [fill(w.prepared, { folder: result.folder }), ...created.map((path) => `  ${path}`)];
  lines.push(...seatingLines({ written, refused }, words).map((line) => `  ${line}`));
  const ask = `  council ask "${w.question}"`;
  const next =
    written.length > 0
      ? ['  council doctor --probe', ask]
      : [
          ask,
          '  council agents add henry --title Henry -- your-program --flags',
          w.alone,
          '  council run --panel offline --brief README.md',
        ];
  lines.push('', words.ending.next, ...next);
  return toldInLines(result, lines.join('\n'));
};
