import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readArchive } from '../../src/core/archive/parse.ts';
import { until } from '../helpers/cli.ts';
import type { Project, Run } from '../helpers/cli.ts';
import type { Responded, State, Status } from '../helpers/documents.ts';
import { CALLS, CHANGES } from '../helpers/kill.ts';
import { challenged, editTopic, must, seated } from '../helpers/scenarios.ts';
import { addAgent } from '../helpers/speakers.ts';
import { AWKWARD, hash } from '../helpers/texts.ts';
import {
  countCalls,
  drop,
  failing,
  inLanes,
  leftovers,
  model,
  numbers,
  saidByTour,
  saidIn,
  theArchive,
} from '../helpers/tries.ts';

const [FIRST, SECOND, THIRD] = [AWKWARD[1]!, AWKWARD[7]!, AWKWARD[10]!];
/** The lock counts as abandoned after 5 seconds without a sign of life. */
const BEYOND_STALE_MS = 5500;
/** The tries mostly wait. */
const LANES = 8;

interface Stop {
  args: string[];
  input?: string;
  kinds: string;
  prepare: (project: Project) => Promise<unknown>;
  /** What others do while it is stopped; the second part after its lock went stale. */
  others: (project: Project, at: string) => Promise<void>;
  afterStale: (project: Project, at: string) => Promise<void>;
  /** What must be true when it has been continued and is over. */
  then: (project: Project, ended: Run, at: string) => Promise<void>;
}

/** Stops a command at each of its calls in turn, for longer than its lock lives, and lets it go on. */
async function stopEverywhere({
  args,
  input,
  kinds,
  prepare,
  others,
  afterStale,
  then,
}: Stop): Promise<void> {
  const fresh = await model(prepare);
  const whole = fresh();
  const calls = await countCalls(whole, args, { input, kinds });
  drop(whole);
  await inLanes(numbers(calls), LANES, async (n) => {
    const at = `stopped at call ${n} of ${calls}`;
    const project = fresh();
    const env = failing(project, { FAIL_AT: String(n), FAIL_WITH: 'SIGSTOP', FAIL_KINDS: kinds });
    const stopped = project.launch(args, { input, env });
    await until(`${at}: it stands`, () => isStopped(stopped.pid));
    const since = performance.now();
    await others(project, at);
    await new Promise((over) => setTimeout(over, BEYOND_STALE_MS - (performance.now() - since)));
    await afterStale(project, at);
    expect(isStopped(stopped.pid), at).toBe(true);
    process.kill(stopped.pid, 'SIGCONT');
    await then(project, await stopped.ended, at);
    expect(leftovers(project), at).toEqual([]);
    drop(project);
  });
  console.log(`stopped at each of ${calls} calls`);
}

function isStopped(pid: number): boolean {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
}

async function stateOf(project: Project): Promise<State> {
  return (await project.council<Status>(['status', '--json'])).json.councils[0]!;
}

