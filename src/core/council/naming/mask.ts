// Hides participants' names in the texts of an anonymous council, but not where a name is an ordinary word.
import { memoizeNewest, memoizeWhileSame, makeOnFirstUse } from '../../base/memoize.ts';
import { loadWords } from '../../base/words/words.ts';
import type { Council } from '../state/state.ts';
import { mapClaimPrefixes, getLabels, tableKey } from './labels.ts';
import { foldName, getNameIndex } from './names.ts';
import type { NameOccurrence, Name } from './names.ts';
import { buildModelPattern } from '../../agents/providers.ts';
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
const meansPerson = (text: string, start: number, end: number): boolean =>
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
const isInSignature = (text: string, start: number, end: number): boolean =>
  speech().signsWith.test(cutLine(text, start, end));

/**
 * Makes a test for whether a name, in this spelling, may be an ordinary word: a role name, a spelling used in
 * topic, brief or options (if lower case, this applies to all spellings), or a word that an answer uses like
 * one ("our data").
 */
function makeOrdinaryTest(
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

/** Names of others that a view still shows: where, of what kind, how often. Never the name itself. */
export interface UnmaskedNames {
  /** `topic`, `brief`, `options`, `persona`, `houseRules`, `own`, or the label of the text's author. */
  where: string;
  what: Name['kind'];
  count: number;
}

/** A text with names replaced. `replaced` and `left` have one entry per occurrence. */
export interface MaskedText {
  text: string;
  replaced: Name[];
  left: Name[];
  /** The labels in `text`, in order, each with its offset and the name it replaced. */
  places: { at: number; label: string; name: string }[];
}

/** Hides identities in the texts of one council. Made once per view, since it reads the whole brief. */
export interface Mask {
  /** Masks a text, or only a range of it; either way, the whole text decides what a name means. */
  (text: string, stretch?: Pick<NameOccurrence, 'start' | 'end'>): MaskedText;
  /** Finds every participant name in a text, one entry per occurrence; none in a council that is not anonymous. */
  find: (text: string) => readonly Name[];
}

type Masks = Pick<Council, 'state' | 'brief' | 'contributions'>;

/** A name in a text with its replacement; null if it stays. */
type DecidedName = NameOccurrence & { label: string | null };

/** An agent may be called p1, but votes are for P1. */
const BALLOT_NUMBER = /^P\d+$/i;
const PICTURE = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20E3/u;
/** Topic, brief, house rules and the like are searched for each view, and texts for each of their claims. */
const REMEMBERED = 16;

/**
 * Replaces ids, titles and emoji of participants and coordinator by their labels, and `@sage.1` by `@b.1`:
 * whole words, ignoring case. A name that is an ordinary word is replaced only where it addresses, signs, or is
 * the subject of speech.
 * Kept, because hiding would do more harm than good: names of fewer than three letters, names shared by
 * several, names that look like a label or ballot number, and names in code and paths. Model names are replaced
 * where a model says what it is.
 * All readers except a text's author see it through the same mask. They quote what they see, so a quote is
 * valid if either the original or the masked text contains it; its author reads it as written (`maskForReader`).
 */
export const getMask: (council: Masks) => Mask = memoizeWhileSame((before, now) => {
  const [then, is] = [listFacts(before), listFacts(now)];
  return then.length === is.length && is.every((text, at) => text === then[at]);
}, makeMask);

const listFacts = (council: Masks): string[] => [
  tableKey(council.state),
  ...listModels(council.state),
  ...listAsked(council),
  ...listFirstAnswers(council),
];
const listModels = ({ usage = [] }: Masks['state']): string[] => usage.flatMap(({ model }) => model ?? []);
const listAsked = ({ state, brief }: Masks): string[] => [state.topic, brief, ...(state.rules.options ?? [])];
/** Later contributions are not considered: a name that has been hidden from all stays hidden. */
const listFirstAnswers = ({ state, contributions }: Masks): string[] =>
  state.tour === 1 ? [] : contributions.flatMap(({ tour, text }) => (tour === 1 ? [text] : []));

function makeMask(council: Masks): Mask {
  const { state } = council;
  if (!state.anonymous) return buildMask(() => []);
  const { names, findNames } = getNameIndex(state);
  const { someModel, theCoordinator } = loadWords(state.lang).view;
  const labels = new Map(getLabels(state));
  if (state.coordinator) labels.set(state.coordinator, theCoordinator);
  const handles = mapClaimPrefixes(state);
  const inLabels = new Set(findNames([...labels.values()].join('\n')).map(({ name }) => name));
  const keys = new Set(names.map(({ spelling }) => foldName(spelling)));
  const isOrdinary = makeOrdinaryTest(listAsked(council), listFirstAnswers(council), findNames);
  const modelsIn = makeModelFinder(listModels(state));

  const findLabel = (
    text: string,
    { name, start, end }: NameOccurrence,
    isLiteral: boolean,
  ): string | null => {
    const [owner = ''] = name.owners;
    const label = labels.get(owner) ?? null;
    const words = text.slice(start, end);
    const isAddress = /^\.\d/.test(text.slice(end, end + 2));
    if (inLabels.has(name) || name.owners.length > 1) return null;
    // "al" may be an ordinary word; "@al" and "al.1" can only mean that participant.
    if (isAddress || (text[start - 1] === '@' && !isLiteral)) return handles.get(owner) ?? label;
    if (!isTelling(name) || BALLOT_NUMBER.test(words)) return null;
    if (isLiteral && !isInSignature(text, start, end)) return null;
    return isOrdinary(name, words) && !meansPerson(text, start, end) ? null : label;
  };
  const decided = memoizeNewest<readonly DecidedName[]>(REMEMBERED);
  const decide = (text: string): readonly DecidedName[] =>
    decided(text, () => {
      const found = findNames(text);
      const isLiteral = makeLiteralFinder(found.length === 0 ? '' : text, (word) => keys.has(foldName(word)));
      const people = found.map((one) => ({ ...one, label: findLabel(text, one, isLiteral(one.start)) }));
      const models = modelsIn(text, people).map((one) => ({ ...one, label: one.isOwn ? someModel : null }));
      return [...people, ...models].sort((a, b) => a.start - b.start);
    });
  return buildMask(decide);
}

const buildMask = (decide: (text: string) => readonly DecidedName[]): Mask =>
  Object.assign(
    (text: string, stretch = { start: 0, end: text.length }) => render(text, stretch, decide(text)),
    { find: (text: string) => decide(text).flatMap(({ name }) => (name.kind === 'model' ? [] : [name])) },
  );

function render(
  text: string,
  { start, end }: Pick<NameOccurrence, 'start' | 'end'>,
  decided: readonly DecidedName[],
): MaskedText {
  const masked: MaskedText = { text: '', replaced: [], left: [], places: [] };
  let done = start;
  for (const { name, start: from, end: to, label } of decided) {
    if (from < start || to > end) continue;
    (label === null ? masked.left : masked.replaced).push(name);
    if (label === null) continue;
    masked.text += text.slice(done, from);
    masked.places.push({ at: masked.text.length, label, name: text.slice(from, to) });
    masked.text += label;
    done = to;
  }
  masked.text += text.slice(done, end);
  return masked;
}

/** Counts the names that a text reveals to `reader`; their own are no secret. */
export function countUnmaskedNames(names: readonly Name[], where: string, reader: string): UnmaskedNames[] {
  const telling = names.filter(
    ({ owners, kind }) => kind === 'model' || owners.some((owner) => owner !== reader),
  );
  const kinds = Map.groupBy(telling, ({ kind }) => kind);
  return [...kinds].map(([what, { length }]) => ({ where, what, count: length }));
}

/** Whether a name is long enough not to be an article or a bullet. */
function isTelling({ spelling, kind }: Name): boolean {
  if (kind === 'emoji') return PICTURE.test(spelling);
  return /\p{L}/u.test(spelling) && (spelling.match(/[\p{L}\p{N}]/gu) ?? []).length >= 3;
}

// Finds verbatim parts of a text: code and paths.

/** Fenced blocks, possibly unclosed, and code spans with equal numbers of backticks in one paragraph. */
export const CODE =
  /^[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}(?![^\n]*`)|~{3,})[^]*?(?:\n[ \t>]*\1[`~]*[ \t]*(?=\n|$(?![^]))|$(?![^]))|(?<!`)(`+)(?!`)(?:(?!\n[ \t]*\n)[^])*?(?<!`)\2(?!`)/gm;
/** A URL, or anything up to white space, quotation marks and brackets. */
const WORD = /(?<![\p{L}\p{N}])[a-z][a-z\d+.-]{1,20}:\/\/[^\s"'`<>]+|[^\s"'`«»“”„‘()<>[\]{}|,;!?*]{2,}/giu;
const ROOTED = /^(?:[a-z][a-z\d+.-]*:\/\/|~?[/\\]|\.{1,2}[/\\]|[a-z]:\\)./i;
/** "henry.md", "sage.test.ts:3". After the full stop of a sentence comes a space, or at least a capital. */
const FILE = /^[\p{L}\p{N}_.@+-]+\.[a-z][a-z\d]{0,4}(?::\d+)*[.:]?$/u;

/**
 * Returns a test for whether a place is inside code or a path; must be called with increasing places. `isName`
 * recognizes a name in "Henry/Sage".
 */
function makeLiteralFinder(text: string, isName: (word: string) => boolean): (place: number) => boolean {
  const paths = [...text.matchAll(WORD)].filter(([word]) => isPath(word, isName));
  const all = [...text.matchAll(CODE), ...paths].sort((a, b) => a.index - b.index);
  let next = 0;
  return (place) => {
    while (all[next] && all[next]!.index + all[next]![0].length <= place) next += 1;
    return (all[next]?.index ?? Infinity) <= place;
  };
}

function isPath(word: string, isName: (word: string) => boolean): boolean {
  if (ROOTED.test(word)) return true;
  if (!/[/\\]/.test(word)) return FILE.test(word);
  // "Henry/Sage" are two people; "src/henry" is a path.
  const parts = word.replace(/[.:]+$/, '').split(/[/\\]/);
  return !parts.every((part) => part === '' || isName(part));
}

// Finds where a text's author says which model it is, or who made it.

const SENTENCE = /[^\n]+?(?:[.!?](?=\s|$)|[。！？]|(?=\n)|$)/gu;
const OWN = '\uFFFD';

/**
 * Finds names of models and their makers that may be the author's: in a sentence that says what the author is,
 * or in a signature, they are its own (`isOwn`); in other first-person sentences they are only reported. All
 * others are just topics.
 */
function makeModelFinder(
  used: readonly string[],
): (text: string, people: readonly NameOccurrence[]) => (NameOccurrence & { isOwn: boolean })[] {
  const pattern = makeOnFirstUse(() => buildModelPattern(used));
  return (text, people) => {
    if (text.search(pattern()) === -1) return [];
    return [...text.matchAll(SENTENCE)].flatMap(({ 0: sentence, index }) => {
      const found = [...sentence.matchAll(pattern())]
        .map(({ 0: spelling, index: at }) => ({
          spelling,
          start: index + at,
          end: index + at + spelling.length,
        }))
        .filter(({ start, end }) => !people.some((one) => one.start < end && start < one.end));
      const shape = found.reduceRight(
        (rest, { start, end }) => rest.slice(0, start - index) + NAME + rest.slice(end - index),
        sentence.replaceAll(NAME, ' ').replaceAll(OWN, ' '),
      );
      const signs = shape
        .replace(speech().namesItself, (said) => said.replaceAll(NAME, OWN))
        .replace(/[^\uFFFC\uFFFD]/g, '');
      const isFirstPerson = found.length > 0 && speech().isFirstPerson.test(shape);
      return found.flatMap(({ spelling, start, end }, k) => {
        const isOwn = signs[k] === OWN || isInSignature(text, start, end);
        const name = { spelling, kind: 'model' as const, owners: [] };
        return isOwn || isFirstPerson ? [{ name, start, end, isOwn }] : [];
      });
    });
  };
}
