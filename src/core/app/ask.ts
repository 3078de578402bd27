// Use case `ask`: the blind answers of a table with agreements and differences, and how to continue.
// Output waits while the person who asked writes an answer.
import type { Agent } from '../agents/agent.ts';
import type { Archive } from '../archive/archive.ts';
import { CouncilError } from '../base/errors.ts';
import type { ErrorCode } from '../base/errors.ts';
import { fill, loadWords } from '../base/words/words.ts';
import type { Reach, HoldExit } from '../council/state/allowed-values.ts';
import type { Council, CouncilState } from '../council/state/state.ts';
import { composeOpenArchive, describeAnswers } from './answers.ts';
import type { AnswersDocument } from './answers.ts';
import { createInterruptedError, listenForInterruption, overrideApp } from './app.ts';
import type { App } from './app.ts';
import { toRunInput } from './ask-input.ts';
import type { AskedInput } from './ask-input.ts';
import { continueHeldCouncil } from './continue-council.ts';
import type { AskInput } from './input/ask.ts';
import type { TextSource } from './input/fields.ts';
import { openRun, playCouncil } from './play-council.ts';
import type { PlayResult, RunningCouncil, RunView } from './play-council.ts';
import { respond } from './respond.ts';
import { readRunResult } from './run.ts';
import type { RunDocument, RunResult } from './run.ts';

/** The choice of the person who asked, after the answers. */
export type AskerChoice = { kind: 'way'; way: HoldExit } | { kind: 'note'; text: string } | { kind: 'again' };

/** A terminal, or another interface where the person who asked follows the council. */
export interface AskView extends RunView {
  /** Receives each answer when it arrives, also while blind, from programs launched by this process. */
  onAnswer?(participant: string, text: string): void;
  /** Shows the answers, and asks for a choice; undefined at the end of input. */
  choose?(answers: AnswersDocument, signal: AbortSignal): Promise<AskerChoice | undefined>;
  /** Where the person writes an answer. */
  ownAnswer?: TextSource;
}

export interface AskDocument extends RunDocument, AnswersDocument {
  reach: Reach;
}

export interface AskResult extends RunResult {
  document: AskDocument;
}

/** Asks every seat once, blind, continues as chosen, and plays the council to the archive. */
export async function ask(
  app: App,
  input: AskInput,
  view: AskView = { settle: async () => undefined },
): Promise<AskResult> {
  const signal = listenForInterruption(app);
  try {
    const notes: string[] = [];
    for (let attempt = input; ; attempt = { ...attempt, resume: false }) {
      const result = await askOnce(app, { ...attempt, notes }, view, signal);
      if (!('noted' in result)) return result;
      notes.push(...result.noted);
    }
  } finally {
    await view.settle();
  }
}

/** Returns the result, or the notes if the question is to be asked again. */
async function askOnce(
  app: App,
  input: AskedInput,
  view: AskView,
  signal: AbortSignal,
): Promise<AskResult | { noted: string[] }> {
  const wanted = await toRunInput(app, input, view);
  const { asker } = wanted;
  const playing = await openRun(app, wanted, signal, view);
  const { state } = playing;
  const own = asker && view.ownAnswer;
  const gate = createGate(app, view, own && asker.id);
  const options = { stopsWhenHeld: true, onAnswer: mayShowAnswers(state, asker) ? gate.onAnswer : undefined };
  try {
    const writing = own && writeOwnAnswer(app, state, asker.id, own).then(gate.open, gate.fail);
    let played = await playCouncil(gate.app, playing, signal, options);
    await writing;
    while (played.kind === 'held') {
      const { notes = [] } = played.council.state;
      const choice = await askForChoice(playing, played, { input, view, signal });
      const isChosen =
        choice !== undefined && (await commitChoice(app, playing, toContinueInput(choice), view));
      // A closed terminal ends the council; finish that before leaving.
      const playSignal = choice && signal.aborted ? new AbortController().signal : signal;
      played = await playCouncil(app, playing, playSignal, options);
      // If another terminal was faster, its choice counts.
      if (choice?.kind === 'again' && isChosen) return { noted: notes.map(({ text }) => text) };
    }
    const { result, archive } = await readRunResult(playing, played);
    const document = { ...result.document, ...describeAnswers(archive), reach: findReach(archive) };
    return { ...result, document };
  } finally {
    await playing.end();
  }
}

/** Returns how far it went: a debate has more rounds than the blind one. */
const findReach = ({ contributions, synthesis }: Archive): Reach =>
  contributions.some(({ phase }) => phase === 'CHALLENGE')
    ? 'debate'
    : synthesis.computed
      ? 'answers'
      : 'synthesis';

/** Whether answers may be shown during the blind round: not if another person still has to answer. */
const mayShowAnswers = ({ order, participants }: CouncilState, asker: Agent | undefined): boolean =>
  order.every((id) => id === asker?.id || participants[id]!.runner !== 'human');

