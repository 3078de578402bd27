// Command `doctor`: findings as coloured lines.
import { doctor } from '../../app/doctor/doctor.ts';
import type { DoctorInput } from '../../app/input/project.ts';
import { formatCount, oneLine } from '../../base/text.ts';
import { toldInLines } from '../print.ts';
import type { Command } from '../spec.ts';

const MARKS = { ok: 'ok     ', warning: 'warning', error: 'error  ' } as const;
const COLOURS = { ok: 'green', warning: 'yellow', error: 'red' } as const;

export const doctorCommand: Command<DoctorInput> = async (cli, input) => {
  const result = await doctor(cli, input);
  const { findings } = result.document;
  const count = (wanted: string) => findings.filter(({ level }) => level === wanted).length;
  const [errors, warnings] = [count('error'), count('warning')];
  const lines = findings.flatMap(({ level, check, message, fix }) => [
    `${cli.paint(COLOURS[level], MARKS[level])}  ${check.padEnd(11)}  ${oneLine(message, 1000)}`,
    ...(fix === null ? [] : [`${' '.repeat(22)}-> ${oneLine(fix, 1000)}`]),
  ]);
  const end =
    errors + warnings === 0
      ? 'All is well.'
      : `${formatCount(errors, 'error')}, ${formatCount(warnings, 'warning')}.`;
  return toldInLines(result, [...lines, '', end].join('\n'));
};
