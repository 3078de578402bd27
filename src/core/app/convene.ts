// Opens a council for `start` and `run`: question, table, rules and tokens.
import type { Agent } from '../agents/agent.ts';
import { isModel, canRead } from '../agents/runner-kind.ts';
import { listOutsiders } from '../agents/registry.ts';
import type { AgentRegistry, OutsideAgent } from '../agents/registry.ts';
import type { Config } from '../base/config.ts';
import { fill, loadWords } from '../base/words/words.ts';
import type { Notice } from '../council/machine/transition-result.ts';
import { countEffectiveVotes, findSharedFamily } from '../council/vote/independence.ts';
import { findPrice } from '../agents/prices.ts';
import type { OwnPrices } from '../agents/prices.ts';
import { reportsCost } from '../agents/runners/presets/output-formats.ts';
import { isLimit } from '../council/state/budget.ts';
import { readToken } from '../council/use/participant-tokens.ts';
import type { ModeReading } from '../council/state/mode-reading.ts';
import { requireStartable, start } from '../council/use/start.ts';
import { getSeat } from '../council/state/state.ts';
import type { CouncilState } from '../council/state/state.ts';
import { tellNotifiers } from '../notify/notifier.ts';
import type { HeartbeatPorts } from '../heartbeat/ports.ts';
import type { App } from './app.ts';
import { resolveDecisionRules } from './question.ts';
import type { CouncilQuestion } from './question.ts';
import { renderResumeCommand } from './input/council.ts';
import type { StartInput } from './input/council.ts';
import { formatContextName, appendContext } from './context/context-item.ts';
import { selectCoordinator } from './coordinator.ts';
import type { Coordinator } from './coordinator.ts';
import { OFFLINE } from './offline.ts';
import { confirmFolder, writePlanned } from './init.ts';
import { confirmTrust, listCouncilRunnables } from './trust.ts';
import { DEFAULT_NAME } from '../council/use/unknown-council.ts';
import type { Workspace } from './workspace.ts';

export type { OutsideAgent };

/** Everything needed to start a council. */
export type CouncilToStart = Parameters<typeof start>[1] & {
  /** Set if contributions to its mode are parsed by rules of their own. */
  reading?: ModeReading | undefined;
  /** The names of pictures given with the question. */
  pictures: string[];
};

/** Resolves question and table of a new council. Throws `unknown_agent`, `unknown_mode` and similar errors. */
export async function resolveCouncilSetup(
  ports: Pick<HeartbeatPorts, 'agents' | 'mode' | 'modeReading'>,
  config: Config,
  input: StartInput,
  { topic, brief, context }: CouncilQuestion,
): Promise<CouncilToStart> {
  return {
    ...chooseSeats(input, config, ports.agents),
    name: input.name ?? DEFAULT_NAME,
    topic,
    brief: appendContext(brief, context, config.lang),
    pictures: context.filter(({ isPicture }) => isPicture).map(({ name }) => formatContextName(name)),
    mode: ports.mode(config.mode),
    reading: await ports.modeReading?.(config.mode),
    reach: input.reach,
    holdMs: input.holdMs,
    phaseTimeout: config.timeout,
    blind: !input.open,
    identity: input.identity,
    read: input.read,
    control: input.control,
    lang: config.lang,
    rules: await resolveDecisionRules(input, brief),
    budget: { usd: config.budgetUsd, tokens: config.budgetTokens },
  };
}

/** Whether the council, or one of its agents, has a limit. */
export const hasBudget = ({ budget, agents }: CouncilToStart): boolean =>
  [budget, ...agents.map((agent) => agent.budget)].some((one) => one !== undefined && isLimit(one));

