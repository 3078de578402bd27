// Turns the entries of --agents into agents: those that are there, and those whose files are planned.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { getAgentFileStem } from '../../agents/agent.ts';
import type { Agent } from '../../agents/agent.ts';
import { chooseModel, PROVIDER_NAMES } from '../../agents/providers.ts';
import type { AgentRegistry } from '../../agents/registry.ts';
import { renderAgent } from '../../agents/render-agent.ts';
import { buildAgentRunnable } from '../../agents/runnable-trust.ts';
import { parseSeat } from '../../agents/seat-notation.ts';
import { isModel, PRESETS } from '../../agents/runner-kind.ts';
import { PROGRAMS, findProgramsOnPath } from '../../agents/runners/detect-programs.ts';
import { CouncilError } from '../../base/errors.ts';
import { isId, toSlug } from '../../base/ids.ts';
import { createUnknownNameError } from '../../base/unknown-name.ts';
import { fill, loadWords } from '../../base/words/words.ts';
import { findModelFamily } from '../../council/vote/independence.ts';
import type { Language } from '../../base/words/words.ts';
import { addAgent, findPrograms, toDetectedAgent } from '../seat-programs.ts';
import { maySeatUnlistedAgents } from '../app.ts';
import type { App } from '../app.ts';
import { createTrustChecks } from '../trust.ts';
import { loadAgents } from '../workspace.ts';
import type { Workspace } from '../workspace.ts';
import { findPersonas, requirePersona } from './personas.ts';
import type { Persona } from './personas.ts';

/** The parts of an agent's file. */
type NewAgent = Partial<Agent> & Pick<Agent, 'id' | 'title' | 'runner'>;

/** What stands behind an entry before its model and its persona: an agent that is there, or a program or model that has no file. */
interface SeatBase {
  agent: NewAgent;
  isThere: boolean;
  /** Its known models; empty if none are known. */
  models: readonly string[];
}

/** What an entry adds: model and persona. */
interface SeatChoice {
  model: string | null;
  persona: Persona | undefined;
}

interface Seating {
  app: App;
  workspace: Workspace;
  registry: AgentRegistry;
  lang: Language;
  /** Ids that have a seat, and those that a later entry names as they are. */
  seated: Set<string>;
  reserved: ReadonlySet<string>;
}

/**
 * The ids behind the entries of --agents, in their order. An agent that is there is seated as it is; for everything else a file is
 * planned, or an agent that was planned or written for the same is seated again. Throws `unknown_agent` and `usage` with what
 * there is, also where a file would be needed and the caller must not add what runs here.
 */
export async function resolveSeats(
  app: App,
  workspace: Workspace,
  lang: Language,
  entries: readonly string[],
): Promise<string[]> {
  const registry = await loadAgents(app, workspace);
  const reserved = new Set(entries.filter((entry) => registry.find(entry)));
  const seating = { app, workspace, registry, lang, seated: new Set<string>(), reserved };
  for (const entry of entries) {
    const id = await findSeat(seating, entry);
    if (id !== undefined) seating.seated.add(id);
  }
  return [...seating.seated];
}

/** Returns undefined for a person who already has a seat. */
async function findSeat(seating: Seating, entry: string): Promise<string | undefined> {
  const { app, registry, seated, workspace, lang } = seating;
  const plain = registry.find(entry);
  if (plain && !seated.has(entry)) return entry;
  if (plain?.runner === 'human') {
    app.note(`${entry} is named more than once: a person has one seat.`);
    return undefined;
  }
  const {
    program,
    model,
    persona: name,
  } = plain ? { program: entry, model: null, persona: null } : parseSeat(entry);
  const persona = name === null ? undefined : requirePersona(findPersonas(workspace.project, lang), name);
  if (persona?.replaces)
    app.note(
      `${persona.name}: the persona of this project speaks (${persona.path}), not council's own of that name.`,
    );
  if (program === '' && persona) throw needsProgram(persona.name);
  const base =
    program === null ? createModelBase(entry, model ?? '') : await findBase(seating, entry, program, model);
  if (program !== null && model !== null) requireModel(entry, model, base);
  return planSeat(seating, entry, base, { model: program === null ? null : model, persona });
}

