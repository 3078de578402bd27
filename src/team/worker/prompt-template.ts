// The templates of prompts that council brings along: how an orchestrator or a worker is told to work.
import { join } from 'node:path';
import { CouncilError } from '../../core/base/errors.ts';
import type { Language } from '../../core/base/words/words.ts';
import { packageDir, readTextFile } from '../../core/store/local/project.ts';
import type { PromptName } from '../tasks/prompt.ts';

/** A template with its variables. Throws `failed` where council's own installation is damaged. */
export function promptTemplate(name: PromptName, lang: Language): string {
  const file = `${name}${lang === 'en' ? '' : `.${lang}`}.md`;
  const path = join(packageDir(), 'templates', 'agents', 'prompts', file);
  const text = readTextFile(path);
  if (text !== undefined) return text;
  throw new CouncilError('failed', `council's own file ${path} is missing.`, {
    hint: 'Install council anew.',
  });
}
