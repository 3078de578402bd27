// Commands `run`, `start` and `demo`.
import type { RunInput, StartInput } from '../../app/input/council.ts';
import { run } from '../../app/run.ts';
import type { RunResult } from '../../app/run.ts';
import { renderProgressLine, isLongWait, listWaits } from '../../app/progress.ts';
import type { ProgressWording } from '../../app/progress.ts';
import { toOneLine, quoteShellWord } from '../../base/text.ts';
import { fill, loadWords } from '../../base/words/words.ts';
import type { Language } from '../../base/words/words.ts';
import { fitNotes } from '../stdout.ts';
import type { Cli } from '../io.ts';
import { createReporter } from '../live.ts';
import type { Reporter } from '../live.ts';
import { showFirstScreen } from '../wrap.ts';
import { pageOptions, toProseOutcome } from '../print.ts';
import type { Command } from '../spec.ts';
import { playDemo } from '../../app/demo.ts';
import type { DemoInput } from '../../app/input/project.ts';
import { formatCoordinator } from '../../app/coordinator.ts';
import { loadServerClient } from '../../app/feature.ts';
import { renderTokenLines } from '../../app/convene.ts';
import { start } from '../../app/start.ts';
import type { StartResult } from '../../app/start.ts';
import { formatDueTime } from '../../base/local-time.ts';
import { performHereOrAtServer } from '../spec.ts';

/** For `--quiet`: still reports failures, as errors, and once each long wait and each awaited person. */
function createQuietReporter({ note }: Pick<Cli, 'note'>): Reporter {
  const told = new Set<string>();
  let telling: ProgressWording = { nameSeat: (id) => id, w: loadWords('en') };
  return {
    steer: ({ nameSeat, lang }) => void (telling = { nameSeat, w: loadWords(lang) }),
    onProgress(progress) {
      const line = isLongWait(progress, Date.now()) ? renderProgressLine(progress, telling) : undefined;
      const isForPeople =
        (progress.type === 'waiting' || progress.type === 'launching') && progress.people.length > 0;
      const lines = isForPeople ? listWaits(progress, telling) : line === undefined ? [] : [line];
      for (const one of lines) if (!told.has(one)) note(`${progress.council}: ${one}`);
      for (const one of lines) told.add(one);
    },
    settle: async () => undefined,
  };
}

export async function openReporter(
  cli: Cli,
  quiet: boolean,
  options?: { asks: boolean },
): Promise<{ note: Cli['note']; view: Reporter }> {
  if (quiet) return { note: () => undefined, view: createQuietReporter(cli) };
  const note = await fitNotes(cli);
  return { note, view: createReporter({ ...cli, note }, options) };
}

export const performRun: Command<RunInput> = async (cli, input) => {
  if (input.dryRun) return (await import('../plan-lines.ts')).runPlanCommand(cli, input);
  const { note, view } = await openReporter(cli, input.quiet);
  const result = await run({ ...cli, note, progress: view.onProgress }, input, view);
  return toProseOutcome(result, await renderRunEnding(cli, result));
};

/** Renders the synthesis, then the decision, dissent, usage, archive and next steps. */
export async function renderRunEnding(cli: Cli, result: RunResult, root?: string): Promise<string> {
  const { document, ending, lang } = result;
  const { ending: w } = loadWords(lang);
  const facts = renderFactLines(cli, result);
  const end = [
    `\n${fill(w.status, { status: document.status, spent: ending.spent })}`,
    fill(w.archive, { path: document.archive }),
    renderNextLine(document.archive, result, root),
  ];
  const below = [...facts, ...end].join('\n').split('\n').length;
  const text = await renderTextLines(cli, result, below);
  // If reviewers found something in a document, their findings are all a reader wants to know of it.
  const lines = document.findings
    ? [...facts, ...text.map((part) => part.trimEnd()), ...end]
    : [text.filter(Boolean).join('\n').trimEnd(), ...facts, ...end];
  return lines.filter((line) => line !== '').join('\n');
}

const findArchiveId = (path: string): string => path.replace(/^.*\/|\.md$/g, '');

/** `root`: the project's folder, if the commands would not find it. */
function renderNextLine(
  path: string,
  { ending: { decided, hasActions }, lang }: Pick<RunResult, 'ending' | 'lang'>,
  root?: string,
): string {
  const id = findArchiveId(path);
  const where = root === undefined ? '' : ` --root ${quoteShellWord(root)}`;
  const commands = [
    `show ${id}`,
    `ledger ${id}`,
    ...(decided ? [`export ${id} --format adr`] : []),
    ...(hasActions ? [`task plan ${id}`] : []),
  ];
  const whole = commands.map((command) => `council ${command}${where}`);
  const { next } = loadWords(lang).ending;
  const line = `${next} ${whole.join(', ')}`;
  // A command that the terminal wraps is hard to copy.
  return line.length <= 80 ? line : [next, ...whole.map((command) => `  ${command}`)].join('\n');
}

