// Serializes a council as its state file and parses it back.
import { CouncilError, ignoreRefusal } from '../../base/errors.ts';
import { sha256, sha256OfPieces } from '../../base/ids.ts';
import { memoizeByObject } from '../../base/memoize.ts';
import { toCommentSafeJson, parseJsonSafely, cacheUtf8 } from '../../base/text.ts';
import type { Stamp } from '../../store/documents.ts';
import { measureText, scanMarked, writeMarked } from './markers.ts';
import type { MarkedText } from './markers.ts';
import { renderStatePage } from './state-page.ts';
import type { Contribution, Council, CouncilState, Participant } from '../state/state.ts';

const OPEN = '<!--council-state';
const UNHASHED = '0'.repeat(64);
const ZEROED = Buffer.from(UNHASHED);

/**
 * Returns the whole state file of a council. Ignores `state.textSha256`: the returned text contains its own
 * hash, computed with that value zeroed.
 */
export const serialize = (council: Council): string => serializeAndSeal(council).text;

/** Like `serialize`, but also returns the council that `parse` would read; it shares parts with the argument. */
export function serializeAndSeal(council: Council): { text: string; council: Council } {
  const { schema, revision, ...rest } = council.state;
  // The hash precedes every user-supplied value, so the first match is its own place.
  const state: CouncilState = Object.assign({ schema, revision, textSha256: UNHASHED }, rest, {
    textSha256: UNHASHED,
  });
  const page = renderStatePage(council);
  const unhashed = [
    `${OPEN}\n${renderStateJson(state)}\n-->\n\n${page.head}\n\n`,
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
  if (unhashed.isWellFormed()) cacheUtf8(text, bytes);
  written = { text, state };
  return { text, council: { ...council, state } };
}

/** Marker data of the last brief read from an unaltered text. */
let noted: { id: string; brief: MarkedText } | undefined;

/** The brief never changes, and the marker data of a 1 MB brief takes 4 ms, so it is cached per council. */
const renderBriefBlock = ({ state, brief }: Council): string =>
  noted?.id === state.conversationId && noted.brief.text === brief
    ? writeMarked(noted.brief)
    : writeBrief(brief);

/** The last text written, so that its stamp can be read without parsing it. */
let written: { text: string; state: CouncilState } | undefined;

/**
 * Parses the council in a state file. Reads only the state block and the markers: headings and lists are for
 * people. Throws `corrupt`, naming `where` and the line, for a text that cannot be a state file.
 */
export function parse(text: string, where = 'the state file'): Council {
  const known = stamped?.text === text ? stamped : undefined;
  const { json, end } = known?.block ?? parseStateBlock(text, where);
  // Returned only once, because the caller may modify it.
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

/** Parses only the state, without contributions. Throws `corrupt` like `parse`. */
export const readState = (text: string, where: string): CouncilState =>
  asState(parseStateBlock(text, where).json, where);

/** Returns the stamp that the store checks; undefined without a readable state block. `bytes`: its UTF-8. */
export function readStamp(text: string, bytes?: unknown): Stamp | undefined {
  const state = written?.text === text ? written.state : parseStampedState(text);
  if (!state) return undefined;
  const { conversationId: id, revision, textSha256: hash, name, previous } = state;
  if (typeof id !== 'string' || typeof revision !== 'number' || typeof hash !== 'string') return undefined;
  // As a callback of `map`, this function gets an index as its second argument.
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

/** Compares bytes, to avoid copying a long text with the hash zeroed, and encoding it again. */
function isIntact(given: Uint8Array, hash: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(hash)) return false;
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.length);
  const at = bytes.indexOf(hash, 0, 'latin1');
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at + hash.length)];
  return at !== -1 && sha256OfPieces([before, ZEROED, after]) === hash;
}

function parseStampedState(text: string): Record<string, unknown> | undefined {
  return ignoreRefusal(() => {
    const block = parseStateBlock(text, '');
    stamped = { text, block };
    return block.json;
  });
}

/** Returns contributions edited by hand: their text no longer has the length or hash of its marker. */
export function alteredContributions(council: Council): Contribution[] {
  return council.contributions.filter((c) => {
    const { bytes, sha256: hash } = measureText(c.text);
    return bytes !== c.bytes || hash !== c.sha256;
  });
}

/** Writes a contribution with its marker, for the state file and the archive. */
export function writeContribution({ text, ...facts }: Contribution): string {
  return writeMarked({ kind: 'response', facts, text });
}

/** Writes a brief with its marker, for the state file and the archive. */
export function writeBrief(brief: string): string {
  return writeMarked({ kind: 'brief', facts: measureText(brief), text: brief });
}

/** Makes a contribution from its marker and text; the marker's data is used unchecked. */
export function readContribution({ facts, text }: MarkedText): Contribution {
  return { ...(facts as unknown as Omit<Contribution, 'text'>), text };
}

/** Adds contributions to a council's, by round and then by seat; replaces an earlier one of the same turn. */
export function addContributions(
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

/**
 * The last state block read for a stamp. The store reads the stamp of each text just before it is parsed, and
 * in a large council the state is half of the parsing.
 */
let stamped: { text: string; block: StateBlock; isIntact?: boolean } | undefined;

function parseStateBlock(text: string, where: string): StateBlock {
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

/** Checks only the basic shape, since the engine wrote the block. A hand edit is validated when adopted. */
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

/** Cached, because few participants of a large council change between revisions. */
const seatJson = memoizeByObject((one: Participant) => toCommentSafeJson(one));

/** One key per line, one participant per line, for readable diffs between revisions. */
function renderStateJson(state: CouncilState): string {
  const lines = Object.entries(state).map(
    ([key, value]) =>
      `  ${JSON.stringify(key)}: ${key === 'participants' ? renderParticipantsJson(state) : toCommentSafeJson(value)}`,
  );
  return `{\n${lines.join(',\n')}\n}`;
}

function renderParticipantsJson({ participants }: CouncilState): string {
  const lines = Object.entries(participants).map(
    ([id, one]) => `    ${JSON.stringify(id)}: ${seatJson(one)}`,
  );
  return `{\n${lines.join(',\n')}\n  }`;
}
