// What a worker makes of the answers of a server, however odd they are.
import { describe, expect, it } from 'vitest';
import {
  parseLeaseReply,
  parseServerVersion,
  parseRecordReply,
} from '../../../src/server/remote-worker/server-replies.ts';

const LAUNCH = {
  lease: '4f0c6b1e-8f0a-4d3c-9f63-2f6f0a1b2c3d',
  name: 'où-est-ce'.normalize('NFKD').replace(/[^a-z-]/g, ''),
  conversationId: '0b8f7c52-5f0e-4b53-8a1d-9c1f2c3d4e5f',
  tour: 2,
  phase: 'CHALLENGE',
  participant: 'ada',
  runner: 'ada',
  attempt: 1,
  leftMs: 60_000,
  prompt: 'Où ? 🦉\r\n',
  view: { any: ['thing'] },
  system: '',
  repair: null,
};
const PLACES = { most: 4, held: new Set<string>() };
const leased = (launches: unknown[], more = {}) => ({
  ...{ launches, tasks: [], over: [], againMs: 2000 },
  ...more,
});
const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ ...LAUNCH, lease: `l${at}`, participant: `p${at}` }));

describe('the launches that a server leases', () => {
  it('are taken as they are, and what a newer server says as well is left out', () => {
    const { launches, refused, againMs } = parseLeaseReply(
      { version: '9', speaks: 3, ...leased([{ ...LAUNCH, command: ['rm'], env: {} }]) },
      PLACES,
    );
    expect({ launches, refused, againMs }).toEqual({ launches: [LAUNCH], refused: [], againMs: 2000 });
  });

  it('are at most as many as there are places, and it is told that there were more', () => {
    const { launches, refused } = parseLeaseReply(leased(numbered(9)), PLACES);
    expect(launches.map(({ participant }) => participant)).toEqual(['p0', 'p1', 'p2', 'p3']);
    expect(refused).toEqual(['The server gives more launches than there are places: 9, not 4.']);
    expect(parseLeaseReply(leased(numbered(1)), { ...PLACES, most: 0 }).launches).toEqual([]);
  });

  it.each([
    ['null', null],
    ['a number', 7],
    ['a list', []],
    ['nothing', {}],
    ['a prompt that is none', { ...LAUNCH, prompt: 7 }],
    ['a lease that leads out of its folder', { ...LAUNCH, lease: '../../etc/passwd' }],
    ['a name with an escape sequence', { ...LAUNCH, name: 'c\u001b[2J' }],
    ['an agent that every object has', { ...LAUNCH, runner: 'constructor' }],
    ['a time that is none', { ...LAUNCH, leftMs: 'soon' }],
    ['round 0', { ...LAUNCH, tour: 0 }],
    ['a conversation that is none', { ...LAUNCH, conversationId: 'x' }],
  ])('that cannot be read are passed over alone: %s', (_, odd) => {
    const { launches, refused } = parseLeaseReply(leased([odd, LAUNCH]), PLACES);
    expect(launches).toEqual([LAUNCH]);
    expect(refused).toEqual([expect.stringMatching(/^A launch that cannot be read is passed over: /)]);
    for (const word of ['passwd', '\u001b']) expect(refused.join('')).not.toContain(word);
  });

  it('are made once each, and not under a lease that is at work', () => {
    const { launches, refused } = parseLeaseReply(leased([LAUNCH, LAUNCH, numbered(1)[0]]), {
      most: 4,
      held: new Set(['l0']),
    });
    expect(launches).toEqual([LAUNCH]);
    expect(refused).toEqual([
      'A launch of ada is passed over: its lease is at work already.',
      'A launch of p0 is passed over: its lease is at work already.',
    ]);
  });

  it.each([
    [-1, 500],
    [0, 500],
    [2000, 2000],
    [1e300, 60_000],
  ])('are asked for again after a time that makes sense: %d', (given, believed) => {
    expect(parseLeaseReply(leased([], { againMs: given }), PLACES).againMs).toBe(believed);
  });

  it('have as much time as can be, and none that is over', () => {
    const leftOf = (leftMs: number) =>
      parseLeaseReply(leased([{ ...LAUNCH, leftMs }]), PLACES).launches[0]!.leftMs;
    expect([leftOf(-5), leftOf(1e300)]).toEqual([0, 86_400_000]);
  });
});

const TASK = {
  ...{ lease: 't1', session: 'S1', task: 'T1.2', runner: 'ada', wire: 'W1', leftMs: 60_000 },
  ...{ text: 'Draw', prompt: 'Draw\n', line: 'M1|O1>W1|R|T1|P1|R|-|0|S1|-|Draw', system: '' },
};

describe('the tasks that a server leases', () => {
  it('are taken as they are, and what is shown of them is one line', () => {
    const long = { ...TASK, lease: 't2', text: `a\nb\u001b[2J${'c'.repeat(5000)}` };
    const { tasks, refused } = parseLeaseReply(leased([], { tasks: [TASK, long] }), PLACES);
    expect({ first: tasks[0], refused }).toEqual({ first: TASK, refused: [] });
    expect(tasks[1]!.text).toMatch(/^a b\S+…$/);
    expect(tasks[1]!.text).toHaveLength(200);
  });

  it.each([
    ['a session of two lines', { ...TASK, session: 'S1\nforged' }],
    ['a session of 3 MB', { ...TASK, session: 'S'.repeat(3 << 20) }],
    ['a task that leads out of its folder', { ...TASK, task: '../../../tmp/x;$(id)' }],
    ['a line that is two', { ...TASK, line: 'M1|x\nM1|y' }],
  ])('that cannot be read are passed over alone: %s', (_, odd) => {
    const { tasks, refused } = parseLeaseReply(leased([], { tasks: [odd, TASK] }), PLACES);
    expect(tasks).toEqual([TASK]);
    expect(refused).toEqual([expect.stringMatching(/^A task that cannot be read is passed over: .{1,60}$/)]);
  });
});

describe('an answer that no server of council gives', () => {
  it.each([undefined, null, 'OK', [], {}, { launches: {} }, { launches: [], againMs: '2' }])(
    'is refused as a failure: %j',
    (document) => {
      for (const read of [() => parseLeaseReply(document, PLACES), () => parseServerVersion(document)])
        expect(read).toThrow(expect.objectContaining({ code: 'failed' }) as Error);
      expect(() => parseRecordReply(document)).toThrow('is not what council says');
    },
  );

  it('names what is wrong by its place', () => {
    expect(() => parseRecordReply({ became: 'eaten' })).toThrow('"became" is missing or wrong');
    expect(parseRecordReply({ became: 'lost', note: 'N\nforged' })).toEqual({
      became: 'lost',
      note: 'N forged',
    });
    expect(parseRecordReply({ became: 'lost', note: 'Kept.', more: 1 })).toEqual({
      became: 'lost',
      note: 'Kept.',
    });
  });
});
