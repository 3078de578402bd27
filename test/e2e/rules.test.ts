import { describe, expect, it } from 'vitest';
import type { ArchiveExport } from '../../src/core/archive/export.ts';
import { newProject } from '../helpers/cli.ts';
import type { Ran } from '../helpers/documents.ts';
import { addAgent, addSpeaker, launches } from '../helpers/speakers.ts';

/** A contribution with a stated position. */
const stand = (position: string, text: string): { say: string } => ({
  say: `---\nposition: ${position}\n---\n${text}\n`,
});

/** Plays a debate of Ada, Ben and Cleo to its archive; the default script says the same position in every phase. */
async function play(
  positions: Record<string, Record<string, { say: string }>>,
  flags: string[] = [],
): Promise<{ page: string; exported: ArchiveExport; status: string }> {
  const project = await newProject();
  for (const [id, script] of Object.entries(positions)) addSpeaker(project, id, script);
  const ran = await project.council<Ran>(['run', 'Build or buy?', ...flags, '--json']);
  expect(ran.stderr + ran.stdout).toContain('"archive"');
  const { json } = await project.council<ArchiveExport>(['export', ran.json.archive, '--format', 'json']);
  return { page: project.read(ran.json.archive).toString(), exported: json, status: ran.json.status };
}

const always = (position: string, more = ''): Record<string, { say: string }> => ({
  any: { say: `---\nposition: ${position}\n${more}---\nI say ${position}.\n` },
});
const phasesOf = ({ meta }: ArchiveExport): string[] => meta.transitions.map(({ from }) => from);

describe('the rules of a table', () => {
  it('record a position outside the options, and tell its author the list', async () => {
    const project = await newProject();
    for (const id of ['ada', 'ben'])
      project.write(`agents/${id}.md`, `---\nname: ${id}\n---\n\nYou are ${id}.\n`);
    project.write('brief.md', '---\noptions: [build, buy, wait]\n---\n# Build or buy?\n');
    await project.council(['start', '--brief', 'brief.md']);
    const rent = await project.council(['respond', 'ada'], { input: '---\nposition: rent\n---\nRent.' });
    expect(rent.code).toBe(0);
    expect(rent.stderr).toContain('build, buy, wait');
    const taken = await project.council(['respond', 'ada', '--replace'], {
      input: '---\nposition: Buy.\n---\nBuy it.',
    });
    expect(taken.code).toBe(0);
    const unknown = await project.council(['start', 'x', '--name', 'x', '--rule', 'dice']);
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.stderr).toContain('plurality, majority');
  });

  it('let everybody rank the anonymous answers of the others, and say who compared what', async () => {
    const project = await newProject();
    // The letters are drawn: an answer is named by its sentence.
    for (const id of ['ada', 'ben', 'cleo', 'dan'])
      addSpeaker(project, id, {
        COLLECT: stand(`Slogan of ${id}`, `A slogan by ${id}.`),
        any: { say: `---\nrank: ${id === 'cleo' ? 'Slogan of ada' : 'Slogan of cleo'}\n---\nSo.\n` },
      });
    const ran = await project.council<Ran>(['run', 'Which slogan?', '--mode', 'rank', '--json']);
    const { json } = await project.council<ArchiveExport>(['export', ran.json.archive, '--format', 'json']);
    expect(json.meta.decision).toMatchObject({ decided: true, position: 'Slogan of cleo', rule: 'ranked' });
    expect(json.meta.decision?.ranking?.pairs).toHaveLength(6);
    const page = project.read(ran.json.archive).toString();
    expect(page).toContain('| COLLECT (round 1) | RANK (round 2) |');
    expect(page).toContain('\n- RANK closed after round 2');
    expect(page).toContain('\n| Response rate, RANK |');
    expect(page).toMatch(/\| P3 \| Slogan of cleo \| .*cleo \| 1\.00 \|/);
    expect(page).toContain('| Pair | First ahead | Second ahead |');
    const asked = launches(project).filter(({ id, phase }) => id === 'ada' && phase === 'RANK');
    expect(asked[0]?.input.match(/^[A-D]: Slogan of Participant [A-D]$/gm)).toHaveLength(3);
    expect(asked[0]?.input).toContain('- Phase: RANK');

    const two = await project.council(['run', 'x', '--mode', 'rank', '--agents', 'ada,ben']);
    expect(two).toMatchObject({ code: 2 });
    expect(two.stderr).toContain('needs at least three participants who vote, and has 2');
    const ruled = await project.council(['run', 'x', '--mode', 'rank', '--rule', 'majority']);
    expect(ruled).toMatchObject({ code: 2 });
  });

  it('let a veto stop what the majority wants, and say so', async () => {
    const { page, exported } = await play(
      { ada: always('build'), ben: always('buy', 'blocking: [no budget]\n'), cleo: always('build') },
      ['--veto', 'ben'],
    );
    expect(exported.metrics.decision).toMatchObject({ decided: false, position: null });
    expect(exported.meta.decision).toMatchObject({ reason: 'blocked', blockedBy: ['ben'] });
    expect(page).toMatch(/^- Stopped by a blocking issue of: .*ben\.$/m);
    expect(page).toMatch(/^- Their blocking issues cannot be outvoted: .*ben\.$/m);
  });

  it('keep a recused participant out of the votes, with the reason', async () => {
    const { page, exported } = await play({ ada: always('build'), ben: always('buy'), cleo: always('buy') }, [
      '--recuse',
      'cleo:sells the product',
    ]);
    expect(exported.meta.decision).toMatchObject({ decided: false, denominator: 2, tie: true });
    expect(page).toMatch(/^- Recused: .*cleo \(sells the product\)\.$/m);
    expect(page).toMatch(
      /^- Not decided \(blind-first\): A tie: P\d "build" \(.*ada\) and P\d "buy" \(.*ben\) have 1 of 2 votes each\.$/m,
    );
    expect(page).toMatch(/^\| .*cleo \| buy \| buy \| buy \| recused \|$/m);
  });

  it('skip the debate after blind unanimity', async () => {
    const { exported, status } = await play({
      ada: always('build'),
      ben: always('Build.'),
      cleo: always('build'),
    });
    expect(phasesOf(exported)).toEqual(['COLLECT', 'SYNTHESIZE']);
    expect(status).toBe('CONVERGED');
    expect(exported.meta.decision).toMatchObject({ decided: true, position: 'build' });
    expect(exported.metrics.minority).toEqual({ kept: [], lost: [] });
  });

  it('ask one for the case against when the debate is forced, and do not count it as that one’s own', async () => {
    const seats = { ada: always('build'), ben: always('build'), cleo: always('build') };
    const { exported, page } = await play(
      Object.fromEntries(
        Object.entries(seats).map(([id, script]) => [
          id,
          { ...script, CHALLENGE: { say: '---\nposition: wait\n---\nWait.\n' } },
        ]),
      ),
      ['--force-challenge'],
    );
    expect(phasesOf(exported)).toEqual(['COLLECT', 'CHALLENGE', 'RESOLVE', 'SYNTHESIZE']);
    const { advocate } = exported.meta;
    expect(Object.keys(seats)).toContain(advocate!.participant);
    expect(exported.ledger.moves.map(({ by }) => by)).not.toContain(advocate!.participant);
    expect(page.match(/Asked for the case against: not this participant's own position\.$/gm)).toHaveLength(
      1,
    );
    expect(page).toContain(`(drawn by lot, seed ${advocate!.seed})`);
    const off = await play(seats, ['--force-challenge', '--no-advocate']);
    expect(off.exported.meta.advocate).toBeNull();
  });

  it('repeat the debate while somebody moves, and not longer', async () => {
    const still = await play({ ada: always('build'), ben: always('buy') }, ['--repeat', '3']);
    expect(phasesOf(still.exported).filter((phase) => phase === 'CHALLENGE')).toHaveLength(1);
    const moving = await play(
      {
        ada: always('build'),
        ben: { COLLECT: stand('buy', 'Buy.'), any: stand('build', 'Build.') },
        cleo: always('wait'),
      },
      ['--repeat', '3'],
    );
    expect(phasesOf(moving.exported)).toEqual([
      ...['COLLECT', 'CHALLENGE', 'RESOLVE', 'CHALLENGE', 'RESOLVE', 'SYNTHESIZE'],
    ]);
  });
});

