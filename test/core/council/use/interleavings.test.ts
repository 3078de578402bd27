import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serialize } from '../../../../src/core/council/document/document.ts';
import { advance } from '../../../../src/core/council/use/advance.ts';
import type { Ports } from '../../../../src/core/council/use/ports.ts';
import { respond } from '../../../../src/core/council/use/respond.ts';
import type { RespondResult } from '../../../../src/core/council/use/respond.ts';
import { restoreRevision } from '../../../../src/core/council/use/restore.ts';
import { readCouncil } from '../../../../src/core/council/use/council-access.ts';
import { HOUR, START, stateOf } from '../fixtures.ts';
import { pausingMemoryPorts } from '../../../helpers/memory-ports.ts';
import { macrotask } from '../../../helpers/yielding.ts';
import type { Pause } from '../../../helpers/yielding.ts';
import { countCases } from '../../../helpers/long.ts';

/** A council in COLLECT, in one process whose drivers `pause` before every call. Its time is up: any look may close it. */
async function table({ blind }: { blind: boolean }, pause: Pause) {
  const { ports, quiet } = pausingMemoryPorts(START + 2 * HOUR, pause);
  const state = stateOf({ blind });
  await quiet.store.commit('test', serialize({ state, brief: 'Go?', contributions: [] }), 0);
  return { ports, quiet, id: state.conversationId };
}

type Table = Awaited<ReturnType<typeof table>>;

interface Said {
  text: string;
  replace: boolean;
  result: RespondResult;
}

const say = async (ports: Ports, participant: string, text: string, replace = false): Promise<Said> => {
  const flags = { agree: false, done: false, block: [] };
  const bytes = Buffer.from(text);
  return {
    text,
    replace,
    result: await respond(ports, { name: 'test', participant, bytes, flags, replace }),
  };
};

const close = async (ports: Ports): Promise<void> =>
  void (await advance(ports, await readCouncil(ports, 'test')));

/** Every text that can be found after COLLECT has closed: what counts, and what was refused and kept. */
async function outcome({ quiet, id }: Table) {
  const before = (await readCouncil(quiet, 'test')).council;
  if (before.state.tour === 1) await close(quiet);
  const { council } = await readCouncil(quiet, 'test');
  const names = await quiet.privateFiles.list(id);
  const hidden = await Promise.all(names.map((name) => quiet.privateFiles.read(id, name)));
  const late = await quiet.lateFiles.list(id);
  return {
    state: council.state,
    counted: council.contributions.map(({ by, text }) => `${by}: ${text}`),
    kept: [...hidden, ...late.map(({ bytes }) => bytes)].map((bytes) => Buffer.from(bytes!).toString()),
  };
}

/** Lets `work` run in an order that fast-check draws, and looks at what came of it. */
const inEveryOrder = (work: (ports: Ports) => Promise<Said | void>[], blind = fc.boolean()): Promise<void> =>
  fc.assert(
    fc.asyncProperty(fc.scheduler(), blind, async (scheduler, isBlind) => {
      const set = await table({ blind: isBlind }, () => scheduler.schedule(Promise.resolve()));
      const done = await scheduler.waitFor(Promise.all(work(set.ports)));
      const { state, counted, kept } = await outcome(set);

      expect(state.tour).toBe(2);
      expect(state.transitions.filter(({ from }) => from === 'COLLECT')).toHaveLength(1);
      const said = done.filter((one) => one !== undefined);
      const accepted = said.filter(({ result }) => result.accepted);
      const speakers = new Set(accepted.map(({ result }) => result.participant));
      expect(counted).toHaveLength(speakers.size);
      for (const { text, replace, result } of said) {
        const { participant } = result;
        const isReplaced =
          !replace && accepted.some((one) => one.replace && one.result.participant === participant);
        if (!result.accepted) expect(kept).toContain(text);
        else if (!isReplaced) expect(counted).toContain(`${participant}: ${text}`);
      }
    }),
    { numRuns: countCases(150) },
  );

describe('several use cases of one process at once', () => {
  it('record what two participants say', () =>
    inEveryOrder((ports) => [say(ports, 'a', 'What a holds.'), say(ports, 'b', 'What b holds.')]));

  it('record one of two texts of one participant, and keep the other', () =>
    inEveryOrder((ports) => [say(ports, 'a', 'The one.'), say(ports, 'a', 'The other.')]));

  it('record a text that replaces another one at the same time', () =>
    inEveryOrder((ports) => [
      say(ports, 'a', 'The first.'),
      say(ports, 'a', 'The second.', true),
      say(ports, 'b', 'What b holds.'),
    ]));

  it('record a text, or keep it, when the phase closes', () =>
    inEveryOrder((ports) => [
      say(ports, 'a', 'What a holds.'),
      say(ports, 'b', 'What b holds.'),
      close(ports),
    ]));

  it('close a phase once', () =>
    inEveryOrder((ports) => [say(ports, 'a', 'What a holds.'), close(ports), close(ports)]));

  it('keep no more refused texts than one may leave', async () => {
    const { ports, quiet, id } = await table({ blind: false }, macrotask);
    const texts = Array.from({ length: 70 }, (_, at) => `Text ${at}.`);
    const said = await Promise.all(texts.map((text) => say(ports, 'a', text)));
    expect(said.filter(({ result }) => result.accepted)).toHaveLength(1);
    expect(await quiet.lateFiles.list(id)).toHaveLength(64);
  });

  it('restore a revision with its sealed texts, while others speak', () =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const pause = (): Promise<unknown> => scheduler.schedule(Promise.resolve());
        const { ports, quiet } = await table({ blind: true }, pause);
        await say(quiet, 'a', 'The first of a.');
        const { result: both } = await say(quiet, 'b', 'What b holds.');
        await restoreRevision(quiet, 'test', both.revision - 1);
        const work = [
          restoreRevision(ports, 'test', both.revision),
          say(ports, 'a', 'The second of a.', true),
          say(ports, 'c', 'What c holds.'),
        ];
        await scheduler.waitFor(Promise.all(work));
        // Restoring has given the phase its whole time again.
        await close({ ...quiet, clock: { ...quiet.clock, now: () => START + 10 * HOUR } });
        const { state } = (await readCouncil(quiet, 'test')).council;
        expect(state.tour).toBe(2);
        expect(state.absences.filter(({ reason }) => reason === 'sealed_text_missing')).toEqual([]);
      }),
      { numRuns: countCases(150) },
    ));
});
