import { blocksOf, linesIn } from './text/blocks.ts';
import type { Stretch } from './text/blocks.ts';
import { answerAt } from './text/mentions.ts';
import type { Contribution, Challenge } from '../state/state.ts';
import type { ChallengeStatus } from '../state/choices.ts';

/** An answer to a challenge, where it stands in its contribution. */
interface Answer extends Stretch {
  challenge: string;
  status: Exclude<ChallengeStatus, 'open' | 'unanswered'>;
}

/**
 * The challenges with what a tour of RESOLVE says to them: `c1 answered: …`, `c1 conceded: …` or `c1 rejected: …` at
 * the start of a paragraph, a list item or a line of them. Only whom a challenge is put to may answer it; the last
 * answer counts. What is still open then is `unanswered`.
 */
export function readAnswers(
  { tour, contributions }: { tour: number; contributions: readonly Contribution[] },
  challenges: readonly Challenge[],
): Challenge[] {
  const answers = contributions
    .filter((c) => c.tour === tour)
    .flatMap(({ by, text }) => answersIn(text).map((answer) => ({ by, ...answer })));
  // Whoever answers twice means the last one: a map keeps that.
  const lastOf = new Map(answers.map((answer) => [`${answer.challenge} ${answer.by}`, answer]));
  return challenges.map((challenge): Challenge => {
    const { id, against, answer: known } = challenge;
    if (challenge.tour >= tour || (known && known.tour > tour)) return challenge;
    const last = lastOf.get(`${id} ${against}`);
    if (last)
      return { ...challenge, status: last.status, answer: { tour, start: last.start, end: last.end } };
    return challenge.status === 'open' ? { ...challenge, status: 'unanswered' } : challenge;
  });
}

function answersIn(text: string): Answer[] {
  const answers: Answer[] = [];
  // A head alone goes on in the paragraphs below it; else only code and quotes belong to an answer.
  let isOpen = false;
  let isHeadAlone = false;
  for (const block of blocksOf(text)) {
    const last = answers.at(-1);
    if (block.kind === 'break') isOpen = false;
    else if (block.kind === 'prose' || block.kind === 'item') {
      const found = answersOfBlock(text, block);
      if (found.length === 0 && isOpen && isHeadAlone && last) last.end = block.end;
      else isOpen = found.length > 0;
      const head = found.at(-1);
      if (head) isHeadAlone = head.isHeadAlone;
      answers.push(...found.map(({ isHeadAlone: _, ...answer }) => answer));
    } else if (isOpen && last) last.end = block.end;
  }
  return answers;
}

function answersOfBlock(text: string, block: Stretch): (Answer & { isHeadAlone: boolean })[] {
  const heads = linesIn(text, block).flatMap((line) => {
    const head = answerAt(text.slice(line.start, line.end));
    return head ? [{ ...head, start: line.start }] : [];
  });
  return heads.map(({ challenge, status, length, start }, index) => {
    const words = text.slice(start, heads[index + 1]?.start ?? block.end).trimEnd();
    return {
      challenge,
      status,
      start,
      end: start + words.length,
      isHeadAlone: words.slice(length).trim() === '',
    };
  });
}
