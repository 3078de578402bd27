// How long the prompts of a debate are, and how much of them a provider can have read before: the council's and a plain layout's.
import { listDebatePrompts, listPlainPrompts, measurePrompts } from '../../test/helpers/cached-prompts.ts';

const COUNCILS = [
  { name: 'three participants, 40 KB of context', seats: 3, list: listDebatePrompts },
  { name: 'eight participants, 40 KB of context', seats: 8, list: listDebatePrompts },
  { name: 'three, plain: the persona, the question, then all answers', seats: 3, list: listPlainPrompts },
  { name: 'eight, plain', seats: 8, list: listPlainPrompts },
];

const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** A row a council: bytes of all its prompts, and their share that stood in an earlier prompt to the same model. */
export const listCacheableShares = (): string[][] =>
  COUNCILS.map(({ name, seats, list }) => {
    const different = measurePrompts(list(seats));
    const one = measurePrompts(list(seats, { isOneModel: true }));
    return [name, `${Math.round(different.bytes / 1000)} KB`, percent(different.share), percent(one.share)];
  });
