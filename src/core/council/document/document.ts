// Serializes a council as its state file and parses it back.
import { CouncilError } from '../../base/errors.ts';
import { sha256, sha256OfPieces } from '../../base/ids.ts';
import { rememberingEach } from '../../base/memoize.ts';
import { commentSafeJson, parseJsonSafely, noteUtf8 } from '../../base/text.ts';
import type { Stamp } from '../../store/documents.ts';
import { measureText, scanMarked, writeMarked } from './markers.ts';
import type { Marked } from './markers.ts';
import { renderStatePage } from './page.ts';
import type { Contribution, Council, CouncilState, Participant } from '../state/state.ts';

const OPEN = '<!--council-state';
const UNHASHED = '0'.repeat(64);
const ZEROED = Buffer.from(UNHASHED);

/**
 * The whole state file of a council. `state.textSha256` of the argument is ignored: the returned text carries
 * the hash of itself with that value zeroed.
 */
export const serialize = (council: Council): string => serializeAndSeal(council).text;

/** The same, with the council that `parse` reads from it; it shares its parts with the argument. */
export function serializeAndSeal(council: Council): { text: string; council: Council } {
  const { schema, revision, ...rest } = council.state;
  // The hash stands before every value that a person chose, so the first match is its own place.
  const state: CouncilState = Object.assign({ schema, revision, textSha256: UNHASHED }, rest, {
    textSha256: UNHASHED,
  });
  const page = renderStatePage(council);
  const unhashed = [
    `${OPEN}\n${stateJson(state)}\n-->\n\n${page.head}\n\n`,
    `${renderBriefBlock(council)}\n\n${page.participants}\n`,
    ...page.responses.flatMap(({ heading, said }) => [
      `\n${heading}\n`,
      ...said.map(({ title, contribution }) => `\n${title}\n\n${writeContribution(contribution)}\n`),
    ]),
    `\n${page.tail}\n`,
  ].join('');
  const bytes = Buffer.from(unhashed);
  state.textSha256 = sha256(bytes);
  const text = unhashed.replace(UNHASHED, state.textSha256);
  bytes.write(state.textSha256, bytes.indexOf(UNHASHED), 'latin1');
  if (unhashed.isWellFormed()) noteUtf8(text, bytes);
  written = { text, state };
  return { text, council: { ...council, state } };
}

/** The brief of a council with the facts of its marker, as they stood in a text that is just as it was written. */
let noted: { id: string; brief: Marked } | undefined;

/** The brief never changes, and of one of 1 MB its facts take 4 ms: they are kept, for the council they belong to. */
const renderBriefBlock = ({ state, brief }: Council): string =>
  noted?.id === state.conversationId && noted.brief.text === brief
    ? writeMarked(noted.brief)
    : writeBrief(brief);

/** What was written last: its state need not be read out of it to tell its stamp. */
let written: { text: string; state: CouncilState } | undefined;

/**
 * The council in a state file. Reads the state block and the markers only: headings and lists are for people.
 * Throws `corrupt`, naming `where` and the line, for a text that cannot be a state file.
 */
export function parse(text: string, where = 'the state file'): Council {
  const known = stamped?.text === text ? stamped : undefined;
  const { json, end } = known?.block ?? stateBlock(text, where);
  // Handed out only once, because the caller may change it.
  stamped = undefined;
  const state = asState(json, where);
  const marked = scanMarked(text, where, end);
  if (marked.some((m) => m.kind === 'state'))
    throw new CouncilError('corrupt', `${where}: there is more than one state block.`, {
      hint: 'Keep the first one only, or run `council restore`.',
    });
  const brief = marked.find((m) => m.kind === 'brief');
  if (brief && known?.isIntact === true) noted = { id: state.conversationId, brief };
  return {
    state,
    brief: brief?.text ?? '',
    contributions: marked.filter((m) => m.kind === 'response').map(readContribution),
  };
}

/** The state alone, without what was said. Throws `corrupt` like `parse`. */
export const readState = (text: string, where: string): CouncilState =>
  asState(stateBlock(text, where).json, where);

/** The stamp that the store checks; undefined when no state block can be read. `bytes` are the UTF-8 of the text. */
export function readStamp(text: string, bytes?: unknown): Stamp | undefined {
  const state = written?.text === text ? written.state : stampedState(text);
  if (!state) return undefined;
  const { conversationId: id, revision, textSha256: hash, name, previous } = state;
  if (typeof id !== 'string' || typeof revision !== 'number' || typeof hash !== 'string') return undefined;
  // As a callback of `map` this function gets an index as its second argument.
  const intact = isIntact(bytes instanceof Uint8Array ? bytes : Buffer.from(text), hash);
  if (stamped?.text === text) stamped.isIntact = intact;
  return {
    id,
    revision,
    intact,
    hash,
    ...(typeof name === 'string' && { name }),
    ...(typeof previous === 'string' && { previous }),
  };
}

