import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject, runs, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Ran } from '../helpers/documents.ts';
import { exported, stateOf } from '../helpers/look.ts';
import { must } from '../helpers/scenarios.ts';
import { addSpeaker, launches } from '../helpers/speakers.ts';
import { leftovers, theArchive } from '../helpers/tries.ts';

const POOR = 'PostgreSQL, because it runs here and everybody on call knows it.\n';
const FORM = '```yaml\nposition: "Use PostgreSQL"\nconfidence: 0.9\n```\n';
const GOOD = `position: use postgresql.\n\nRedis would be new.\n`;
const ONCE = { repair: 1 };
/** As often as COUNCIL.md says, or the default. */
const UNSAID = { repair: undefined };
const RUN = ['run', 'Which queue?', '--mode', 'synthesis', '--rule', 'majority'];

/** The one more question has no line that names the phase: the steps for `any` answer it. */
const asksAgain = (project: Project, id: string) =>
  launches(project).filter((launch) => launch.id === id && launch.phase === '');

const contributionOf = (project: Project, id: string) =>
  theArchive(project).contributions.find(({ by }) => by === id)!;

describe.concurrent('an agent whose answer lacks a position', () => {
  it('is asked once more by `run`, and what it adds is part of its contribution', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { COLLECT: { say: POOR }, any: { say: FORM } }, ONCE);
    addSpeaker(project, 'bob', { COLLECT: { say: GOOD } }, ONCE);
    // One repeats itself, one says nothing, and one hangs until it has been silent for too it.
    addSpeaker(project, 'cleo', { any: { say: POOR } }, ONCE);
    addSpeaker(project, 'dan', { COLLECT: { say: POOR }, any: { say: '' } }, ONCE);
    addSpeaker(
      project,
      'eve',
      { COLLECT: { say: POOR }, any: { hang: true } },
      { ...ONCE, inactivity: '3s' },
    );
    const { code, json, stderr } = await project.council<Ran>([...RUN, '--json']);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('once more')]);
    expect(json.status).toBe('COMPLETED');
    expect(contributionOf(project, 'ada')).toMatchObject({
      text: `${POOR}\n${FORM}`,
      position: 'Use PostgreSQL',
      parts: [POOR.length + 1, FORM.length],
    });
    for (const id of ['cleo', 'dan', 'eve']) {
      const { text, position, parts } = contributionOf(project, id);
      expect([id, text, position, parts]).toEqual([id, POOR, undefined, undefined]);
      expect(launches(project).filter((launch) => launch.id === id)).toHaveLength(2);
    }
    expect(asksAgain(project, 'bob')).toEqual([]);
    expect(theArchive(project).meta.decision?.votes).toEqual({ 'Use PostgreSQL': 2 });
    const question = asksAgain(project, 'ada')[0]!;
    expect(question.input).toContain(POOR.trim());
    expect(question.input).toContain('---\nposition:\n---');
    const { contributions } = await exported(project, json.archive);
    expect(contributions.find(({ participant }) => participant === 'ada')).toMatchObject({
      parts: [POOR.length + 1, FORM.length],
    });
    expect(leftovers(project)).toEqual([]);
  });

  it('is asked for a vote, or answers to challenges, and for nothing that it has given', async () => {
    const project = await newProject();
    project.write('COUNCIL.md', '---\nrepair: 1\n---\n');
    const challenge = '@ada.1 Who says so?\n\n@ada.1 And who pays for it?\n';
    addSpeaker(
      project,
      'ada',
      {
        COLLECT: { say: `---\nposition: Use PostgreSQL\n---\n\nThe queue should live in PostgreSQL.\n` },
        CHALLENGE: { say: 'Nothing to add.\n' },
        RESOLVE: { say: '---\nvote: Use PostgreSQL\n---\n\nc1 rejected: it was measured.\n' },
        any: { say: 'c1 conceded: no.\n\nc2 answered: the platform team does.\n' },
      },
      UNSAID,
    );
    addSpeaker(
      project,
      'bob',
      {
        COLLECT: { say: '---\nposition: Use Redis\n---\n\nPolling a table is slow.\n' },
        CHALLENGE: { say: challenge },
        RESOLVE: { say: 'I stay with it, whatever they say.\n' },
        any: { say: '```\nvote: P2\napprove: P1\n```\n' },
      },
      UNSAID,
    );
    const { code, stderr } = await project.council([
      'run',
      'Which queue?',
      '--rule',
      'majority',
      '--no-advocate',
    ]);
    expect(code).toBe(0);
    expect(stderr).toContain('asking ada once more, for what is missing: c2');
    expect(asksAgain(project, 'ada')).toHaveLength(1);
    expect(asksAgain(project, 'ada')[0]!.input).toContain('And who pays for it?');
    expect(asksAgain(project, 'ada')[0]!.input).not.toContain('Who says so?');
    expect(stderr).toContain('asking bob once more, for what is missing: vote');
    expect(asksAgain(project, 'bob')[0]!.input).toContain('P1: Use PostgreSQL\nP2: Use Redis');
    const voted = theArchive(project).contributions.findLast(({ by }) => by === 'bob');
    expect(voted).toMatchObject({ vote: 'P2', position: 'Use Redis', parts: [36, 29] });
    // It was asked for a vote alone.
    expect(voted).not.toHaveProperty('approve');
    const { ledger } = theArchive(project).meta;
    expect(ledger?.challenges.map(({ id, status }) => [id, status])).toEqual([
      ['c1', 'rejected'],
      ['c2', 'answered'],
    ]);
  });
});

