import { closeRound } from '../../src/core/council/ledger/ledger.ts';
import { createNameResolver } from '../../src/core/council/naming/labels.ts';
import type { Contribution, Council } from '../../src/core/council/state/state.ts';
import { rulesOf, said, stateOf } from '../core/council/fixtures.ts';
import { EMPTY_LEDGER } from '../../src/core/council/state/state.ts';
import type { PhaseName } from '../../src/core/council/state/allowed-values.ts';

export const ids = ['henry', 'sage', 'otto'];

const RULES = rulesOf();

/** What everybody says, phase by phase: `[phase, { id: text }]`; tours are counted from 1. */
export type Play = [PhaseName, Record<string, string>][];

/** The contributions of a play, with the positions of their front matter on their markers, as `respond` leaves them. */
export function contributionsOf(play: Play): Contribution[] {
  return play.flatMap(([phase, texts], index) =>
    Object.entries(texts).map(([by, text]) => {
      const position = /^---\n[^]*?^position: (.*)$/m.exec(text)?.[1];
      return { ...said(by, text, index + 1, phase), ...(position !== undefined && { position }) };
    }),
  );
}

/** A council after a play, every tour closed in its turn. */
export function played(
  play: Play,
  { anonymous = false, brief = 'Which of the two?', order = ids } = {},
): Council {
  const contributions = contributionsOf(play);
  let council: Council = {
    state: stateOf({ anonymous, rules: RULES, ledger: EMPTY_LEDGER }, order),
    brief,
    contributions: [],
  };
  play.forEach(([phase], index) => {
    const tour = index + 1;
    const heard = { ...council, contributions: contributions.filter((c) => c.tour <= tour) };
    const ledger = closeRound(heard, { phase, tour }, createNameResolver(council.state));
    council = { ...heard, state: { ...council.state, ledger } };
  });
  return council;
}
