// Live view of `run` on a terminal and the keys it takes, plain lines elsewhere.
import { spokenWords } from '../app/answers.ts';
import { isInForeground } from '../app/app.ts';
import type { Progress } from '../app/app.ts';
import { firstWords } from '../app/first-spoken-line.ts';
import { asLine, plainLines, waitingLines } from '../app/progress.ts';
import type { NameSeat } from '../app/progress.ts';
import type { RunView } from '../app/run.ts';
import type { Steering } from '../app/stop-participant.ts';
import { oneLine } from '../base/text.ts';
import type { Cli } from './io.ts';
import { liveRegion } from './live-region.ts';
import { liveView, findKeyOfSeat, findSeatByKey, listKeyHints } from './live-view.ts';
import { dropToldFailures } from './told-failures.ts';

/** What is shown once s was typed. */
const CHOOSE = [
  'Stop waiting for whom? Type the number, or any other key to go on.',
  'Stop whom? Type the number.',
];

/** Where `run` reports. */
export interface Reporter extends RunView {
  onProgress(progress: Progress): void;
  /** Shows an answer as it comes; not set where nothing is shown before the end. */
  answer?(participant: string, text: string): void;
}

/** Lines of an answer that are shown as it comes; a key shows the whole. */
const FIRST_LINES = 10;

/** Who is at work in lines that change on a terminal, and what has happened in lines above; plain lines on stderr elsewhere. */
export function reporter(cli: Cli): Reporter {
  // A terminal that does not know its width (0 columns) cannot be drawn on.
  if (!cli.live || !process.stderr.isTTY || !process.stdout.columns) return createPlainReporter(cli);
  const answers = new Map<string, string>();
  const shown = new Set<string>();
  const filter = dropToldFailures();
  let steering: Steering | undefined;
  let isStopping = false;
  const nameSeat: NameSeat = (id) => steering?.nameSeat(id) ?? id;
  const view = liveView(cli, () => ({
    order: steering?.order ?? [],
    hints: !keys || !steering ? [] : isStopping ? CHOOSE : listKeyHints(steering.order.length),
    nameSeat,
  }));
  const keys = listenToKeys((key) => {
    const id = findSeatByKey(key, steering?.order ?? []);
    if (key === 's') isStopping = true;
    else if (id === undefined) isStopping = false;
    else if (isStopping) stop(id);
    else cli.note(answers.get(id) ?? `${nameSeat(id)} has said nothing that may be seen yet.`);
    region.refresh();
  });
  const region = liveRegion((columns) => view.lines(columns, Date.now()), {
    stopped: () => keys?.pause(),
    goesOn: () => keys?.goOn(),
  });
  function stop(id: string): void {
    isStopping = false;
    steering
      ?.stop(id)
      .catch((error: unknown) => cli.note(error instanceof Error ? error.message : String(error)));
  }
  const say = createMarkedLines(cli, nameSeat);
  return {
    steer: (given) => void (steering = given),
    async settle() {
      view.clear();
      region.clear();
      keys?.release();
    },
    answer(participant, text) {
      const words = spokenWords(text).trim();
      const lines = words.split('\n');
      const key = findKeyOfSeat(participant, steering?.order ?? []);
      // Without a keyboard there is no key for the rest.
      const count = keys ? FIRST_LINES : lines.length;
      const more = lines.length > count ? [cli.paint('dim', `… all ${lines.length} lines: key ${key}`)] : [];
      answers.set(participant, `${participant}:\n${words}`);
      shown.add(participant);
      cli.note([cli.paint('bold', `${participant}:`), ...lines.slice(0, count), ...more, ''].join('\n'));
    },
    onProgress(progress) {
      view.take(progress, Date.now());
      for (const { participant, text } of readVisibleTexts(progress))
        answers.set(participant, `${nameSeat(participant)}:\n${text.trim()}`);
      // What was shown while the round was blind is not told again when it closes.
      const isShown = ({ participant }: { participant: string }): boolean => shown.delete(participant);
      const news = filter(
        progress.type === 'said'
          ? { ...progress, said: progress.said.filter((one) => !isShown(one)) }
          : progress,
      );
      if (news) for (const line of say(news)) cli.note(line);
      if (view.isEmpty()) return;
      keys?.listen();
      region.refresh();
    },
  };
}

