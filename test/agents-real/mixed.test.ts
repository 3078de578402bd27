import { describe, expect, it } from 'vitest';
import { playDebate, preset } from './debate.ts';
import { KINDS } from './install.ts';
import { newLab } from './lab.ts';
import { script } from './speech.ts';

const table = {
  ada: preset('claude'),
  ben: preset('codex'),
  cleo: preset('gemini'),
  dan: preset('opencode'),
  maman: preset('claude'),
};

describe('a mixed table', () => {
  it('seats claude, codex, gemini and opencode, with claude as the coordinator', async (context) => {
    const said = script(Object.keys(table));
    const lab = await newLab(context, [...KINDS], said.answer);
    await playDebate(lab, said, table, 'maman');
    const apis = new Set(lab.model.asked().map(({ api }) => api));
    expect([...apis].sort()).toEqual(['anthropic', 'chat', 'gemini', 'responses']);
    const { json } = await lab.project.council<Cost>(['cost', '--by', 'agent', '--json']);
    for (const id of Object.keys(table)) {
      const row = json.rows.find(({ key }) => key === id);
      expect(row).toMatchObject({ launches: id === 'maman' ? 1 : 3 });
      expect(row?.inputTokens).toBeGreaterThan(0);
      expect(row?.outputTokens).toBeGreaterThan(0);
    }
  });
});

describe('a mixed table whose positions are missing', () => {
  it('is asked once more, each by its own program', async (context) => {
    const said = script(Object.keys(table), { isPoor: true });
    const lab = await newLab(context, [...KINDS], said.answer);
    const { contributions } = await playDebate(lab, said, table, 'maman');
    const asked = lab.model.log.flatMap((logged) => said.turnOf(logged) ?? []);
    for (const id of ['ada', 'ben', 'cleo', 'dan']) {
      expect(asked.filter((turn) => turn.id === id && turn.isAgain).length).toBeGreaterThan(0);
      const collected = contributions.find((c) => c.participant === id && c.phase === 'COLLECT');
      expect(collected).toMatchObject({ parts: [expect.any(Number), expect.any(Number)] });
    }
  });
});

interface Cost {
  rows: { key: string; launches: number; inputTokens: number | null; outputTokens: number | null }[];
}
