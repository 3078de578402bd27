import { describe, expect, it } from 'vitest';
import { heartbeatPorts, loadConfig, openWorkspace } from '../../src/app/workspace.ts';
import type { Cli } from '../../src/cli/io.ts';
import { newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Responded, Ticked } from '../helpers/documents.ts';
import { stateOf } from '../helpers/look.ts';
import { startedAs } from '../helpers/mcp.ts';
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
    expect(tick.stderr).toContain('ada failed (attempt 1)');
    expect(launches(project).filter(({ phase }) => phase === 'COLLECT')).toHaveLength(2);
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
  const cli = { cwd: project.root, env: project.env, via: 'cli', note: () => undefined } as unknown as Cli;
  const workspace = openWorkspace(cli);
  return (await heartbeatPorts(cli, workspace, await loadConfig(cli, workspace, {}))).toolServers;
}
