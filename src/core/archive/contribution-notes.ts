// Renders a contribution's form on an archive's page: in words, with its ids, and the text without the form.
import { toOneLine } from '../base/text.ts';
import { toSafeLine, toSafeBeginning } from '../council/document/state-page.ts';
import { cutText } from '../council/ledger/ledger-document.ts';
import { formatRank } from '../base/words/reasons.ts';
import type { Contribution, ContributionSpan } from '../council/state/state.ts';
import { fill, formatFigure } from '../base/words/words.ts';
import type { Words } from '../base/words/words.ts';
import type { Proceedings } from './archive.ts';
import { cutFrontMatter } from '../base/front-matter-block.ts';

/** Longer texts are cut, in characters: the full text is right above. */
const FIRST_WORDS = 80;

/** Returns one line with the time of a contribution and its form. */
export const renderSaidLine = (facts: Pick<Proceedings, 'meta'>, said: Contribution, w: Words): string =>
  [said.at, ...renderFormLine(facts, said, w, toSafeLine)].join(' · ');

/** Returns the declarations in a form, as plain text by default; `showText` escapes them for an output. */
export function renderFormLine(
  { meta }: Pick<Proceedings, 'meta'>,
  said: Contribution,
  w: Words,
  showText: (text: string) => string = toOneLine,
): string[] {
  const formatLabelled = (label: string, value: string): string => fill(w.common.labelled, { label, value });
  const number = said.vote === undefined || !meta.ballot ? '' : `${showText(said.vote)} `;
  const others = (said.approve ?? []).filter((id) => id !== said.vote);
  return [
    ...(said.position === undefined
      ? []
      : [formatLabelled(w.archive.position, `${number}${showText(said.position)}`)]),
    ...(others.length > 0 ? [formatLabelled(w.archive.approves, showText(others.join(', ')))] : []),
    ...(said.rank ? [formatLabelled(w.archive.ranks, showText(formatRank(said.rank)))] : []),
    ...(said.same ?? []).map((pair) => showText(pair.join(' = '))),
    ...(said.confidence === undefined
      ? []
      : [formatLabelled(w.archive.confidence, formatFigure(said.confidence, w.common))]),
    ...(said.agreed ? [w.archive.agreed] : []),
    ...(said.done ? [w.archive.done] : []),
    ...(said.blocking ?? []).map((issue) => formatLabelled(w.archive.blocks, showText(issue))),
    ...(said.advocate ? [w.archive.caseAgainst] : []),
  ];
}

/** Lists a contribution's claims and challenges with their ids; empty if there are none. */
export function listClaimLines({ meta, contributions }: Proceedings, said: Contribution, w: Words): string[] {
  const isHere = ({ by, tour }: ContributionSpan): boolean => by === said.by && tour === said.tour;
  const cutFirstWords = (span: ContributionSpan): string =>
    toSafeBeginning(cutText(contributions, span), FIRST_WORDS);
  const claims = meta.ledger.claims
    .filter(isHere)
    .map((claim) => `- \`${claim.id}\` ${cutFirstWords(claim)}`);
  const challenges = meta.ledger.challenges.filter(isHere).map(({ id, target, against, quote, status }) => {
    const verdicts = [
      ...(quote === 'none' ? [] : [fill(w.archive.quoteIs, { quote: w.ledger[quote] })]),
      w.ledger[status],
    ].join(', ');
    return `- ${fill(w.archive.challengeBeside, {
      id: `\`${id}\``,
      target: target === null ? toSafeLine(against ?? w.common.nobody) : `\`${target}\``,
      verdicts,
    })}`;
  });
  const listed = [...claims, ...challenges];
  return listed.length === 0 ? [] : [listed.join('\n')];
}

/** A text split into its front matter with the following blank lines, and the rest. */
interface SplitText {
  form: string;
  body: string;
}

/** Form fields that pages show in words next to a contribution. */
const SHOWN = /^(?:position|vote|approve|new|same|confidence|agreed|done|blocking):/;

/** Splits off a text's form; `form` is empty if there is none. */
export function cutForm(text: string): SplitText {
  const block = cutFrontMatter(text);
  if (!block) return { form: '', body: text };
  const body = block.body.replace(/^(?:[ \t]*\r?\n)+/, '');
  return { form: text.slice(0, text.length - body.length), body };
}

/** True if everything in a form is shown in words next to its contribution. */
export const isShown = (form: string): boolean =>
  form
    .split('\n')
    .filter((line) => /^\w/.test(line))
    .every((line) => SHOWN.test(line));