/** Asks how a held council continues; undefined if another process has continued it, or its hold is over. */
async function askForChoice(
  { ports, resume, watch }: RunningCouncil,
  { council, revision }: PlayResult & { kind: 'held' },
  { input, view, signal }: { input: AskInput; view: AskView; signal: AbortSignal },
): Promise<AskerChoice | undefined> {
  const byFlag: HoldExit = input.debate ? 'debate' : input.synthesis ? 'synthesis' : 'end';
  if (!view.choose) return { kind: 'way', way: byFlag };
  const decided = new AbortController();
  const choiceSignal = AbortSignal.any([signal, decided.signal]);
  const changed = waitForChange({ ports, watch }, { council, revision }, choiceSignal);
  await view.settle();
  const chosen = view
    .choose(describeAnswers(composeOpenArchive(council)), choiceSignal)
    .then((choice): AskerChoice => choice ?? { kind: 'way', way: 'end' })
    .catch((error: unknown): AskerChoice => {
      // A closed terminal ends the council. Ctrl-C leaves it as it is.
      if (signal.reason === 'SIGHUP') return { kind: 'way', way: 'end' };
      throw signal.aborted ? createInterruptedError(resume) : error;
    });
  try {
    // An abort settles both; only the choice says whether to end or to throw.
    return await Promise.race([chosen, changed.then(() => (signal.aborted ? chosen : undefined))]);
  } finally {
    decided.abort();
  }
}

/** Resolves once the council has another revision, or its hold is over. */
async function waitForChange(
  { ports, watch }: Pick<RunningCouncil, 'ports' | 'watch'>,
  { council, revision }: { council: Council; revision: number },
  signal: AbortSignal,
): Promise<void> {
  const holdEnd = Date.parse(council.state.timeoutAt);
  while (!signal.aborted && ports.clock.now() < holdEnd) {
    await watch.untilChange(revision, holdEnd, signal);
    if ((await watch.read())?.revision !== revision) return;
  }
}

const toContinueInput = (choice: AskerChoice): { way?: HoldExit; note?: string } =>
  choice.kind === 'note' ? { note: choice.text } : { way: choice.kind === 'again' ? 'end' : choice.way };

/** Returns false, after telling why, if the council has moved on or the input can be corrected. */
async function commitChoice(
  app: App,
  { ports, state: { name, conversationId } }: RunningCouncil,
  continuation: { way?: HoldExit; note?: string },
  { choose }: Pick<AskView, 'choose'>,
): Promise<boolean> {
  try {
    await continueHeldCouncil(app, ports, { name, conversationId, ...continuation });
    return true;
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    const isRefused = error.code === 'usage' && choose !== undefined;
    if (!isRefused && !ALREADY_CONTINUED_CODES.includes(error.code)) throw error;
    app.note(error.message);
    return false;
  }
}

const ALREADY_CONTINUED_CODES: readonly ErrorCode[] = ['not_your_turn', 'phase_closed', 'unknown_council'];

/**
 * Lets the person who asked write an answer and reports the result; the others continue either way. Returns
 * false if none was accepted.
 */
async function writeOwnAnswer(
  app: App,
  { name, createdAt, lang }: CouncilState,
  agent: string,
  text: TextSource,
): Promise<boolean> {
  const emptyForm = { agree: false, done: false, block: [], replace: false, tour: undefined };
  try {
    const { document, message } = await respond(app, { agent, text, name, ...emptyForm });
    if (message !== undefined) app.note(message);
    const ms = Date.now() - Date.parse(createdAt);
    if (document.accepted)
      app.progress({ type: 'recorded', council: name, participant: agent, bytes: null, ms });
    return document.accepted;
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    const { seatWaits } = loadWords(lang).opening;
    app.note(`${error.message} ${fill(seatWaits, { who: agent, name })}`);
    return false;
  }
}

interface Gate {
  app: App;
  onAnswer(participant: string, output: Uint8Array): void;
  /** From then on, answers are shown only if the person has answered. */
  open(hasAnswered: boolean): void;
  fail(error: unknown): never;
}

/**
 * Delays all output until `open`, so that nothing is drawn over an editor, and no answer is seen early. `writer`:
 * the participant who is typing here; left out of the list of people to remind. Without one, the gate is open.
 */
export function createGate(app: App, view: Pick<AskView, 'onAnswer'>, writer: string | undefined): Gate {
  let kept: (() => void)[] | undefined = writer === undefined ? undefined : [];
  let showsAnswers = true;
  const tellOrDelay = (tell: () => void): void => void (kept ? kept.push(tell) : tell());
  return {
    app: overrideApp(app, {
      note: (line) => tellOrDelay(() => app.note(line)),
      progress(progress) {
        const told = kept && 'people' in progress ? withoutWriter(progress) : progress;
        tellOrDelay(() => app.progress(told));
      },
    }),
    onAnswer: (participant: string, output: Uint8Array) =>
      tellOrDelay(() => {
        if (showsAnswers) view.onAnswer?.(participant, Buffer.from(output).toString('utf8'));
      }),
    open,
    fail(error: unknown): never {
      open(false);
      throw error;
    },
  };

  function withoutWriter<T extends { people: readonly string[] }>(progress: T): T {
    return { ...progress, people: progress.people.filter((id) => id !== writer) };
  }

  function open(hasAnswered: boolean): void {
    const all = kept ?? [];
    kept = undefined;
    showsAnswers = hasAnswered;
    for (const tell of all) tell();
  }
}
