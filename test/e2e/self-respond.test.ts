import { describe, expect, it } from 'vitest';
import { FEATURES } from '../../src/features.ts';
import { getCallDefinition, CALLS, listCallFields } from '../../src/server/remote/calls.ts';
import { createHeartbeatPorts, loadConfig, openWorkspace } from '../../src/core/app/workspace.ts';
import type { Cli } from '../../src/core/cli/io.ts';
import { newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Failed, Responded, Ticked } from '../helpers/documents.ts';
import { stateOf } from '../helpers/look.ts';
import { overStdio, startedAs } from '../helpers/mcp.ts';
import { openTurn } from '../helpers/in-turn.ts';
import { addAgent, addSpeaker, launches } from '../helpers/speakers.ts';
import type { Step } from '../helpers/speakers.ts';

describe('an agent that answers by itself', () => {
  const afterwards: [string, Step][] = [
    ['prints nothing', {}],
    ['prints white space', { say: ' \n' }],
    ['prints something else', { say: 'I have responded.' }],
    ['exits with 1', { exit: 1, stderr: 'some trouble' }],
  ];
  it.each(afterwards)('has had its turn when it then %s', async (_, after) => {
    const project = await newProject();
    addSpeaker(project, 'ada', { COLLECT: { ...after, respond: 'Ada by herself.' } });
    addAgent(project, 'ana');
    await project.council(['start', 'Who?', '--identity', 'token']);
    const tick = await project.council<Ticked>(['tick', '--json']);
    expect(tick.json.councils[0]).toMatchObject({ launched: ['ada'], failed: [] });
    expect((await project.council(['tick'])).stderr).not.toContain('failed');
    expect(launches(project)).toHaveLength(1);
    expect((await stateOf(project)).participants.ada).toMatchObject({
      status: 'RESPONDED',
      absent: null,
      attempts: 1,
    });
    await project.council(['excuse', 'ana', '--why', 'test']);
    await project.council(['tick', '--no-launch']);
    expect(project.read('memory/shared/council-active-conversation.md').toString()).toContain(
      'Ada by herself.',
    );
  });

  it('has not had it when it only fails', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { COLLECT: [{ exit: 1 }, { say: 'At last.' }] });
    await project.council(['start', 'Who?']);
    const tick = await project.council(['tick']);
    expect(tick.stderr).toContain('ada failed: ');
    expect(launches(project).filter(({ phase }) => phase === 'COLLECT')).toHaveLength(2);
  });
});

describe('an agent in its turn', () => {
  it('speaks for no other seat, by command line and by tool', async () => {
    const project = await newProject();
    for (const id of ['ana', 'ben']) addAgent(project, id);
    await project.council(['start', 'Who?', '--timeout', '1h']);
    await project.council(['respond', 'ben'], { input: '---\nposition: Postgres\n---\nIt is here.\n' });
    const env = openTurn(project, 'ana');
    for (const command of ['respond ben --replace', 'respond ben', 'view ben', 'reveal ben --file -'])
      expect(await project.council(command.split(' '), { input: 'Hijacked.', env })).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('ana') as string,
      });
    const client = await overStdio('v2', project, env);
    for (const [tool, given] of [
      ['respond', { text: 'Hijacked.', replace: true }],
      ['view', {}],
      ['read', { text: 'Hijacked.' }],
    ] as const)
      expect(await client.call<Failed>(tool, { ...given, agent: 'ben' })).toMatchObject({
        isError: true,
        json: { error: { code: 'forbidden', message: 'ana speaks for itself, not for ben.' } },
      });
    expect((await client.call<Responded>('respond', { text: 'As myself.' })).json.participant).toBe('ana');
    await client.close();
    await project.council(['tick', '--no-launch']);
    const shown = project.read('memory/shared/council-active-conversation.md').toString();
    expect(shown).toContain('It is here.');
    expect(shown).toContain('As myself.');
    expect(shown).not.toContain('Hijacked');
  });

  it('is itself wherever a call says who speaks', () => {
    const open = CALLS.flatMap((name) => {
      const { who } = getCallDefinition(name);
      // Who decides an approval is a person, and refused to agents by a rule of its own.
      const field = who === undefined || name === 'approvals' ? undefined : listCallFields(name, 'api')[who];
      return field && !field.speaks ? [name] : [];
    });
    expect(open).toEqual([]);
  });
});

describe("council's own tool server", () => {
  it('is handed to agents so that they can answer a blind phase through it', async () => {
    const project = await newProject();
    addAgent(project, 'ada');
    const { json } = await project.council<{ conversationId: string; tokens: Record<string, string> }>([
      'start',
      'Who?',
      '--identity',
      'token',
      '--json',
    ]);
    const [server] = await toolServersOf(project);
    expect(server).toMatchObject({ name: 'council' });
    // As an agent starts it: without the variables that are withheld from it, with those of its turn.
    const { XDG_STATE_HOME: _, ...agentEnv } = project.env;
    const client = await startedAs('v1', server!.command, project.outside, {
      ...(agentEnv as Record<string, string>),
      ...server!.env,
      COUNCIL_ROOT: project.root,
      COUNCIL_NAME: 'active-conversation',
      COUNCIL_PARTICIPANT: 'ada',
      COUNCIL_TOUR: '1',
      COUNCIL_TOKEN: json.tokens.ada!,
    });
    const said = await client.call<Responded>('respond', { text: 'Through the tools.' });
    expect(said.json).toMatchObject({ accepted: true, participant: 'ada', tour: 1 });
    const tick = await project.council<Ticked>(['tick', '--no-launch', '--json']);
    expect(tick.json.councils[0]).toMatchObject({ from: 'COLLECT', to: 'CHALLENGE' });
    // The turn it was started for is over.
    const late = await client.call('respond', { text: 'And another thing.' });
    expect(late).toMatchObject({ isError: true, json: { error: { code: 'phase_closed' } } });
    await client.close();
  });
});

async function toolServersOf(project: Project) {
  const cli = {
    ...{ cwd: project.root, env: project.env, via: 'cli', features: FEATURES },
    note: () => undefined,
  } as unknown as Cli;
  const workspace = openWorkspace(cli);
  return (await createHeartbeatPorts(cli, workspace, await loadConfig(cli, workspace, {}))).toolServers;
}
