import { describe, expect, it } from 'vitest';
import { playDebate, preset } from './debate.ts';
import { KINDS } from './install.ts';
import { newLab } from './lab.ts';
import { script } from './speech.ts';

describe('a mixed table', () => {
  it('seats claude, codex, gemini and opencode, with claude as the coordinator', async (context) => {
    const table = {
      ada: preset('claude'),
      ben: preset('codex'),
      cleo: preset('gemini'),
      dan: preset('opencode'),
      maman: preset('claude'),
    };
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

interface Cost {
  rows: { key: string; launches: number; inputTokens: number | null; outputTokens: number | null }[];
}
