// What is wrong with a form of a new council, told in the words of the page: what the server itself refuses speaks to programs.
import { asDuration } from '../../../core/base/duration.ts';
import { isId } from '../../../core/base/ids.ts';
import { fill } from '../../../core/base/words/words.ts';
import type { Words } from '../../../core/base/words/words.ts';
import type { Done } from '../../remote/perform-call.ts';
import type { Html } from '../../page/html.ts';
import { problemOf } from '../problem.ts';
import { told } from './answers.ts';
import { amountOf, optionsOf } from './start-input.ts';
import type { Filled } from './start-input.ts';

/** A sentence, and the id of the field that it is about. */
export interface Complaint {
  says: string;
  /** What is told to programs. */
  exactly?: Html | null;
  field?: keyof Filled;
}

/** The first field that cannot be right; undefined where all may be. */
export function complaintOn(filled: Filled, { site }: Words): Complaint | undefined {
  const { topic, brief, name, agents, coordinator, timeout, budget } = filled;
  const wrong = (field: keyof Filled, says: string): Complaint => ({ says, field });
  if (topic === '' && brief.trim() === '') return wrong('topic', site.noQuestion);
  if (name !== '' && !isId(name)) return wrong('name', fill(site.notAName, { name }));
  if (!areOptions(optionsOf(filled))) return wrong('options', site.notOptions);
  if (agents.length > 0 && agents.every((id) => id === coordinator)) return wrong('agents', site.nobodySits);
  if (timeout !== '' && asDuration(timeout) === undefined) return wrong('timeout', site.notATime);
  if (budget !== '' && amountOf(budget) === undefined) return wrong('budget', site.notABudget);
  return undefined;
}

const areOptions = (options: readonly string[]): boolean =>
  options.length === 0 ||
  (options.length > 1 && new Set(options.map((one) => one.toLowerCase())).size === options.length);

/** Why a council was not started. */
export function refusalOf(
  done: Done,
  { name, topic }: Filled,
  visitor: Parameters<typeof told>[0],
): Complaint {
  const { site } = visitor.w;
  const problem = problemOf(done);
  const { code } = problem;
  if (code === 'name_taken')
    return { says: name === '' ? site.needsName : fill(site.nameTaken, { name }), field: 'name' };
  // Everything else that was filled in may be right: the brief has no heading.
  if (code === 'usage' && topic === '') return { says: site.noQuestion, field: 'topic' };
  if (code === 'usage' && problem.detail.startsWith('No participants'))
    return { says: site.nobodyChosen, field: 'agents' };
  return told(visitor, problem);
}