it('tells of somebody named as participant and coordinator that it only coordinates', async () => {
  const project = await newProject();
  for (const id of ['ada', 'ben']) addAgent(project, id);
  const { stderr } = await project.council([
    'start',
    'Build or buy?',
    '--agents',
    'ada,ben',
    '--coordinator',
    'ada',
  ]);
  expect(stderr).toContain('ada is the coordinator: it writes the synthesis, and does not answer as well.');
  const other = ['start', 'Build or buy?', '--name', 'other', '--agents', 'ben', '--coordinator', 'ada'];
  expect((await project.council(other)).stderr).not.toContain('is the coordinator');
});

describe('a table of one model family', () => {
  it('is warned about, with the number of votes it is worth', async () => {
    const project = await newProject();
    for (const id of ['ada', 'ben', 'cleo'])
      project.write(`agents/${id}.md`, `---\nname: ${id}\nmodel: claude-sonnet-4-5\n---\n\nYou are ${id}.\n`);
    const { stderr, code } = await project.council(['start', 'Build or buy?']);
    expect(code).toBe(0);
    expect(stderr).toContain(
      '3 seats, 1 model (claude-sonnet-4-5): their agreement counts for about 1.5 independent votes.',
    );
    const start = async (name: string) =>
      (await project.council(['start', 'Build or buy?', '--name', name])).stderr;
    project.write('agents/ben.md', '---\nname: ben\nmodel: claude-opus-4-5\n---\n\nYou are ben.\n');
    expect(await start('family')).toContain('3 seats, 2 models of one family (claude): their agreement');
    project.write('agents/dan.md', '---\nname: dan\n---\n\nYou are dan.\n');
    expect(await start('mixed')).toContain(
      '4 seats, 3 models: seats that share a model tend to make the same mistakes.',
    );
    project.write('agents/cleo.md', '---\nname: cleo\n---\n\nYou are cleo.\n');
    expect(await start('different')).not.toContain('model');
  });
});