describe.concurrent('a tick that is killed while an agent is asked once more', () => {
  it('leaves the first answer to the next tick, which ends what still runs and launches nobody', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { COLLECT: { say: POOR }, any: { hang: true, stubborn: true } }, ONCE);
    addSpeaker(project, 'bob', { any: { say: GOOD } });
    await must(project, ['start', ...RUN.slice(1)]);
    const tick = project.launch(['tick']);
    await until('ada is asked once more', () => asksAgain(project, 'ada').length === 1);
    await until(
      'bob is recorded',
      async () => (await stateOf(project)).participants.bob!.status === 'RESPONDED',
    );
    process.kill(tick.pid, 'SIGKILL');
    await tick.ended;
    const { pid } = asksAgain(project, 'ada')[0]!;
    // What is recovered by one tick is closed by the next one.
    await must(project, ['tick']);
    await must(project, ['tick', '--until-idle']);
    await until('the question is over', () => !runs(pid));
    expect(contributionOf(project, 'ada').text).toBe(POOR);
    expect(launches(project).filter(({ id }) => id === 'ada')).toHaveLength(2);
    expect(theArchive(project).absences).toEqual([]);
  });

  it('records the first answer when Ctrl-C ends the question', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { COLLECT: { say: POOR }, any: { hang: true } }, ONCE);
    await must(project, ['start', ...RUN.slice(1), '--agents', 'ada']);
    const tick = project.launch(['tick']);
    await until('ada is asked once more', () => asksAgain(project, 'ada').length === 1);
    process.kill(tick.pid, 'SIGINT');
    await tick.ended;
    const { participants } = await stateOf(project);
    expect(participants.ada).toMatchObject({ status: 'RESPONDED', lease: null, attempts: 1 });
    expect(runs(asksAgain(project, 'ada')[0]!.pid)).toBe(false);
  });
});

describe('a position that is none of the options', () => {
  it('is recorded, and its author asked once for one of them', async () => {
    const project = await newProject();
    addSpeaker(
      project,
      'ada',
      {
        COLLECT: { say: 'position: Kafka\n\nIt scales.' },
        any: { say: '---\nposition: Redis\n---\n' },
      },
      UNSAID,
    );
    addSpeaker(project, 'bob', { COLLECT: { say: 'position: Redis\n\nYes.' } });
    const { code } = await project.council([...RUN, '--option', 'Redis', '--option', 'PostgreSQL']);
    expect(code).toBe(0);
    const inputs = launches(project).flatMap(({ id, input }) => (id === 'ada' ? [input] : []));
    expect(
      inputs.map((input) => input.includes('The position that you state is none of the options')),
    ).toEqual([false, true]);
    expect(fs.existsSync(join(project.root, 'memory/shared/council-active-conversation.md'))).toBe(false);
  });
});
