// Live view of `run` on a terminal with its keys; plain lines elsewhere.
import { extractSpokenWords } from '../app/answers.ts';
import type { Progress } from '../app/app.ts';
import {
  extractFirstWords,
  renderProgressLine,
  listWaits,
  createPlainTeller,
  renderWaitingLines,
} from '../app/progress.ts';
import type { ProgressWording } from '../app/progress.ts';
import type { RunView } from '../app/run.ts';
import type { Steering } from '../app/steer-council.ts';
import { toOneLine } from '../base/text.ts';
import { fill, loadWords } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import type { Cli } from './io.ts';
import { listenToKeys } from './read-terminal.ts';
import { createLiveRegion } from './live-region.ts';
import { createLiveView, findKeyOfSeat, findSeatByKey, listKeyHints } from './live-view.ts';
import { nameFailure } from '../base/words/reasons.ts';

/** Receives the reports of `run`. */
export interface Reporter extends RunView {
  onProgress(progress: Progress): void;
  /** Shows an answer when it arrives; not set if nothing is shown before the end. */
  answer?(participant: string, text: string): void;
}

/** Number of lines of an answer shown when it arrives; a key shows all. */
const FIRST_LINES = 10;

/**
 * Shows current activities in changing lines on a terminal, with past events above; plain lines on stderr
 * elsewhere. `asks`: a held council's answers are shown whole before the person who asked chooses.
 */
export function createReporter(cli: Cli, { asks = false } = {}): Reporter {
  const isWhole = (progress: Progress): boolean => asks && progress.type === 'said' && progress.isHeld;
  // A terminal of unknown width (0 columns) cannot be drawn on.
  if (!cli.live || !process.stderr.isTTY || !process.stdout.columns) return createPlainReporter(cli, isWhole);
  const answers = new Map<string, string>();
  const shown = new Set<string>();
  let steering: Steering | undefined;
  let isStopping = false;
  const getWording = (): ProgressWording => createProgressWording(steering);
  const filter = dropToldFailures(() => getWording().w);
  const listHints = (given: Steering): string[] => {
    const { w } = getWording();
    return isStopping
      ? [w.live.chooseStop, w.live.chooseStopShort]
      : listKeyHints(
          given.order
            .filter((id) => answers.has(id))
            .map((id) => findKeyOfSeat(id, given.order))
            .filter((key) => key !== ' '),
          w,
        );
  };
  const view = createLiveView(cli, () => ({
    order: steering?.order ?? [],
    hints: keys && steering ? listHints(steering) : [],
    ...getWording(),
  }));
  const keys = listenToKeys((key) => {
    const id = findSeatByKey(key, steering?.order ?? []);
    if (key === 's') isStopping = true;
    else if (id === undefined) isStopping = false;
    else if (isStopping) stop(id);
    else
      cli.note(answers.get(id) ?? fill(getWording().w.live.nothingYet, { who: getWording().nameSeat(id) }));
    region.refresh();
  });
  const region = createLiveRegion((columns) => view.lines(columns, Date.now()), {
    onStop: () => keys?.pause(),
    onContinue: () => keys?.goOn(),
  });
  function stop(id: string): void {
    isStopping = false;
    steering
      ?.stop(id)
      .catch((error: unknown) => cli.note(error instanceof Error ? error.message : String(error)));
  }
  const say = createMarkedLines(cli, getWording);
  return {
    steer: (given) => void (steering = given),
    async settle() {
      view.clear();
      region.clear();
      keys?.release();
    },
    answer(participant, text) {
      const words = extractSpokenWords(text).trim();
      const lines = words.split('\n');
      const key = findKeyOfSeat(participant, steering?.order ?? []);
      // Without a keyboard no key can show the rest.
      const count = keys ? FIRST_LINES : lines.length;
      const all = fill(getWording().w.live.allLines, { count: lines.length, key });
      const more = lines.length > count ? [cli.paint('dim', all)] : [];
      answers.set(participant, `${participant}:\n${words}`);
      shown.add(participant);
      cli.note([cli.paint('bold', `${participant}:`), ...lines.slice(0, count), ...more, ''].join('\n'));
    },
    onProgress(progress) {
      view.take(progress, Date.now());
      for (const { participant, text } of readVisibleTexts(progress))
        answers.set(participant, `${getWording().nameSeat(participant)}:\n${text.trim()}`);
      // Answers shown during the blind round are not repeated when it closes, nor those that a choice follows.
      const isShown = ({ participant }: { participant: string }): boolean => shown.delete(participant);
      const news = filter(
        progress.type === 'said'
          ? { ...progress, said: progress.said.filter((one) => !isShown(one) && !isWhole(progress)) }
          : progress,
      );
      if (news) for (const line of say(news)) cli.note(line);
      if (view.isEmpty()) return;
      keys?.listen();
      region.refresh();
    },
  };
}