/** Starts a council for `start` and `run`, and announces its first phase. */
export async function conveneCouncil(
  app: App,
  { workspace, ports, config }: { workspace: Workspace; ports: HeartbeatPorts; config: Config },
  input: StartInput,
  council: CouncilToStart,
): Promise<CouncilState> {
  const { opening } = loadWords(config.lang);
  for (const { id, why } of council.outside ?? []) app.note(fill(opening.notSeated, { id, why }));
  const { agents, coordinator, name } = council;
  // Agents whose runner it borrows are at the table.
  const table = coordinator === null || coordinator.borrows ? agents : [...agents, coordinator];
  await requireStartable(ports, council);
  await confirmFolder(app, ports.root, input);
  const recordTrust = await confirmTrust(
    app,
    ports.root,
    listCouncilRunnables(table, config.notify),
    input,
    workspace.planned?.agents,
  );
  // All checks are done: a refusal leaves no file behind.
  writePlanned(app, workspace, config.lang);
  recordTrust();
  // Before the state contains its hash.
  const pinned = await ports.pin?.(
    council.mode.name,
    coordinator === null ? agents : [...agents, coordinator],
  );
  const rules = { ...council.rules };
  if (rules.weighted) {
    const { isConfidenceKnown } = await import('./track-records.ts');
    const seats = agents.map(({ id }) => id);
    rules.weighted = await isConfidenceKnown(app, ports.archives, seats);
  }
  const state = await start(ports, { ...council, rules, pinned });
  app.setResumeCommand(renderResumeCommand(input, name));
  if (!state.blind) app.note(opening.notBlind);
  if (state.coordinator !== null && config.agents?.includes(state.coordinator))
    app.note(fill(opening.coordinatorOnly, { id: state.coordinator }));
  warnOfTwins(app, state, agents);
  warnOfEstimates(app, state, table, config.prices);
  tellReaders(app, state, council.pictures);
  const opened: Notice = { type: 'phase_opened', phase: 'COLLECT', tour: 1 };
  const to = { onProgress: app.progress, signal: app.interruption() };
  await tellNotifiers(ports, { state, notices: [opened] }, to);
  return state;
}

/** Agents that cannot be seated when all of agents/ are; none if the table was named. */
export const listLeftOutAgents = (
  { agents }: Pick<HeartbeatPorts, 'agents'>,
  named: Pick<Config, 'agents'>,
  { panel }: Pick<StartInput, 'panel'>,
): OutsideAgent[] => (named.agents === null && panel === undefined ? listOutsiders(agents) : []);

/** Returns the tokens of people, which are shown once. Agents get theirs from the tick that launches them. */
export async function collectHumanTokens(
  ports: Pick<HeartbeatPorts, 'privateFiles'>,
  state: CouncilState,
): Promise<Record<string, string> | undefined> {
  if (state.identity !== 'token') return undefined;
  const ids = [...state.order, ...(state.coordinator ? [state.coordinator] : [])];
  const humans = ids.filter((id) => getSeat(state, id).runner === 'human');
  const tokens = await Promise.all(humans.map((id) => readToken(ports.privateFiles, state, id)));
  return Object.fromEntries(humans.map((id, at) => [id, tokens[at] ?? ''] as const));
}

export const renderTokenLines = (tokens: Record<string, string>): string[] =>
  Object.entries(tokens).map(([id, token]) => `  Token of ${id}, shown once: COUNCIL_TOKEN=${token}`);

/** Seats with the same model or family make the same errors, so they hardly add independent votes. */
function warnOfTwins(app: App, { order, rules, lang }: CouncilState, agents: readonly Agent[]): void {
  const models = new Set(agents.filter(({ id }) => order.includes(id)).map(nameModel));
  const families = order.map((id) => rules.families[id] ?? null);
  const family = findSharedFamily(families);
  if (family === null && models.size === order.length) return;
  const { opening: w } = loadWords(lang);
  const [name = ''] = models;
  const seats = fill(w.seatsModels, {
    count: order.length,
    models: fill(models.size === 1 ? w.oneModel : w.models, { name, count: models.size }),
  });
  const votes = countEffectiveVotes(families).votes.toFixed(1);
  app.note(
    family === null
      ? fill(w.twins, { seats })
      : fill(w.family, { seats: models.size === 1 ? seats : fill(w.ofFamily, { seats, family }), votes }),
  );
}