/** What has been said, as far as it may be seen. */
function readVisibleTexts(progress: Progress): { participant: string; text: string }[] {
  if (progress.type === 'said') return progress.said;
  const { participant, said } = progress.type === 'recorded' ? progress : {};
  return participant !== undefined && said !== undefined ? [{ participant, text: said }] : [];
}

/** The lines about what has happened, with a mark; nothing that the rows below tell already. */
function createMarkedLines(cli: Cli, nameSeat: NameSeat): (progress: Progress) => string[] {
  const heard = firstLines(nameSeat);
  return (progress) => {
    const line = asLine(progress, nameSeat);
    switch (progress.type) {
      case 'launched':
      case 'asked_again':
      case 'paused':
        return [];
      case 'recorded':
        return [`${cli.paint('green', '✔')} ${line}`, ...heard(progress)];
      case 'attempt_failed':
        return [`${cli.paint('red', '✖')} ${line}`];
      case 'untrusted':
        return [`${cli.paint('yellow', '…')} ${line}`];
      case 'said':
        return heard(progress);
      default:
        return line === undefined ? [] : [oneLine(line, 1000)];
    }
  };
}

/** The first line of each contribution, once: what was told when it came is not told again when the phase closes. */
function firstLines(nameSeat: NameSeat): (progress: Progress) => string[] {
  const told = new Set<string>();
  return (progress) =>
    readVisibleTexts(progress).flatMap(({ participant, text }) => {
      if (told.has(`${participant} ${text}`)) return [];
      told.add(`${participant} ${text}`);
      const words = firstWords(text);
      // Some begin with their own name.
      return [words.startsWith(`${participant}: `) ? `  ${words}` : `  ${nameSeat(participant)}: ${words}`];
    });
}

function createPlainReporter(cli: Cli): Reporter {
  let steering: Steering | undefined;
  const nameSeat: NameSeat = (id) => steering?.nameSeat(id) ?? id;
  const filter = dropToldFailures();
  const tell = plainLines(cli, nameSeat);
  const heard = firstLines(nameSeat);
  const waits = new Set<string>();
  return {
    steer: (given) => void (steering = given),
    settle: async () => undefined,
    onProgress(progress) {
      // Looked at again and again while it lasts.
      const lasting =
        progress.type === 'paused' || progress.type === 'waiting' ? JSON.stringify(progress) : undefined;
      if (lasting !== undefined && waits.has(lasting)) return;
      if (lasting !== undefined) waits.add(lasting);
      const news = filter(progress);
      if (news) tell(news);
      if (progress.type === 'waiting') waitingLines(progress).forEach(cli.note);
      for (const said of heard(progress)) cli.note(`${progress.council}: ${said.trim()}`);
    },
  };
}

/** What is listened to. */
export interface Keys {
  /** Listens, where this process may. Nothing happens between `pause` and `goOn`. */
  listen(): void;
  /** Gives the keyboard back. */
  release(): void;
  pause(): void;
  goOn(): void;
}

/** Keys that a terminal turns into signals; it does not while single keys are listened to, so they are sent from here. */
const SIGNALS: Record<string, NodeJS.Signals> = { '\x03': 'SIGINT', '\x1a': 'SIGTSTP', '\x1c': 'SIGQUIT' };

const ESCAPE = 0x1b;

/** Calls `onKey` for each key that is typed. Undefined where there is no keyboard: stdin is no terminal. */
export function listenToKeys(onKey: (key: string) => void): Keys | undefined {
  if (!process.stdin.isTTY) return undefined;
  let isListening = false;
  let isPaused = false;
  const onData = (data: Buffer): void => {
    // An arrow or a function key: its digits are no keys.
    if (data[0] === ESCAPE) return;
    for (const key of data.toString('utf8')) {
      const signal = SIGNALS[key];
      // To everybody whom the terminal would have told: npm, and what a shell runs beside this.
      if (signal) process.kill(0, signal);
      else onKey(key);
    }
  };
  function listen(): void {
    if (isListening || isPaused || !isInForeground()) return;
    isListening = true;
    process.stdin.setRawMode(true);
    process.stdin.on('data', onData).resume().unref();
  }
  function release(): void {
    if (!isListening) return;
    isListening = false;
    process.stdin.off('data', onData).pause();
    process.stdin.setRawMode(false);
  }
  return {
    listen,
    release,
    pause() {
      release();
      isPaused = true;
    },
    goOn() {
      isPaused = false;
      listen();
    },
  };
}
