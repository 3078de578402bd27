// Delays output while the person who asked writes an answer.
import { overrideApp } from './app.ts';
import type { App } from './app.ts';

interface AnswerView {
  answer?(participant: string, text: string): void;
}

interface Gate {
  app: App;
  answer(participant: string, output: Uint8Array): void;
  /** From then on, answers are shown only if the person has answered. */
  open(hasAnswered: boolean): void;
  fail(error: unknown): never;
}

/**
 * Delays all output until `open`, so that nothing is drawn over an editor, and no answer is seen early. `writer`: who writes
 * an answer here, and is not told to; without one, the gate is open.
 */
export function createGate(app: App, view: AnswerView, writer: string | undefined): Gate {
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
    answer: (participant: string, output: Uint8Array) =>
      tellOrDelay(() => {
        if (showsAnswers) view.answer?.(participant, Buffer.from(output).toString('utf8'));
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
