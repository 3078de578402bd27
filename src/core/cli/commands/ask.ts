// Commands `ask`, `continue` and `rerun`.
import type { ReadStream } from 'node:tty';
import { renderSupportedPosition } from '../../app/answers.ts';
import type { AnswersDocument } from '../../app/answers.ts';
import { ask } from '../../app/ask.ts';
import { planAsk } from '../../app/ask-input.ts';
import type { AskResult, AskView, AskerChoice } from '../../app/ask.ts';
import { continueCouncil } from '../../app/continue-council.ts';
import type { AskInput, ContinueInput, RerunInput } from '../../app/input/ask.ts';
import { respondFields } from '../../app/input/council.ts';
import { rerun } from '../../app/rerun.ts';
import type { Outcome } from '../../app/rerun.ts';
import { toOneLine } from '../../base/text.ts';
import { readTerminalKey, openTerminal, readTerminalLine } from '../read-terminal.ts';

import { fill, loadWords } from '../../base/words/words.ts';
import type { Words } from '../../base/words/words.ts';
import { fitNotes, foldForTerminal } from '../stdout.ts';
import type { Cli } from '../io.ts';
import { pageOptions, toProseOutcome } from '../print.ts';
import { readLanguage } from '../../app/language.ts';
import { performHereOrAtServer } from '../spec.ts';
import { createGivenTextReader } from '../read-text.ts';
import type { Command } from '../spec.ts';
import { openReporter, renderRunEnding, sayHowToMend } from './run.ts';

export const performAsk: Command<AskInput> = async (cli, input) => {
  if (input.dryRun) return (await import('../plan-lines.ts')).toPlanOutcome(await planAsk(cli, input));
  const terminal = cli.ask ? process.stdin : openTerminal(cli);
  const { note, view: reporter } = await openReporter(cli, input.quiet, { asks: terminal !== undefined });
  // Whose answers were already shown, and whether their summary was.
  const seen = new Set<string>();
  let isTold = false;
  const own = createGivenTextReader(cli, {})(undefined, respondFields.text);
  const { answer } = reporter;
  const view: AskView = {
    ...reporter,
    ...(answer && {
      onAnswer(participant: string, text: string) {
        seen.add(participant);
        answer(participant, text);
      },
    }),
    ...(cli.ask && own && { ownAnswer: own }),
    ...(terminal && {
      async choose(answers: AnswersDocument, signal: AbortSignal) {
        (await fitNotes(cli))(await renderAnswers(cli, answers, seen));
        for (const { participant } of answers.answers) seen.add(participant);
        isTold = true;
        return readChoice(cli, { terminal, w: loadWords(answers.lang).ask }, signal);
      },
    }),
  };
  try {
    const result = await ask({ ...cli, note, progress: reporter.onProgress }, input, view);
    return toProseOutcome(result, await renderAsked(cli, result, { seen, isTold }));
  } finally {
    if (terminal !== process.stdin) terminal?.destroy();
  }
};

/** Renders the answers not shown yet, with their summary; for a debate or a synthesis, the same as `run`. */
async function renderAsked(
  cli: Cli,
  result: AskResult,
  { seen, isTold }: { seen: ReadonlySet<string>; isTold: boolean },
): Promise<string> {
  const { document, ending } = result;
  if (document.reach !== 'answers') return renderRunEnding(cli, result);
  const mend = ending.able === null ? '' : `${sayHowToMend(ending.able, result.lang)}\n`;
  const { archiveSpent } = loadWords(result.lang).ending;
  const end = `${mend}${fill(archiveSpent, { path: document.archive, spent: ending.spent })}`;
  return isTold ? end : `${await renderAnswers(cli, document, seen)}\n\n${end}`;
}

async function renderAnswers(cli: Cli, answers: AnswersDocument, seen: ReadonlySet<string>): Promise<string> {
  const unseen = answers.answers.filter(({ participant }) => !seen.has(participant));
  const shown = await Promise.all(
    unseen.map(async ({ participant, text }) => {
      const words = cli.live
        ? await (await import('../render-markdown.ts')).renderMarkdown(text, pageOptions(cli))
        : text;
      return `${cli.paint('bold', `${participant}:`)}\n${words.trim()}`;
    }),
  );
  return [...shown, renderPositions(answers)].join('\n\n');
}

