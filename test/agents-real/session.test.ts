import { describe, expect, it } from 'vitest';
import { playDebate, preset } from './debate.ts';
import { KINDS } from './install.ts';
import { newLab } from './lab.ts';
import { script } from './speech.ts';

const IDS = ['ada', 'ben', 'cleo'];

describe('session: continue', () => {
  it.for(KINDS)('lets two seats of %s go on with a session each', async (kind, context) => {
    const measured = [];
    for (const session of ['new', 'continue']) {
      const said = script(IDS);
      const lab = await newLab(context, [kind], said.answer);
      const keys = { ...preset(kind), session };
      await playDebate(lab, said, { ada: keys, ben: keys, cleo: preset(kind) }, 'cleo');
      const turns = lab.model.log.flatMap((asked) => {
        const turn = said.turnOf(asked);
        return turn === null ? [] : [{ ...turn, raw: asked.raw }];
      });
      for (const id of ['ada', 'ben']) {
        const resolve = turns.findLast((turn) => turn.id === id && turn.phase === 'RESOLVE')!;
        const briefs = resolve.raw.split('A second server is planned for March.').length - 1;
        const phases = new Set(resolve.raw.match(/Phase: [A-Z]+ \(/g));
        expect({ session, id, briefs, phases: phases.size }).toEqual({
          ...{ session, id, briefs: 1 },
          phases: session === 'continue' ? 3 : 1,
        });
        // Two sessions of one program do not cross.
        const other = id === 'ada' ? 'ben' : 'ada';
        expect(resolve.raw).not.toContain(said.persona(other));
      }
      const { json } = await lab.project.council<CostDocument>(['cost', '--json']);
      const { launches, inputTokens, cachedTokens, outputTokens, prompt } = json.total;
      const sent = turns.reduce((sum, { raw }) => sum + Buffer.byteLength(raw), 0);
      measured.push({ session, launches, sent, inputTokens, cachedTokens, outputTokens, prompt });
    }
    console.log(JSON.stringify({ kind, measured }));
    const [whole, goesOn] = measured;
    expect(goesOn!.prompt.bytes).toBeLessThan(whole!.prompt.bytes);
  });
});

interface CostDocument {
  total: {
    launches: number;
    inputTokens: number | null;
    cachedTokens: number | null;
    outputTokens: number | null;
    prompt: { bytes: number; cacheable: number };
  };
}
