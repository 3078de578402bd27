import { describe, it, expect } from 'vitest';
import { composeArchive } from '../../../src/core/archive/compose-archive.ts';
import {
  findDissenters,
  listMoves,
  computeStandings,
  groupByPosition,
} from '../../../src/core/archive/positions.ts';
import type { Contribution } from '../../../src/core/council/state/state.ts';
import { debate, finished, spoke } from './sample.ts';

const standingsOf = (said: Contribution[]) => computeStandings(composeArchive(finished(said), []));
const against = (said: Contribution[], decided: string): string[] =>
  findDissenters(standingsOf(said), decided).map((s) => s.participant);
const apart = (said: Contribution[]): string[] => findDissenters(standingsOf(said)).map((s) => s.participant);
const all = (tour: number, verdict: Parameters<typeof spoke>[3], ids = ['henry', 'sage', 'lizard']) =>
  ids.map((id) => spoke(id, tour, 'text', verdict));

describe('standings', () => {
  it('carry the last stated position over silence and over texts without one', () => {
    const [henry, sage, lizard] = standingsOf(debate());
    expect(henry).toMatchObject({ position: 'spaces', agreed: true, blocking: [] });
    expect(sage!.held).toEqual([1, 2, 3].map((tour) => ({ tour, position: 'spaces', statedIn: 1 })));
    expect(lizard!.held).toEqual([
      { tour: 1, position: null, statedIn: null },
      { tour: 2, position: 'neither', statedIn: 2 },
      { tour: 3, position: 'neither', statedIn: 2 },
    ]);
  });

  it('forget an agreement that was not repeated, unless its author was done', () => {
    expect(
      standingsOf([spoke('henry', 1, 'yes', { agreed: true }), spoke('henry', 2, 'hm')])[0]!.agreed,
    ).toBe(false);
    expect(standingsOf([spoke('henry', 1, 'yes', { agreed: true })])[0]!.agreed).toBe(false);
    expect(standingsOf([spoke('henry', 1, 'yes', { agreed: true, done: true })])[0]).toMatchObject({
      agreed: true,
      done: true,
    });
  });

  it('drop a blocking issue that its author no longer declares, and keep it over silence', () => {
    expect(
      standingsOf([spoke('henry', 1, 'a', { blocking: ['x'] }), spoke('henry', 2, 'b')])[0]!.blocking,
    ).toEqual([]);
    expect(standingsOf([spoke('henry', 1, 'a', { blocking: ['x'] })])[0]!.blocking).toEqual(['x']);
  });

  it('know who never spoke', () => {
    expect(standingsOf([spoke('henry', 1, 'a')]).map((s) => s.spoke)).toEqual([true, false, false]);
  });
});

describe('moves', () => {
  it('are changes between stated positions, there and back, and not mere capitals', () => {
    const said = [
      spoke('henry', 1, '1', { position: 'A' }),
      spoke('henry', 2, '2', { position: 'B' }),
      spoke('henry', 3, '3', { position: 'A' }),
    ];
    expect(listMoves(standingsOf(said))).toEqual([
      { participant: 'henry', from: 'A', fromTour: 1, to: 'B', toTour: 2 },
      { participant: 'henry', from: 'B', fromTour: 2, to: 'A', toTour: 3 },
    ]);
    expect(
      listMoves(
        standingsOf([spoke('henry', 1, '1', { position: 'A' }), spoke('henry', 3, '3', { position: 'a' })]),
      ),
    ).toEqual([]);
  });

  it('reach over a tour without a position', () => {
    const said = [
      spoke('henry', 1, '1', { position: 'A' }),
      spoke('henry', 2, '2'),
      spoke('henry', 3, '3', { position: 'B' }),
    ];
    expect(listMoves(standingsOf(said))).toEqual([
      { participant: 'henry', from: 'A', fromTour: 1, to: 'B', toTour: 3 },
    ]);
  });
});

describe('dissenters', () => {
  it('are none where everybody agrees on one position, or nobody says anything about it', () => {
    expect(apart(all(3, { agreed: true, position: 'A' }))).toEqual([]);
    expect(apart(all(3, {}))).toEqual([]);
    expect(apart([])).toEqual([]);
  });

  it('hold another position than the majority; without a majority all who have one are named', () => {
    expect(
      apart([...all(3, { position: 'A' }, ['henry', 'sage']), ...all(3, { position: 'B' }, ['lizard'])]),
    ).toEqual(['lizard']);
    expect(
      apart([...all(3, { position: 'A' }, ['henry']), ...all(3, { position: 'B' }, ['lizard'])]),
    ).toEqual(['henry', 'lizard']);
    expect(
      groupByPosition(
        standingsOf([
          ...all(3, { position: 'B' }, ['henry']),
          ...all(3, { position: 'A' }, ['sage', 'lizard']),
        ]),
      ).map((s) => s.position),
    ).toEqual(['A', 'B']);
  });

  it('block, or did not agree while somebody did; silence is no dissent', () => {
    expect(apart(all(3, { blocking: ['x'] }, ['sage']))).toEqual(['sage']);
    expect(apart([...all(3, { agreed: true }, ['henry']), ...all(3, {}, ['sage'])])).toEqual(['sage']);
  });
});

describe('dissent from a decision', () => {
  const said = ['henry', 'sage', 'lizard'].map((id, at) =>
    spoke(id, 1, 'text', { position: at === 0 ? 'tabs' : 'spaces' }),
  );

  it('is holding anything but the decided position, whatever most hold', () => {
    expect(against(said, 'Spaces.')).toEqual(['henry']);
    expect(against(said, 'tabs')).toEqual(['sage', 'lizard']);
  });

  it('is not what somebody said on request, as the case against', () => {
    const asked = [
      ...all(1, { position: 'tabs', agreed: true, done: true }),
      { ...spoke('sage', 2, 'The other side.'), advocate: true as const },
    ];
    expect(against(asked, 'tabs')).toEqual([]);
  });
});