/** Uses the language of the council once it is open. */
const createProgressWording = (steering: Steering | undefined): ProgressWording => ({
  nameSeat: (id) => steering?.nameSeat(id) ?? id,
  w: loadWords(steering?.lang ?? 'en'),
});

/** Returns the texts that may be shown. */
function readVisibleTexts(progress: Progress): { participant: string; text: string }[] {
  if (progress.type === 'said') return progress.said;
  const { participant, said } = progress.type === 'recorded' ? progress : {};
  return participant !== undefined && said !== undefined ? [{ participant, text: said }] : [];
}

/** Creates marked lines about events, without what the rows below show already. */
function createMarkedLines(cli: Cli, telling: () => ProgressWording): (progress: Progress) => string[] {
  const heard = createFirstLineTeller(telling);
  const awaited = new Set<string>();
  return (progress) => {
    const line = renderProgressLine(progress, telling());
    switch (progress.type) {
      case 'launched':
      case 'asked_again':
      case 'paused':
        return [];
      case 'waiting':
        return renderWaitingLines({ ...progress, elsewhere: [], needing: [] }, telling()).filter(
          (one) => !awaited.has(one) && awaited.add(one),
        );
      case 'recorded':
        return [`${cli.paint('green', '✔')} ${line}`, ...heard(progress)];
      case 'attempt_failed':
        return [`${cli.paint('red', '✖')} ${line}`];
      case 'untrusted':
        return [`${cli.paint('yellow', '…')} ${line}`];
      case 'said':
        return heard(progress);
      default:
        return line === undefined ? [] : [toOneLine(line, 1000)];
    }
  };
}

/** Returns the first line of each contribution once, not again when the phase closes. */
function createFirstLineTeller(telling: () => ProgressWording): (progress: Progress) => string[] {
  const told = new Set<string>();
  return (progress) =>
    readVisibleTexts(progress).flatMap(({ participant, text }) => {
      if (told.has(`${participant} ${text}`)) return [];
      told.add(`${participant} ${text}`);
      const words = extractFirstWords(text);
      // Some start with their own name.
      return [
        words.startsWith(`${participant}: `)
          ? `  ${words}`
          : `  ${telling().nameSeat(participant)}: ${words}`,
      ];
    });
}

function createPlainReporter(cli: Cli, isWhole: (progress: Progress) => boolean): Reporter {
  let steering: Steering | undefined;
  const getWording = (): ProgressWording => createProgressWording(steering);
  const filter = dropToldFailures(() => getWording().w);
  const tell = createPlainTeller(cli, getWording);
  const heard = createFirstLineTeller(getWording);
  const told = new Set<string>();
  return {
    steer: (given) => void (steering = given),
    settle: async () => undefined,
    onProgress(progress) {
      // Reported repeatedly while it lasts.
      const isNews = (what: string): boolean => !told.has(what) && told.add(what) !== undefined;
      if (progress.type === 'paused' && !isNews(JSON.stringify(progress))) return;
      const news = filter(progress);
      if (news) tell(news);
      for (const line of listWaits(progress, getWording())) if (isNews(line)) cli.note(line);
      for (const said of isWhole(progress) ? [] : heard(progress))
        cli.note(`${progress.council}: ${said.trim()}`);
    },
  };
}

/**
 * Passes events on, but shortens repeated failures to their name, and drops the resulting absence, unless the
 * program's own words could not be shown before.
 */
export function dropToldFailures(
  words: () => Words = () => loadWords('en'),
): (progress: Progress) => Progress | undefined {
  const told = new Map<string, string>();
  return (progress) => {
    if (progress.type === 'attempt_failed') {
      const { participant, reason } = progress;
      const key = `${participant} ${nameFailure(reason)}`;
      if (told.has(key)) return { ...progress, reason: nameFailure(reason) };
      told.set(key, reason);
      return progress;
    }
    if (progress.type !== 'notice' || progress.notice.type !== 'absent') return progress;
    const { participant, reason } = progress.notice;
    const why = reason.replace(/^failed: /, '');
    const key = `${participant} ${nameFailure(why)}`;
    const before = told.get(key);
    if (before === undefined) return progress;
    const said = /^\. It said: (.*)/s.exec(why.startsWith(before) ? why.slice(before.length) : '')?.[1];
    if (said === undefined) return undefined;
    told.set(key, why);
    return {
      ...progress,
      notice: { ...progress.notice, reason: `failed: ${fill(words().progress.saidWords, { words: said })}` },
    };
  };
}
