// Renders a review as one comment of a pull request, within GitHub's size limit.
import { fill } from '../../core/base/words/words.ts';
import type { ReviewWords } from '../words.ts';
import type { Finding, Review, Standing } from '../report.ts';
import { countBlocking, describeJudgement, explainLeftOut, formatPlace } from '../render-review.ts';
import { renderCodeBlock } from '../../core/archive/embed-markdown.ts';
import { cleanForTerminal } from '../../core/base/terminal.ts';
import { toOneLine } from '../../core/base/text.ts';
import { toSafeBeginning } from '../../core/council/document/markers.ts';

/** GitHub accepts 65,536 characters. */
const MAX_BYTES = 60 * 1024;
/** Limits each text, so that no reviewer crowds out the others. */
const MAX_TEXT = 3000;
/** A sixth of the comment for the names of files that were not reviewed. */
const MAX_LEFT_OUT_BYTES = 10 * 1024;
/** Bytes reserved for findings listed only by their place. */
const BYTES_FOR_LINES = 10 * 1024;

/** Renders verdict, collapsible findings and files not reviewed. What does not fit becomes lines, then a count. */
export function renderComment(review: Review, words: ReviewWords): string {
  const head = renderHead(review, words);
  const leftOut = renderLeftOut(review, words);
  const room = MAX_BYTES - measureBytes([head, leftOut]);
  return [head, ...renderFindings(review.findings, room, words), leftOut].filter(Boolean).join('\n\n');
}

function renderHead(review: Review, words: ReviewWords): string {
  const say = words.comment;
  const { verdict, head, title, reviewers, failOn, notes, findings } = review;
  const who = reviewers.map(({ name }) => renderForeignLine(name)).join(', ');
  return [
    `### ${fill(say.title, { verdict: verdict === 'none' ? say.none : countBlocking(findings, say) })}`,
    '',
    ...(verdict === 'none' ? [reviewers.length === 1 ? say.alone : say.noVerdict] : []),
    fill(say.read, {
      what: renderForeignLine(title, 200),
      head: head === null ? say.uncommitted : `\`${head.slice(0, 12)}\``,
      who,
      severity: failOn,
    }),
    ...reviewers.flatMap(({ name, status }) =>
      status === 'read' ? [] : [fill(say[status], { who: renderForeignLine(name) })],
    ),
    ...notes.map((note) => renderForeignLine(note)),
  ].join('\n');
}

/** Renders the first findings in full while they fit, then a line each, then the number of the rest. */
function renderFindings(findings: readonly Finding[], bytes: number, words: ReviewWords): string[] {
  const say = words.comment;
  const parts: string[] = [];
  let room = bytes - 500;
  let more = 0;
  let under: Standing | undefined;
  for (const finding of findings) {
    const heading = under === finding.standing ? [] : [`#### ${say[finding.standing]}`];
    const whole = [...heading, renderFinding(finding, words)];
    const line = [...heading, `- ${renderLine(finding)}`];
    const shown = measureBytes(whole) <= room - BYTES_FOR_LINES ? whole : line;
    if (measureBytes(shown) > room) more += 1;
    else {
      parts.push(...shown);
      room -= measureBytes(shown);
      under = finding.standing;
    }
  }
  return more === 0 ? parts : [...parts, fill(say.more, { count: more, where: say.report })];
}

/** Renders a collapsible finding; blocking and contested ones are expanded. */
function renderFinding(finding: Finding, words: ReviewWords): string {
  const { standing } = finding;
  const open = standing === 'blocking' || standing === 'contested' ? ' open' : '';
  const summary = `<summary>${renderLine(finding)}</summary>`;
  return `<details${open}>${summary}\n\n${renderFindingBody(finding, words)}\n\n</details>`;
}

/** Returns "F3 major src/queue.ts:41-44 retries are not idempotent" as HTML, also valid in a Markdown list. */
function renderLine({ id, severity, place, title }: Finding): string {
  const at = place ? ` <code>${renderForeignHtml(formatPlace(place))}</code>` : '';
  return `<b>${id}</b> ${severity}${at} ${renderForeignHtml(title)}`;
}

