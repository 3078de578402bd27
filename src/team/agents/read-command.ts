// What `agents add` makes of the command that it is given: what is known of it is said before a council counts on the seat.
import type { Agent } from '../../core/agents/agent.ts';
import { checkAgents } from '../../core/agents/check.ts';
import { chooseModel } from '../../core/agents/providers.ts';
import { PRESETS } from '../../core/agents/runner-kind.ts';
import { commandFinder } from '../../core/agents/runners/find-command.ts';
import { parseSeat } from '../../core/agents/seat-notation.ts';
import type { App } from '../../core/app/app.ts';
import type { AgentsInput } from '../../core/app/input/project.ts';
import { loadAgents } from '../../core/app/workspace.ts';
import type { Workspace } from '../../core/app/workspace.ts';
import { fill, loadWords } from '../../core/base/words/words.ts';

/** The input with the runner that its one word means as in `--agents`: a program that council knows, or a model that has no file. */
export function readSeatInCommand(app: App, { project }: Workspace, input: AgentsInput): AgentsInput {
  const [word, ...more] = input.command;
  if (word === undefined || more.length > 0 || input.runner !== undefined) return input;
  const { program, model, persona } = parseSeat(word);
  if (persona !== null) return input;
  const preset = PRESETS.find((one) => one === program);
  const isModel =
    program === null && commandFinder(project.root, app.env)(word) === undefined && isKnown(model);
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

/** Notes what would keep a new agent from speaking on this machine. It may be meant for another one. */
export async function tellWhatIsMissing(app: App, workspace: Workspace, { id }: Agent): Promise<void> {
  const findCommand = commandFinder(workspace.project.root, app.env);
  const { agents } = checkAgents(await loadAgents(app, workspace), { env: app.env, findCommand }, [id]);
  for (const { level, message } of agents.flatMap(({ findings }) => findings))
    if (level === 'error')
      app.note(fill(loadWords('en').before.cannotSpeak, { id, why: message.replace(/\.$/, '') }));
}
