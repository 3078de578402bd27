// Chooses the runner of a new agent: the one given, else one derived from its command, model, address or id.
// An address is asked which models it serves.
import type { Agent } from '../../core/agents/agent.ts';
import { checkAgents } from '../../core/agents/check.ts';
import { chooseModel, isWebAddress, LOCAL_SERVERS, PROVIDER_NAMES } from '../../core/agents/providers.ts';
import { parseSeat } from '../../core/agents/seat-notation.ts';
import { PRESETS } from '../../core/agents/runner-kind.ts';
import { PROGRAMS } from '../../core/agents/runners/detect-programs.ts';
import { createCommandFinder } from '../../core/agents/runners/find-command.ts';
import type { App } from '../../core/app/app.ts';
import type { AgentsInput } from '../../core/app/input/project.ts';
import { findPrograms } from '../../core/app/seat-programs.ts';
import { loadAgents } from '../../core/app/workspace.ts';
import type { Workspace } from '../../core/app/workspace.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { findNearest } from '../../core/base/unknown-name.ts';
import { fill, isYes, loadWords } from '../../core/base/words/words.ts';

const ANSWER_MS = 3000;

/** Undefined where no such server answers. An address without its version is understood: `…:8080` as `…:8080/v1`, which goes first. */
async function listServedModels(
  baseUrl: string,
  key: string | null,
  signal: AbortSignal,
): Promise<{ baseUrl: string; models: string[] } | undefined> {
  const versioned = `${baseUrl}/v1`;
  const hasPath = URL.parse(baseUrl)?.pathname !== '/';
  for (const url of hasPath ? [baseUrl, versioned] : [versioned, baseUrl]) {
    const models = await readModels(url, key, signal);
    if (models) return { baseUrl: url, models };
  }
  return undefined;
}

