import { describe, expect, it } from 'vitest';
import type { ArchiveExport } from '../../src/core/archive/export.ts';
import type { LedgerDocument } from '../../src/core/council/ledger/ledger-document.ts';
import type { Metrics } from '../../src/core/council/vote/metrics.ts';
import { newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { addSpeaker } from '../helpers/speakers.ts';

const FOUR = ['ada', 'ben', 'cleo', 'dan'];

/** A contribution with a stated position. */
const stand = (position: string, text: string): { say: string } => ({
  say: `---\nposition: ${position}\n---\n${text}\n`,
});

/** Ada concedes, Ben rejects, Cleo misquotes and answers nothing, Dan moves without a reason. */
function seatFour(project: Project): void {
  addSpeaker(project, 'ada', {
    COLLECT: stand('build', 'Building takes three months.\n\nWe know the domain well.'),
    CHALLENGE: { say: '@cleo.1 June is only two months away.\n' },
    RESOLVE: stand('buy', 'c2 conceded: nine months it was, and that is what moves me.'),
  });
  addSpeaker(project, 'ben', {
    COLLECT: stand('buy', '- Buying costs ten thousand a year.\n- The vendor answers within a day.'),
    CHALLENGE: { say: '> Building takes three months.\n\nIt took nine months the last time.\n' },
    RESOLVE: stand('buy', 'c4 rejected: the contract fixes the price for five years.'),
  });
  addSpeaker(project, 'cleo', {
    COLLECT: stand('wait', 'Nothing burns: the old system runs until June.'),
    CHALLENGE: { say: '> Building needs nobody at all in summer.\n\nThat is too long.\n' },
    RESOLVE: stand('wait', 'I still see no hurry.'),
  });
  addSpeaker(project, 'dan', {
    COLLECT: stand('build', 'Four engineers are free, says Ada.'),
    CHALLENGE: { say: '@ben.1 That is the price of the first year only.\n' },
    RESOLVE: stand('buy', 'I changed my mind.'),
  });
  addSpeaker(project, 'maman', { SYNTHESIZE: { say: 'Everybody wants to buy. There is no dissent.' } });
}

const OPTIONS = ['--option', 'build', '--option', 'buy', '--option', 'wait'];
const WITH_MAMAN = ['--agents', FOUR.join(','), '--coordinator', 'maman'];

describe('a debate in which everybody does something else', () => {
  it('shows each for what it is, by labels while it goes on and by ids in the archive', async () => {
    const project = await newProject();
    seatFour(project);
    await project.council(['start', 'Build or buy?', ...WITH_MAMAN, ...OPTIONS]);
    const tick = () => project.council(['tick', '--json']);
    const ledger = async (...ref: string[]) =>
      (await project.council<LedgerDocument>(['ledger', ...ref, '--json'])).json;
    const metrics = async (...ref: string[]) =>
      (await project.council<Metrics>(['metrics', ...ref, '--json'])).json;

    await tick();
    expect(await ledger()).toEqual({ claims: [], challenges: [], moves: [] });
    expect(await metrics()).toMatchObject({ responseRate: { COLLECT: null }, blindVote: null, tokens: null });

    await tick();
    const open = await ledger('active-conversation');
    expect(open.claims).toHaveLength(6);
    for (const { id, by, text } of open.claims) {
      expect(by).toMatch(/^Participant [A-D]$/);
      expect(id).toMatch(new RegExp(`^${by.at(-1)!.toLowerCase()}\\.[12]$`));
      expect(text).not.toMatch(/ada/i);
    }
    expect(open.challenges).toEqual([]);
    await tick();
    expect((await ledger()).challenges.map(({ status }) => status)).toEqual(['open', 'open', 'open', 'open']);
    await project.council(['tick', '--until-idle']);

    const [{ path, id }] = (
      await project.council<{ archives: [{ path: string; id: string }] }>(['list', '--json'])
    ).json.archives;
    const archived = await ledger(id);
    expect(archived.claims.map((claim) => `${claim.id} ${claim.text}`)).toEqual([
      'ada.1 Building takes three months.',
      'ada.2 We know the domain well.',
      'ben.1 Buying costs ten thousand a year.',
      'ben.2 The vendor answers within a day.',
      'cleo.1 Nothing burns: the old system runs until June.',
      'dan.1 Four engineers are free, says Ada.',
    ]);
    expect(archived.challenges).toEqual([
      expect.objectContaining({ id: 'c1', by: 'ada', target: 'cleo.1', quote: 'none', status: 'unanswered' }),
      expect.objectContaining({
        id: 'c2',
        by: 'ben',
        target: 'ada.1',
        quote: 'verified',
        status: 'conceded',
      }),
      expect.objectContaining({
        id: 'c3',
        by: 'cleo',
        target: null,
        quote: 'not_found',
        status: 'unanswered',
      }),
      expect.objectContaining({ id: 'c4', by: 'dan', target: 'ben.1', quote: 'none', status: 'rejected' }),
    ]);
    expect(archived.challenges[0]).not.toHaveProperty('answer');
    expect(archived.challenges[1]!.answer).toContain('nine months it was');
    expect(archived.moves).toEqual([
      { by: 'ada', from: 'build', to: 'buy', phase: 'RESOLVE', because: 'c2', explained: true },
      { by: 'dan', from: 'build', to: 'buy', phase: 'RESOLVE', because: null, explained: false },
    ]);

    const measured = await metrics(path);
    expect(measured).toMatchObject({
      responseRate: { COLLECT: 1, CHALLENGE: 1, RESOLVE: 1, SYNTHESIZE: 1 },
      flips: { explained: 1, unexplained: 1, towardsMajority: 0 },
      quotes: { verified: 1, notFound: 1, total: 2 },
      challenges: { answered: 0, conceded: 1, rejected: 1, unanswered: 2 },
      minority: { kept: ['buy', 'wait'], lost: [] },
      effectiveVotes: null,
      blindVote: { build: 2, buy: 1, wait: 1 },
      finalVote: { buy: 3, wait: 1 },
      decision: {
        decided: true,
        position: 'build',
        rule: 'blind-first',
        denominator: 4,
        tie: false,
        quorum: { needed: 3, present: 4, met: true },
      },
      tokens: null,
      cost: null,
    });
    const exported = (await project.council<ArchiveExport>(['export', id, '--format', 'json'])).json;
    expect(exported.ledger).toEqual(archived);
    expect(exported.metrics).toEqual(measured);

    // Two of four are too few against the blind plurality, of which one gave a reason.
    const DECIDED =
      'Decided (blind-first): P1 "build" has 0 of the last 4 votes. The blind plurality stands (2 of 4): one moved later and did not say why. Read the minority first.';
    const page = project.read(path).toString();
    for (const line of [
      `**${DECIDED}**`,
      '| Position | Blind vote (COLLECT) | Final vote |',
      '| P1 build | 2 | 0 |',
      '| P2 buy | 1 | 3 |',
      '- Quorum met: 4 of 4 answered; the quorum is 3.',
      '- Options: build, buy, wait.',
      '- Blind vote (COLLECT): P1 build 2, P2 buy 1, P3 wait 1. By the same rule: Decided (blind-first): P1 "build" has 2 of 4 votes.',
      '- The debate left the outcome as it was.',
      '- Changes of position: 1 explained, 1 unexplained.',
      '| dan | build | buy | RESOLVE | unexplained |',
      '| ada | build | buy | RESOLVE | c2 |',
      '- `c3` against nobody: quote not found, unanswered',
      '- c1, 🤖 ada to 🤖 cleo: @cleo.1 June is only two months away.',
      '- 🤖 cleo: wait',
      '| Quotes verified | 1 of 2 |',
      '| Tokens | unknown |',
    ])
      expect(page.split('\n').map((one) => one.replaceAll('🦉', '🤖'))).toContain(line);
    expect(page.split('\n## Dissent\n')[1]!.split('\n## ')[0]).toContain('cleo: wait');

    const record = (await project.council(['export', id, '--format', 'adr'])).stdout;
    for (const part of [
      '- Status: Accepted',
      `- ${DECIDED}`,
      '- build: 0\n- buy: 3\n- wait: 1',
      'cleo: wait',
    ])
      expect(record).toContain(part);
    const shown = (await project.council(['show', id])).stdout;
    expect(shown).toContain('Measures');
    expect(shown).toMatch(/Effective number of independent votes +│ unknown/);
    expect((await project.council(['ledger', id])).stdout).toMatch(/c2 +│ ben/);
    const measures = (await project.council(['metrics', id])).stdout;
    expect(measures).toMatch(/Quotes verified +│ 1 of 2/);
    expect(measures).toMatch(/Blind vote \(COLLECT\) +│ \S+.* \d/);
    expect(measures).toMatch(/Final vote +│ \S+.* \d/);
  });
});
