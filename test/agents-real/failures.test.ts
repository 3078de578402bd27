import { describe, expect, it } from 'vitest';
import type { TestContext } from 'vitest';
import type { Ran } from '../helpers/documents.ts';
import type { Reply } from '../helpers/fake-model.ts';
import { exported } from '../helpers/look.ts';
import { preset, seatAll } from './debate.ts';
import type { Table } from './debate.ts';
import { KINDS } from './install.ts';
import type { Kind } from './install.ts';
import { expectNobodyLeft, newLab } from './lab.ts';
import { script } from './speech.ts';

/** A council of two whose COLLECT of ada meets `trouble` first; an undefined reply is no trouble. */
async function troubled(
  context: TestContext,
  kind: Kind,
  trouble: () => Reply | undefined,
): Promise<{ stderr: string; absences: unknown[]; spoke: string[] }> {
  const said = script(['ada', 'ben']);
  const lab = await newLab(context, [kind], (question) => {
    const turn = said.turnOf(question);
    if (turn?.id !== 'ada') return said.answer(question);
    return trouble() ?? said.answer(question);
  });
  const table: Table = { ada: preset(kind), ben: preset(kind) };
  seatAll(lab, said, table);
  const run = await lab.project.council<Ran>([
    'run',
    'Where should the queue live?',
    '--mode',
    'synthesis',
    '--agents',
    'ada,ben',
    // Nobody who borrows the program that fails.
    '--coordinator',
    'none',
    '--json',
  ]);
  expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 0 });
  const { contributions, absences } = await exported(lab.project, run.json.archive);
  await expectNobodyLeft(lab);
  return { stderr: run.stderr, absences, spoke: contributions.map((c) => c.participant).sort() };
}

describe('a provider that refuses', () => {
  it.for(['codex', 'claude'] as const)('with 429 is asked again: %s', async (kind, context) => {
    // claude tries again itself, twice; codex is set to leave that to council.
    let refusals = kind === 'claude' ? 3 : 1;
    const { stderr, absences, spoke } = await troubled(context, kind, () =>
      refusals-- > 0 ? { status: 429, headers: { 'retry-after': '1' } } : undefined,
    );
    expect(stderr).toContain('ada failed: ');
    expect(stderr).toContain('ada responded');
    expect({ absences, spoke }).toEqual({ absences: [], spoke: ['ada', 'ben'] });
  });

  it.for(KINDS)('with 401 is final: %s', async (kind, context) => {
    const { stderr, absences, spoke } = await troubled(context, kind, () => ({ status: 401 }));
    expect(stderr).toContain('ada failed: ');
    expect(stderr).not.toContain('attempt 2');
    expect(absences).toMatchObject([{ participant: 'ada', phase: 'COLLECT' }]);
    expect(spoke).toEqual(['ben']);
  });
});
