import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parse } from '../../../src/core/council/document/document.ts';
import type { Contribution } from '../../../src/core/council/state/state.ts';
import { costs, fails, fakeTime, newTable, through } from './table.ts';
import type { Part, Play } from './table.ts';

beforeEach(fakeTime);
afterEach(() => vi.useRealTimers());

const ONCE = '  repair: 1';
const POOR = 'PostgreSQL runs here already.';
const FORM = '---\nposition: Use PostgreSQL\n---\n';
const OPEN = { mode: 'debate', blind: false };

type Table = ReturnType<typeof newTable>;

/** What somebody has said last. */
async function saidBy(table: Table, id: string): Promise<Contribution> {
  return parse(await table.text()).contributions.findLast(({ by }) => by === id)!;
}

/** An agent that answers poorly first, and then as it is told. */
const poorThen =
  (...later: Play[]): Part =>
  (_, launch) =>
    launch === 0 ? { say: POOR } : (later[launch - 1] ?? { say: FORM });

/** One tick over ada alone. */
async function asked(ada: Part, limits = ONCE, over: Parameters<Table['convene']>[0] = OPEN): Promise<Table> {
  const table = newTable({ ada }, { ada: limits });
  await table.convene(over);
  await table.tick();
  return table;
}

describe('one more question', () => {
  it('adds what was missing, word for word, as one contribution', async () => {
    const table = await asked(poorThen({ say: FORM }));
    expect(await saidBy(table, 'ada')).toMatchObject({
      text: `${POOR}\n\n${FORM}`,
      position: 'Use PostgreSQL',
      parts: [POOR.length + 2, FORM.length],
    });
    const { participants, usage } = await table.state();
    expect(participants.ada).toMatchObject({ status: 'RESPONDED', position: 'Use PostgreSQL', attempts: 1 });
    expect(usage!.map(({ participant, ok }) => `${participant} ${ok}`)).toEqual(['ada true', 'ada true']);
    expect(table.count('ada')).toBe(2);
    expect(table.progress.filter(({ type }) => type === 'asked_again')).toMatchObject([
      { participant: 'ada', missing: ['position'] },
    ]);
  });

  it('is short, says what was read, and asks for the rest alone', async () => {
    const table = await asked(poorThen({ say: FORM }));
    const [first, second] = table.launches.map(({ input }) => input);
    expect(second).toContain(POOR);
    expect(second).toContain('position: –');
    expect(second).toContain('---\nposition:\n---');
    expect(second!.length).toBeLessThan(first!.length);
  });

  it('says nothing to anybody while the phase is blind, and is sealed as one text', async () => {
    const table = newTable({ ada: poorThen({ say: FORM }), bob: () => ({ say: FORM }) }, { ada: ONCE });
    await table.convene({ mode: 'debate' });
    await table.tick();
    const blind = await table.text();
    for (const word of ['parts', 'PostgreSQL', 'usage', 'missing']) expect(blind).not.toContain(word);
    expect(table.progress.some(({ type }) => type === 'asked_again')).toBe(false);
    await table.tick();
    const ada = await saidBy(table, 'ada');
    expect(parse(await table.text()).contributions).toMatchObject([
      { by: 'ada', parts: [POOR.length + 2, FORM.length], position: 'Use PostgreSQL' },
      { by: 'bob', position: 'Use PostgreSQL' },
    ]);
    expect(ada).toMatchObject({ text: `${POOR}\n\n${FORM}`, commitment: expect.any(String) as string });
    expect((await table.state()).usage!.filter(({ tour }) => tour === 1)).toHaveLength(3);
    expect((await table.state()).ledger.claims.filter(({ by }) => by === 'ada')).toHaveLength(1);
  });

  it.each<[string, Play]>([
    ['the same text again', { say: `${POOR}\n` }],
    ['nothing', fails({ reason: 'it printed nothing' })],
    ['too late', fails({ failure: 'timeout', timedOut: true })],
    ['too much', fails({ truncated: true })],
    ['an error', fails()],
    ['no text', { output: Buffer.from([0xff, 0xfe, 0xfd]) } as unknown as Play],
  ])('adds nothing for %s, which costs all the same', async (_, play) => {
    const table = await asked(poorThen(play));
    const ada = await saidBy(table, 'ada');
    expect([ada.text, ada.parts]).toEqual([POOR, undefined]);
    expect(table.count('ada')).toBe(2);
    const { participants, usage } = await table.state();
    expect(usage).toHaveLength(2);
    expect(participants.ada).toMatchObject({ status: 'RESPONDED', attempts: 1 });
    // It says nothing about the health of the agent.
    expect(await table.health.read()).toEqual({});
  });

  it('keeps what was said, and does not read it, when it does not answer the question', async () => {
    const table = await asked(poorThen({ say: 'I am sorry. agreed: true' }));
    const ada = await saidBy(table, 'ada');
    expect(ada.text).toBe(`${POOR}\n\nI am sorry. agreed: true`);
    expect(ada).not.toHaveProperty('agreed');
    expect(ada).not.toHaveProperty('position');
  });

  it('takes nothing but what was asked, and what blocks', async () => {
    const table = await asked(
      poorThen({
        say: '---\nposition: Use PostgreSQL\nagreed: true\ndone: true\nblocking: [No backup]\n---\n',
      }),
    );
    const ada = await saidBy(table, 'ada');
    expect(ada.position).toBe('Use PostgreSQL');
    expect(ada.blocking).toEqual(['No backup']);
    for (const key of ['agreed', 'done']) expect(ada).not.toHaveProperty(key);
  });

  it('comes twice at most, where that is allowed', async () => {
    const table = await asked(poorThen({ say: 'Which one?' }, { say: FORM }), '  repair: 2');
    const ada = await saidBy(table, 'ada');
    expect(ada.text).toBe(`${POOR}\n\nWhich one?\n\n${FORM}`);
    expect(ada).toMatchObject({ position: 'Use PostgreSQL', parts: [POOR.length + 2, 12, FORM.length] });
    expect(table.count('ada')).toBe(3);
    expect((await table.state()).usage).toHaveLength(3);
  });

  it('takes an option in place of a position that is none', async () => {
    const rules = { options: ['Redis', 'PostgreSQL'] };
    const first = { say: 'position: Kafka\n\nIt scales.' };
    const table = await asked((_, n) => (n === 0 ? first : { say: 'position: redis' }), ONCE, {
      ...OPEN,
      rules,
    });
    expect(await saidBy(table, 'ada')).toMatchObject({ position: 'Redis', parts: [29, 15] });
    expect(table.launches[1]!.input).toContain('`Redis`, `PostgreSQL`');
  });
});

