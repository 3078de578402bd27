// Reads the decision rule from the options and from the brief's front matter.
import { startsWithFrontMatter } from '../base/front-matter-block.ts';
import { CouncilError } from '../base/errors.ts';
import type { Rules } from '../council/state/state.ts';
import type { StartInput } from './input/council.ts';

/** What was given and the brief's front matter say about the decision. Throws `usage`. */
export async function resolveDecisionRules(
  given: Pick<
    StartInput,
    'rule' | 'tie' | 'repeat' | 'option' | 'veto' | 'recuse' | 'weighted' | 'forceChallenge' | 'advocate'
  >,
  brief: string | undefined,
): Promise<Partial<Omit<Rules, 'families'>>> {
  const { rule, tie, repeat, weighted, forceChallenge, advocate } = given;
  const options = given.option.length > 0 ? given.option : await readBriefOptions(brief);
  return {
    ...(options && { options }),
    ...(rule && { rule }),
    ...(tie && { tie }),
    ...(repeat && { repeat }),
    vetoes: given.veto?.split(',').map((id) => id.trim()) ?? [],
    recused: given.recuse.map(recusal),
    weighted,
    forceChallenge,
    advocate,
  };
}

function recusal(text: string): { participant: string; why: string } {
  const colon = text.indexOf(':');
  const why = text.slice(colon + 1).trim();
  if (colon > 0 && why !== '') return { participant: text.slice(0, colon).trim(), why };
  throw new CouncilError('usage', `A recusal needs a reason: ${JSON.stringify(text)}.`, {
    hint: 'For example: --recuse "sage:wrote the proposal"',
  });
}

/** `options: [build, buy]` in the brief's own front matter. */
async function readBriefOptions(brief: string | undefined): Promise<string[] | undefined> {
  if (brief === undefined || !startsWithFrontMatter(brief)) return undefined;
  const { readFrontMatter } = await import('../base/front-matter.ts');
  let options: unknown;
  try {
    options = readFrontMatter(brief, 'the brief').data.options;
  } catch (error) {
    // A document under review may have a front matter of any kind: it declares no options.
    if (error instanceof CouncilError) return undefined;
    throw error;
  }
  if (options === undefined) return undefined;
  if (Array.isArray(options) && options.every((o) => typeof o === 'string' || typeof o === 'number'))
    return options.map(String);
  throw new CouncilError('usage', 'The brief\'s front matter has "options" that are not a list of words.', {
    hint: 'For example: options: [build, buy, wait]',
  });
}
