// Reads the report of a turn from a program's output: answer, usage, and failure.
import { parseJsonOrUndefined } from '../../../base/text.ts';
import { classifyStopReason, findStopFailure } from '../finished-turn.ts';
import type { Failure } from '../turn-types.ts';
import { findDocuments, getValueByPath, listMembers } from './find-documents.ts';
import type { FoundDocuments } from './find-documents.ts';
import type { ProgramOutput, ReportReading, Event, Rule, OutputShape } from './preset.ts';
import { COMMON_RULES, ERROR_REASONS } from './output-formats.ts';
import { readUsage } from './read-usage.ts';

const DIFFER: Failure = {
  kind: 'failed',
  class: 'differ',
  reason: 'it printed two reports of its turn, which differ',
};
const UNENDED: Failure = { kind: 'failed', class: 'unended', reason: 'its turn did not end' };

/** Accepts only what is certain: an answer needs a sign of its end, and two different ends are ambiguous. */
export function readReport(shape: OutputShape, printed: ProgramOutput): ReportReading {
  const { session: path } = shape;
  const told = readTurn(shape, printed);
  if (path === undefined) return told;
  const { documents } = findDocuments(printed.stdout);
  const session = documents.map((document) => getTextByPath(document, path)).findLast((id) => id !== '');
  return session === undefined ? told : { ...told, session };
}

