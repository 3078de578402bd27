import { expect } from 'vitest';
import { secretsOf } from '../helpers/canary.ts';
import type { Exported, Ran } from '../helpers/documents.ts';
import { exported } from '../helpers/look.ts';
import { addAgent } from '../helpers/speakers.ts';
import type { LedgerDocument } from '../../src/core/council/ledger/ledger-document.ts';
import type { Kind } from './install.ts';
import { ENV, expectNobodyLeft } from './lab.ts';
import type { Lab } from './lab.ts';
import { PHASES } from './speech.ts';
import type { Script } from './speech.ts';

/** Who sits at a table: the ids, and the keys of each agent's file. */
export type Table = Record<string, Record<string, unknown>>;

/** The keys of an agent that a preset calls: its name, and the one key that codex' settings name. */
export const preset = (kind: Kind): Record<string, unknown> => ({
  runner: kind,
  ...(kind === 'codex' ? { env: ['FAKE_KEY'] } : {}),
});

/** The keys of an agent that is spoken to over the Agent Client Protocol. */
export const acp = (kind: Kind, ...command: string[]): Record<string, unknown> => ({
  runner: 'acp',
  command,
  env: ENV[kind],
});

export function seatAll({ project }: Lab, { persona }: Script, table: Table): void {
  for (const [id, council] of Object.entries(table)) {
    addAgent(project, id, { timeout: '120s', ...council }, persona(id));
  }
}

const BRIEF = '# Where should the queue live?\n\nA second server is planned for March. Café, 🦉.\n';

/** Plays a whole debate and checks what came of it: everything said word for word, quotes found, challenges answered, COLLECT blind. */
export async function playDebate(
  lab: Lab,
  said: Script,
  table: Table,
  coordinator: string,
): Promise<Exported> {
  seatAll(lab, said, table);
  const ids = Object.keys(table).filter((id) => id !== coordinator);
  const run = await lab.project.council<Ran>(
    ['run', '--brief', '-', '--agents', ids.join(','), '--coordinator', coordinator, '--json'],
    { input: BRIEF },
  );
  expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 0 });
  // Why somebody failed stands in the archive.
  const problems = run.stderr.includes('failed') ? lab.project.read(run.json.archive).toString() : '';
  expect(problems).toBe('');
  expect(run.json).toMatchObject({ status: 'COMPLETED', by: coordinator });

  const archive = await exported(lab.project, run.json.archive);
  const wanted = [
    ...PHASES.slice(0, 3).flatMap((phase) => ids.map((id) => `${id} ${phase}`)),
    `${coordinator} SYNTHESIZE`,
  ];
  const contributions = archive.contributions.map((c) => [`${c.participant} ${c.phase}`, c.text] as const);
  expect(new Map(contributions)).toEqual(new Map(wanted.map((turn) => [turn, said.said.get(turn)])));
  expect(archive.absences).toEqual([]);
  await expectLedger(lab, run.json.archive, ids);
  expectBlind(lab, said, ids);
  await expectNobodyLeft(lab);
  return archive;
}

/** Everybody has challenged everybody else with a quote that was found, and every challenge was answered. */
async function expectLedger({ project }: Lab, archive: string, ids: string[]): Promise<void> {
  const { json } = await project.council<LedgerDocument>(['ledger', archive, '--json']);
  const challenges = json.challenges.map(({ by, target, quote, status }) => ({ by, target, quote, status }));
  const pairs = ids.flatMap((by) => ids.filter((id) => id !== by).map((against) => ({ by, against })));
  expect(challenges).toHaveLength(pairs.length);
  for (const { by, against } of pairs) {
    expect(challenges).toContainEqual({ by, target: `${against}.1`, quote: 'verified', status: 'answered' });
  }
}

/**
 * Looks through every request the model server got: none of COLLECT, and none before CHALLENGE, holds a word that
 * another seat has said, in any form; those of CHALLENGE hold all of them, so the search can find them.
 */
export function expectBlind({ model }: Lab, said: Script, ids: string[]): void {
  const turns = model.log.map((logged) => ({ ...logged, turn: said.turnOf(logged) }));
  const opened = turns.findIndex(({ turn }) => turn !== null && turn.phase !== 'COLLECT');
  const blind = turns.filter(({ turn }, at) => turn?.phase === 'COLLECT' || at < opened);
  expect(new Set(blind.flatMap(({ turn }) => turn?.id ?? []))).toEqual(new Set(ids));
  for (const { raw, url, headers, turn } of blind) {
    const others = ids.filter((id) => id !== turn?.id);
    const secrets = secretsOf(others.flatMap((id) => PHASES.map((phase) => said.canary(id, phase))));
    expect({ turn, found: secrets.in(`${url}\n${JSON.stringify(headers)}\n${raw}`) }).toEqual({
      turn,
      found: [],
    });
  }
  for (const id of ids) {
    const challenged = turns.find(({ turn }) => turn?.id === id && turn.phase === 'CHALLENGE');
    for (const other of ids) expect(challenged?.raw).toContain(said.canary(other, 'COLLECT'));
  }
}