describe('a command that is stopped for longer than its lock lives', () => {
  it('`respond`, while two others respond: all three are there', async () => {
    await stopEverywhere({
      args: ['respond', 'ann', '--json'],
      input: FIRST,
      kinds: CALLS,
      prepare: (project) => seated(project, ['ann', 'bob', 'cleo'], {}),
      others: (project) => must(project, ['respond', 'bob'], SECOND),
      afterStale: (project) => must(project, ['respond', 'cleo'], THIRD),
      async then(project, { code, json, stderr }, at) {
        expect([code, json], `${at}: ${stderr}`).toMatchObject([0, { accepted: true, participant: 'ann' }]);
        await must(project, ['tick', '--until-idle']);
        expect(saidIn(theArchive(project, at), at), at).toEqual({ ann: FIRST, bob: SECOND, cleo: THIRD });
      },
    });
  });

  it('`respond`, while the phase closes: it was there before, or it is refused and kept', async () => {
    await stopEverywhere({
      args: ['respond', 'ann', '--json'],
      input: FIRST,
      kinds: CHANGES,
      prepare: (project) => seated(project, ['ann', 'bob'], { bob: SECOND }),
      async others(project) {
        // Refused when ann's contribution has been committed before she was stopped.
        await project.council(['excuse', 'ann', '--why', 'nobody hears from her']);
      },
      afterStale: (project) => must(project, ['tick']),
      async then(project, { code, json }, at) {
        const { accepted, reason, kept } = json as Responded;
        expect([code, accepted, reason], at).toEqual(
          accepted ? [0, true, undefined] : [1, false, 'phase_closed'],
        );
        if (!accepted) expect(fs.readFileSync(kept!, 'utf8'), at).toBe(FIRST);
        await must(project, ['tick', '--until-idle']);
        const archive = theArchive(project, at);
        expect(saidIn(archive, at), at).toEqual(accepted ? { ann: FIRST, bob: SECOND } : { bob: SECOND });
        expect(
          archive.late.map((late) => late.sha256),
          at,
        ).toEqual(accepted ? [] : [hash(FIRST)]);
      },
    });
  });

  it('`respond`, while its council is archived and another takes the name: it stays with its own', async () => {
    await stopEverywhere({
      args: ['respond', 'ann', '--json'],
      input: FIRST,
      kinds: CHANGES,
      prepare: (project) => seated(project, ['ann', 'bob'], { bob: SECOND }),
      others: (project) => must(project, ['cancel', '--why', 'overtaken']),
      afterStale: (project) =>
        must(project, ['start', 'Something else', '--mode', 'synthesis', '--agents', 'ann,bob']),
      async then(project, { code, json }, at) {
        const { accepted, reason, kept } = json as Responded;
        expect([code, reason], at).toEqual(accepted ? [0, undefined] : [1, 'phase_closed']);
        const archive = theArchive(project, at);
        expect(saidIn(archive, at), at).toEqual(accepted ? { ann: FIRST, bob: SECOND } : { bob: SECOND });
        if (accepted) return;
        expect(kept, at).toContain(`/.late/${archive.meta.conversationId}/`);
        expect(fs.readFileSync(kept!, 'utf8'), at).toBe(FIRST);
        expect((await stateOf(project)).participants.ann!.status, at).toBe('WAITING');
      },
    });
  });

  it('`tick` that closes, while another one closes and a participant goes on: one transition, nothing lost', async () => {
    await stopEverywhere({
      args: ['tick', '--json'],
      kinds: CHANGES,
      async prepare(project) {
        await seated(project, ['ann', 'bob'], { ann: FIRST, bob: SECOND }, '--mode', 'debate');
      },
      others: (project) => must(project, ['tick']),
      afterStale: (project) => must(project, ['respond', 'ann'], THIRD),
      async then(project, { code, stderr }, at) {
        expect(code, `${at}: ${stderr}`).toBe(0);
        const state = await stateOf(project);
        expect([state.currentPhase, state.tour, state.participants.ann!.status], at).toEqual([
          'CHALLENGE',
          2,
          'RESPONDED',
        ]);
        await must(project, ['cancel', '--why', 'enough']);
        expect(
          theArchive(project, at).contributions.map((c) => [c.by, c.tour, c.text]),
          at,
        ).toEqual([
          ['ann', 1, FIRST],
          ['bob', 1, SECOND],
          ['ann', 2, THIRD],
        ]);
      },
    });
  });

  it('`tick` that archives, while another one archives and a new council takes the name: both are whole', async () => {
    await stopEverywhere({
      args: ['tick', '--json'],
      kinds: CHANGES,
      async prepare(project) {
        await seated(project, ['ann', 'bob'], { ann: FIRST, bob: SECOND });
        await must(project, ['tick']);
      },
      others: (project) => must(project, ['tick']),
      async afterStale(project) {
        await must(project, ['start', 'Something else', '--mode', 'synthesis', '--agents', 'ann,bob']);
        await must(project, ['respond', 'ann'], THIRD);
      },
      async then(project, { code, stderr }, at) {
        expect(code, `${at}: ${stderr}`).toBe(0);
        expect(saidIn(theArchive(project, at), at), at).toEqual({ ann: FIRST, bob: SECOND });
        const { topic, currentPhase, participants, edited } = await stateOf(project);
        expect([topic, currentPhase, participants.ann!.status, edited], at).toEqual([
          'Something else',
          'COLLECT',
          'RESPONDED',
          false,
        ]);
        await must(project, ['cancel', '--why', 'enough']);
        const name = fs
          .readdirSync(join(project.root, 'conseils'))
          .find((one) => one.endsWith('something-else.md'))!;
        const archive = readArchive(project.read(`conseils/${name}`).toString('utf8'), name);
        expect(saidIn(archive, at), at).toEqual({ ann: THIRD });
      },
    });
  });
});