function readTurn(shape: OutputShape, printed: ProgramOutput): ReportReading {
  const { stdout, stderr, exitCode, hasForm } = printed;
  const { documents, unsure, isBegun } = shape.rules.length > 0 ? findDocuments(stdout) : NONE;
  const events = matchReportEvents(documents, shape);
  const usage = readUsage(events, documents, shape, stderr);
  const nothing = { answer: Buffer.alloc(0), usage };
  const { ends, texts } = followTurn(events, hasForm);
  const isOver = ends.length > 0 || events.some(({ rule }) => rule.is === 'failure');
  const isUnsure = isOver && matchReportEvents(unsure, shape).some(({ rule }) => rule.is !== 'other');
  const known =
    findReportedFailure(events, { ends, texts, isOver }, shape, printed) ?? (isUnsure ? DIFFER : null);
  const failure = addLogFacts(known, isOver, shape, printed);
  if (failure) return { ...nothing, failure, isOver };
  if (isOver) return { answer: Buffer.from(texts[0] ?? ''), usage, failure: null, isOver };
  // Plain text is an answer if the program ends well, which is judged later by its exit code.
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

const NONE: FoundDocuments = { documents: [], unsure: [], isBegun: false };
/** Longer than what is shown, so that a secret is found before the text is cut. */
const SHOWN = 32 * 1024;

const UNKNOWN: Rule = { when: {}, is: 'other' };

const matchReportEvents = (documents: readonly object[], { rules }: OutputShape): Event[] =>
  documents.map((document) => {
    const rule = [...rules, ...COMMON_RULES].find(({ when }) => matchesRule(document, when)) ?? UNKNOWN;
    return { rule: rule.is === 'end' && isErrorReport(document) ? asFailure(rule) : rule, document };
  });

/** Whether a report marks itself as an error, in its own members or in those of a part. */
const isErrorReport = (document: object): boolean =>
  listMembers(document, 1).some(([key, value]) =>
    /^is_?error$/i.test(key) ? value === true : /^errors?$/i.test(key) && value && String(value) !== '',
  );

/** Returns a limit or a refusal that a member not named by the rules reports. */
const findLimit = (document: object): string | null =>
  listMembers(document, 1)
    .flatMap(([key, value]) => (/^(?:stop|finish)_?reason$/i.test(key) ? String(value) : []))
    .find((stop) => (findStopFailure(stop)?.class ?? 'unended') !== 'unended') ?? null;

const asFailure = (rule: Rule): Rule => ({
  ...rule,
  is: 'failure',
  reason: [...ERROR_REASONS, ...(rule.text === undefined ? [] : [rule.text])],
});

const matchesRule = (document: object, when: Rule['when']): boolean =>
  Object.entries(when).every(([path, wanted]) => {
    const value = getValueByPath(document, path);
    return wanted === null ? value !== undefined && value !== null : value === wanted;
  });

/** Collects the texts, and the valid ends with their reasons and distinct texts. */
function followTurn(events: readonly Event[], hasForm: ProgramOutput['hasForm']) {
  const said: string[] = [];
  let ends: { stop: string | null; text: string }[] = [];
  let first = 0;
  let last: Rule | undefined;
  for (const { rule, document } of events) {
    const text = rule.text === undefined ? '' : getTextByPath(document, rule.text);
    const stop = rule.is === 'end' ? (findLimit(document) ?? findFirstText(document, rule.stop)) : null;
    const isMore = rule === last && rule.join !== undefined && said.length > first;
    if (text !== '') said.push(isMore ? `${said.pop()}${rule.join}${text}` : text);
    if (rule.is === 'end' && (stop === null || classifyStopReason(stop) !== 'goes on')) {
      ends.push({ stop, text: pickAnswer(said.slice(first), hasForm) });
      first = said.length;
    }
    if (rule.is === 'begin') [ends, first] = [[], 0];
    // Nothing else comes between two pieces of a message.
    last = text === '' ? undefined : rule;
  }
  // Text after the end: the turn went on.
  if (said.length > first) ends = [];
  return { ends, texts: [...new Set(ends.map((end) => end.text))] };
}

/** Of narration and answer, returns the last text with the form, else the last. */
const pickAnswer = (said: readonly string[], hasForm: ProgramOutput['hasForm'] = () => false): string =>
  said.findLast(hasForm) ?? said.at(-1) ?? '';

/** Returns the failure reported by the documents; null if it answered, or if nothing explains the missing end. */
function findReportedFailure(
  events: readonly Event[],
  { ends, texts, isOver }: ReturnType<typeof followTurn> & { isOver: boolean },
  shape: OutputShape,
  { stderr, exitCode }: ProgramOutput,
): Failure | null {
  const isFailure = ({ rule }: Event): boolean => rule.is === 'failure';
  const onStderr =
    shape.failsOnStderr && exitCode !== 0 && !isOver ? findDocuments(Buffer.from(stderr)) : NONE;
  const failed =
    events.findLast(isFailure) ??
    matchReportEvents(onStderr.documents, shape).findLast(isFailure) ??
    (isOver ? undefined : events.findLast(({ rule }) => rule.is === 'trouble'));
  if (failed) return toReportedFailure(failed);
  const [stopped] = ends.flatMap(({ stop }) => (stop === null ? [] : (findStopFailure(stop) ?? [])));
  return stopped ?? (texts.length > 1 ? DIFFER : null);
}

function toReportedFailure({ rule, document }: Event): Failure {
  const said = findFirstText(document, rule.reason) ?? 'no reason given';
  // The provider's own message may be JSON inside the program's.
  const reason = findFirstText(parseJsonOrUndefined(said), ['error.message']) ?? said;
  const clue = (rule.stop ?? []).map((path) => getTextByPath(document, path)).join(' ');
  const stopped = clue
    .split(' ')
    .map((stop) => findStopFailure(stop, reason))
    .find((one) => one && one.class !== 'unended');
  const status = rule.status === undefined ? undefined : getValueByPath(document, rule.status);
  const seconds = Number(
    rule.retryAfter === undefined ? NaN : (getValueByPath(document, rule.retryAfter) ?? NaN),
  );
  return {
    ...(stopped ?? { kind: 'failed', reason }),
    ...(typeof status === 'number' && status >= 400 && { status }),
    ...(seconds >= 0 && { retryAfterMs: seconds * 1000 }),
    clue,
  };
}

/** Adds details from the program's log and exit code to a failure. The log of an answered turn is ignored. */
function addLogFacts(
  failure: Failure | null,
  isOver: boolean,
  { log, configExits }: OutputShape,
  { stderr, exitCode }: ProgramOutput,
): Failure | null {
  const isOpen = failure ? failure.class === undefined && failure.status === undefined : !isOver;
  const logged = isOpen ? log?.exec(stderr)?.[0] : undefined;
  const found = logged === undefined ? failure : { kind: 'failed' as const, ...failure, reason: logged };
  const isConfig = found?.kind === 'failed' && configExits?.includes(exitCode ?? 0);
  return found && isConfig ? { ...found, kind: 'config' } : found;
}

const findFirstText = (document: unknown, paths: readonly string[] = []): string | null =>
  paths.map((path) => getTextByPath(document, path)).find((text) => text !== '') ?? null;

/** Returns a text, or the joined texts of a list of blocks. */
function getTextByPath(document: unknown, path: string): string {
  const value = getValueByPath(document, path);
  const blocks: unknown[] = Array.isArray(value) ? value : [value];
  return blocks
    .map((block) => (typeof block === 'string' ? block : getValueByPath(block, 'text')))
    .filter((text) => typeof text === 'string')
    .join('\n\n');
}
