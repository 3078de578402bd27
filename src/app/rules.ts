import { startsWithFrontMatter } from '../base/front-matter-block.ts';
import { CouncilError } from '../base/errors.ts';
import type { Rules } from '../council/state/state.ts';
import type { Options } from './app.ts';
import { RULES } from '../council/state/choices.ts';

/** What the flags and the brief's front matter say about the decision. Throws `usage`. */
export async function rulesFrom(
  flags: Options,
  brief: string | undefined,
): Promise<Partial<Omit<Rules, 'families'>>> {
  const rule = RULES.find((name) => name === flags.rule);
  if (flags.rule !== undefined && !rule)
    throw new CouncilError('usage', `There is no rule ${JSON.stringify(flags.rule)}.`, {
      hint: `Rules: ${RULES.join(', ')}.`,
    });
  const repeat = flags.repeat === undefined ? undefined : Number(flags.repeat);
  if (repeat !== undefined && !(Number.isInteger(repeat) && repeat >= 1 && repeat <= 9)) {
    throw new CouncilError(
      'usage',
      `The number of repeats must be a whole number: ${JSON.stringify(flags.repeat)}.`,
      {
        hint: 'Use a whole number from 1 to 9.',
      },
    );
  }
  const given = flags.option as string[] | undefined;
  const options = given && given.length > 0 ? given : await optionsOf(brief);
  return {
    ...(options && { options }),
    ...(rule && { rule }),
    ...(repeat && { repeat }),
    vetoes: typeof flags.veto === 'string' ? flags.veto.split(',').map((id) => id.trim()) : [],
    recused: ((flags.recuse as string[] | undefined) ?? []).map(recusal),
    weighted: flags.weighted === true,
    forceChallenge: flags.forceChallenge === true,
    advocate: flags.advocate !== false,
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
async function optionsOf(brief: string | undefined): Promise<string[] | undefined> {
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