describe('no more question', () => {
  const noPosition = poorThen();

  it.each<[string, Part, string | undefined, Parameters<Table['convene']>[0]]>([
    ['nothing is missing', () => ({ say: FORM }), ONCE, OPEN],
    ['nothing is decided', noPosition, ONCE, { mode: 'synthesis', blind: false }],
    ['the agent file says 0', noPosition, '  repair: 0', OPEN],
    ['the phase ends soon', noPosition, ONCE, { ...OPEN, phaseTimeout: 34_000 }],
    ['the launch has little time left', noPosition, `${ONCE}\n  timeout: 29s`, OPEN],
    [
      'another launch would take the budget',
      (_, n) => (n === 0 ? costs(0.6, 10, POOR) : { say: FORM }),
      ONCE,
      { ...OPEN, budget: { usd: 1, tokens: null } },
    ],
  ])('where %s', async (_, ada, limits, over) => {
    const table = newTable({ ada }, limits === undefined ? {} : { ada: limits });
    await table.convene(over);
    await table.tick();
    expect(table.count('ada')).toBe(1);
    expect(await saidBy(table, 'ada')).not.toHaveProperty('parts');
  });

  it('but one, where nothing is said of how often', async () => {
    const table = newTable({ ada: noPosition }, {});
    await table.convene(OPEN);
    await table.tick();
    expect(table.count('ada')).toBe(2);
  });

  it('where the first answer took longer than there is left', async () => {
    const slow: Part = (_, n) => (n === 0 ? { say: POOR, durationMs: 200_000 } : { say: FORM });
    const table = await asked(slow, `${ONCE}\n  timeout: 150s`);
    expect(table.count('ada')).toBe(1);
  });

  it('where the user has stopped council', async () => {
    const table = newTable({ ada: () => (table.controller.abort(), { say: POOR }) }, { ada: ONCE });
    await table.convene(OPEN);
    await table.tick();
    expect(table.count('ada')).toBe(1);
    expect((await saidBy(table, 'ada')).text).toBe(POOR);
  });

  it('is what COUNCIL.md says of those whose file says nothing', async () => {
    const table = newTable({ ada: poorThen({ say: FORM }) });
    table.ports.repair = 1;
    await table.convene(OPEN);
    await table.tick();
    expect(table.count('ada')).toBe(2);
  });
});

