import { describe, expect, it } from 'vitest';
import { buildArchivePage } from '../../../src/core/app/archives.ts';
import { composeArchive } from '../../../src/core/archive/compose-archive.ts';
import { exportArchive } from '../../../src/core/archive/export.ts';
import { readArchive } from '../../../src/core/archive/parse.ts';
import { renderArchive } from '../../../src/core/archive/write.ts';
import { showPage } from '../../../src/core/cli/render-markdown.ts';
import { checkState } from '../../../src/core/council/state/check-state.ts';
import { renderSummary } from '../../../src/core/cli/summary.ts';
import { parse, serialize } from '../../../src/core/council/document/document.ts';
import { describeAbsenceReason, toSafeLine } from '../../../src/core/council/document/state-page.ts';
import { loadWords } from '../../../src/core/base/words/words.ts';
import { buildLedgerDocument } from '../../../src/core/council/ledger/ledger-document.ts';
import { transition } from '../../../src/core/council/machine/transition.ts';
import type { Council } from '../../../src/core/council/state/state.ts';
import { viewFor } from '../../../src/core/council/view/view.ts';
import { debate, finished } from '../archive/sample.ts';
import { shippedMode } from '../../helpers/view-sample.ts';
import { PHASES } from '../../../src/core/council/state/allowed-values.ts';
import { IS_SHORT } from '../../helpers/long.ts';

const AT = '2026-02-08T22:30:00.000Z';
const ODD: unknown[] = [
  '',
  ' ',
  '\u202E',
  '{{x}}',
  '$&',
  '$1',
  '__proto__',
  'constructor',
  'toString',
  '\\',
  '(',
  '[',
  '\uFEFF',
  'é'.repeat(5),
  '🦉'.repeat(40),
  'x'.repeat(100_000),
  '*a_'.repeat(20_000),
  '> '.repeat(5_000),
  '\n\n',
  '-->',
  '<!--council-',
  '\u2028',
  '9999-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00.000Z',
  '2026-02-08T20:00:00Z',
  'conseils/../../x.md',
  'c9007199254740991',
  'henry.9007199254740991',
  0,
  1,
  -1,
  0.5,
  1e9,
  8.64e15,
  Number.MAX_SAFE_INTEGER,
  1e300,
  true,
  false,
  null,
  [],
  {},
];

const EVERY = IS_SHORT ? ODD.length : 12;

/** Every place of a value in a tree. */
function places(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, one]) => places(one, [...path, key]))].filter(
    (p) => p.length > 0,
  );
}

function changed<T>(value: T, path: string[], to: unknown): T {
  const copy = structuredClone(value);
  let at = copy as Record<string, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>;
  at[path.at(-1)!] = to;
  return copy;
}

async function everything(council: Council): Promise<void> {
  const { state } = council;
  const now = Date.parse('2026-02-08T22:00:00.000Z');
  const open = { ...council, state: { ...state, closing: null } };
  for (const currentPhase of PHASES) {
    const one = { ...open, state: { ...open.state, currentPhase } };
    for (const participant of ['henry', 'maman'])
      viewFor({ council: one, participant, persona: 'p', houseRules: 'h', mode: shippedMode('debate') });
    serialize(one);
    transition(one, { type: 'extend', ms: 1000 }, now);
    const none = { texts: [], missing: [] };
    transition(one, { type: 'cancel', why: 'x', path: 'conseils/x.md', ...none }, now);
    transition(one, { type: 'close', ...none, seed: 's', closeTour: () => state.ledger }, now);
    renderSummary({ ...one.state } as never, { paint: (_style: unknown, text: string) => text });
  }
  buildLedgerDocument({ ledger: state.ledger, contributions: council.contributions });
  // A council that has not closed has no archive.
  if (state.closing === null) return;
  const rendered = renderArchive(council, []);
  readArchive(rendered, 'conseils/x.md');
  const archive = composeArchive(council, []);
  for (const format of ['md', 'json', 'adr'] as const) exportArchive(archive, format);
  await showPage(buildArchivePage(archive), { width: 80, color: true });
}

describe('a state with odd fields', () => {
  const council = finished(debate(), {
    coordinator: 'maman',
    synthesizer: { ...finished([]).state.participants.henry!, title: 'Maman' },
    ledger: {
      claims: [{ id: 'henry.1', by: 'henry', tour: 1, start: 0, end: 5, sha256: '0'.repeat(16) }],
      challenges: [
        {
          id: 'c1',
          by: 'sage',
          tour: 2,
          start: 0,
          end: 4,
          target: 'henry.1',
          against: 'henry',
          quote: 'none',
          status: 'open',
          answer: { tour: 3, start: 0, end: 3 },
        },
      ],
      moves: [
        {
          by: 'henry',
          from: 'tabs',
          to: 'spaces',
          tour: 3,
          phase: 'RESOLVE',
          because: 'c1',
          explained: true,
        },
      ],
    },
    absences: [
      { participant: 'sage', phase: 'RESOLVE', tour: 3, reason: 'timeout', at: '2026-02-08T22:30:00.000Z' },
    ],
  });

  // A few of the values at each place, in `npm test` one: the whole product takes minutes.
  it(
    'fault 19: is refused by its key, or everything that reads it goes on',
    { timeout: 300_000 },
    async () => {
      let accepted = 0;
      for (const [at, path] of places(council.state).entries()) {
        for (const odd of ODD.filter((_, index) => index % EVERY === at % EVERY)) {
          const state = changed(council.state, path, odd);
          try {
            checkState(state, 'council-x.md');
          } catch (error) {
            expect(error).toMatchObject({ code: 'corrupt' });
            continue;
          }
          accepted += 1;
          const what = `${path.join('.')} = ${JSON.stringify(odd).slice(0, 40)}`;
          await expect(everything(parse(serialize({ ...council, state }))), what).resolves.toBeUndefined();
        }
      }
      expect(accepted).toBeGreaterThan(IS_SHORT ? 15 : 50);
    },
  );

  it.each([
    [
      'an absence',
      { absences: [{ participant: 'sage', phase: 'RESOLVE', tour: 3, reason: '__proto__', at: AT }] },
    ],
    [
      'a closing',
      { transitions: [{ from: 'COLLECT', to: 'CHALLENGE', reason: 'because', tour: 1, at: AT }] },
    ],
    ['a time limit', { phaseTimeout: 8.64e15 }],
  ])('fault 19: %s that no archive could hold is refused', (_, over) => {
    const state = { ...council.state, ...over } as Council['state'];
    expect(() => checkState(state, 'x')).toThrow(/the state key "/);
  });

  it('fault 19: an absence of an unknown kind is told as it stands', () => {
    for (const reason of ['', 'constructor', '__proto__', 'gone: fishing'])
      expect(describeAbsenceReason(reason as 'timeout', loadWords('en'))).toBe(toSafeLine(reason));
  });
});
