// The folder of an eval: its setup with questions and seats, and every answer, one per line.
import fs from 'node:fs';
import { join } from 'node:path';
import { CouncilError } from '../core/base/errors.ts';
import type { Agent } from '../core/agents/agent.ts';
import { READ_LIMITS } from '../core/base/limits.ts';
import type { Language } from '../core/base/words/words.ts';
import type { FailureKind, SpeakResult, Usage } from '../core/agents/runners/turn-types.ts';
import { attempt, makeFolders } from '../core/store/local/disk.ts';
import { readBytes } from '../core/store/local/read.ts';
import type { Question } from './questions.ts';

/** The setup of an eval. A replay needs only this and the launches. */
export interface EvalSetup {
  schema: 1;
  lang: Language;
  /** The text of the mode's file. */
  mode: string;
  /** With the number of repair requests, which a replay needs to repeat the same steps. */
  seats: Pick<Agent, 'id' | 'runner' | 'model' | 'repair'>[];
  questions: Question[];
  repeat: number;
  limit: number;
}

/** One launch of a seat's program. A turn may need several: after a failure, and for repair requests. */
export interface LaunchLine extends Pick<SpeakResult, 'ok' | 'reason'> {
  sitting: string;
  seat: string;
  tour: number;
  said: string;
  /** Set if the output is not valid text. */
  encoding?: 'base64';
  failure: FailureKind | null;
  usage: Usage | null;
  /** Reported, or computed from a known price; null if neither is known. */
  costUsd: number | null;
  /** The cost that counts for the budget: reported, or estimated. */
  countedUsd: number;
}

export type LaunchTurn = Pick<LaunchLine, 'sitting' | 'seat' | 'tour'>;

export interface EvalRecord {
  readonly setup: EvalSetup;
  /** In order of completion. */
  readonly lines: readonly LaunchLine[];
  /** Synced to disk when it returns. */
  add(line: LaunchLine): void;
  /** Writes reports next to the record. */
  write(files: Readonly<Record<string, string>>): void;
}

const SETUP = 'eval.json';
const LAUNCHES = 'launches.jsonl';

/** Reads the setup of a folder, if any. Throws `corrupt` if it is invalid. */
export function readSetup(folder: string): EvalSetup | undefined {
  const path = join(folder, SETUP);
  const bytes = readBytes(path);
  if (!bytes) return undefined;
  try {
    const setup = JSON.parse(bytes.toString('utf8')) as EvalSetup;
    if (setup.schema === 1) return setup;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new CouncilError('corrupt', `${path} is no setup of an eval that this version of council reads.`, {
    hint: 'Record into another folder: council eval QUESTIONS --record FOLDER',
  });
}

/** Opens a folder, new or existing. Removes an incomplete last line, left by a crash. */
export function openRecord(folder: string, setup: EvalSetup, { writes }: { writes: boolean }): EvalRecord {
  const write = (name: string, content: string): void =>
    attempt('write', join(folder, name), () =>
      fs.writeFileSync(join(folder, name), content, { flush: true }),
    );
  if (writes) {
    attempt('create', folder, () => makeFolders(folder));
    write(SETUP, `${JSON.stringify(setup, null, 2)}\n`);
  }
  const path = join(folder, LAUNCHES);
  const text = readBytes(path, { limit: READ_LIMITS.archive })?.toString('utf8') ?? '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (writes && whole !== text) write(LAUNCHES, whole);
  const lines = whole.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as LaunchLine]));
  return {
    setup,
    lines,
    add(line) {
      attempt('write', path, () => fs.appendFileSync(path, `${JSON.stringify(line)}\n`, { flush: true }));
      lines.push(line);
    },
    write(files) {
      for (const [name, content] of Object.entries(files)) write(name, content);
    },
  };
}

export const isSameTurn = (a: LaunchTurn, b: LaunchTurn): boolean =>
  a.sitting === b.sitting && a.seat === b.seat && a.tour === b.tour;
