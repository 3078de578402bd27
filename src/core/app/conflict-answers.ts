// Answers recorded on another machine that exist only in conflict copies of a file-sync program.
import { CouncilError, ignoreRefusal } from '../base/errors.ts';
import { isYes } from '../base/words/words.ts';
import { quoteShellWord, formatCount, toOneLine } from '../base/text.ts';
import { parse, readStamp } from '../council/document/document.ts';
import type { PhaseName } from '../council/state/allowed-values.ts';
import { findAsideAnswers, takeAside } from '../council/use/conflict-answers.ts';
import type { Ports } from '../council/use/ports.ts';
import type { AsideAnswer, MergedAsideAnswers } from '../council/use/conflict-answers.ts';
import { isBlindNow } from '../council/state/state.ts';
import type { Council } from '../council/state/state.ts';
import type { Branches, HandEdits, WantedBranches } from '../store/documents.ts';
import type { App } from './app.ts';

/** An answer recorded in a conflict copy but not in the council, as shown by `status --json`. */
export interface Aside {
  participant: string;
  phase: PhaseName;
  tour: number;
  path: string;
}

/** The councils of a project and their hand-edited or conflicting copies. */
interface CouncilStorage {
  edits: HandEdits;
  ports: Ports;
}

export interface AsideCouncil {
  name: string;
  /** The newest readable state here. */
  council: Council | undefined;
  /** True if it has ended, so that nothing can be adopted. */
  isOver: boolean;
  answers: AsideAnswer[];
  branches: Branches;
}

/** Searches one council or all, including ended ones. */
export async function findAside(
  { edits, ports }: CouncilStorage,
  wanted: WantedBranches = {},
): Promise<AsideCouncil[]> {
  const { given } = wanted;
  const found: AsideCouncil[] = [];
  for (const branches of await edits.branches(wanted)) {
    const line = branches.line.flatMap((text) => tryParseCouncil(text) ?? []);
    const asked = given ? branches.aside.filter(({ path }) => path === given.path) : branches.aside;
    const aside = asked.flatMap(({ path, text }) => {
      const council = tryParseCouncil(text);
      return council ? { path, council } : [];
    });
    const [council] = line;
    const late = council ? await ports.lateFiles.sizes(council.state.conversationId) : [];
    const answers = findAsideAnswers(
      line,
      aside,
      late.map((one) => one.name),
    );
    const isOver = council?.state.closing !== null;
    found.push({ name: branches.key, council, isOver, answers, branches });
  }
  return found;
}

function tryParseCouncil(text: string): Council | undefined {
  return ignoreRefusal(() => parse(text, ''));
}

export const toAsideDocument = ({ by: participant, phase, tour, path }: AsideAnswer): Aside => ({
  ...{ participant, phase, tour, path },
});

/** Describes such an answer for people. One of an ended council can only be read. */
export const tellOfAside = (
  name: string,
  { participant, phase, tour, path }: Aside,
  isOver = false,
): string =>
  `${toOneLine(participant)} answered on another machine (${phase}, round ${tour}): ${path}. ${
    isOver
      ? `The council "${name}" is archived: read it there.`
      : `Take it over: council adopt --name ${name} --file ${quoteShellWord(path)}`
  }`;

/** Reports answers in conflict copies, for each command that plays councils. */
export async function tellAside(app: Pick<App, 'note'>, workspace: CouncilStorage): Promise<void> {
  for (const { name, isOver, answers } of await findAside(workspace, { isBrief: true }))
    for (const answer of answers) app.note(tellOfAside(name, toAsideDocument(answer), isOver));
}

/** Lines of an answer shown before it is adopted. */
const SHOWN = 40;

/** Shows what `adopt --file` would add. In a blind phase only the commitment is shown. */
function describeAdded({ by, phase, tour, said, sealed }: AsideAnswer, isBlind: boolean): string {
  const head = `+ ${by} (${phase}, round ${tour})`;
  if (isBlind || !said)
    return `${head}: sealed as ${sealed?.commitment.slice(0, 16)}…, the text lies at ${toOneLine(sealed?.at ?? '')}`;
  const lines = said.text.split('\n');
  const more = lines.length > SHOWN ? [`… ${formatCount(lines.length - SHOWN, 'line')} more`] : [];
  return [`${head}:`, ...[...lines.slice(0, SHOWN), ...more].map((line) => `+ ${line}`)].join('\n');
}

/**
 * Adds the answers in a conflict copy to the council, after a person has confirmed them. Undefined
 * if the text is a plain edit or simply newer than the revision here: then it is adopted whole.
 * Throws `usage` if it has no new answer.
 */
export async function adoptAside(
  app: App,
  workspace: CouncilStorage,
  name: string,
  given: Branches['aside'][number],
): Promise<(MergedAsideAnswers & { name: string }) | undefined> {
  const other = tryParseCouncil(given.text);
  const [one] = readStamp(given.text)?.intact ? await findAside(workspace, { key: name, given }) : [];
  if (!other || !one?.council || other.state.conversationId !== one.council.state.conversationId)
    return undefined;
  const { council, answers } = one;
  const isAhead = other.state.revision > council.state.revision;
  if (isAhead && findAsideAnswers([other], [{ path: '', council }], []).length === 0) return undefined;
  if (answers.length === 0)
    throw new CouncilError('usage', `${given.path} holds no answer that is not in "${name}" already.`, {
      hint: `It is not needed: rm ${quoteShellWord(given.path)}`,
    });
  const isBlind = isBlindNow(council.state);
  const added = answers.map((answer) => describeAdded(answer, isBlind)).join('\n');
  const isAgreed = app.ask ? isYes(await app.ask(`${added}\nTake this over? [y/N] `)) : true;
  if (!isAgreed)
    throw new CouncilError('failed', 'Nothing was taken over.', {
      hint: `See it again: council status --name ${name}`,
    });
  if (!app.ask) app.note(added);
  const done = await takeAside(workspace.ports, name, answers);
  return { ...done, name };
}
