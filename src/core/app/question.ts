// Reads the question of a council: topic, brief, decision rule and context; and derives its name from the question.
import { readFrontMatter } from '../base/front-matter.ts';
import { CouncilError, ignoreRefusal } from '../base/errors.ts';
import { requireId, toSlug } from '../base/ids.ts';
import { decodeText } from '../base/text.ts';
import { gatherContext } from './context/context.ts';
import type { ContextItem } from './context/context-item.ts';
import { isRemote } from './app.ts';
import type { App } from './app.ts';
import type { StartInput } from './input/council.ts';
import type { TextSource } from './input/fields.ts';
import { requireDocument } from './offline.ts';
import { findTopic } from './topic.ts';
import { loadWords, readLocale } from '../base/words/words.ts';
import { startsWithFrontMatter } from '../base/front-matter-block.ts';
import type { Rules } from '../council/state/state.ts';

export interface CouncilQuestion {
  topic: string;
  brief: string;
  /** The files and the diff given as context. */
  context: ContextItem[];
}

/**
 * Reads topic and brief. Checks all that it can without a project, so that a rejected question
 * leaves no prepared folder behind. Throws `usage`, and like reading a text.
 */
export async function readQuestion(app: App, input: StartInput): Promise<CouncilQuestion> {
  if (input.name !== undefined) requireId(input.name, 'council name');
  const asked = input.brief ?? (input.topic?.trim() ? undefined : input.piped);
  const brief = asked && (await readBrief(asked));
  await resolveDecisionRules(input, brief);
  const topic = input.topic ?? (brief === undefined ? undefined : findTopic(brief, input.brief?.from ?? '-'));
  if (topic?.trim() && input.panel === 'offline') requireDocument(brief ?? topic, input);
  if (topic?.trim())
    return {
      topic,
      brief: brief ?? topic,
      context: [
        ...(input.context ?? []),
        ...(await gatherContext(app, asked === input.piped ? { ...input, piped: undefined } : input)),
      ],
    };
  const resumes = 'resume' in input && input.resume === true;
  if (app.ask && !resumes && !isRemote(app) && input.brief === undefined && !brief) {
    const said = (await app.ask(loadWords(readLocale(app.env)).ask.question)).trim();
    if (said !== '') return readQuestion(app, { ...input, topic: said });
  }
  if (resumes && input.brief === undefined && !brief)
    throw new CouncilError('usage', 'No council is active.', {
      hint: 'Start one with: council ask "QUESTION"',
    });
  throw new CouncilError('usage', 'A council needs a question.', {
    hint: !brief?.trim()
      ? isRemote(app)
        ? 'Give it as topic, in a sentence.'
        : 'Give it as the argument, "Where do we host?", in a file, question.md, or on stdin.'
      : 'The brief has no heading. Give it one, such as "# Where do we host?", or pass the question as the argument.',
  });
}

async function readBrief({ from, bytes }: TextSource): Promise<string> {
  return decodeText(await bytes(), from === '-' ? 'The brief on stdin' : `The brief ${from}`);
}

/** Maximum characters: people type the name in commands. */
const LONGEST_NAME = 40;

/** Builds a name from words of the question; adds a number if another council has that name. */
export function nameAfterQuestion(topic: string, taken: ReadonlySet<string>): string {
  const words = toSlug(topic, 'question').slice(0, LONGEST_NAME + 1);
  const short = words.length > LONGEST_NAME ? words.replace(/-[^-]*$/, '') : words;
  const free = [short, ...Array.from(taken, (_, at) => `${short}-${at + 2}`)];
  return free.find((name) => !taken.has(name))!;
}

/** Combines the input and the brief's front matter about the decision. Throws `usage`. */
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
    recused: given.recuse.map(parseRecusal),
    weighted,
    forceChallenge,
    advocate,
  };
}

function parseRecusal(text: string): { participant: string; why: string } {
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
  // A document under review may have any front matter, which does not declare options.
  const options = ignoreRefusal(() => readFrontMatter(brief, 'the brief').data.options);
  if (options === undefined) return undefined;
  if (Array.isArray(options) && options.every((o) => typeof o === 'string' || typeof o === 'number'))
    return options.map(String);
  throw new CouncilError('usage', 'The brief\'s front matter has "options" that are not a list of words.', {
    hint: 'For example: options: [build, buy, wait]',
  });
}
