import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Responded, Started, Status } from '../helpers/documents.ts';
import { addAgent } from '../helpers/speakers.ts';

describe.concurrent('what an error says to do next', () => {
  it('leads from the name of a model or its maker to the program that asks it', async () => {
    const project = await newProject();
    const say = async (seat: string): Promise<string> =>
      (await project.council(['ask', 'Why?', '--agents', seat])).stderr;
    expect(await say('gpt')).toContain('--agents codex, or codex:MODEL for one of them.');
    expect(await say('sonnet')).toContain('--agents claude, or claude:MODEL for one of them.');
    expect(await say('qwen')).toContain('A model stands behind its program');
  });

  it('takes no name of the newest archive for a question', async () => {
    const project = await newProject();
    for (const args of [
      ['debate', 'last'],
      ['ask', 'latest'],
    ]) {
      const { code, stderr } = await project.council(args);
      expect(code).toBe(2);
      expect(stderr).toContain('To put its question to a debate: council rerun last.');
    }
    expect(fs.readdirSync(join(project.root, 'memory/shared'))).not.toContainEqual(
      expect.stringMatching(/\.md$/),
    );
  });

  it('names the option that was wrong, as it is written', async () => {
    const project = await newProject();
    const { code, stderr } = await project.council(['start', 'x', '--budget-usd', 'abc']);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The option --budget-usd must be') as string,
    });
  });

  it('says that the coordinator is no participant', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    const { code, stderr } = await project.council(['start', 'x', '--agents', 'ana', '--coordinator', 'ana']);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No participants: ana is the coordinator.') as string,
    });
  });

  it('leads from a council that has ended to what was asked of it', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    addAgent(project, 'bob');
    await project.council(['start', 'Over?', '--name', 'over']);
    await project.council(['cancel', '--name', 'over', '--why', 'done']);
    for (const command of ['ledger', 'metrics']) {
      const { stderr } = await project.council([command, '--name', 'over']);
      expect(stderr).toMatch(new RegExp(`Its archive: council ${command} \\S+-over$`, 'm'));
    }
    expect((await project.council(['status', '--name', 'over'])).stderr).toContain('council show ');
  });

  it('leads on where nothing is open, and where a word is missing', async () => {
    const project = await newProject();
    const say = async (...args: string[]): Promise<string> => (await project.council(args)).stderr;
    expect(await say('respond', 'ana')).toMatch(
      /^council: No council is active\.\nStart one with: council ask/,
    );
    expect(await say('ledger')).toMatch(/^council: No council is active\.\n/);
    expect(await say('continue')).toContain('council rerun last');
    expect(await say('synthesis')).toContain('council rerun last');
    expect(await say('retry')).toContain('For example: council retry codex\n');
  });

  it('says how a persona takes a seat', async () => {
    const project = await newProject();
    for (const seat of ['skeptic', '@skeptic'])
      expect((await project.council(['ask', 'Why?', '--agents', seat])).stderr).toBe(
        'council: skeptic is a persona: a program or a model plays it.\nFor example: --agents claude@skeptic\n',
      );
  });

  it('says where a model is named', async () => {
    const project = await newProject();
    const say = async (seat: string): Promise<string> =>
      (await project.council(['ask', 'Why?', '--agents', seat])).stderr;
    expect(await say('opus')).toContain('through Claude Code: --agents claude, or claude:MODEL');
    expect(await say('claude/opus')).toContain('behind a colon: --agents claude:opus\n');
  });

  it('ends a council without a reason, and says of a number which archive was meant', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    await project.council(['start', 'Over?', '--name', 'over']);
    const { code, stdout } = await project.council(['cancel', 'over']);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('-over.md') as string,
    });
    expect((await project.council(['show', 'over'])).stdout).toContain('Cancelled: no reason given');
    expect((await project.council(['show', '1'])).stderr).toMatch(
      /In the order of the list it is: \S+-over\./,
    );
    expect((await project.council(['show', '2'])).stderr).not.toContain('In the order');
    await project.council(['export', 'over', '--output', 'page.HTML']);
    expect(fs.readFileSync(join(project.root, 'page.HTML'), 'utf8')).toMatch(/^<!doctype html>/);
  });

  it('keeps no file for a contribution of no bytes', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    addAgent(project, 'bob');
    const { json } = await project.council<Started>(['start', 'Empty?', '--json']);
    const refused = await project.council<Responded>(['respond', 'ana', '--json']);
    expect(refused.json).toMatchObject({ accepted: false, reason: 'empty_text' });
    expect(refused.json.kept).toBeUndefined();
    const folder = join(project.privateDir, json.conversationId);
    expect(fs.existsSync(folder) ? fs.readdirSync(folder) : []).toEqual([]);
  });

  it('shows an excuse as one', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    addAgent(project, 'bob');
    await project.council(['start', 'Away?']);
    await project.council(['excuse', 'bob', '--why', 'gone']);
    const { stdout } = await project.council(['status']);
    expect(stdout).toContain('bob: excused: gone');
  });

  it('says in status whose sealed text is missing, and how to bring it', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    addAgent(project, 'bob');
    const { json } = await project.council<Started>(['start', 'Elsewhere?', '--json']);
    for (const id of ['ana', 'bob']) await project.council(['respond', id], { input: `by ${id}` });
    expect((await project.council(['status'])).stdout).toContain(
      'Nothing more to wait for: the next tick moves on',
    );
    const folder = join(project.privateDir, json.conversationId);
    for (const name of fs.readdirSync(folder))
      if (name.startsWith('sealed-bob')) fs.rmSync(join(folder, name));
    const { stdout } = await project.council(['status']);
    expect(stdout).toMatch(
      /The sealed text of bob is not in .* another HOME or XDG_STATE_HOME.*council reveal bob --file FILE/,
    );
    expect(stdout).not.toContain('the next tick goes on');
    expect((await project.council<Status>(['status', '--json'])).json.councils[0]).toMatchObject({
      missing: ['bob'],
    });
  });
});