/** Renders the code, each finder's text, and the judgements. */
export function renderFindingBody(finding: Finding, words: ReviewWords): string {
  const say = words.comment;
  const { quote, wordings, judgements } = finding;
  return [
    ...(quote.trim() === '' ? [] : [renderForeignCode(quote.slice(0, MAX_TEXT).toWellFormed())]),
    ...wordings.map(({ by, severity, text, fix }) =>
      [
        fill(say.says, { who: `**${by}**`, severity, text: renderForeignText(text, MAX_TEXT) }),
        ...(fix === undefined ? [] : [fill(say.fix, { text: renderForeignText(fix, MAX_TEXT) })]),
      ].join('\n'),
    ),
    ...judgements.map((one) =>
      describeJudgement({ ...one, by: `**${one.by}**`, text: renderForeignText(one.text, MAX_TEXT) }, words),
    ),
  ].join('\n\n');
}

function renderLeftOut({ leftOut }: Review, words: ReviewWords): string {
  const say = words.comment;
  if (leftOut.length === 0) return '';
  const lines = [`#### ${say.notReviewed}`];
  for (const [at, one] of leftOut.entries()) {
    const line = `- <code>${renderForeignHtml(one.path)}</code>: ${explainLeftOut(one, words)}`;
    if (measureBytes([...lines, line]) > MAX_LEFT_OUT_BYTES)
      return [...lines, '', fill(say.more, { count: leftOut.length - at, where: say.report })].join('\n');
    lines.push(line);
  }
  return lines.join('\n');
}

/** Includes the empty line between two parts. */
const measureBytes = (parts: readonly string[]): number =>
  parts.reduce((sum, part) => sum + Buffer.byteLength(part) + 2, 0);

/** Renders paragraphs and code of a foreign text as Markdown, cut to `max` characters. */
export function renderForeignText(text: string, max: number): string {
  const shown: string[] = [];
  let code: string[] = [];
  let fence = '';
  const closeCode = (): void => {
    // Begins a new line: GitHub reads a fence only at the start of a line.
    shown.push(`\n${renderForeignCode(code.join('\n'))}`);
    [code, fence] = [[], ''];
  };
  for (const line of cutText(text, max)
    .trim()
    .split(/\r\n|\r|\n/)) {
    const marks = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence === '') {
      if (marks === '') shown.push(renderForeignLine(line));
      else fence = marks;
    } else if (marks.startsWith(fence) && line.trim() === marks) closeCode();
    else code.push(line);
  }
  if (fence !== '') closeCode();
  return shown.join('\n');
}

/** Renders code in a fence that its content cannot close. */
const renderForeignCode = (code: string): string => renderCodeBlock(cleanForTerminal(code), '');

/** Renders one line as Markdown. Text between two backticks stays code. */
export const renderForeignLine = (line: string, max = 2000): string =>
  cutText(line, max)
    .split(/(`[^`]+`)/)
    .map((part, at) => (at % 2 === 1 ? renderCodeSpan(part.slice(1, -1)) : renderWords(part)))
    .join('');

const renderCodeSpan = (code: string): string => {
  const line = toOneLine(code, 2000);
  return line === '' ? '' : `\`${line}\``;
};

function renderWords(text: string): string {
  const words = withoutPings(toSafeBeginning(text.replaceAll('&', '&amp;'), 20_000));
  return (/^\s/.test(text) ? ' ' : '') + words + (/\S\s+$/.test(text) ? ' ' : '');
}

/** Renders one line as HTML for a summary, where Markdown has no effect. */
const renderForeignHtml = (text: string): string =>
  withoutPings(toOneLine(text, 200).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`));

/**
 * Breaks mentions, issue references and addresses with a zero-width space. GitHub looks for them after
 * decoding entities, so escaping the character itself would not help.
 */
const withoutPings = (text: string): string =>
  text.replace(/@|(?<!&)#(?=\d)|GH-(?=\d)|:(?=\/\/)|www(?=\.)/gi, (sign) => `${sign}&#8203;`);

const cutText = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max).toWellFormed()}…` : text;
