// Use case `run`: plays a council from its start to the archive, and reads findings from its synthesis.
import { findArchive, readArchiveFile } from '../archive/read.ts';
import { renderSynthesisText } from '../archive/computed-synthesis.ts';
import { findArchiveLetters } from '../archive/positions.ts';
import { toSaid } from '../archive/archive.ts';
import type { Archive } from '../archive/archive.ts';
import { CouncilError } from '../base/errors.ts';
import type { ErrorCode } from '../base/errors.ts';
import { replaceLetters } from '../council/naming/reveal-names.ts';
import { loadWords } from '../base/words/words.ts';
import type { Language } from '../base/words/words.ts';
import type { CouncilStatus } from '../council/state/allowed-values.ts';
import type { Workspace } from './workspace.ts';
import type { CouncilState } from '../council/state/state.ts';
import type { App, Result } from './app.ts';
import type { OutsideAgent } from './convene.ts';
import { describeSeat } from './coordinator.ts';
import type { RunInput } from './input/council.ts';
import { listenForInterruption } from './app.ts';
import { openRun, playCouncil } from './play-council.ts';
import type { PlayResult, RunningCouncil, RunView } from './play-council.ts';
import { summarizeRun, hasNobodySpoken } from './run-summary.ts';
import type { RunSummary } from './run-summary.ts';
import { cutFrontMatter } from '../base/front-matter-block.ts';
import { tryParseJson } from '../base/text.ts';

export type { RunView };

export interface RunDocument {
  name: string;
  conversationId: string;
  status: CouncilStatus;
  archive: string;
  /** The outcome as a sentence; null without a decision rule. */
  outcome: string | null;
  synthesis: string;
  by: string | null;
  /** Set if the synthesis contradicts the counted decision; `silent` if it names neither decision nor position. */
  contradicts: boolean;
  /** Agents without a seat because their files cannot be read. */
  outside?: OutsideAgent[];
  silent?: true;
  /** Set if too few could speak for a decision; the council stopped there. */
  noQuorum?: true;
  /** Notes from before it began, by line. */
  notices?: string[];
  /** Findings of reviewers, if the synthesis contains them as data. */
  findings?: Finding[];
}

export interface RunResult extends Result<RunDocument> {
  /** The synthesis without its form, for people. */
  words: string;
  /** What came out, and what it took. */
  ending: RunSummary;
  /** Describes who wrote the synthesis. */
  author: string;
  lang: Language;
}

/** Starts or continues a council, and plays it to the archive. */
export async function run(app: App, input: RunInput, view?: RunView): Promise<RunResult> {
  const signal = listenForInterruption(app);
  try {
    const playing = await openRun(app, input, signal, view);
    const played = await playCouncil(app, playing, signal, { stopsWhenHeld: true }).finally(playing.end);
    if (played.kind === 'held') throw createHeldError(played.council.state);
    return (await readRunResult(playing, played)).result;
  } finally {
    await view?.settle();
  }
}

/** Determines whether a command that played a council failed: by its mode, otherwise by whether it ended in time and anybody spoke. */
async function findFailure(
  { ports }: Pick<Workspace, 'ports'>,
  archive: Archive,
  noQuorum: boolean,
): Promise<ErrorCode | undefined> {
  const { mode, status } = archive.meta;
  const isLate = status === 'TIMEOUT';
  const reading = await ports.modeReading?.(mode);
  const isUndone = noQuorum || status === 'CANCELLED' || hasNobodySpoken(archive);
  if (!reading) return isLate ? 'timed_out' : isUndone ? 'failed' : undefined;
  const { failed } = reading.summarize(toSaid(archive));
  return isLate && failed === 'no_verdict' ? 'timed_out' : failed;
}

/** The council waits for the person who asked to choose how it continues. */
const createHeldError = ({ name, timeoutAt }: CouncilState): CouncilError =>
  new CouncilError(
    'not_your_turn',
    `The council "${name}" waits behind its answers for the person who asked, until ${timeoutAt}.`,
    {
      hint: `See them and choose: council ask --resume --name ${name}. Or say it here: council continue debate|synthesis|end --name ${name}`,
    },
  );

/** The result of a council that was played to its end, and its archive. */
export async function readRunResult(
  {
    workspace,
    state: { name, conversationId },
    notices,
  }: Pick<RunningCouncil, 'workspace' | 'state' | 'notices'>,
  played: PlayResult,
): Promise<{ result: RunResult; archive: Archive }> {
  const known = played.kind === 'archived' ? played.path : undefined;
  const { archives } = workspace.ports;
  // Searching for it would read the front matter of all archives.
  const { path, archive } =
    (known !== undefined && (await readArchiveFile(archives, known))) ||
    (await findArchive(archives, conversationId));
  const { text: synthesis, by, contradicts, silent } = archive.synthesis;
  const { status } = archive.meta;
  const findings = parseSynthesisFindings(synthesis);
  const noQuorum = archive.meta.transitions.some(({ reason }) => reason === 'no_quorum');
  const w = loadWords(archive.meta.lang);
  const ending = summarizeRun(archive);
  const result: RunResult = {
    document: {
      name,
      conversationId,
      status,
      archive: path,
      outcome: ending.outcome,
      synthesis,
      by,
      contradicts,
      ...(archive.meta.outside && { outside: archive.meta.outside }),
      ...(silent && { silent }),
      ...(noQuorum && { noQuorum }),
      ...(notices.length > 0 && { notices }),
      ...(findings && { findings }),
    },
    failed: await findFailure(workspace, archive, noQuorum),
    words: replaceLetters(renderSynthesisText(archive, w), findArchiveLetters(archive)),
    ending,
    author: describeSeat(archive.meta, by ?? ''),
    lang: archive.meta.lang,
  };
  return { result, archive };
}

/** A finding of a reviewer in a document. */
interface Finding {
  /** True if the document itself proves it. */
  first: boolean;
  /** The rule, for example `sum`. */
  kind: string;
  /** Lines of the brief, starting with 1. */
  lines: number[];
  /** Words from the first of these lines. */
  quote: string;
  says: string;
}

/** Reads the findings of a synthesis; undefined if it lists none as data. Ignores invalid entries. */
export function parseSynthesisFindings(synthesis: string): Finding[] | undefined {
  const line = /^findings: (\[.*\])[ \t]*\r?$/m.exec(cutFrontMatter(synthesis)?.yaml ?? '')?.[1];
  if (line === undefined) return undefined;
  const value = tryParseJson(line);
  return Array.isArray(value) ? value.filter(isFinding) : undefined;
}

function isFinding(value: unknown): value is Finding {
  if (typeof value !== 'object' || value === null) return false;
  const { first, kind, lines, quote, says } = value as Record<string, unknown>;
  return (
    typeof first === 'boolean' &&
    [kind, quote, says].every((text) => typeof text === 'string') &&
    Array.isArray(lines) &&
    lines.every((line) => typeof line === 'number')
  );
}