describe('a command on another step that is stopped for longer than its lock lives', () => {
  it('`respond` in CHALLENGE, while the phase closes: it was there before, or it is refused and kept', async () => {
    await stopEverywhere({
      args: ['respond', 'ann', '--json'],
      input: THIRD,
      kinds: CHANGES,
      prepare: (project) => challenged(project, { bob: SECOND }),
      async others(project) {
        await project.council(['excuse', 'ann', '--why', 'nobody hears from her']);
      },
      afterStale: (project) => must(project, ['tick']),
      async then(project, { code, json }, at) {
        const { accepted, reason, kept } = json as Responded;
        expect([code, reason], at).toEqual(accepted ? [0, undefined] : [1, 'phase_closed']);
        if (!accepted) expect(fs.readFileSync(kept!, 'utf8'), at).toBe(THIRD);
        await must(project, ['cancel', '--why', 'enough']);
        expect(saidByTour(theArchive(project, at), at), at).toEqual({
          ann: FIRST,
          bob: SECOND,
          'bob 2': SECOND,
          ...(accepted && { 'ann 2': THIRD }),
        });
      },
    });
  });

  it('`tick` that closes CHALLENGE, while another one closes and a participant goes on: nothing is lost', async () => {
    await stopEverywhere({
      args: ['tick', '--json'],
      kinds: CHANGES,
      prepare: (project) => challenged(project, { ann: THIRD, bob: SECOND }),
      others: (project) => must(project, ['tick']),
      afterStale: (project) => must(project, ['respond', 'ann'], FIRST),
      async then(project, { code, stderr }, at) {
        expect(code, `${at}: ${stderr}`).toBe(0);
        const state = await stateOf(project);
        expect([state.currentPhase, state.tour], at).toEqual(['RESOLVE', 3]);
        await must(project, ['cancel', '--why', 'enough']);
        expect(saidByTour(theArchive(project, at), at), at).toEqual({
          ann: FIRST,
          bob: SECOND,
          'ann 2': THIRD,
          'bob 2': SECOND,
          'ann 3': FIRST,
        });
      },
    });
  });

  it('`start`, while another one takes the name and is spoken in: one council, and it is whole', async () => {
    await stopEverywhere({
      args: ['start', 'Mine?', '--mode', 'synthesis', '--agents', 'ann,bob', '--open', '--json'],
      kinds: CHANGES,
      async prepare(project) {
        for (const id of ['ann', 'bob']) addAgent(project, id);
      },
      async others(project) {
        await project.council(['start', 'Theirs?', '--mode', 'synthesis', '--agents', 'ann,bob', '--open']);
      },
      afterStale: (project) => must(project, ['respond', 'ann'], FIRST),
      async then(project, { code, json }, at) {
        const { topic } = await stateOf(project);
        expect(topic, at).toBe(code === 0 ? 'Mine?' : 'Theirs?');
        if (code !== 0) expect(json, at).toMatchObject({ error: { code: 'name_taken' } });
        await must(project, ['cancel', '--why', 'enough']);
        expect(saidIn(theArchive(project, at), at), at).toEqual({ ann: FIRST });
      },
    });
  });

  it('`cancel`, while others respond and tick: what was recorded is in the archive', async () => {
    const recorded = new Map<string, boolean>();
    await stopEverywhere({
      args: ['cancel', '--why', 'enough', '--json'],
      kinds: CHANGES,
      prepare: (project) => seated(project, ['ann', 'bob', 'cleo'], { ann: FIRST, bob: SECOND }),
      async others(project) {
        const { json } = await project.council<Responded>(['respond', 'cleo', '--json'], { input: THIRD });
        recorded.set(project.root, json.accepted === true);
      },
      afterStale: (project) => must(project, ['tick', '--no-launch']),
      async then(project, { code, json, stderr }, at) {
        // The tick may have closed the phase, or finished what the cancelling had begun.
        expect(code, `${at}: ${JSON.stringify(json)}${stderr}`).toBe(0);
        expect(saidIn(theArchive(project, at), at), at).toEqual({
          ann: FIRST,
          bob: SECOND,
          ...(recorded.get(project.root) && { cleo: THIRD }),
        });
      },
    });
  });

  it('`restore` of a revision, while another responds: what it takes back is kept', async () => {
    await stopEverywhere({
      args: ['restore', '2', '--json'],
      kinds: CHANGES,
      prepare: (project) => seated(project, ['ann', 'bob', 'cleo'], { ann: FIRST, bob: SECOND }, '--open'),
      others: (project) => must(project, ['respond', 'cleo'], THIRD),
      afterStale: async () => undefined,
      async then(project, { code, stderr }, at) {
        expect(code, `${at}: ${stderr}`).toBe(0);
        await must(project, ['cancel', '--why', 'enough']);
        const archive = theArchive(project, at);
        const there = [...Object.values(saidIn(archive, at)).map(hash), ...archive.late.map((l) => l.sha256)];
        for (const text of [FIRST, SECOND, THIRD]) expect(there, at).toContain(hash(text));
      },
    });
  });

  it('`adopt`, while another responds: the edit is taken or refused, and nothing is lost', async () => {
    await stopEverywhere({
      args: ['adopt', '--json'],
      kinds: CHANGES,
      async prepare(project) {
        await seated(project, ['ann', 'bob', 'cleo'], { ann: FIRST, bob: SECOND }, '--open');
        editTopic(project);
      },
      others: (project) => must(project, ['respond', 'cleo'], THIRD),
      afterStale: async () => undefined,
      async then(project, { code, json }, at) {
        if (code !== 0) expect(json, at).toMatchObject({ error: { code: 'hand_edit' } });
        expect((await stateOf(project)).topic, at).toBe(code === 0 ? 'Do we go?' : 'Do we move?');
        await must(project, ['cancel', '--why', 'enough']);
        expect(saidIn(theArchive(project, at), at), at).toEqual({ ann: FIRST, bob: SECOND, cleo: THIRD });
      },
    });
  });
});
