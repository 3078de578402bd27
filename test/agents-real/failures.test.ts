import { describe, expect, it } from 'vitest';
import type { Ran } from '../helpers/documents.ts';
import type { Asked, Reply } from '../helpers/fake-model.ts';
import { exported } from '../helpers/look.ts';
import { preset, seatAll } from './debate.ts';
import type { Table } from './debate.ts';
import type { Kind } from './install.ts';
import { expectNobodyLeft, need, newLab } from './lab.ts';
import { script } from './speech.ts';
import type { Script } from './speech.ts';

/** A council of two whose COLLECT of ada meets `trouble` first; an undefined reply is no trouble. */
async function troubled(
  kind: Kind,
  trouble: (asked: Asked, said: Script) => Reply | undefined,
): Promise<{ stderr: string; absences: unknown[]; asked: number; spoke: string[] }> {
  const said = script(['ada', 'ben']);
  let asked = 0;
  const lab = await newLab((question) => {
    const turn = said.turnOf(question);
    if (turn?.id !== 'ada') return said.answer(question);
    asked++;
    return trouble(question, said) ?? said.answer(question);
  });
  const table: Table = { ada: preset(kind), ben: preset(kind) };
  seatAll(lab, said, table);
  const run = await lab.project.council<Ran>(
    ['run', 'Where should the queue live?', '--mode', 'synthesis', '--agents', 'ada,ben', '--json'],
    {},
  );
  expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 0 });
  const { contributions, absences } = await exported(lab.project, run.json.archive);
  await expectNobodyLeft(lab);
  return { stderr: run.stderr, absences, asked, spoke: contributions.map((c) => c.participant).sort() };
}

describe('a provider that refuses', () => {
  it.for(['codex', 'claude'] as const)('with 429 is asked again: %s', async (kind, context) => {
    need(context, kind);
    // claude tries again itself, twice; codex is set to leave that to council.
    let refusals = kind === 'claude' ? 3 : 1;
    const { stderr, absences, spoke } = await troubled(kind, () =>
      refusals-- > 0 ? { status: 429, headers: { 'retry-after': '1' } } : undefined,
    );
    expect(stderr).toContain('ada failed (attempt 1)');
    expect(stderr).toContain('ada responded');
    expect({ absences, spoke }).toEqual({ absences: [], spoke: ['ada', 'ben'] });
  });

  it.for(['claude', 'codex', 'gemini', 'opencode'] as const)(
    'with 401 is final: %s',
    async (kind, context) => {
      need(context, kind);
      const { stderr, absences, spoke } = await troubled(kind, () => ({ status: 401 }));
      expect(stderr).toContain('ada failed (attempt 1)');
      expect(stderr).not.toContain('attempt 2');
      expect(absences).toMatchObject([{ participant: 'ada', phase: 'COLLECT' }]);
      expect(spoke).toEqual(['ben']);
    },
  );
});
