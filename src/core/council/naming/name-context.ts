// Detects participant names that are also ordinary words, and uses that can only mean the person.
import { foldName } from './names.ts';
import type { NameOccurrence, Name } from './names.ts';
import { NAME, speech } from './address-patterns.ts';

const WIDEST = 120;
/** Sentence boundaries: blank lines, and lines with a marker of lists, quotes, headings or tables. */
const BORDER = /\n(?=[ \t]*(?:\n|[-*+>#|]|\d+[.)]))/;

/** Returns a name's surrounding words, with the placeholder for the name. */
function cutSurroundings(text: string, start: number, end: number): string {
  const before = text
    .slice(Math.max(0, start - WIDEST), start)
    .split(BORDER)
    .at(-1)!;
  const isCut = start > WIDEST && before.length === WIDEST;
  const [after] = text.slice(end, end + WIDEST).split(BORDER);
  return `${isCut ? '…' : ''}${before.replaceAll('\n', ' ').trimStart()}${NAME}${after}`;
}

function cutLine(text: string, start: number, end: number): string {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const to = text.indexOf('\n', end);
  return text.slice(from, start) + NAME + text.slice(end, to === -1 ? undefined : to);
}

/** "our data", "the product team". */
const isDetermined = (text: string, start: number, end: number): boolean =>
  speech().isDetermined.test(cutSurroundings(text, start, end));

/** Whether the word can only mean the person: "data says", "as data wrote", a signature. */
export const meansPerson = (text: string, start: number, end: number): boolean =>
  speech().namesSomebody.test(cutSurroundings(text, start, end)) || isLoneSignature(text, start, end);

function isLoneSignature(text: string, start: number, end: number): boolean {
  const line = cutLine(text, start, end);
  if (speech().signsAlone.test(line)) return true;
  if (!speech().isOnlyName.test(line) || /\S/.test(text.slice(end).replace(/^.*/, ''))) return false;
  const before = text.slice(0, text.lastIndexOf('\n', start - 1) + 1).trimEnd();
  return before !== '' && !(isListed(line) && isListed(before.slice(before.lastIndexOf('\n') + 1)));
}

const isListed = (line: string): boolean => /^[\s>]*(?:[-*+]|\d+[.)])\s/.test(line);

/** Whether a name is in a line that says who or what wrote the text. */
export const isInSignature = (text: string, start: number, end: number): boolean =>
  speech().signsWith.test(cutLine(text, start, end));

/**
 * Makes a test for whether a name, in this spelling, may be an ordinary word: a role name, a spelling used in
 * topic, brief or options (if lower case, this applies to all spellings), or a word that an answer uses like
 * one ("our data").
 */
export function makeOrdinaryTest(
  asked: readonly string[],
  answers: readonly string[],
  findNames: (text: string) => NameOccurrence[],
): (name: Name, words: string) => boolean {
  const used = new Set(
    asked.flatMap((text) => findNames(text).map(({ start, end }) => text.slice(start, end))),
  );
  for (const text of answers)
    for (const { name, start, end } of findNames(text))
      if (isDetermined(text, start, end)) used.add(foldName(name.spelling));
  const isRole = (key: string): boolean => key.split(/[ -]+/).every((word) => ROLE_WORDS.has(word));
  return ({ kind }, words) => {
    const key = foldName(words);
    return kind !== 'emoji' && (isRole(key) || used.has(words) || used.has(key));
  };
}

const ROLES = `
  completeness consistency language precision rapporteur structure orchestrator research worker

  accessibility accounting admin advocate agent analysis analyst api architect architecture assistant audit auditor backend
  brand budget build business change chair climate cloud code coder coding communication community compliance content
  context coordinator cost creative critic critique culture customer customers cyber data database debug debugger debugging
  delivery deployment design designer developer development devops director docs documentation domain economics economist
  editor education energy engine engineer engineering environment ethics evaluation evidence executive experience expert
  finance frontend fullstack game generalist governance growth hardware health history historian human implementation
  impact incident infra infrastructure innovation integration investor journalist judge law lawyer lead leader learning
  legal logic logistics machine maintainer maintenance manager management market marketing math maths mediator mentor
  migration mobile model moderator monitoring network operations operator ops optimist optimizer owner patient payment
  payments people performance pessimist philosophy planner planning platform policy politics pragmatist pricing privacy
  procurement product production programmer project prompt psychology public qa quality query recruiter refactoring
  regulation release reliability reporter researcher resilience retail reviewer review revenue risk risks safety sales
  scalability science scientist scout search secretary security senior server service simplicity skeptic sceptic social
  software specialist sre staff statistics stakeholder storage story strategist strategy student supervisor supply support
  sustainability system systems tax teacher team tech technical technology test tester testing tests theory time tools
  trainer translator treasury trend ui usability usage user users ux validation validator value vendor verifier visual web
  workflow writer writing

  bank blue caution con correctness credit doubt facts fairness first focus food freedom future green home housing ideas
  insurance latency maintainability memory money nature past progress pro readability red second skills speed stability
  traffic transport trust truth vision water white black yellow

  accessibilité achat achats analyse architecte avocat client clients coût coûts critique directeur donnée données droit
  développeur développement économie écologie éthique finances ingénieur juge juridique langage langue marché médiateur
  métier performances précision prix produit produits qualité recherche relecteur réseau risque risques santé sécurité
  simplicité stratégie technique temps utilisateur utilisateurs vente ventes
`;

export const ROLE_WORDS: ReadonlySet<string> = new Set(ROLES.trim().split(/\s+/));