function createModelBase(entry: string, model: string): SeatBase {
  const choice = chooseModel({ model, baseUrl: null, apiKey: null }, {});
  const [program, name] = [model.slice(0, model.indexOf('/')), model.slice(model.indexOf('/') + 1)];
  const isProgram = PRESETS.some((preset) => preset === program);
  if ('problem' in choice && choice.about !== 'key')
    throw new CouncilError('usage', `No seat for ${JSON.stringify(entry)}: ${choice.problem}.`, {
      hint: isProgram
        ? `A model of a program stands behind a colon: --agents ${program}:${name}`
        : 'For example mistral/mistral-large-latest. A server of your own: council agents add ID --runner model, and its address in the file.',
    });
  return {
    agent: { id: toSlug(name, 'model'), title: name, runner: 'model', model },
    isThere: false,
    models: [],
  };
}

async function findBase(
  { app, workspace, registry, lang }: Seating,
  entry: string,
  name: string,
  model: string | null,
): Promise<SeatBase> {
  const agent = isId(name) ? registry.find(name) : undefined;
  // Of a file that is no agent, or is not here, this tells why.
  const isHere = ({ path }: { path: string }): boolean => toSlug(getAgentFileStem(path), '') === name;
  if (!agent && isId(name) && registry.problems().some(isHere)) registry.require(name);
  const isPlain = entry === name;
  if (agent && isModel(agent.runner)) {
    const lists = model !== null && PROGRAMS.some(({ preset, models }) => preset === agent.runner && models);
    const [found] = lists ? await findPrograms(app, workspace, [agent.runner]) : [];
    return { agent, isThere: true, models: found?.models ?? [] };
  }
  // A script only plays its own part, and may play it twice.
  if (agent?.runner === 'command' && isPlain) return { agent, isThere: true, models: [] };
  if (!PRESETS.some((preset) => preset === name)) {
    if (!agent) throw createUnknownError({ app, workspace, registry, lang }, name);
    const what = agent.runner === 'human' ? 'a person' : 'a script';
    throw new CouncilError('usage', `${name} is ${what}: only a model has ":MODEL" and "@PERSONA".`, {
      hint: `Seat ${name} alone: --agents ${name}`,
    });
  }
  const [found] = await findPrograms(app, workspace, [name]);
  if (!found) throw createUnknownError({ app, workspace, registry, lang }, name);
  // A dry run does not ask for models, and needs no answer if one was named.
  const isNamed = workspace.planned?.isDryRun && found.program.models && model !== null;
  if (found.problem !== null && !isNamed)
    throw new CouncilError('usage', `${name} cannot be seated: ${found.problem}.`, {
      hint: 'Look at it with: council doctor',
    });
  return { agent: toDetectedAgent(found), isThere: false, models: found.models };
}

function requireModel(entry: string, model: string, { agent, models }: SeatBase): void {
  if (model === '')
    throw new CouncilError('usage', `${JSON.stringify(entry)} names no model behind the colon.`, {
      hint: `For example ${agent.id}:MODEL, or ${agent.id} alone for its own choice.`,
    });
  const isKnown = models.length === 0 || models.some((one) => one === model || one === `${model}:latest`);
  if (!isKnown)
    throw new CouncilError('usage', `${agent.id} has no model ${JSON.stringify(model)}.`, {
      hint: `It has: ${models.join(', ')}.`,
      details: { models },
    });
}

const needsProgram = (persona: string): CouncilError =>
  new CouncilError('usage', `${persona} is a persona: a program or a model plays it.`, {
    hint: `For example: --agents claude@${persona}`,
  });