/** Compares bytes: that makes no copy of a long text with the hash zeroed, and no second UTF-8 of it. */
function isIntact(given: Uint8Array, hash: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(hash)) return false;
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.length);
  const at = bytes.indexOf(hash, 0, 'latin1');
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at + hash.length)];
  return at !== -1 && sha256OfPieces([before, ZEROED, after]) === hash;
}

function stampedState(text: string): Record<string, unknown> | undefined {
  try {
    const block = stateBlock(text, '');
    stamped = { text, block };
    return block.json;
  } catch (error) {
    if (error instanceof CouncilError) return undefined;
    throw error;
  }
}

/** Contributions edited by hand: their text no longer has the length or hash of its marker. */
export function alteredContributions(council: Council): Contribution[] {
  return council.contributions.filter((c) => {
    const { bytes, sha256: hash } = measureText(c.text);
    return bytes !== c.bytes || hash !== c.sha256;
  });
}

/** A contribution with its marker, as it stands in the state file and in the archive. */
export function writeContribution({ text, ...facts }: Contribution): string {
  return writeMarked({ kind: 'response', facts, text });
}

/** A brief with its marker, as it stands in the state file and in the archive. */
export function writeBrief(brief: string): string {
  return writeMarked({ kind: 'brief', facts: measureText(brief), text: brief });
}

/** A contribution out of its marker and text; the facts of the marker are taken as they stand. */
export function readContribution({ facts, text }: Marked): Contribution {
  return { ...(facts as unknown as Omit<Contribution, 'text'>), text };
}

/** The contributions of a council with more of them, in the order of tours, then seats; an earlier one of the same turn is replaced. */
export function withContributions(
  { state, contributions }: Council,
  added: readonly Contribution[],
): Contribution[] {
  const seats = new Map(state.order.map((id, place) => [id, place]));
  const getSeat = ({ by }: Contribution): number => seats.get(by) ?? -1;
  const turns = new Map([...contributions, ...added].map((c) => [`${c.tour} ${c.by}`, c]));
  return [...turns.values()].sort((a, b) => a.tour - b.tour || getSeat(a) - getSeat(b));
}

interface StateBlock {
  json: Record<string, unknown>;
  end: number;
}

/** The store looks at the stamp of each text that is parsed right after: of a large council, its state is half of the reading. */
let stamped: { text: string; block: StateBlock; isIntact?: boolean } | undefined;

function stateBlock(text: string, where: string): StateBlock {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const end = text.indexOf('-->', start);
  if (!text.startsWith(OPEN, start) || end === -1) {
    throw new CouncilError('corrupt', `${where} does not start with a "${OPEN}" block.`, {
      hint: 'It is not a council state file, or it was cut. `council history` lists the kept revisions.',
    });
  }
  try {
    const json = parseJsonSafely(text.slice(start + OPEN.length, end));
    if (typeof json === 'object' && json !== null && !Array.isArray(json))
      return { json: json as Record<string, unknown>, end };
    throw new SyntaxError('expected a JSON object');
  } catch (error) {
    throw new CouncilError(
      'corrupt',
      `${where}: the state block is not valid JSON (${(error as Error).message}).`,
      { hint: 'Undo the edit, or run `council restore`.', cause: error },
    );
  }
}

/** The engine wrote this block and its hash stands in it; the shape of a hand edit is checked when it is adopted. */
function asState(json: Record<string, unknown>, where: string): CouncilState {
  if (json.schema !== 1 && json.schema !== 2) {
    throw new CouncilError(
      'corrupt',
      `${where} has schema ${JSON.stringify(json.schema)}; this council reads schema 1 and 2.`,
      { hint: 'Update council: the file was written by a newer version.' },
    );
  }
  const lists = [json.order, json.phases, json.absences, json.transitions];
  if (typeof json.participants !== 'object' || json.participants === null || !lists.every(Array.isArray)) {
    throw new CouncilError(
      'corrupt',
      `${where}: the state block lacks participants, order, phases, absences or transitions.`,
      { hint: 'Undo the edit, or run `council restore`.' },
    );
  }
  return json as unknown as CouncilState;
}

/** Of a large table, few change from one revision to the next. */
const seatJson = rememberingEach((one: Participant) => commentSafeJson(one));

/** One key a line, one participant a line: a difference between two revisions can be read. */
function stateJson(state: CouncilState): string {
  const lines = Object.entries(state).map(
    ([key, value]) =>
      `  ${JSON.stringify(key)}: ${key === 'participants' ? participantsJson(state) : commentSafeJson(value)}`,
  );
  return `{\n${lines.join(',\n')}\n}`;
}

function participantsJson({ participants }: CouncilState): string {
  const lines = Object.entries(participants).map(
    ([id, one]) => `    ${JSON.stringify(id)}: ${seatJson(one)}`,
  );
  return `{\n${lines.join(',\n')}\n  }`;
}
