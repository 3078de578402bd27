import pLimit from 'p-limit';
import { describe, expect, it } from 'vitest';
import { FLAGGED, PERMISSIONS } from '../../src/core/app/permissions.ts';
import type { Permission } from '../../src/core/app/permissions.ts';
import { toKebabCase } from '../../src/core/app/input/fields.ts';
import type { Fields } from '../../src/core/app/input/fields.ts';
import { getCallDefinition, CALLS, listCallFields, TOOLS } from '../../src/server/remote/calls.ts';
import type { CallName } from '../../src/server/remote/calls.ts';
import { specs } from '../../src/program/specs.ts';
import type { Work } from '../../src/core/store/local/turns.ts';
import type { Project } from '../helpers/cli.ts';
import { COUNCIL, openTurn, TASK } from '../helpers/in-turn.ts';
import { overStdio } from '../helpers/mcp.ts';
import { apiOf, serving } from '../helpers/serve.ts';
import { createToken, projectWithAda } from '../helpers/ada.ts';

const KINDS: [string, Work][] = [
  ['a council', COUNCIL],
  ['a task', TASK],
  ['a task, as its orchestrator', { kind: 'task', task: 'T1', session: 'S1', wire: 'O1' }],
  ['a message', { kind: 'message', message: 'msg-1', channel: 'general' }],
];

/** One thing that may be asked for, and what the table says of it. */
interface Asked {
  name: string;
  action: string | undefined;
  permission: Permission;
  /** The field that says who speaks. */
  speaker: string | undefined;
  fields: Fields;
}

/** What of a command the table tells apart. */
function askedOf(name: string, fields: Fields): Asked[] {
  const row = PERMISSIONS[name]!;
  const [speaker] = Object.entries(fields).find(([, { speaks }]) => speaks) ?? [];
  const all = typeof row === 'string' ? [[undefined, row] as const] : Object.entries(row);
  return all.map(([action, permission]) => ({ name, action, permission, speaker, fields }));
}

const REFUSED = 'an agent in its turn cannot call';
const OTHER = 'ada speaks for itself, not for bob.';

/** What has to be answered: the refusal, or something else than one. */
function verdictOn({ permission }: Asked, answer: string): string {
  if (answer.includes(REFUSED)) return 'refused';
  if (answer.includes(OTHER)) return 'own';
  return permission === 'own' ? 'another was allowed' : 'allowed';
}

const told = ({ name, action }: Asked): string => (action === undefined ? name : `${name} ${action}`);

/** Each with what the table says, and each as it was. */
async function walk(all: Asked[], ask: (one: Asked) => Promise<string>): Promise<[object, object]> {
  const limit = pLimit(4);
  const found = await Promise.all(
    all.map((one) => limit(async () => [told(one), verdictOn(one, await ask(one))] as const)),
  );
  return [Object.fromEntries(found), Object.fromEntries(all.map((one) => [told(one), one.permission]))];
}

/** What a client gives: who speaks, and no more. */
const inputOf = ({ name, action, speaker }: Asked, as = 'bob'): Record<string, unknown> => ({
  ...(FLAGGED[name] ? { [FLAGGED[name][0]]: action === FLAGGED[name][0] } : action && { action }),
  ...(speaker !== undefined && { [speaker]: as }),
});

/** The same on a command line, with whatever a command does not begin without. */
function argvOf({ name, action, speaker, fields }: Asked, as = 'bob'): string[] {
  const { action: choice, ...others } = fields;
  const begun = action !== undefined && action === FLAGGED[name]?.[0] ? [`--${action}`] : [];
  // A command whose actions are alike takes any of them.
  if (choice?.kind === 'choice') begun.push(action ?? choice.choices[0]!);
  const given = Object.entries(others).flatMap(([field, { required, argument, option }]) => {
    if (field !== speaker && !required) return [];
    const value = field === speaker ? as : 'some-1';
    return argument ? [value] : [`--${option ?? toKebabCase(field)}`, value];
  });
  return [name, ...begun, ...given];
}

