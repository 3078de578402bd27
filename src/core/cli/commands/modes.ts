// Command `modes`.
import type { ModesInput } from '../../app/input/project.ts';
import { modes } from '../../app/list-modes.ts';
import { formatDuration } from '../../base/duration.ts';
import { oneLine } from '../../base/text.ts';
import { toTextOutcome } from '../print.ts';
import type { Command } from '../spec.ts';
import { namePhase } from '../../base/words/reasons.ts';

export const modesCommand: Command<ModesInput> = async (cli, input) => {
  const result = await modes(cli, input);
  if (!('modes' in result.document)) return toTextOutcome(result, result.text ?? '');
  const lines = result.document.modes.map(
    (m) =>
      `${m.name.padEnd(10)} ${m.phases.map((phase) => namePhase(phase, m)).join(' > ')}, ${formatDuration(m.timeout)} a phase\n           ${oneLine(m.description, 1000)}`,
  );
  return toTextOutcome(result, lines.join('\n'));
};