function createUnknownError(
  { app, workspace: { project }, registry, lang }: Pick<Seating, 'app' | 'workspace' | 'registry' | 'lang'>,
  name: string,
): CouncilError {
  if (findPersonas(project, lang).some((persona) => persona.name === name)) return needsProgram(name);
  const program = PROGRAMS.find(({ preset }) => preset === name);
  const installed = findProgramsOnPath({ cwd: project.root, notIn: project.root, env: app.env });
  const why = program
    ? `${program.title} is not on PATH (install it: ${program.install}). Seat it all the same: council agents add ${name} --runner ${name}.`
    : PROVIDER_NAMES.some((one) => one === name)
      ? `Behind a provider and a slash stands the model, as in ${name}/MODEL.`
      : explainModel(name);
  const ids = [...registry.listOwn().map(({ id }) => id), ...installed.map((one) => one.program.preset)];
  return createUnknownNameError('agent', name, [...new Set(ids)], why);
}

/** Says which program asks models of the same family as the name, such as "gpt" or "opus". */
function explainModel(name: string): string {
  const family = findModelFamily(name);
  const program =
    family === null ? undefined : PROGRAMS.find(({ preset }) => findModelFamily(preset) === family);
  return program
    ? `Models of this family are asked through ${program.title}: --agents ${program.preset}, or ${program.preset}:MODEL for one of them.`
    : 'A model stands behind its program, as in claude:opus, or its provider, as in mistral/mistral-large-latest.';
}

/** Returns the id of an agent for this seat: an existing one made from the same parts, otherwise a planned one. */
function planSeat(seating: Seating, entry: string, base: SeatBase, choice: SeatChoice): string {
  const { app, workspace, registry, seated, reserved } = seating;
  const wanted = composeAgent(base.agent, choice);
  for (let n = 1; ; n++) {
    const id = n === 1 ? wanted.id : `${wanted.id}-${n}`;
    const isBase = base.isThere && id === base.agent.id;
    if (seated.has(id) || reserved.has(id) || isBase) continue;
    const there = registry.find(id);
    if (there && isSameSpeaker(there, wanted)) return id;
    if (there || existsSync(join(workspace.project.agents, `${id}.md`))) continue;
    // Another seat of an existing agent needs no new program.
    const isThereAgain = base.isThere && wanted.id === base.agent.id;
    if (!maySeatUnlistedAgents(app) && !isThereAgain) throw createRemoteError(entry, id);
    // A program or a model as it is, is there from now on; every other seat was asked for by this council alone.
    const isItself = id === base.agent.id;
    const title = n === 1 ? wanted.title : `${wanted.title} ${n}`;
    const agent = { ...wanted, id, title, ...(!isItself && { seat: entry }) };
    const isTrusted = !base.isThere || mayRun(seating, base.agent as Agent);
    addAgent(workspace, id, renderAgent(agent), { isTrusted });
    workspace.planned?.notes.push(fill(loadWords(seating.lang).opening.wroteSeat, { id, entry }));
    return id;
  }
}

function composeAgent(base: NewAgent, { model, persona }: SeatChoice): NewAgent {
  const parts = [base.id, model === null ? '' : toSlug(model, 'model'), persona?.name ?? ''];
  const program = persona && model !== null ? `${base.title}, ${model}` : base.title;
  return {
    ...base,
    id: toSlug(parts.filter((part) => part !== '').join('-')),
    title: persona ? `${persona.title} (${program})` : model === null ? program : `${program} (${model})`,
    ...(model !== null && { model }),
    ...(persona && { persona: persona.text, emoji: persona.emoji, description: persona.description }),
  };
}

const isSameSpeaker = (there: Agent, wanted: NewAgent): boolean =>
  there.runner === wanted.runner &&
  there.model === (wanted.model ?? null) &&
  there.persona === (wanted.persona ?? '').trim() &&
  there.command.join('\0') === (wanted.command ?? []).join('\0');

function mayRun({ app, workspace }: Seating, agent: Agent): boolean {
  const what = buildAgentRunnable(agent);
  return what === undefined || createTrustChecks(app, workspace.project.root).mayRun(what);
}

const createRemoteError = (entry: string, id: string): CouncilError =>
  new CouncilError('unknown_agent', `There is no agent for ${JSON.stringify(entry)}.`, {
    hint: `This client seats only agents that are there. On the machine of the project: council agents add ${id}, or council start --agents ${entry}`,
  });