/** What a command says; one that waits for something is allowed. */
async function said(project: Project, argv: string[], env: Record<string, string>): Promise<string> {
  const running = project.launch(argv, { env, input: '' });
  const timer = setTimeout(() => running.child.kill('SIGTERM'), 20_000);
  const { stdout, stderr } = await running.ended;
  clearTimeout(timer);
  return stdout + stderr;
}

describe.each(KINDS)('an agent in the turn of %s', (_, work) => {
  it('may do what the table says on the command line', async () => {
    const project = await projectWithAda();
    const env = openTurn(project, 'ada', work);
    const all = specs.flatMap(({ name, fields }) => askedOf(name, fields));
    const [found, wanted] = await walk(all, (one) => said(project, argvOf(one), env));
    expect(found).toEqual(wanted);
  });

  it('may do for itself what it may not do for others, in every face', async () => {
    const project = await projectWithAda();
    const env = openTurn(project, 'ada', work);
    const own = ({ permission }: Asked): boolean => permission === 'own';
    const refused = new RegExp(`${REFUSED}|speaks for itself`);
    const limit = pLimit(4);
    const expectAllowed = async (all: Asked[], ask: (one: Asked) => Promise<string>): Promise<void> => {
      const asked = all.filter(own);
      expect(asked.length).toBeGreaterThan(4);
      const said = await Promise.all(
        asked.map((one) => limit(async () => [told(one), await ask(one)] as const)),
      );
      for (const [name, answer] of said) expect(answer, name).not.toMatch(refused);
    };
    const commands = specs.flatMap(({ name, fields }) => askedOf(name, fields));
    await expectAllowed(commands, (one) => said(project, argvOf(one, 'ada'), env));
    const client = await overStdio('v2', project, env);
    const tools = TOOLS.flatMap((name) => askedOf(name, listCallFields(name, 'mcp')));
    await expectAllowed(offered(tools), async (one) =>
      JSON.stringify((await client.call(one.name, inputOf(one, 'ada'))).json),
    );
    await client.close();
    const server = await serving(project);
    const { post } = apiOf(server.url, await createToken(project, 'admin'));
    const calls = CALLS.flatMap((name) => askedOf(name, listCallFields(name, 'api')));
    const headers = { 'council-turn': env.COUNCIL_TURN, 'if-match': '*' };
    await expectAllowed(offered(calls), async (one) =>
      (await post(one.name, inputOf(one, 'ada'), headers)).text(),
    );
    await server.stop();
  });

  it('may do what the table says through the tool server, and over HTTP', async () => {
    const project = await projectWithAda();
    const env = openTurn(project, 'ada', work);
    const tools = TOOLS.flatMap((name) => askedOf(name, listCallFields(name, 'mcp')));
    const client = await overStdio('v2', project, env);
    const [found, wanted] = await walk(offered(tools), async (one) => {
      const { json } = await client.call(one.name, inputOf(one));
      return JSON.stringify(json);
    });
    await client.close();
    expect(found).toEqual(wanted);

    const server = await serving(project);
    const headers = { 'council-turn': env.COUNCIL_TURN, 'if-match': '*' };
    const apis = {
      admin: apiOf(server.url, await createToken(project, 'admin')),
      worker: apiOf(server.url, await createToken(project, 'worker')),
    };
    const calls = CALLS.flatMap((name) => askedOf(name, listCallFields(name, 'api')));
    const [asked, right] = await walk(offered(calls), async (one) => {
      const { roles } = getCallDefinition(one.name as CallName);
      const { post } = apis[roles.includes('admin') ? 'admin' : 'worker'];
      return (await post(one.name, inputOf(one), headers)).text();
    });
    await server.stop();
    expect(asked).toEqual(right);
  });
});

/** Actions that the face offers. */
const offered = (all: Asked[]): Asked[] =>
  all.filter(({ action, fields }) => action === undefined || fields.action !== undefined);