async function readModels(
  baseUrl: string,
  key: string | null,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  try {
    const answer = await fetch(`${baseUrl}/models`, {
      headers: key === null ? {} : { authorization: `Bearer ${key}` },
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    const told = (await answer.json()) as { data?: unknown } | null;
    if (!answer.ok || !Array.isArray(told?.data)) return undefined;
    return told.data.flatMap((one: unknown) =>
      typeof one === 'object' && one !== null && 'id' in one && typeof one.id === 'string' ? [one.id] : [],
    );
  } catch (error) {
    if (signal.aborted) throw error;
    // Not running, or another program at this address.
    return undefined;
  }
}

const KNOWN_NAMES = [...new Set<string>([...PRESETS, ...LOCAL_SERVERS])];

/** True if an id names a known program or a model server on this machine. */
export const isSpeakerName = (id: string | undefined): boolean => KNOWN_NAMES.some((name) => name === id);

type InputWithRunner = AgentsInput & { runner: NonNullable<AgentsInput['runner']> };

/**
 * Returns the input with its runner, and with the model and address that a server reports. On a terminal it
 * asks before it adds a person. Throws `usage` with the commands to use instead.
 */
export async function chooseRunner(
  app: App,
  workspace: Workspace,
  id: string,
  given: AgentsInput,
): Promise<InputWithRunner> {
  const input = readSeatInCommand(app, workspace, given);
  requireAddress(input);
  const { runner, command, model, baseUrl, provider } = input;
  const isAsked = runner === undefined && command.length === 0;
  if (baseUrl !== undefined && (isAsked || runner === 'model'))
    return chooseServedModel(app, id, input, provider ?? 'openai-compatible');
  if (runner !== undefined) return { ...input, runner };
  if (command.length > 0) return { ...input, runner: 'command' };
  const program = PROGRAMS.find(({ preset }) => preset === id);
  const server = LOCAL_SERVERS.find((name) => name === id);
  if (model !== undefined && isKnown(model) && !program && !server) return { ...input, runner: 'model' };
  const [found] = program ? await findPrograms(app, workspace, [program.preset]) : [];
  if (program && found && (found.problem === null || model !== undefined))
    return { ...input, runner: program.preset, model: model ?? found.model ?? undefined };
  if (server && !found) return chooseServedModel(app, id, input, server);
  if (program) {
    const why = found
      ? `${found.problem}`
      : `${program.title} is not on PATH (install it: ${program.install})`;
    throw new CouncilError('usage', `${id} cannot be seated: ${why}.`, {
      hint: `Add it all the same: council agents add ${id} --runner ${id}`,
    });
  }
  if (input.persona !== undefined) return seatPersona(app, workspace, id, input);
  if (model !== undefined) throw createNoSpeakerOfModelError(id, model);
  // Scripts add people this way. That is safe: a question waits for a person only if it names them.
  if (app.ask === undefined && findNearName(id) === undefined) {
    app.note(`${id} is taken for a person. A program: council agents add ${id} -- PROGRAM`);
    return { ...input, runner: 'human' };
  }
  const answer = await app.ask?.(`Is ${id} a person, who answers in a terminal or a browser? [y/N] `);
  if (isYes(answer ?? '')) return { ...input, runner: 'human' };
  throw createUnknownSpeakerError(id);
}

/** A model is named without the provider or program that has it. */
const createNoSpeakerOfModelError = (id: string, model: string): CouncilError =>
  new CouncilError('usage', `Nothing says where the model ${JSON.stringify(model)} is.`, {
    hint: `At a provider: council agents add ${id} --model ${PROVIDER_NAMES.find((name) => name === id) ?? 'PROVIDER'}/${model}. In a program: council agents add ${id} --runner ollama --model ${model}`,
  });

/** Seats a persona with the program given, else the first one that can be seated here. */
async function seatPersona(
  app: App,
  workspace: Workspace,
  id: string,
  input: AgentsInput,
): Promise<InputWithRunner> {
  const found = (await findPrograms(app, workspace)).find(({ problem }) => problem === null);
  if (!found)
    throw new CouncilError('usage', `A program has to play ${id}, and none is on PATH.`, {
      hint: `Name what plays it: council agents add ${id} --persona … --runner claude\nA person: council agents add ${id} --runner human`,
    });
  const { program, model } = found;
  app.note(
    `${program.title} plays ${id}. For another program: council agents edit ${id} --runner NAME; for a person: --runner human.`,
  );
  return { ...input, runner: program.preset, model: input.model ?? model ?? undefined };
}

const findNearName = (id: string): string | undefined => findNearest(id, KNOWN_NAMES);

function createUnknownSpeakerError(id: string): CouncilError {
  const near = findNearName(id);
  return new CouncilError('usage', `${id} names no program that council knows. Who or what is it?`, {
    hint: [
      ...(near === undefined ? [] : [`Did you mean ${near}? council agents add ${near}`]),
      `A person: council agents add ${id} --runner human`,
      `A program: council agents add ${id} -- PROGRAM`,
      `A model: council agents add ${id} --model PROVIDER/NAME, or --base-url URL --model NAME`,
      `Known by name: ${KNOWN_NAMES.join(', ')}.`,
    ].join('\n'),
  });
}

function requireAddress({ baseUrl, apiKey, runner, command }: AgentsInput): void {
  if (apiKey !== undefined && !/^[A-Za-z_]\w*$/.test(apiKey))
    throw new CouncilError('usage', '--api-key takes the name of a variable, not the key itself.', {
      hint: 'For example: export MY_SERVER_KEY=…, then --api-key MY_SERVER_KEY',
    });
  if (baseUrl === undefined) return;
  if (!isWebAddress(baseUrl))
    throw new CouncilError('usage', `--base-url is no web address: ${JSON.stringify(baseUrl)}.`, {
      hint: 'For example: --base-url http://127.0.0.1:8080/v1',
    });
  if (command.length > 0 || (runner !== undefined && runner !== 'model'))
    throw new CouncilError('usage', 'Only a model has an address: a program finds its own.', {
      hint: 'Leave --base-url out, or leave out the program and --runner.',
    });
}

/** Chooses a model of a server: the one given, else its only one. Notes a model that the server does not list. */
async function chooseServedModel(
  app: App,
  id: string,
  input: AgentsInput,
  provider: string,
): Promise<InputWithRunner> {
  const prefix = `${provider}/`;
  const given = input.baseUrl?.replace(/\/+$/, '') ?? null;
  const choice = chooseModel(
    { model: `${prefix}any`, baseUrl: given, apiKey: input.apiKey ?? null },
    app.env,
  );
  if ('problem' in choice && choice.about === 'baseUrl')
    throw new CouncilError('usage', `${id} cannot be asked: ${choice.problem}.`);
  const address = 'problem' in choice ? (given ?? '') : choice.baseUrl;
  const key = 'problem' in choice ? null : choice.key;
  const served = await listServedModels(address, key, app.interruption());
  const names = served?.models ?? [];
  // With --base-url, the name is the server's own and may contain slashes.
  const name = input.model?.startsWith(prefix) ? input.model.slice(prefix.length) : input.model;
  const model = name ?? (names.length === 1 ? names[0]! : undefined);
  const baseUrl = given === null ? undefined : (served?.baseUrl ?? given);
  if (model === undefined) {
    const command = `council agents add ${id}${baseUrl === undefined ? '' : ` --base-url ${baseUrl}`} --model`;
    throw served
      ? new CouncilError('usage', `The server at ${served.baseUrl} has ${names.length || 'no'} models.`, {
          hint:
            names.length > 0
              ? `Name one: ${command} ${names[0]}\nIt has: ${names.join(', ')}.`
              : 'Load one first.',
        })
      : new CouncilError('usage', `No server answers at ${address}.`, {
          hint: `Start it and run the same command again, or name the model now: ${command} NAME`,
        });
  }
  if (!served) app.note(`No server answers at ${address} yet: start it before ${id} is asked.`);
  else if (!names.some((one) => one === model || one === `${model}:latest`))
    app.note(
      `The server at ${served.baseUrl} does not list ${model}. It has: ${names.join(', ') || 'none'}.`,
    );
  return { ...input, runner: 'model', model: `${prefix}${model}`, baseUrl, provider: undefined };
}

/** Resolves a single word to the runner that it means in `--agents`: a known program, or a model. */
function readSeatInCommand(app: App, { project }: Workspace, input: AgentsInput): AgentsInput {
  const [word, ...more] = input.command;
  if (word === undefined || more.length > 0 || input.runner !== undefined) return input;
  const { program, model, persona } = parseSeat(word);
  if (persona !== null) return input;
  const preset = PRESETS.find((one) => one === program);
  const isModel =
    program === null && createCommandFinder(project.root, app.env)(word) === undefined && isKnown(model);
  if (!preset && !isModel) return input;
  const chosen = { runner: preset ?? ('model' as const), model: model ?? input.model };
  app.note(
    `Taken as: --runner ${chosen.runner}${chosen.model === undefined ? '' : ` --model ${chosen.model}`}`,
  );
  return { ...input, ...chosen, command: [] };
}

function isKnown(model: string | null): boolean {
  const choice = chooseModel({ model, baseUrl: null, apiKey: null }, {});
  return !('problem' in choice) || choice.about === 'key';
}

/** Notes why a new agent cannot be launched on this machine; it may be meant for another machine. */
export async function tellWhatIsMissing(app: App, workspace: Workspace, { id }: Agent): Promise<void> {
  const findCommand = createCommandFinder(workspace.project.root, app.env);
  const { agents } = checkAgents(await loadAgents(app, workspace), { env: app.env, findCommand }, [id]);
  for (const { level, message } of agents.flatMap(({ findings }) => findings))
    if (level === 'error')
      app.note(fill(loadWords('en').before.cannotSpeak, { id, why: message.replace(/\.$/, '') }));
}
