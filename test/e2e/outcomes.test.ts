import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Run } from '../helpers/cli.ts';
import { passDeadline } from '../helpers/deadline.ts';
import type { Ran, Ticked } from '../helpers/documents.ts';
import { exported } from '../helpers/look.ts';
import { addAgent, addSpeaker } from '../helpers/speakers.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

const AGREE = { say: '---\nposition: Buy it\nagreed: true\n---\nI would sign that.' };

describe.concurrent('how a council ends', () => {
  it('goes straight to SYNTHESIZE when all agree, and is CONVERGED', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { CHALLENGE: AGREE });
    addSpeaker(project, 'ben', { CHALLENGE: AGREE });
    addSpeaker(project, 'maman', { SYNTHESIZE: { say: '---\nposition: We buy it\n---\nWe buy it.' } });
    await project.council(['start', 'Build or buy?', '--coordinator', 'maman']);
    const { code, json } = await project.council<Ticked>(['tick', '--until-idle', '--json']);
    expect(code).toBe(0);
    expect(json.councils[0]!.transitions).toEqual([
      { from: 'COLLECT', to: 'CHALLENGE', reason: 'all-responded' },
      { from: 'CHALLENGE', to: 'SYNTHESIZE', reason: 'consensus' },
      { from: 'SYNTHESIZE', to: 'ARCHIVED', reason: 'all-responded' },
    ]);
    const archive = await exported(project, json.councils[0]!.archive!);
    expect(archive.meta).toMatchObject({ status: 'CONVERGED', tours: 3 });
    expect(project.read(json.councils[0]!.archive!).toString()).toContain('We buy it');
  });

  long('does not converge early in a mode that does not allow it', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { any: AGREE });
    addSpeaker(project, 'ben', { any: AGREE });
    await project.council(['start', 'A page', '--mode', 'prd']);
    const { json } = await project.council<Ticked>(['tick', '--until-idle', '--json']);
    expect(json.councils[0]!.transitions.map((t) => t.to)).toEqual([
      'CHALLENGE',
      'RESOLVE',
      'SYNTHESIZE',
      'ARCHIVED',
    ]);
    expect((await exported(project, json.councils[0]!.archive!)).meta.status).toBe('CONVERGED');
  });

  long('is COMPLETED when one blocks, and the archive names the block', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { any: AGREE });
    addSpeaker(project, 'ben', {
      any: { say: '---\nagreed: true\nblocking: [No rollback plan]\n---\nYes, but.' },
    });
    const { json } = await project.council<Ran>(['run', 'Go?', '--json']);
    expect(json.status).toBe('COMPLETED');
    expect(project.read(json.archive).toString()).toContain('No rollback plan');
  });

  long('writes the computed digest where there is no coordinator', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { any: { say: '---\nposition: Stay\n---\nNo need to move.' } });
    addSpeaker(project, 'ben', { any: { say: '---\nposition: Move\n---\nIt is time.' } });
    const { code, json, stderr } = await project.council<Ran>(['run', 'Move?', '--json']);
    expect(code).toBe(0);
    expect(stderr).toContain('Coordinator: none');
    expect(json).toMatchObject({ status: 'COMPLETED', by: null });
    const { synthesis, absences } = await exported(project, json.archive);
    expect(synthesis).toMatchObject({ text: json.synthesis, by: null, computed: true });
    for (const words of ['Stay', 'Move', 'No synthesis was asked for'])
      expect(synthesis.text).toContain(words);
    expect(absences).toEqual([]);
  });

  it('ends by timeout with exit 124, and names who was silent', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { COLLECT: { say: 'here' } });
    addAgent(project, 'ana');
    const running = project.launch(['run', 'Anybody?', '--mode', 'synthesis', '--json']);
    await until('it waits for ana alone', () =>
      ['Waiting for ana in COLLECT', 'ada responded'].every((line) => running.output().includes(line)),
    );
    // The file is written after the revision: an edit before that would be written over.
    const path = 'memory/shared/council-active-conversation.md';
    await until('the file has it', () =>
      /"ada": *\{"status":"RESPONDED"/.test(project.read(path).toString()),
    );
    await passDeadline(project);
    const { code, json } = (await running.ended) as Run<Ran>;
    expect({ code, status: json.status }).toEqual({ code: 124, status: 'TIMEOUT' });
    const archive = await exported(project, json.archive);
    expect(archive.absences).toMatchObject([
      { participant: 'ana', phase: 'COLLECT', tour: 1, reason: 'timeout' },
    ]);
    expect(archive.contributions.map((c) => [c.participant, c.text])).toEqual([['ada', 'here']]);
    expect(archive.meta.participants).toHaveLength(2);
  });

  long('is COMPLETED when only an earlier phase ran into its timeout', async () => {
    const project = await newProject();
    for (const id of ['ana', 'bob']) addAgent(project, id);
    await project.council(['start', 'Late?']);
    await project.council(['respond', 'ana'], { input: 'me first' });
    await passDeadline(project);
    for (const [from, to] of [
      ['COLLECT', 'CHALLENGE'],
      ['CHALLENGE', 'RESOLVE'],
      ['RESOLVE', 'SYNTHESIZE'],
    ]) {
      const { json } = await project.council<Ticked>(['tick', '--json']);
      expect(json.councils[0]).toMatchObject({
        from,
        to,
        reason: from === 'COLLECT' ? 'timeout' : 'all-responded',
      });
      if (to !== 'SYNTHESIZE')
        for (const id of ['ana', 'bob']) await project.council(['respond', id], { input: `${id} in ${to}` });
    }
    const { code, json } = await project.council<Ran>(['run', '--resume', '--json']);
    expect({ code, status: json.status }).toEqual({ code: 0, status: 'COMPLETED' });
    const archive = await exported(project, json.archive);
    expect(archive.absences.map((a) => `${a.participant} ${a.phase} ${a.reason}`)).toEqual([
      'bob COLLECT timeout',
    ]);
  });
});
