// The sheet for a person answering in the editor: the words of a seat's page, not a program's prompt.
import { fill, loadWords } from '../../base/words/words.ts';
import { renderChallengesToAnswer, renderMandatoryFacts } from './prompt-ledger.ts';
import { renderSection } from './fence.ts';
import type { View } from './view.ts';

/** Quotes other participants' texts among the headings; a person needs no fence to tell them from instructions. */
const asQuote = Object.assign((text: string): string => text.replace(/^/gm, '> '), { marker: '' });

export function renderPersonSheet(view: View): string {
  const w = loadWords(view.lang);
  const { seat } = w;
  const renderSaid = (label: string, one: View['own'][number]): string =>
    [
      `### ${fill(w.view.contribution, { label, phase: one.phase, tour: one.tour })}`,
      one.text.trim(),
      ...one.claims.map(({ id, text }) => `@${id} ${text}`),
    ].join('\n\n');
  return [
    `# ${view.topic}`,
    [
      `- ${fill(w.archive.transcriptPhase, { phase: view.phase, tour: view.tour })}: ${w.phases[view.phase]}.`,
      `- ${fill(w.view.deadline, { deadline: view.deadline })}`,
      ...(view.label === null ? [] : [`- ${fill(w.view.knownAs, { label: view.label })}`]),
    ].join('\n'),
    renderSection(seat.asked, view.asked ? [listFields(view), seat.answerHelp] : [seat.notAsked]),
    renderSection(w.view.brief, [view.brief]),
    renderSection(w.view.ballot, [view.ballot.map(({ id, position }) => `- ${id}: ${position}`).join('\n')]),
    view.challenges.length === 0
      ? ''
      : renderSection(w.view.challenges, renderChallengesToAnswer(view.challenges, view.lang, asQuote)),
    renderSection(w.view.findings, [view.findings ?? '']),
    renderSection(
      w.view.others,
      view.contributions.map((one) => renderSaid(one.label, one)),
    ),
    renderSection(
      w.view.own,
      view.own.map((one) => renderSaid(view.participant, one)),
    ),
    view.facts === null
      ? ''
      : renderSection(w.view.facts, renderMandatoryFacts(view.facts, view.lang, asQuote)),
    // How to challenge and answer claims. A first answer needs only its fields, if it has any.
    view.phase === 'COLLECT' && view.form !== '' ? '' : renderSection(seat.how, [view.instructions]),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function listFields({ form, lang, options, asked }: View): string {
  const { seat, common } = loadWords(lang);
  const helps: Record<string, string> = {
    position: options === null ? seat.positionHelp : options.join(' / '),
    vote: seat.voteHelp,
    approve: seat.approveHelp,
    rank: seat.rankHelp,
    new: seat.fresh,
    same: `${seat.same}. ${seat.sameHelp}`,
    because: `${seat.because}. ${seat.becauseHelp}`,
    confidence: `${seat.confidence}. ${seat.confidenceHelp}`,
    blocking: `${seat.blocking}. ${seat.blockingHelp}`,
    agreed: seat.agreed,
    done: seat.done,
    decision: seat.decisionHelp,
  };
  const keys = asked ? form.split('\n').flatMap((line) => /^(\w+):/.exec(line)?.[1] ?? []) : [];
  return keys
    .filter((key) => helps[key] !== undefined)
    .map((key) => `- ${fill(common.labelled, { label: key, value: helps[key]! })}`)
    .join('\n');
}
