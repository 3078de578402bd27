// Sessions of agent programs, if enabled: which session a seat continues, and where its prompt is new.
import { randomUUID } from 'node:crypto';
import type { Agent } from '../../agents/agent.ts';
import { formatModelKey } from '../../agents/seat-notation.ts';
import { canContinue, reportsSessionTotal } from '../../agents/runner-kind.ts';
import type { SpeakRequest, SpeakResult, Usage } from '../../agents/runners/turn-types.ts';
import { sha256 } from '../../base/ids.ts';
import { parseJsonSafely, toUnknownRecord } from '../../base/text.ts';
import { fill, loadWords } from '../../base/words/words.ts';
import type { Council } from '../../council/state/state.ts';
import type { View } from '../../council/view/view.ts';
import type { LaunchPorts } from './ports.ts';
import { getRunnerId } from './result.ts';
import type { Launch } from './result.ts';

/** Data on a launch whose session may continue, in the council's private folder. */
interface KeptSession {
  id: string;
  /** Must be unchanged to continue: machine, folder, program, model, and the council's history so far. */
  place: string;
  history: string;
  transitions: number;
  /** Its answer, by round and SHA-256: if it was replaced or removed, the session is invalid. */
  tour: number;
  answer: string;
  /** The start of its prompt with all stable parts, which is not sent again. */
  length: number;
  beginning: string;
  /** The usage its program reported for the whole session so far. */
  told: Usage | null;
}

export interface SessionTurn {
  request: NonNullable<SpeakRequest['session']>;
  /** The program's input: the whole prompt, or what is new in it. */
  input: string;
  /** The usage its program had reported for the session before. */
  before?: Usage | null;
}

interface Turn {
  launch: Launch;
  agent: Agent;
  council: Council;
  view: View;
}

type SessionPorts = Pick<LaunchPorts, 'privateFiles' | 'root' | 'self'>;

const formatName = ({ participant }: Launch): string => `session-${participant}`;

/**
 * Returns the session that a launch continues, or a new one; undefined if its agent keeps none. Removes the
 * stored one: only an answer stores it again, and a session whose answer is no longer in the council is not
 * continued.
 */
export async function openSession(ports: SessionPorts, turn: Turn): Promise<SessionTurn | undefined> {
  const { launch, agent, council, view } = turn;
  const { state } = council;
  const isOwn = getRunnerId(launch) === launch.participant && launch.participant !== state.coordinator;
  if (agent.session !== 'continue' || !canContinue(agent.runner) || !isOwn) return undefined;
  const kept = await readKept(ports, launch);
  await ports.privateFiles.remove(state.conversationId, formatName(launch));
  if (!kept || !isStillTrue(ports, turn, kept))
    return { request: { resume: null, fresh: randomUUID() }, input: view.prompt };
  const { goesOn } = loadWords(state.lang).view;
  const input = `${fill(goesOn, { topic: state.topic })}\n\n${view.prompt.slice(kept.length).trimStart()}`;
  const before = reportsSessionTotal(agent.runner) ? kept.told : null;
  return { request: { resume: kept.id, fresh: kept.id }, input, before };
}

/** Stores the session of a launch that has answered. */
export async function keepSession(ports: SessionPorts, turn: Turn, told: SpeakResult): Promise<void> {
  const { launch, council, view } = turn;
  const { session: id, ok, output } = told;
  const length = view.stable.at(-1);
  if (!ok || id === undefined || !SAFE_ID.test(id) || length === undefined) return;
  const transitions = council.state.transitions.length;
  const kept: KeptSession = {
    id,
    place: describePlace(ports, turn),
    history: hashHistory(council, transitions),
    transitions,
    tour: council.state.tour,
    answer: sha256(output),
    length,
    beginning: sha256(view.prompt.slice(0, length)),
    told: told.usage,
  };
  const bytes = Buffer.from(JSON.stringify(kept));
  await ports.privateFiles.write(council.state.conversationId, formatName(launch), bytes, { durable: false });
}

/** Subtracts the usage that earlier turns of the session reported. */
export function subtractEarlierUsage(told: SpeakResult, before: Usage | null = null): SpeakResult {
  const { usage } = told;
  if (!usage || !before) return told;
  const less = (all: number | null, earlier: number | null): number | null =>
    all !== null && earlier !== null && all >= earlier ? all - earlier : all;
  const own: Usage = {
    model: usage.model,
    inputTokens: less(usage.inputTokens, before.inputTokens),
    cachedTokens: less(usage.cachedTokens ?? null, before.cachedTokens ?? null) ?? undefined,
    outputTokens: less(usage.outputTokens, before.outputTokens),
    costUsd: less(usage.costUsd, before.costUsd),
  };
  return { ...told, usage: own };
}

/** If a launch with a continued session never reached its provider, the next one starts a new session. */
export function dropUnusedSession(told: SpeakResult): SpeakResult {
  const { usage, known, failure } = told;
  const isBegun = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0) > 0;
  // "Session expired" may mean either: a new session shows whether its program has to log in.
  const isKnown = known?.class !== undefined && known.class !== 'login';
  if (told.ok || isBegun || isKnown || (failure !== 'failed' && failure !== 'config')) return told;
  const { known: _, ...rest } = told;
  return { ...rest, failure: 'failed', reason: GONE, safeReason: GONE };
}

const GONE = 'its session could not be resumed, so the next attempt sends the whole prompt';

/** Never "latest", a number or an option, which mean another session, or none. */
const SAFE_ID = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|ses_[A-Za-z0-9]{8,64})$/;

async function readKept(ports: SessionPorts, launch: Launch): Promise<KeptSession | undefined> {
  const bytes = await ports.privateFiles.read(launch.state.conversationId, formatName(launch));
  const kept = toUnknownRecord(bytes && parseJsonSafely(Buffer.from(bytes).toString('utf8')));
  return typeof kept.id === 'string' && SAFE_ID.test(kept.id) && Number.isSafeInteger(kept.length)
    ? (kept as unknown as KeptSession)
    : undefined;
}

function isStillTrue(ports: SessionPorts, turn: Turn, kept: KeptSession): boolean {
  const { council, launch, view } = turn;
  const said = council.contributions.find(({ by, tour }) => by === launch.participant && tour === kept.tour);
  if (!said || council.state.tour <= kept.tour) return false;
  // Parts added on request are not in its session.
  const first = Buffer.from(said.text).subarray(0, said.parts?.[0] ?? undefined);
  return (
    kept.place === describePlace(ports, turn) &&
    kept.history === hashHistory(council, kept.transitions) &&
    kept.answer === sha256(first) &&
    kept.beginning === sha256(view.prompt.slice(0, kept.length))
  );
}

/** A restore makes a different history. */
const hashHistory = ({ state }: Council, transitions: number): string =>
  sha256(JSON.stringify(state.transitions.slice(0, transitions)));

const describePlace = ({ self, root }: SessionPorts, { agent }: Turn): string =>
  JSON.stringify([self.host, root, formatModelKey(agent), agent.args]);