describe('one more question that is cut off', () => {
  it('by Ctrl-C leaves the first answer, recorded', async () => {
    const table = newTable(
      {
        ada: poorThen({}, {}),
        bob: () => ({ say: FORM }),
      },
      { ada: ONCE },
    );
    table.ports.createRunner = interrupting(table);
    await table.convene(OPEN);
    await table.tick();
    expect(await saidBy(table, 'ada')).toMatchObject({ text: POOR });
    expect((await table.state()).participants.ada).toMatchObject({ status: 'RESPONDED', lease: null });
  });

  it('ends before the deadline of the phase, and before the lease', async () => {
    const table = await asked(poorThen({ say: FORM }), ONCE, { ...OPEN, phaseTimeout: 60_000 });
    expect(table.launches.map(({ timeout }) => timeout)).toEqual([60_000, 55_000]);
    const other = await asked(poorThen({ say: FORM }), `${ONCE}\n  timeout: 40s`);
    expect(other.launches.map(({ timeout }) => timeout)).toEqual([40_000, 40_000]);
  });

  it('by the death of its tick leaves the first answer to the next one, which launches nobody', async () => {
    const table = newTable({ ada: poorThen({}) }, { ada: ONCE });
    const { speak } = table.ports.createRunner!(table.ports.agents.require('ada'));
    let launch = 0;
    const death = new Error('killed');
    table.ports.createRunner = () => ({
      speak: async (request) => {
        if (launch++ > 0) throw death;
        return speak(request);
      },
    });
    await table.convene(OPEN);
    await expect(table.tick()).rejects.toBe(death);
    expect((await table.state()).participants.ada).toMatchObject({ status: 'WAITING', attempts: 1 });
    await table.tick();
    expect((await saidBy(table, 'ada')).text).toBe(POOR);
    expect(launch).toBe(2);
    expect((await table.state()).participants.ada).toMatchObject({ status: 'RESPONDED', attempts: 1 });
  });

  it('by the death of its tick after it was answered leaves both parts to the next one', async () => {
    const table = newTable({ ada: poorThen({ say: FORM }) }, { ada: ONCE });
    const { write } = table.ports.privateFiles;
    const death = new Error('killed');
    table.ports.privateFiles.write = async (id, name, bytes, options) => {
      const place = await write(id, name, bytes, options);
      if (name.endsWith('-2-exit.json')) throw death;
      return place;
    };
    await table.convene(OPEN);
    await expect(table.tick()).rejects.toBe(death);
    table.ports.privateFiles.write = write;
    await table.tick();
    expect(await saidBy(table, 'ada')).toMatchObject({
      text: `${POOR}\n\n${FORM}`,
      position: 'Use PostgreSQL',
      parts: [POOR.length + 2, FORM.length],
    });
    expect(table.count('ada')).toBe(2);
    expect((await table.state()).usage).toHaveLength(2);
  });

  it('by the deadline, which another tick notices, leaves the first answer to that one', async () => {
    let isAsked = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (isAsked = resolve));
    let answer = (): void => undefined;
    const released = new Promise<void>((resolve) => (answer = resolve));
    const table = newTable({ ada: poorThen({ say: FORM }), bob: () => ({ say: FORM }) }, { ada: ONCE });
    const { speak } = table.ports.createRunner!(table.ports.agents.require('ada'));
    let launch = 0;
    table.ports.createRunner = () => ({
      speak: async (request) => {
        if (request.agent.id === 'ada' && launch++ === 1) {
          isAsked();
          await released;
        }
        return speak(request);
      },
    });
    await table.convene({ mode: 'debate' });
    const first = table.tick();
    await through(waiting);
    vi.setSystemTime(Date.now() + 3_600_000);
    await table.tick();
    answer();
    await first;
    const ada = parse(await table.text()).contributions.filter(({ by, tour }) => by === 'ada' && tour === 1);
    expect(ada.map(({ text }) => text)).toEqual([POOR]);
    expect((await table.state()).absences).toEqual([]);
  });
});

describe('a position that is none of the options', () => {
  const rules = { options: ['Redis', 'PostgreSQL'] };

  it.each([
    ['en', 'The position that you state is none of the options.'],
    ['fr', 'La position que vous énoncez n’est aucune des options.'],
  ] as const)('is asked about once (%s)', async (lang, why) => {
    const table = await asked(
      (_, n) => ({ say: n === 0 ? 'position: Kafka\n\nIt scales.' : 'position: Redis\n\nIt is fast.' }),
      '',
      { ...OPEN, rules, lang },
    );
    const [first, second] = table.launches.map(({ input }) => input);
    expect(first).not.toContain(why);
    expect(second).toContain(why);
    expect((await saidBy(table, 'ada')).position).toBe('Redis');
  });

  it('stays as it was said, and is no failed launch, where it is said again', async () => {
    const table = await asked(() => ({ say: 'position: Kafka\n\nIt scales.' }), ONCE, { ...OPEN, rules });
    expect(table.count('ada')).toBe(2);
    const { participants } = await table.state();
    expect(participants.ada!.absent).toBeNull();
    expect((await saidBy(table, 'ada')).text).toContain('Kafka');
  });
});

describe('an answer that is refused', () => {
  it('is asked for anew as text, when it was none', async () => {
    const bytes = { output: Buffer.from([0xff, 0xfe]) } as unknown as Play;
    const table = await asked((_, n) => (n === 0 ? bytes : { say: FORM }));
    expect(table.launches.map(({ input }) => input.includes('not a text in UTF-8'))).toEqual([false, true]);
    expect((await saidBy(table, 'ada')).text).toBe(FORM);
  });
});

/** The second launch is in the middle of its answer when the user presses Ctrl-C. */
function interrupting(table: Table): NonNullable<Table['ports']['createRunner']> {
  const original = table.ports.createRunner!;
  let launch = 0;
  return (agent) => ({
    speak: async (request) => {
      if (agent.id !== 'ada' || launch++ === 0) return original(agent).speak(request);
      table.controller.abort();
      const result = await original(agent).speak(request);
      return { ...result, ok: false, cancelled: true, failure: 'cancelled', reason: 'interrupted' };
    },
  });
}
