// Evals in this process: seats that are right as often as was planted, and a record in memory.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAgent } from '../../src/core/agents/agent.ts';
import type { Agent } from '../../src/core/agents/agent.ts';
import { createNotLaunchedResult } from '../../src/core/heartbeat/launch/result.ts';
import type { Runner } from '../../src/core/agents/runners/turn-types.ts';
import { sha256OfParts } from '../../src/core/base/ids.ts';
import { parseMode } from '../../src/core/council/state/mode.ts';
import type { EvalTable } from '../../src/eval/play-sitting.ts';
import type { Question } from '../../src/eval/questions.ts';
import type { EvalRecord, EvalSetup, LaunchLine, LaunchTurn } from '../../src/eval/record.ts';

const MODE = readFileSync(join(import.meta.dirname, '../../templates/modes/debate.md'), 'utf8');

export const createQuestions = (count: number): Question[] =>
  Array.from({ length: count }, (_, at) => {
    const topic = `Is statement ${at + 1} true?`;
    const answer = at % 2 === 0 ? 'yes' : 'no';
    return { id: `s${at + 1}`, topic, brief: topic, options: ['yes', 'no'], answer };
  });

export const memoryRecord = (): EvalRecord => {
  const lines: LaunchLine[] = [];
  const setup: EvalSetup = {
    ...{ schema: 1, lang: 'en', mode: MODE, seats: [], questions: [], repeat: 1, limit: Infinity },
  };
  return { setup, lines, add: (line) => void lines.push(line), write: () => undefined };
};

/** Three seats that answer what `say` gives for a turn; undefined for an answer that cannot be read. */
export function createEvalTable(
  say: (turn: LaunchTurn & { question: string }) => string | undefined,
  changes: Partial<EvalTable> = {},
): EvalTable {
  const seats = ['ada', 'ben', 'cleo'].map((id) =>
    parseAgent(`---\nname: ${id}\ncouncil:\n  command: [${id}]\n---\n`, `${id}.md`, 'project'),
  );
  const launch = (agent: Agent): Runner => ({
    async speak({ turn, input }) {
      if (turn?.work.kind !== 'council') throw new Error('It is asked in councils only.');
      const { council: sitting, tour } = turn.work;
      const question = /Is statement (\d+) true/.exec(input)?.[1] ?? '';
      const said = say({ sitting, seat: agent.id, tour, question });
      const output = Buffer.from(
        said === undefined ? 'I cannot tell.\n' : `position: ${said}\n\nSo it is.\n`,
      );
      return {
        ...createNotLaunchedResult('failed', ''),
        ok: true,
        output,
        failure: null,
        reason: null,
        exitCode: 0,
      };
    },
  });
  return {
    ...{ seats, mode: parseMode(MODE, 'debate.md'), lang: 'en', houseRules: '', prices: {}, repair: 0 },
    ...{ timeout: null, budgetUsd: null, root: '/', env: {}, mayRun: () => true },
    turns: {
      begin: () => Promise.reject(new Error('No runner here writes turns down.')) as never,
      listOpen: () => [],
    },
    record: memoryRecord(),
    launch,
    slots: undefined,
    concurrency: 3,
    signal: new AbortController().signal,
    ...changes,
  };
}

/** How often each arm is to be right; they are drawn apart from each other. */
export type Planted = Record<'vote' | 'revise' | 'more' | 'debate', number>;

/**
 * Seats that are divided blind, so that the third decides the vote, and of one mind in each arm. By the seed alone it is drawn
 * for each question and arm whether they are right.
 */
export const plantAnswers =
  (planted: Planted, seed: number) =>
  ({ sitting, seat, tour, question }: LaunchTurn & { question: string }): string => {
    const right = Number(question) % 2 === 1 ? 'yes' : 'no';
    const arm = /-(debate|revise|more)/.exec(sitting)![1] as 'debate' | 'revise' | 'more';
    const isBlind = arm === 'debate' && tour === 1;
    const drawn = isBlind ? 'vote' : arm;
    const hash = sha256OfParts([String(seed), drawn, question]);
    const isDrawnRight = Number.parseInt(hash.slice(0, 8), 16) / 2 ** 32 < planted[drawn];
    const isRight = isBlind && seat !== 'cleo' ? seat === 'ada' : isDrawnRight;
    return isRight ? right : right === 'yes' ? 'no' : 'yes';
  };
