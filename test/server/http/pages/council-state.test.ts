import { expect, it } from 'vitest';
import type { StateDocument } from '../../../../src/core/app/state-document.ts';
import type { Caller } from '../../../../src/server/remote/perform-call.ts';
import { renderSeatsTable, chooseMainAction } from '../../../../src/server/http/pages/council.ts';

import {
  renderPhaseSteps,
  renderSeatWays,
  describeSeatProgress,
  renderTroubles,
} from '../../../../src/server/http/pages/council-state.ts';
import { participant, stateOf } from '../../../core/council/fixtures.ts';
import { elementsIn, fragmentOf, textIn } from '../../../helpers/html.ts';
import { loadPageWords } from '../../../../src/server/page/words.ts';

const document = (over: Partial<StateDocument>): StateDocument => ({
  ...stateOf({
    participants: {
      a: participant({ title: 'Anna', emoji: '🦉', runner: 'command' }),
      b: participant({ title: '<b>Bert</b>', emoji: '', runner: 'command' }),
      c: participant({ title: 'Cleo', emoji: '', runner: 'command' }),
    },
  }),
  path: '/p/memory/shared/council-test.md',
  edited: false,
  ...over,
});
const told = (over: Partial<StateDocument>, lang: 'en' | 'fr' = 'en'): string[] =>
  renderTroubles(document(over), loadPageWords(lang)).map((one) =>
    textIn(fragmentOf(one.toString())).replace(/\s+/g, ' ').trim(),
  );

it('says which labels no heartbeat has, by the names of those who need them, and what helps', () => {
  const waits = (who: string, labels: string[]) => ({
    participant: who,
    labels,
    reason: 'no_heartbeat' as const,
  });
  const waiting = [waits('a', ['gpu', 'build']), waits('b', ['mac']), waits('c', ['gpu', 'build'])];
  expect(told({ waiting })).toEqual([
    'No running heartbeat has the labels gpu, build, needed by: 🦉 Anna, Cleo. What to do: council heartbeat --labels gpu,build',
    'No running heartbeat has the labels mac, needed by: <b>Bert</b>. What to do: council heartbeat --labels mac',
  ]);
  expect(told({ waiting }, 'fr')[1]).toMatch(/council heartbeat --labels mac$/);
  expect(told({})).toEqual([]);
});

it('tells how long each took to answer: a person since the phase opened, an agent since it was asked', () => {
  const at = (minute: number): string => `2026-03-01T10:${String(minute).padStart(2, '0')}:00.000Z`;
  const said = { status: 'RESPONDED', lastAction: at(40) } as const;
  const launch = { participant: 'a', phase: 'CHALLENGE', tour: 2, model: null, ok: true } as const;
  const spent = { inputTokens: null, outputTokens: null, costUsd: null };
  const state = document({
    ...{ currentPhase: 'CHALLENGE', tour: 2, updatedAt: at(50) },
    transitions: [{ from: 'COLLECT', to: 'CHALLENGE', reason: 'all-responded', tour: 1, at: at(10) }],
    participants: { a: participant(said), b: participant(said), c: participant() },
    order: ['a', 'b', 'c'],
    usage: [
      { ...launch, ...spent, at: at(37), ms: 60_000, ok: false },
      { ...launch, ...spent, at: at(40), ms: 60_000 },
    ],
  });
  const cells = elementsIn(fragmentOf(renderSeatsTable(state, loadPageWords('en')).toString()));
  const told = cells.flatMap(({ name, text }) => (name === 'td' && text.includes('after') ? [text] : []));
  expect(told.map((text) => text.replace(/\s/g, ' '))).toEqual([
    'answered after 4 min',
    'answered after 30 min',
  ]);
});

it('says in the language of the council what the open phase is for', () => {
  const state = document({ phases: ['COLLECT', 'CHALLENGE'], currentPhase: 'CHALLENGE', tour: 2 });
  const steps = elementsIn(fragmentOf(renderPhaseSteps(state, loadPageWords('fr')).toString()));
  expect(
    steps.filter(({ name }) => name === 'li').map(({ text }) => text.replace(/\s+/g, ' ').trim()),
  ).toEqual(['COLLECTE ✓', 'OBJECTIONS chacun met à l’épreuve ce que les autres ont dit']);
});

it('has 50 rows a page of a large table', () => {
  const order = Array.from({ length: 120 }, (_, at) => `a${at + 1}`);
  const participants = Object.fromEntries(order.map((id) => [id, participant({ title: id })]));
  const drawn = (asked?: number): string =>
    renderSeatsTable(document({ order, participants }), loadPageWords('en'), asked).toString();
  const rows = (html: string): string[] =>
    [...html.matchAll(/<th scope="row">[^<]*?(a\d+)\s*<\/th>/g)].map(([, id]) => id!);
  expect(rows(drawn())).toEqual(order.slice(0, 50));
  expect(rows(drawn(51))).toEqual(order.slice(50, 100));
  expect(rows(drawn(119))).toEqual(order.slice(100));
  expect(drawn()).toContain('<a href="?seats=101">101–120</a>');
});

