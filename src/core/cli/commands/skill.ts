// Command `skill`.
import type { SkillInput } from '../../app/input/project.ts';
import { skill } from '../../app/skill.ts';
import { toTextOutcome } from '../print.ts';
import type { Command } from '../spec.ts';

export const skillCommand: Command<SkillInput> = async (cli, input) => {
  const result = await skill(cli, input);
  const { files, installed } = result.document;
  const line = (file: string): string =>
    installed.includes(file) ? `Installed: ${file}` : `Already there: ${file}`;
  return toTextOutcome(result, files.map(line).join('\n'));
};