/** Shows the author above the text: a coordinator may call its text a decision. */
async function renderTextLines(
  cli: Cli,
  { words, document, ending, author, lang }: RunResult,
  below: number,
): Promise<string[]> {
  const { by, contradicts, silent, findings } = document;
  const { ending: w } = loadWords(lang);
  const command = `council show ${findArchiveId(document.archive)}`;
  const shown = cli.live
    ? showFirstScreen(await (await import('../render-markdown.ts')).renderMarkdown(words, pageOptions(cli)), {
        rows: (process.stdout.rows || 24) - below,
        rest: (count) => fill(w.moreLines, { count, command }),
      })
    : words;
  const heading = fill(ending.decided ? w.synthesisBy : w.synthesisUndecided, { author });
  return [
    by === null || findings || silent ? '' : `\n${cli.paint('bold', heading)}`,
    `\n${shown}\n`,
    contradicts ? `${ending.decided ? w.contradicts : w.decidesAlone}\n` : '',
    silent ? `${w.silent}\n` : '',
  ];
}

function renderFactLines(cli: Cli, { ending, failed, lang }: RunResult): string[] {
  const { ending: w, common } = loadWords(lang);
  const tell = (label: string, facts: string[]): string[] => formatNamedFacts(common.labelled, label, facts);
  const facts = [
    failed === 'failed' && !ending.able?.length ? cli.paint(['bold', 'red'], w.nobody) : '',
    ending.outcome === null
      ? ''
      : cli.paint(ending.decided ? ['bold', 'green'] : 'bold', toOneLine(ending.outcome, 1000)),
    ...tell(w.votes, ending.votes),
    ...tell(w.dissent, ending.dissent),
    ...tell(w.unanswered, ending.unanswered),
    ...tell(w.absent, ending.absent),
    ...ending.outside,
    ...(ending.able === null ? [] : [sayHowToMend(ending.able, lang)]),
  ].filter((line) => line !== '');
  return facts.length === 0 ? [] : [`\n${facts.join('\n')}`];
}

/** Says what to do if too few could speak; the individual reasons are above. */
export function sayHowToMend(able: readonly string[], lang: Language): string {
  const { mend, mendAlone } = loadWords(lang).ending;
  return able.length === 0 ? mend : fill(mendAlone, { agents: able.join(',') });
}

/** Formats one fact on its line, several below their name. */
function formatNamedFacts(labelled: string, label: string, facts: string[]): string[] {
  if (facts.length === 0) return [];
  if (facts.length === 1) return [fill(labelled, { label, value: facts[0]! })];
  return [fill(labelled, { label, value: '' }).trimEnd(), ...facts.map((fact) => `  ${fact}`)];
}

export const performDemo: Command<DemoInput> = async (cli) => {
  const note = await fitNotes(cli);
  const view = createReporter({ ...cli, note });
  const result = await playDemo({ ...cli, note, progress: view.onProgress }, view);
  const { folder, root } = result.document;
  const text = `${await renderRunEnding(cli, result, root)}\nAll of it is in this folder, which you may remove:\n  ${folder}\nAsk your own question with: council ask "…"`;
  return toProseOutcome(result, text);
};

export const performStart: Command<StartInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => start(cli, input),
    ({ name }) => readStateElsewhere(cli, name),
  );
  const { name, path, phase, tour, timeoutAt, tokens } = result.document;
  const { topic, order } = result.state;
  return toProseOutcome(
    result,
    [
      `The council "${name}" is open: ${topic}`,
      `  ${phase}, round ${tour}; deadline ${formatDueTime(timeoutAt, Date.now())}. Participants: ${order.join(', ')}. Coordinator: ${formatCoordinator(result.state)}.`,
      `  ${path}`,
      ...renderTokenLines(tokens ?? {}),
      cli.server
        ? 'Next: council respond AGENT (people), council watch. Agents are launched where the project is: council tick, or council heartbeat.'
        : 'Next: council tick (launches agents), council respond AGENT (people), council watch.',
    ].join('\n'),
  );
};

/** Returns the council that a server has opened, from the server's status. */
async function readStateElsewhere(cli: Cli, name: string): Promise<Pick<StartResult, 'state'>> {
  const { ask } = await loadServerClient(cli);
  const { document } = await ask(cli, { server: cli.serverUrl ?? '', command: 'status', input: { name } });
  const [state] = (document as { councils: [StartResult['state']] }).councils;
  return { state };
}
