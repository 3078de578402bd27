// Commands `view`, `respond` and `read`, and the summary of a contribution for its author.
import { describeKept } from '../../app/app.ts';
import type { RespondInput, ViewInput } from '../../app/input/council.ts';
import { formatAlreadySaid, respond } from '../../app/respond.ts';
import { performHereOrAtServer } from '../spec.ts';
import { toProseOutcome, toTextOutcome } from '../print.ts';
import type { Command } from '../spec.ts';
import { toOneLine } from '../../base/text.ts';
import { formatRank } from '../../base/words/reasons.ts';
import type { ReadBack } from '../../app/preview-contribution.ts';
import type { ReadInput } from '../../app/input/read.ts';

// `respond` is a hot command: what only the others need is loaded when they run.
export const performView: Command<ViewInput> = async (cli, input) => {
  const { viewCouncil } = await import('../../app/view.ts');
  const result = await performHereOrAtServer(
    cli,
    () => viewCouncil(cli, input),
    ({ lang }) => ({ lang }),
  );
  const { prompt, deadline } = result.document;
  if (!cli.live) return toTextOutcome(result, prompt);
  const { withLocalTimes } = await import('../local-times.ts');
  return toTextOutcome(result, withLocalTimes(prompt, [deadline], result.lang, Date.now()));
};

export const performRead: Command<ReadInput> = async (cli, input) => {
  const { previewContribution } = await import('../../app/preview-contribution.ts');
  const result = await performHereOrAtServer(
    cli,
    () => previewContribution(cli, input),
    () => ({}),
  );
  return toProseOutcome(result, describeReading(result.document.read).join('\n'));
};

export const performRespond: Command<RespondInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => respond(cli, input),
    ({ reason, error }, { bytes }) => ({
      bytes,
      message: reason === 'already_responded' ? formatAlreadySaid(input.agent) : error?.message,
    }),
  );
  const { accepted, name, participant, phase, tour, revision, kept, error, read } = result.document;
  if (error)
    cli.note(
      `council: ${error.message}\n${error.hint}${kept === undefined ? '' : `\n${describeKept(kept)}`}`,
    );
  const recorded = `Recorded: ${participant}, ${phase} (round ${tour}), ${result.bytes} bytes, revision ${revision}.`;
  // The phase may have closed with this very text: it must not be added to the next one.
  const replace = `council respond ${participant} --name ${name} --tour ${tour} --replace`;
  const lines = [
    accepted ? recorded : (result.message ?? ''),
    ...(read ? describeReading(read, replace) : []),
  ];
  return toProseOutcome(result, error ? '' : lines.join('\n'));
};

/** Returns `Read: …`, and if something is missing `Missing: …`; `replace` is the command that adds it. */
export function describeReading(read: ReadBack, replace?: string): string[] {
  const facts = listReadFacts(read);
  const lines = [`Read: ${facts.length > 0 ? facts.join('; ') : 'no position, quotes or answers'}.`];
  if (read.missing.length === 0) return lines;
  const how = replace === undefined ? '' : ` Add it with: ${replace}`;
  return [...lines, `Missing: ${joinWithAnd(nameMissingParts(read.missing))}.${how}`];
}

function listReadFacts(read: ReadBack): string[] {
  const { vote, approve, rank, position, confidence, blocking, quotes, challenges, answers } = read;
  const held = [
    ...(vote === null ? [] : [`vote ${vote}`]),
    ...(rank.length > 0 ? [`ranks ${formatRank(rank)}`] : []),
    ...(approve.length > 0 ? [`approves ${approve.join(', ')}`] : []),
    ...(position === null ? [] : [`position "${toOneLine(position, 120)}"`]),
    ...(confidence === null ? [] : [`confidence ${confidence}`]),
  ];
  const byStatus = [...Map.groupBy(quotes, ({ status }) => status)];
  const aimed = challenges.filter(({ target }) => target !== null).length;
  return [
    ...(held.length > 0 ? [held.join(', ')] : []),
    ...(vote !== null && approve.includes(vote)
      ? [`the vote for ${vote} already counts as an approval of it`]
      : []),
    ...(read.agreed ? ['agreed'] : []),
    ...(read.done ? ['done'] : []),
    ...(blocking.length > 0 ? [pluralizeCount(blocking.length, 'blocking issue')] : []),
    ...(read.repeated ? ['an earlier contribution of yours again'] : []),
    ...byStatus.map(([status, all]) => `${pluralizeCount(all.length, 'quote')} ${quoteInWords(status)}`),
    ...quotes.flatMap(({ text, instead }) =>
      instead === undefined
        ? []
        : [`the text says "${toOneLine(instead, 120)}", not "${toOneLine(text, 120)}"`],
    ),
    ...(aimed > 0 ? [`${pluralizeCount(aimed, 'challenge')} to a claim`] : []),
    ...(challenges.length > aimed
      ? [`${pluralizeCount(challenges.length - aimed, 'challenge')} to no single claim`]
      : []),
    ...Object.entries(answers).map(([id, status]) => `${id} ${spellStatus(status)}`),
  ];
}

/** Names the missing parts as nouns. */
function nameMissingParts(missing: readonly string[]): string[] {
  const words = new Map([
    ['position', 'a position'],
    ['option', 'a position that is one of the options'],
    ['vote', 'a vote'],
    ['rank', 'a ranking'],
    ['blocking', 'what blocks, in one line each, or “none”'],
    ['because', 'what moved you from your blind position'],
    ['quote', 'quotes in their author’s exact words'],
  ]);
  return missing.map((what) => words.get(what) ?? `an answer to ${what}`);
}

const pluralizeCount = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
const spellStatus = (status: string): string => status.replaceAll('_', ' ');

function quoteInWords(status: ReadBack['quotes'][number]['status']): string {
  if (status === 'near') return 'nearly right';
  if (status === 'elsewhere') return 'from elsewhere';
  return status === 'own_case' ? 'of a case against oneself, which is no claim' : spellStatus(status);
}
const joinWithAnd = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
