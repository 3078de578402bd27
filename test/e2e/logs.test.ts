import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Failed, Ran } from '../helpers/documents.ts';
import { addAgent, addSpeaker } from '../helpers/speakers.ts';
import type { LogsDocument } from '../../src/team/log/logs.ts';
import { openTurn } from '../helpers/in-turn.ts';

const KEY = 'sEcr3tToken_9f81_0123456789';

describe.concurrent('the logs of an agent', () => {
  it('are its whole output, for whoever launched it, also while COLLECT is blind', async () => {
    const project = await newProject();
    const long = Array.from({ length: 500 }, (_, at) => `step ${at} of the work`).join('\n');
    addSpeaker(
      project,
      'crash',
      { any: { stderr: `${long}\nkey ${KEY}\n\u001b[2Jfatal`, say: 'half an ans', exit: 3 } },
      { env: ['MY_KEY'] },
    );
    addSpeaker(project, 'ada', { any: { say: 'Buy it. BLUE-WHALE' } });
    addAgent(project, 'ana');
    const env = { MY_KEY: KEY };
    await project.council(['start', 'Go?', '--mode', 'synthesis'], { env });
    await project.council(['tick'], { env });
    const { stdout, code } = await project.council(['logs', 'crash']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^crash, COLLECT \(round 1\), attempt 3: failed .*, after .*; exit code 3\n/);
    expect(stdout).toContain('--- stdout\nhalf an ans');
    expect(stdout).toContain('step 0 of the work');
    expect(stdout).toContain('step 499 of the work');
    expect(stdout).toContain('fatal');
    expect(stdout).not.toContain(KEY);
    expect(stdout).toContain('2 earlier launches in "active-conversation": council logs crash --last 3');
    const { json } = await project.council<LogsDocument>(['logs', 'crash', '--last', '9', '--json']);
    expect(json).toMatchObject({ participant: 'crash', kept: 3, name: 'active-conversation' });
    expect(json.launches.map(({ attempt, exitCode, ok }) => [attempt, exitCode, ok])).toEqual([
      [1, 3, false],
      [2, 3, false],
      [3, 3, false],
    ]);
    expect((await project.council(['logs', 'ada'])).stdout).toContain('BLUE-WHALE');
    // It lies where the sealed texts do, and only its owner may read it.
    const folder = join(project.env.XDG_STATE_HOME!, 'council', json.conversationId);
    const files = fs.readdirSync(folder).filter((name) => name.startsWith('log-'));
    expect(files).toHaveLength(4);
    for (const file of files) expect(fs.statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  });

  it('are shown in a turn for oneself alone, nor to another user, nor of somebody who was not launched', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { any: { say: 'Buy it.' } });
    addAgent(project, 'ana');
    await project.council(['start', 'Go?', '--mode', 'synthesis']);
    await project.council(['tick']);
    const turn = openTurn(project, 'ana');
    const inTurn = await project.council<Failed>(['logs', 'ada', '--json'], { env: turn });
    expect({ code: inTurn.code, error: inTurn.json.error.code }).toEqual({ code: 1, error: 'forbidden' });
    const other = { XDG_STATE_HOME: join(project.outside, 'another-state') };
    for (const [id, env] of [
      ['ada', other],
      ['ana', {}],
    ] as const) {
      const { code, stdout, stderr } = await project.council(['logs', id], { env });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(`No launch of ${id} in "active-conversation" is kept for you here.`);
    }
  });

  it('are found after the archive, of the newest council and of one that is named', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { any: { say: 'first', stderr: 'thinking' } });
    const first = await project.council<Ran>(['run', 'One?', '--mode', 'synthesis', '--json']);
    addSpeaker(project, 'ada', { any: { say: 'second' } });
    await project.council<Ran>(['run', 'Two?', '--mode', 'synthesis', '--json']);
    expect((await project.council(['logs', 'ada'])).stdout).toContain(
      '--- stdout\nsecond\n--- stderr: nothing',
    );
    const named = await project.council(['logs', 'ada', first.json.archive]);
    expect(named.stdout).toContain('--- stdout\nfirst\n--- stderr\nthinking');
  });
});