/** People and the project's own programs count separately, unless their file names a model. */
const nameModel = ({ id, runner, model }: Agent): string =>
  model ?? (isModel(runner) && runner !== 'acp' ? runner : id);

/** A limit counts what programs report, and estimates otherwise. */
function warnOfEstimates(app: App, state: CouncilState, agents: readonly Agent[], own: OwnPrices): void {
  const { budget } = state;
  if (!budget) return;
  const isCouncils = isLimit(budget);
  const limited = agents.filter(
    ({ id, runner }) => runner !== 'human' && (isCouncils || Object.hasOwn(budget.agents, id)),
  );
  const listIds = (some: readonly Agent[]): string => some.map(({ id }) => id).join(', ');
  const silent = limited.filter(({ runner }) => runner === 'command');
  if (silent.length > 0)
    app.note(
      `For ${listIds(silent)} the budget counts an estimate, by the lengths of prompt and answer: a plain command reports neither tokens nor cost.`,
    );
  const isInDollars = ({ id }: Agent): boolean =>
    budget.usd !== null || (budget.agents[id]?.usd ?? null) !== null;
  const unpriced = limited.filter(
    (agent) => isInDollars(agent) && !reportsCost(agent.runner) && !findPrice(agent, own),
  );
  if (unpriced.length > 0)
    app.note(
      `No price is known for ${listIds(unpriced)}: the budget counts the dearest model that it may be. Name one with council.prices in the agent's file, for example prices: { input: 3, output: 15 }.`,
    );
}

function chooseSeats(
  input: StartInput,
  config: Config,
  registry: AgentRegistry,
): { agents: Agent[]; coordinator: Coordinator | null } {
  const offline = input.panel === 'offline';
  const listOwnAgents = () =>
    registry.listOwn().filter((agent) => agent.source === 'project' && agent.seat === undefined);
  const listed = offline
    ? OFFLINE.agents.map(registry.require)
    : (config.agents?.map(registry.require) ?? listOwnAgents());
  const { asker } = input;
  const agents = [...listed, ...(asker && listed.every(({ id }) => id !== asker.id) ? [asker] : [])];
  const named = input.coordinator === undefined && offline ? OFFLINE.coordinator : config.coordinator;
  const isNamed = config.agents !== null || agents.length === 1;
  return { agents, coordinator: selectCoordinator(named, { agents, isNamed, lang: config.lang }, registry) };
}

/** Says who can read the project's files, and who cannot; and who can open `pictures`. */
function tellReaders(app: App, { read, order, participants }: CouncilState, pictures: string[]): void {
  if (pictures.length > 0) tellPictures(app, { read, order, participants }, pictures);
  if (read !== 'project') return;
  const programs = order.filter((id) => participants[id]?.runner !== 'human');
  const readers = programs.filter((id) => canRead(participants[id]!.runner));
  const others = programs.filter((id) => !readers.includes(id));
  if (readers.length > 0) app.note(`Reading the project's files, and changing none: ${readers.join(', ')}.`);
  if (others.length > 0) {
    const why = others.map((id) => `${id} (${participants[id]!.runner})`).join(', ');
    app.note(`Without tools for that, on the brief alone: ${why}. --file puts files into the brief.`);
  }
}

/** Pictures are not sent: those who can read the project open the files themselves. */
function tellPictures(
  app: App,
  { read, order, participants }: Pick<CouncilState, 'read' | 'order' | 'participants'>,
  pictures: string[],
): void {
  const canOpenPictures = (id: string): boolean => {
    const { runner } = participants[id]!;
    return runner === 'human' || (read === 'project' && canRead(runner));
  };
  const [can, cannot] = [order.filter(canOpenPictures), order.filter((id) => !canOpenPictures(id))];
  const names = pictures.join(', ');
  if (can.length > 0) app.note(`Can open ${names}, where their model takes pictures: ${can.join(', ')}.`);
  if (cannot.length > 0)
    app.note(
      `Do not get ${names}, only its name: ${cannot.join(', ')}.${read === 'project' ? '' : ' With --read project, programs that can read can open it.'}`,
    );
}
