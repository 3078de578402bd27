// Commands `init`, `skill` and `modes`: prepare a folder for councils, and say what they can be.
import { init } from '../../app/init.ts';
import type { InitInput, SkillInput, ModesInput } from '../../app/input/project.ts';
import { seatingLines } from '../../app/seat-detected.ts';
import { toldInLines, toTextOutcome } from '../print.ts';
import type { Command } from '../spec.ts';
import { skill } from '../../app/skill.ts';
import { modes } from '../../app/list-modes.ts';
import { formatDuration } from '../../base/duration.ts';
import { oneLine } from '../../base/text.ts';
import { namePhase } from '../../base/words/reasons.ts';

export const initCommand: Command<InitInput> = async (cli, input) => {
  const result = await init(cli, input);
  const { created, agents: written, notSeated: refused } = result.document;
  const lines =
    created.length === 0
      ? [`${result.folder} was already prepared.`]
      : [`Prepared ${result.folder}:`, ...created.map((path) => `  ${path}`)];
  lines.push(...seatingLines({ written, refused }).map((line) => `  ${line}`));
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

export const skillCommand: Command<SkillInput> = async (cli, input) => {
  const result = await skill(cli, input);
  const { files, installed } = result.document;
  const line = (file: string): string =>
    installed.includes(file) ? `Installed: ${file}` : `Already there: ${file}`;
  return toTextOutcome(result, files.map(line).join('\n'));
};

export const modesCommand: Command<ModesInput> = async (cli, input) => {
  const result = await modes(cli, input);
  if (!('modes' in result.document)) return toTextOutcome(result, result.text ?? '');
  const lines = result.document.modes.map(
    (m) =>
      `${m.name.padEnd(10)} ${m.phases.map((phase) => namePhase(phase, m)).join(' > ')}, ${formatDuration(m.timeout)} a phase\n           ${oneLine(m.description, 1000)}`,
  );
  return toTextOutcome(result, lines.join('\n'));
};