it.each([true, false])('tells who failed, why, and the command that shows all of it; blind: %s', (blind) => {
  const state = document({ blind });
  const failed = (reason: string) => ({ ...state.participants['a']!, absent: `failed: ${reason}` as const });
  const participants = { ...state.participants, a: failed('The position is none of the options') };
  expect(told({ blind, participants })).toEqual([
    '🦉 Anna failed: The position is none of the options. What to do: council logs a test',
  ]);
  expect(told({ blind, participants }, 'fr')).toEqual([
    '🦉 Anna a échoué : The position is none of the options. Pour y remédier : council logs a test',
  ]);
  const missing = 'the program "exit3" cannot be launched: it is not on PATH; change "command" in its file';
  expect(told({ blind, participants: { ...state.participants, a: failed(missing) } })[0]).toMatch(
    /in its file\. What to do: council agents check$/,
  );
  // What a program printed stays unseen as long as its phase is blind.
  const failure = { reason: 'said CANARY', stderr: 'CANARY' };
  const withWords = { ...participants, a: { ...participants.a, failure } };
  expect(told({ blind, participants: withWords }).join().includes('CANARY')).toBe(!blind);
});

it('tells why somebody failed once: beside what helps', () => {
  const one = { ...participant({}), absent: 'failed: exit code 3' as const };
  expect([
    describeSeatProgress(one, loadPageWords('en')),
    describeSeatProgress(one, loadPageWords('fr')),
  ]).toEqual(['absent: failed', 'absent\u202F: échec']);
});

it('leads to the own seat, and whoever runs councils to those of people who are awaited', () => {
  const state = document({
    participants: {
      a: participant({ title: 'Anna', emoji: '', runner: 'human' }),
      b: participant({ title: 'Bert', emoji: '', runner: 'human', status: 'RESPONDED' }),
      c: participant({ title: 'Cleo', emoji: '', runner: 'command' }),
    },
  });
  const ways = (caller: Caller): [string | undefined, string][] =>
    elementsIn(fragmentOf(String(renderSeatWays(state, { caller, w: loadPageWords('en') }) ?? ''))).flatMap(
      ({ name, attributes, text }) => (name === 'a' ? [[attributes.href, text]] : []),
    );
  const seat = '/councils/test/seat';
  expect(ways({ role: 'admin' })).toEqual([[`${seat}?as=a`, 'To the seat of Anna']]);
  expect(ways({ role: 'admin', participant: 'a' })).toEqual([[seat, 'It is your turn: to your seat']]);
  expect(ways({ role: 'member', participant: 'b' })).toEqual([[seat, 'Your seat']]);
  expect(ways({ role: 'member' })).toEqual([]);
});

it('offers first the own seat, then an invitation, then a tick where one is due, and else nothing', () => {
  const person = (over: object) => participant({ emoji: '', runner: 'human', ...over });
  const future = { timeoutAt: '2999-01-01T00:00:00.000Z' };
  const asked = document({
    ...future,
    participants: { a: person({}), b: person({}), c: participant({ runner: 'command' }) },
  });
  const onlyAgents = document({ ...future });
  const denied = { document: {}, failed: true } as const;
  const first = (state: StateDocument, caller: Caller, isBeating = true): string =>
    chooseMainAction(state, { caller, may: () => (caller.role === 'admin' ? undefined : denied) }, isBeating);
  expect(first(asked, { role: 'admin', participant: 'a' })).toBe('seat');
  expect(first(asked, { role: 'member', participant: 'b' })).toBe('seat');
  expect(first(asked, { role: 'admin' })).toBe('invite');
  expect(first(asked, { role: 'member' })).toBe('none');
  expect(first(onlyAgents, { role: 'admin' })).toBe('none');
  expect(first(onlyAgents, { role: 'admin' }, false)).toBe('tick');
  expect(first({ ...onlyAgents, timeoutAt: '2020-01-01T00:00:00.000Z' }, { role: 'admin' })).toBe('tick');
  expect(first({ ...onlyAgents, timeoutAt: '2020-01-01T00:00:00.000Z' }, { role: 'member' })).toBe('none');
});

it('says why somebody is absent in the words of the council', () => {
  const absent = (reason: 'timeout' | 'excused: *ill*', lang: 'en' | 'fr'): string =>
    describeSeatProgress({ ...participant({}), absent: reason }, loadPageWords(lang));
  expect(absent('timeout', 'en')).toBe('absent: deadline passed');
  expect(absent('timeout', 'fr')).toBe('absent\u202F: délai dépassé');
  expect(absent('excused: *ill*', 'fr')).toBe('absent\u202F: excusé : *ill*');
});
