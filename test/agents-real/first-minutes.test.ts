import { describe, expect, it } from 'vitest';
import type { Ran } from '../helpers/documents.ts';
import { exported, stateOf } from '../helpers/look.ts';
import { addAgent } from '../helpers/speakers.ts';
import { preset, seatAll } from './debate.ts';
import { expectNobodyLeft, newLab } from './lab.ts';
import { script } from './speech.ts';

describe('a program that is not logged in', () => {
  it('is told at once, while COLLECT is blind, and with what mends it: claude', async (context) => {
    const said = script(['ada']);
    const lab = await newLab(context, ['claude'], said.answer);
    const { project } = lab;
    seatAll(lab, said, { ada: preset('claude') });
    addAgent(project, 'ana');
    delete project.env.ANTHROPIC_API_KEY;
    const started = await project.council(['start', 'Where should the queue live?', '--agents', 'ada,ana']);
    expect(started.code).toBe(0);
    const tick = await project.council(['tick']);
    expect((await stateOf(project)).currentPhase).toBe('COLLECT');
    const status = await project.council(['status']);
    for (const said of [tick.stderr + tick.stdout, status.stdout])
      expect(said).toMatch(/ada[\s\S]*not logged in[\s\S]*claude/i);
    await expectNobodyLeft(lab);
  });
});

describe('a run that names no coordinator', () => {
  it('ends in a synthesis by maman', async (context) => {
    const said = script(['ada', 'ben']);
    const lab = await newLab(context, ['claude', 'codex'], (asked) =>
      /Phase: SYNTHESIZE/.test(asked.raw) ? { text: '### Decision\n\nThey differ.\n' } : said.answer(asked),
    );
    seatAll(lab, said, { ada: preset('claude'), ben: preset('codex') });
    const run = await lab.project.council<Ran>(['run', 'Where should the queue live?', '--json']);
    expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 0 });
    expect(run.json).toMatchObject({
      by: 'maman',
      synthesis: expect.stringContaining('They differ.') as string,
    });
    const archive = await exported(lab.project, run.json.archive);
    expect(archive.contributions.map((c) => c.participant)).toContain('maman');
    await expectNobodyLeft(lab);
  });
});
