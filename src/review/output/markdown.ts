// A review as one comment of a pull request, within what GitHub takes.
import { fill } from '../../core/base/words/words.ts';
import type { Words } from '../../core/base/words/words.ts';
import type { Finding, Review, Standing } from '../report.ts';
import { countBlocking, describeJudgement, explainLeftOut, formatPlace } from '../render-review.ts';
import {
  renderForeignCode,
  renderForeignHtml,
  renderForeignLine,
  renderForeignText,
} from './foreign-text.ts';

/** GitHub takes 65,536 characters. */
const MAX_BYTES = 60 * 1024;
/** No text of one reviewer pushes the others out. */
const MAX_TEXT = 3000;
/** Names of files that were not reviewed get a sixth. */
const MAX_LEFT_OUT_BYTES = 10 * 1024;
/** Bytes kept for findings that are listed by their place alone. */
const BYTES_FOR_LINES = 10 * 1024;

/** The whole review: verdict, findings folded, and what was not reviewed. What does not fit is a line, then a number. */
export function renderComment(review: Review, words: Words): string {
  const head = renderHead(review, words);
  const leftOut = renderLeftOut(review, words);
  const room = MAX_BYTES - measureBytes([head, leftOut]);
  return [head, ...renderFindings(review.findings, room, words), leftOut].filter(Boolean).join('\n\n');
}

function renderHead(review: Review, words: Words): string {
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

/** The first ones whole while there is room, then a line each, then how many more there are. */
function renderFindings(findings: readonly Finding[], bytes: number, words: Words): string[] {
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

/** A finding that opens when it is clicked; what blocks and what is contested is open. */
function renderFinding(finding: Finding, words: Words): string {
  const { standing } = finding;
  const open = standing === 'blocking' || standing === 'contested' ? ' open' : '';
  const summary = `<summary>${renderLine(finding)}</summary>`;
  return `<details${open}>${summary}\n\n${renderFindingBody(finding, words)}\n\n</details>`;
}

/** "F3 major src/queue.ts:41-44 retries are not idempotent", as HTML, which a list of Markdown takes as well. */
function renderLine({ id, severity, place, title }: Finding): string {
  const at = place ? ` <code>${renderForeignHtml(formatPlace(place))}</code>` : '';
  return `<b>${id}</b> ${severity}${at} ${renderForeignHtml(title)}`;
}

/** The code, what each finder wrote, and what the others said of it. */
export function renderFindingBody(finding: Finding, words: Words): string {
  const say = words.comment;
  const { quote, wordings, judgements } = finding;
  return [
    ...(quote.trim() === '' ? [] : [renderForeignCode(quote.slice(0, MAX_TEXT))]),
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

function renderLeftOut({ leftOut }: Review, words: Words): string {
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

/** With the empty line between two parts. */
const measureBytes = (parts: readonly string[]): number =>
  parts.reduce((sum, part) => sum + Buffer.byteLength(part) + 2, 0);