/** Renders where they agree and differ: positions, and who supports them. */
function renderPositions({ lang, answers, outcome, positions, ...rest }: AnswersDocument): string {
  const { withoutPosition, blocking, unheard } = rest;
  const words = loadWords(lang);
  const w = words.ask;
  const agree = answers.length === 2 ? w.bothAgree : w.allAgree;
  const [first] = positions;
  const isOne = positions.length === 1 && first?.by.length === answers.length && answers.length > 1;
  return [
    ...(isOne
      ? [fill(agree, { count: answers.length, position: renderSupportedPosition(first, words) })]
      : []),
    ...(!isOne && first && positions.length === 1
      ? [fill(w.onePosition, { position: renderSupportedPosition(first, words) })]
      : []),
    ...(positions.length > 1
      ? [w.differ, ...positions.map((one) => `  ${renderSupportedPosition(one, words)}`)]
      : []),
    ...(positions.length === 0 ? [w.noPosition] : []),
    ...(positions.length > 0 && withoutPosition.length > 0
      ? [fill(w.without, { names: withoutPosition.join(', ') })]
      : []),
    ...(outcome === null || isOne ? [] : [outcome]),
    ...blocking.map(({ by, issue }) => fill(w.blocking, { name: by, issue: toOneLine(issue, 300) })),
    ...unheard.map(({ participant: name, reason }) =>
      fill(w.unheard, { name, reason: toOneLine(reason, 300) }),
    ),
  ].join('\n');
}

const CHOICES: Readonly<Record<string, AskerChoice>> = {
  d: { kind: 'way', way: 'debate' },
  s: { kind: 'way', way: 'synthesis' },
  q: { kind: 'way', way: 'end' },
  r: { kind: 'again' },
};

/** Asks until one of the keys is pressed; undefined at the end of input. */
async function readChoice(
  cli: Cli,
  { terminal, w }: { terminal: ReadStream; w: Words['ask'] },
  signal: AbortSignal,
): Promise<AskerChoice | undefined> {
  for (;;) {
    const menu = await foldMenu(w.menu);
    const key = (await readTerminalKey(`\n${menu} `, signal, terminal))?.toLowerCase();
    if (key === undefined) return undefined;
    if (key === 'a') {
      const text = await readTerminalLine(w.note, signal, terminal);
      if (text?.trim()) return { kind: 'note', text };
      continue;
    }
    const choice = CHOICES[key];
    if (choice) return choice;
    cli.note(w.letter);
  }
}

/** Wraps the choices for the terminal, keeping each on one line with its letter. */
async function foldMenu(menu: string): Promise<string> {
  const choices = menu.split('  ').map((choice) => choice.replaceAll(' ', '\u00a0'));
  return (await foldForTerminal(choices.join('  '), 'stderr')).replaceAll('\u00a0', ' ');
}

export const performContinue: Command<ContinueInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => continueCouncil(cli, input),
    () => ({}),
  );
  const { name, way, phase, tour, archive } = result.document;
  const { ending: w } = loadWords(await readLanguage(cli));
  const line = way === null ? w.noteKept : way !== 'end' ? w.goesOn : archive === null ? w.endsSoon : w.ended;
  return toProseOutcome(result, fill(line, { name, phase, tour, path: archive ?? '' }));
};

export const performRerun: Command<RerunInput> = async (cli, input) => {
  const { note, view: reporter } = await openReporter(cli, input.quiet);
  const result = await rerun({ ...cli, note, progress: reporter.onProgress }, input, reporter);
  const { before, after } = result.document;
  const sides = await renderSides(cli, loadWords(result.lang), before, after);
  return toProseOutcome(result, `${await renderRunEnding(cli, result)}\n\n${sides}`);
};

/** Renders two outcomes side by side as a table. */
async function renderSides(cli: Cli, words: Words, before: Outcome, after: Outcome): Promise<string> {
  const { ask: w, common } = words;
  const position = (text: string): string => fill(words.outcome.position, { position: toOneLine(text, 60) });
  const renderMoves = ({ moved }: Outcome): string =>
    moved
      .map(({ participant: label, from, to }) =>
        fill(common.labelled, { label, value: `${position(from)} → ${position(to)}` }),
      )
      .join('; ') || common.nobody;
  const rows: [string, (one: Outcome) => string][] = [
    [w.archive, ({ archive }) => archive],
    [w.table, ({ participants, mode }) => `${participants.join(', ')} (${mode})`],
    [w.outcome, ({ outcome }) => outcome ?? w.noRule],
    [
      w.positions,
      ({ positions }) =>
        positions.map((one) => renderSupportedPosition(one, words, 80)).join('; ') || words.ledger.none,
    ],
    [w.moved, renderMoves],
    [w.took, ({ spent }) => spent],
  ];
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  const table = [
    `| | ${w.before} | ${w.now} |`,
    '| --- | --- | --- |',
    ...rows.map(([what, tell]) => `| ${what} | ${cell(tell(before))} | ${cell(tell(after))} |`),
  ].join('\n');
  return cli.live ? (await import('../render-markdown.ts')).renderMarkdown(table, pageOptions(cli)) : table;
}
