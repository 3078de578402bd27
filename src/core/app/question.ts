// Reads what a council is asked: topic, brief, and what is given with them.
import { CouncilError } from '../base/errors.ts';
import { requireId } from '../base/ids.ts';
import { decodeText } from '../base/text.ts';
import { gatherContext } from './context/context.ts';
import type { ContextItem } from './context/context-item.ts';
import type { App } from './app.ts';
import { resolveDecisionRules } from './decision-rules.ts';
import type { StartInput } from './input/council.ts';
import type { GivenText } from './input/fields.ts';
import { requireDocument } from './offline.ts';
import { findTopic } from './topic.ts';

/** What a council is asked. */
export interface CouncilQuestion {
  topic: string;
  brief: string;
  /** The files and the diff that were given with it. */
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
  throw new CouncilError('usage', 'A council needs a question.', {
    hint:
      input.brief === undefined && !brief
        ? 'Give it as the argument, "Where do we host?", in a file, question.md, or on stdin.'
        : 'The brief has no heading. Give it one, such as "# Where do we host?", or pass the question as the argument.',
  });
}

async function readBrief({ from, bytes }: GivenText): Promise<string> {
  return decodeText(await bytes(), from === '-' ? 'The brief on stdin' : `The brief ${from}`);
}
