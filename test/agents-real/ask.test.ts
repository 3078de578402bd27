import { describe, expect, it } from 'vitest';
import { quoteShellWord } from '../../src/core/base/text.ts';
import { CLI } from '../helpers/cli.ts';
import { exported } from '../helpers/look.ts';
import { terminal } from '../helpers/pty.ts';
import { preset, seatAll } from './debate.ts';
import { KINDS } from './install.ts';
import { expectNobodyLeft, newLab } from './lab.ts';
import { script } from './speech.ts';

const QUESTION = 'Where should the queue live?';
const DIFF = '+ queue.push(job) // PIPED-DIFF';
const MINUTES = 60_000;

describe('council ask with real programs', () => {
  it('hears a pipe, and goes on by d to a debate', { timeout: 10 * MINUTES }, async (context) => {
    const table = {
      ...{ ada: preset('claude'), ben: preset('codex'), cleo: preset('gemini') },
      ...{ dan: preset('opencode'), maman: preset('claude') },
    };
    const said = script(Object.keys(table));
    const lab = await newLab(context, [...KINDS], said.answer);
    const { project, model } = lab;
    seatAll(lab, said, table);
    await project.council(['trust', '--yes']);
    const ids = Object.keys(table).filter((id) => id !== 'maman');
    const args = ['ask', QUESTION, '--agents', ids.join(','), '--coordinator', 'maman'];
    const command = [process.execPath, CLI, ...args].map(quoteShellWord).join(' ');
    const shown = terminal('sh', ['-c', `echo ${quoteShellWord(DIFF)} | ${command}`], project);
    await shown.shows('[q] done:', 4 * MINUTES);
    const asked = () => model.log.flatMap((logged) => said.turnOf(logged) ?? []);
    expect(new Set(asked().map(({ phase }) => phase))).toEqual(new Set(['COLLECT']));
    for (const { raw } of model.log.filter((logged) => said.turnOf(logged))) expect(raw).toContain(DIFF);
    shown.type('d\r');
    expect((await shown.ended).code).toBe(0);

    const [archive] = project.archives();
    const { contributions, absences } = await exported(project, archive!);
    const spoken = contributions.map((c) => `${c.participant} ${c.phase}`).sort();
    const debated = ids.flatMap((id) => ['COLLECT', 'CHALLENGE', 'RESOLVE'].map((phase) => `${id} ${phase}`));
    expect(spoken).toEqual([...debated, 'maman SYNTHESIZE'].sort());
    expect(absences).toEqual([]);
    await expectNobodyLeft(lab);
  });

  it.for([
    ['is left out, where the others are enough', ['ada', 'ben', 'cleo'], 0],
    ['ends it at once, where they are not', ['ada', 'ben'], 1],
  ] as const)(
    'tells which program is not logged in: it %s',
    { timeout: 5 * MINUTES },
    async ([, ids, code], context) => {
      const said = script([...ids]);
      const kinds = { ada: 'claude', ben: 'codex', cleo: 'codex' } as const;
      const lab = await newLab(context, ['claude', 'codex'], said.answer);
      const { project } = lab;
      delete project.env.ANTHROPIC_API_KEY;
      seatAll(lab, said, Object.fromEntries(ids.map((id) => [id, preset(kinds[id])])));
      const args = ['ask', QUESTION, '--agents', ids.join(','), '--coordinator', 'none', '--debate'];
      const asked = await project.council(args);
      const told = `${asked.stdout}${asked.stderr}`;
      expect({ code: asked.code, told }).toMatchObject({ code });
      expect(told).toMatch(/ada[\s\S]*not logged in[\s\S]*claude \/login/);
      const turns = lab.model.log.flatMap((logged) => said.turnOf(logged) ?? []);
      const phases = new Set(turns.map(({ phase }) => phase));
      expect(phases).toEqual(new Set(code === 0 ? ['COLLECT', 'CHALLENGE', 'RESOLVE'] : ['COLLECT']));
      expect(turns.map(({ id }) => id)).not.toContain('ada');
      await expectNobodyLeft(lab);
    },
  );
});
