import { describe, expect, it } from 'vitest';
import type { Asked, Reply } from '../helpers/fake-model.ts';
import type { Ran } from '../helpers/documents.ts';
import { exported } from '../helpers/look.ts';
import { preset, seatAll } from './debate.ts';
import { KINDS } from './install.ts';
import { newLab } from './lab.ts';
import { script } from './speech.ts';
import type { Phase } from './speech.ts';

/** What each seat says, in the forms that models write; `again` is what it adds when it is asked once more. */
const SAYS: Record<string, Partial<Record<Phase | 'again', string>>> = {
  ada: {
    COLLECT:
      'Sure! Here is my contribution:\n\n```yaml\nposition: "Use PostgreSQL"\nconfidence: 0.8\n```\n\nIt runs here already.\n',
    CHALLENGE: '**Vote:** P2\n\n@cleo.1 Nobody on call has ever run it.\n',
    RESOLVE: '---\nvote: P2 (Use PostgreSQL)\nsame: P1 = P2\n---\n\nI keep it.\n',
  },
  ben: {
    COLLECT: '**Position:** Put the queue in PostgreSQL\n\n**Confidence:** 70%\n\nOne system less to run.\n',
    CHALLENGE: '{"vote": "P1", "confidence": 0.7}\n\nNothing to object.\n',
    RESOLVE: 'vote: p1\nsame: P1=P2\n\nThe same in other words.\n',
  },
  cleo: {
    COLLECT:
      '| Field | Value |\n| --- | --- |\n| Position | Use Redis |\n| Confidence | 0.6 |\n\nRedis was made for this.\n',
    CHALLENGE: 'I find this an interesting question.\n',
    RESOLVE: 'I concede c1: nobody has run it.\n',
    again: 'Of course:\n\nvote: P2\n\nIt runs here.\n',
  },
  dan: {
    COLLECT: '<thinking>\nposition: Use SQLite\n</thinking>\n\nposition: Use Redis.\n\nIt is fast.\n',
    CHALLENGE: '- vote: **P3**\n- agreed: no\n\nI stay.\n',
    RESOLVE: 'vote: `P3`\n\nI stay.\n',
  },
};

describe('four real programs that write as models do', () => {
  it('are read, asked for the vote that is missing, and come to a decision', async (context) => {
    const table = {
      ada: preset('claude'),
      ben: preset('codex'),
      cleo: preset('gemini'),
      dan: preset('opencode'),
    };
    const said = script(Object.keys(table));
    const answer = (asked: Asked): Reply => {
      const turn = said.turnOf(asked);
      if (asked.schema) return {};
      if (turn === null) return { text: 'A title' };
      return { text: SAYS[turn.id]?.[turn.isAgain ? 'again' : turn.phase] ?? 'Nothing to add.\n' };
    };
    const lab = await newLab(context, [...KINDS], answer);
    seatAll(lab, said, table);
    const run = await lab.project.council<Ran>([
      ...['run', 'Where should the queue live?', '--agents', Object.keys(table).join(',')],
      ...['--coordinator', 'none', '--json'],
    ]);
    expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 0 });
    const { ballot, metrics, contributions } = await exported(lab.project, run.json.archive);
    expect(ballot).toMatchObject([
      { id: 'P1', position: 'Put the queue in PostgreSQL', by: ['ben'], sameAs: ['P2'] },
      { id: 'P2', position: 'Use PostgreSQL', by: ['ada', 'cleo'], sameAs: ['P1'] },
      { id: 'P3', position: 'Use Redis', by: ['dan'] },
    ]);
    expect(metrics.decision).toMatchObject({ decided: true, position: 'Use PostgreSQL' });
    expect(metrics.challenges).toMatchObject({ conceded: 1 });
    expect(contributions.find((c) => c.participant === 'cleo' && c.phase === 'RESOLVE')).toMatchObject({
      parts: [expect.any(Number), expect.any(Number)],
    });
  });
});
