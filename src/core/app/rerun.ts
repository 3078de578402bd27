// Use case `rerun`; and an archived council as context for a new one with the same participants.
import { posix } from 'node:path';
import type { Archive } from '../archive/archive.ts';
import { listMoves, computeStandings } from '../archive/positions.ts';
import type { App } from './app.ts';
import { describeAnswers } from './answers.ts';
import type { SupportedPosition } from './answers.ts';
import { checkInput } from './input/check-input.ts';
import { runFields } from './input/council.ts';
import type { RerunInput } from './input/ask.ts';
import { listenForInterruption } from './app.ts';
import { openRun, playCouncil } from './play-council.ts';
import type { RunView } from './play-council.ts';
import { readRunResult } from './run.ts';
import type { RunDocument, RunResult } from './run.ts';
import { summarizeRun } from './run-summary.ts';
import { computeDigest, renderSynthesisText } from '../archive/computed-synthesis.ts';
import { findArchive } from '../archive/read.ts';
import { loadWords } from '../base/words/words.ts';
import { toSizeAndHash } from './context/context-item.ts';
import type { ContextItem } from './context/context-item.ts';
import { loadAgents, openWorkspace } from './workspace.ts';

/** One of two compared councils with the same brief. */
export interface Outcome {
  archive: string;
  participants: string[];
  mode: string;
  /** The outcome as a sentence; null without a decision rule. */
  outcome: string | null;
  positions: SupportedPosition[];
  moved: { participant: string; from: string; to: string }[];
  /** Launches, tokens, money and time as text. */
  spent: string;
}

export interface RerunDocument extends RunDocument {
  before: Outcome;
  after: Outcome;
}

export interface RerunResult extends RunResult {
  document: RerunDocument;
}

/** Asks another table the question of an archived council, and plays it to its archive. */
export async function rerun(app: App, input: RerunInput, view?: RunView): Promise<RerunResult> {
  const signal = listenForInterruption(app);
  const { archive: ref, ...given } = input;
  const { path, archive: before, agents } = await readPrecedent(app, ref);
  const { topic, mode, lang } = before.meta;
  const text = { from: posix.basename(path), bytes: async () => Buffer.from(before.brief) };
  const all = checkInput(
    runFields,
    { topic, mode, lang, ...(agents && { agents }) },
    { command: 'rerun', env: {}, isOwnCommandLine: false, text: () => undefined },
  );
  const asked = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  try {
    const playing = await openRun(app, { ...all, ...asked, brief: text, isAsked: true }, signal, view);
    const played = await playCouncil(app, playing, signal).finally(playing.end);
    const { result, archive: after } = await readRunResult(playing, played);
    const document = { ...result.document, before: describeOutcome(before), after: describeOutcome(after) };
    return { ...result, document };
  } finally {
    await view?.settle();
  }
}

function describeOutcome(archive: Archive): Outcome {
  const { meta } = archive;
  const { outcome, spent } = summarizeRun(archive);
  return {
    archive: meta.path,
    participants: meta.participants.map(({ id }) => id),
    mode: meta.mode,
    outcome,
    positions: describeAnswers(archive).positions,
    moved: listMoves(computeStandings(archive)).map(({ participant, from, to }) => ({
      participant,
      from,
      to,
    })),
    spent,
  };
}

/** Data from an archived council for a new one. */
interface Precedent {
  path: string;
  archive: Archive;
  /** Its participants that are agents of this project; undefined if there are none. */
  agents: string[] | undefined;
  /** Its facts and its synthesis, without the contributions. */
  context: ContextItem;
}

/** Reads the archive named by `ref`, and reports which participants are missing here. Throws `unknown_archive`. */
export async function readPrecedent(app: App, ref: string): Promise<Precedent> {
  const workspace = openWorkspace(app);
  const { path, archive } = await findArchive(workspace.ports.archives, ref);
  const registry = await loadAgents(app, workspace);
  const sat = archive.meta.participants.map(({ id }) => id);
  const here = sat.filter((id) => registry.find(id));
  const gone = sat.filter((id) => !here.includes(id));
  if (gone.length > 0) app.note(`Not seated again, because no agent has that id now: ${gone.join(', ')}.`);
  const w = loadWords(archive.meta.lang);
  const written = archive.synthesis.computed
    ? ''
    : `\n\n### ${w.archive.synthesis}\n\n${renderSynthesisText(archive, w)}`;
  const text = `# ${archive.meta.topic}\n\n${computeDigest(archive)}${written}\n`;
  const context = { name: path, text, language: 'markdown', ...toSizeAndHash(Buffer.from(text)) };
  return { path, archive, agents: here.length > 0 ? here : undefined, context };
}
