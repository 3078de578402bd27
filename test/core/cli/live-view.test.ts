import { describe, expect, it } from 'vitest';
import stringWidth from 'string-width';
import type { Progress } from '../../../src/core/app/app.ts';
import { loadWords } from '../../../src/core/base/words/words.ts';
import { createLiveView, findSeatByKey, listKeyHints } from '../../../src/core/cli/live-view.ts';

const NOW = Date.parse('2026-11-22T13:00:00.000Z');
const at = (ms: number): string => new Date(NOW + ms).toISOString();
const council = 'c';
const ORDER = ['claude', 'codex', 'ana', 'maman'];

function shown(events: Progress[], columns = 80, later = 0, hints: string[] = []): string[] {
  const view = createLiveView({ paint: (_, text) => text }, () => ({
    order: ORDER,
    hints,
    nameSeat: (id) => id,
    w: loadWords('en'),
  }));
  for (const event of events) view.take(event, NOW);
  return view.lines(columns, NOW + later);
}

const launching: Progress = {
  type: 'launching',
  council,
  phase: 'COLLECT',
  tour: 1,
  timeoutAt: at(3_600_000),
  participants: ['claude', 'codex'],
  people: ['ana'],
};
const launched = (participant: string, attempt = 1): Progress => ({
  type: 'launched',
  council,
  participant,
  attempt,
  of: 3,
});

describe('the live view', () => {
  it('says what helps whom it waits for: people answer, labels need a heartbeat, others are asked elsewhere', () => {
    const waiting: Progress = {
      type: 'waiting',
      council,
      phase: 'COLLECT',
      tour: 1,
      timeoutAt: at(3_600_000),
      people: ['ana'],
      elsewhere: ['claude'],
      needing: [{ participant: 'codex', labels: ['gpu', 'big'] }],
    };
    expect(shown([launching, waiting]).slice(1)).toEqual([
      '… 1 claude  asked by another process',
      '… 2 codex   needs the labels gpu, big: council heartbeat --labels gpu,big',
      '… 3 ana     waiting: council respond ana',
    ]);
  });

  it('waits for nobody who has answered in this round already, such as the one who asked', () => {
    const recorded: Progress = { type: 'recorded', council, participant: 'ana', bytes: null, ms: 5 };
    const opened: Progress = {
      type: 'notice',
      council,
      notice: { type: 'phase_opened', phase: 'COLLECT', tour: 1 },
    };
    expect(shown([opened, recorded, launching]).join('\n')).not.toContain('ana');
    expect(shown([opened, recorded, { ...launching, tour: 2 }]).join('\n')).toContain('council respond ana');
  });

  it('shows the phase, the time left, and for each seat what it does', () => {
    const failed: Progress = {
      type: 'attempt_failed',
      council,
      participant: 'codex',
      attempt: 1,
      reason: 'rate limit (HTTP 429); if it lasts, name another model',
      next: 'again',
      until: at(300_000),
    };
    const lines = shown([launching, launched('claude'), launched('codex'), failed], 80, 72_000);
    expect(lines[0]).toMatch(/^COLLECT, round 1: 59 min left \(\S+\)$/);
    expect(lines.slice(1).map((line) => line.slice(2))).toEqual([
      '1 claude  1 min 12 s  attempt 1 of 3',
      expect.stringMatching(/^2 codex {3}rate limit; next attempt at \S+ \(in 4 min\)$/) as string,
      '3 ana     waiting: council respond ana',
    ]);
  });

  it('leaves out who is done, and everybody when the next phase opens', () => {
    const recorded: Progress = { type: 'recorded', council, participant: 'claude', bytes: null, ms: 5 };
    const absent: Progress = { ...launched('codex'), type: 'stopped' } as unknown as Progress;
    expect(shown([launching, launched('claude'), recorded, absent])).toHaveLength(2);
    const notice = { type: 'phase_opened', phase: 'CHALLENGE', tour: 2 } as const;
    expect(shown([launching, { type: 'notice', council, notice }])).toEqual(['CHALLENGE, round 2']);
    const archived = { type: 'archived', path: 'conseils/x.md' } as const;
    expect(shown([{ type: 'notice', council, notice: archived }])).toEqual([]);
  });

  it.each([10, 20, 40, 80, 200])('fits %i columns', (columns) => {
    const wide: Progress = { ...launching, participants: ['claude', '名前がとても長い参加者の名前'] };
    const untrusted: Progress = { type: 'untrusted', council, participant: 'claude', runs: 'x'.repeat(300) };
    for (const line of shown(
      [wide, untrusted],
      columns,
      5000,
      listKeyHints(['1', '2', '3', '4'], loadWords('en')),
    ))
      expect(stringWidth(line)).toBeLessThan(columns);
  });

  it('offers to read an answer once there is one', () => {
    const w = loadWords('en');
    expect(listKeyHints([], w)[0]).toBe('[s + number] stop waiting');
    expect(listKeyHints(['2'], w)[0]).toBe('[2] read an answer  [s + number] stop waiting');
    expect(listKeyHints(['1', '2'], w)[0]).toContain('[1-2] read');
    expect(listKeyHints(['1', '3'], w)[0]).toContain('[1,3] read');
    expect(listKeyHints([], loadWords('fr'))[0]).not.toContain('lire');
  });

  it('is the same picture within a second, so that it is drawn once', () => {
    const drawn = [5000, 5300, 5999, 6000].map((now) => shown([launching, launched('claude')], 80, now)[1]);
    expect(new Set(drawn.slice(0, 3)).size).toBe(1);
    expect(drawn[3]).not.toBe(drawn[2]);
  });

  it('has a key for each seat, and none that means something else', () => {
    expect(['1', '2', '3', '4', '5', 's', '\u001b'].map((key) => findSeatByKey(key, ORDER))).toEqual([
      ...ORDER,
      undefined,
      undefined,
      undefined,
    ]);
    const many = Array.from({ length: 40 }, (_, index) => `a${index}`);
    expect(findSeatByKey('s', many)).toBeUndefined();
  });
});
