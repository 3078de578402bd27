// Reads the report of a turn out of what a program printed: its answer, what it used up, and why it failed.
import { meaningOf, failureOfStop } from '../stop-reasons.ts';
import type { Failure } from '../speak.ts';
import { findDocuments, parseJson, valueAt } from './find-documents.ts';
import type { Printed, Reading } from './preset.ts';
import { COMMON_RULES } from './shape.ts';
import type { Event, Rule, Shape } from './shape.ts';
import { readUsage } from './read-usage.ts';

const UNENDED: Failure = { kind: 'failed', class: 'unended', reason: 'its turn did not end' };

/** Takes what is certain: an answer needs the sign of its end, and two ends that differ are none. */
export function readReport(shape: Shape, printed: Printed): Reading {
  const { stdout, stderr, exitCode, hasForm } = printed;
  const { documents, isBegun } = shape.rules.length > 0 ? findDocuments(stdout) : NONE;
  const events = eventsIn(documents, shape);
  const usage = readUsage(events, documents, shape, stderr);
  const nothing = { answer: Buffer.alloc(0), usage };
  const { ends, texts } = followTurn(events, hasForm);
  const isOver = ends.length > 0 || events.some(({ rule }) => rule.is === 'failure');
  const failure = failureIn(events, ends, texts) ?? (isOver ? null : failureBeside(shape, events, printed));
  if (failure) return { ...nothing, failure: finished(failure, printed, shape), isOver };
  if (isOver) return { answer: Buffer.from(texts[0] ?? ''), usage, failure: null, isOver };
  // Plain text is an answer where the program ends well: that is judged with its exit code.
  if (!isBegun && events.length === 0) return { answer: stdout, usage, failure: null, isOver };
  if (exitCode !== 0) return { ...nothing, failure: null, isOver };
  const isKnown = events.some(({ rule }) => rule !== UNKNOWN) || documents.length === 0;
  const shown = stdout.subarray(0, SHOWN).toString('utf8').trim();
  return {
    ...nothing,
    isOver,
    failure: isKnown ? UNENDED : { kind: 'config', class: 'unknown', reason: shown },
  };
}

const NONE = { documents: [], isBegun: false };
/** Longer than what is shown: a secret is found whole, and cut afterwards. */
const SHOWN = 32 * 1024;

const UNKNOWN: Rule = { when: {}, is: 'other' };

const eventsIn = (documents: readonly object[], { rules }: Shape): Event[] =>
  documents.map((document) => ({
    rule: [...rules, ...COMMON_RULES].find(({ when }) => fits(document, when)) ?? UNKNOWN,
    document,
  }));

const fits = (document: object, when: Rule['when']): boolean =>
  Object.entries(when).every(([path, wanted]) => {
    const value = valueAt(document, path);
    return wanted === null ? value !== undefined && value !== null : value === wanted;
  });

/** The reasons of all ends that still stand, and the texts that they end with, each once. */
function followTurn(events: readonly Event[], hasForm: Printed['hasForm']) {
  const said: string[] = [];
  let ends: { stop: string | null; text: string }[] = [];
  let first = 0;
  let last: Rule | undefined;
  for (const { rule, document } of events) {
    const text = rule.text === undefined ? '' : textAt(document, rule.text);
    const stop = rule.is === 'end' ? firstText(document, rule.stop) : null;
    const isMore = rule === last && rule.join !== undefined && said.length > first;
    if (text !== '') said.push(isMore ? `${said.pop()}${rule.join}${text}` : text);
    if (rule.is === 'end' && (stop === null || meaningOf(stop) !== 'goes on')) {
      ends.push({ stop, text: answerAmong(said.slice(first), hasForm) });
      first = said.length;
    }
    if (rule.is === 'begin') [ends, first] = [[], 0];
    // Between two pieces of a message stands nothing else.
    last = text === '' ? undefined : rule;
  }
  return { ends, texts: [...new Set(ends.map((end) => end.text))] };
}

/** Of narration and answer, the last with the form, else the last. */
const answerAmong = (said: readonly string[], hasForm: Printed['hasForm'] = () => false): string =>
  said.findLast(hasForm) ?? said.at(-1) ?? '';

/** What failed in a turn that is over; null where it answered, or is not over. */
function failureIn(
  events: readonly Event[],
  ends: readonly { stop: string | null }[],
  texts: readonly string[],
): Failure | null {
  const failed = events.findLast(({ rule }) => rule.is === 'failure');
  if (failed) return failureOf(failed);
  const stopped = ends
    .map(({ stop }) => (stop === null ? null : failureOfStop(stop)))
    .find((one) => one !== null);
  if (stopped) return stopped;
  return texts.length > 1
    ? { kind: 'failed', class: 'differ', reason: 'it printed two reports of its turn, which differ' }
    : null;
}

/** Why no end came: what stands on stderr, or went wrong on the way. */
function failureBeside(
  shape: Shape,
  events: readonly Event[],
  { stderr, exitCode }: Printed,
): Failure | null {
  const reported =
    shape.failsOnStderr && exitCode !== 0
      ? eventsIn(findDocuments(Buffer.from(stderr)).documents, shape).findLast(
          ({ rule }) => rule.is === 'failure',
        )
      : undefined;
  const logged = shape.log?.exec(stderr)?.[0];
  if (reported) return failureOf(reported);
  if (logged !== undefined) return { kind: 'failed', reason: logged };
  const trouble = events.findLast(({ rule }) => rule.is === 'trouble');
  return trouble ? failureOf(trouble) : null;
}

function failureOf({ rule, document }: Event): Failure {
  const said = firstText(document, rule.reason) ?? 'no reason given';
  // The provider's own message may come as JSON in the program's.
  const reason = firstText(parseJson(said), ['error.message']) ?? said;
  const clue = (rule.stop ?? []).map((path) => textAt(document, path)).join(' ');
  const stopped = clue
    .split(' ')
    .map((stop) => failureOfStop(stop, reason))
    .find((one) => one && one.class !== 'unended');
  const status = rule.status === undefined ? undefined : valueAt(document, rule.status);
  const seconds = Number(rule.retryAfter === undefined ? NaN : (valueAt(document, rule.retryAfter) ?? NaN));
  return {
    ...(stopped ?? { kind: 'failed', reason }),
    ...(typeof status === 'number' && status >= 400 && { status }),
    ...(seconds >= 0 && { retryAfterMs: seconds * 1000 }),
    clue,
  };
}

/** A failure with what the program's log and its exit code add to it. */
function finished(failure: Failure, { stderr, exitCode }: Printed, shape: Shape): Failure {
  const logged =
    failure.class === undefined && failure.status === undefined ? shape.log?.exec(stderr)?.[0] : undefined;
  const isConfig = failure.kind === 'failed' && shape.configExits?.includes(exitCode ?? 0);
  return { ...failure, ...(logged !== undefined && { reason: logged }), ...(isConfig && { kind: 'config' }) };
}

const firstText = (document: unknown, paths: readonly string[] = []): string | null =>
  paths.map((path) => textAt(document, path)).find((text) => text !== '') ?? null;

/** A text, or the texts of a list of blocks. */
function textAt(document: unknown, path: string): string {
  const value = valueAt(document, path);
  const blocks: unknown[] = Array.isArray(value) ? value : [value];
  return blocks
    .map((block) => (typeof block === 'string' ? block : valueAt(block, 'text')))
    .filter((text) => typeof text === 'string')
    .join('\n\n');
}
