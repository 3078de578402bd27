import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Failed, Responded, Started, Status, Ticked, Viewed } from '../helpers/documents.ts';
import { exported, stateOf } from '../helpers/look.ts';
import { addAgent, addSpeaker } from '../helpers/speakers.ts';
import { hash } from '../helpers/texts.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

async function withPeople(...ids: string[]): Promise<Project> {
  const project = await newProject();
  for (const id of ids) addAgent(project, id);
  return project;
}

describe.concurrent('a council with people', () => {
  it('waits for each of them and goes on when they have responded', async () => {
    const project = await withPeople('ana', 'bob');
    addSpeaker(project, 'coord', { SYNTHESIZE: { say: 'In short: yes.' } });
    await project.council(['start', 'Ours?', '--coordinator', 'coord']);
    const running = project.launch(['run', '--resume', '--json']);
    const archived = project.launch(['wait', '--for', 'archived', '--json']);
    for (const phase of ['COLLECT', 'CHALLENGE', 'RESOLVE']) {
      const turn = await project.council(['wait', '--for', `phase:${phase}`, '--timeout', '30s', '--json']);
      expect(turn.json).toMatchObject({ for: `phase:${phase}`, phase, archived: false });
      for (const id of ['ana', 'bob']) {
        expect((await project.council(['wait', '--for', `turn:${id}`, '--timeout', '30s'])).code).toBe(0);
        const view = await project.council<Viewed>(['view', id, '--json']);
        expect(view.json).toMatchObject({ participant: id, phase });
        expect(view.json.prompt).toContain(`council respond ${id} --name active-conversation`);
        expect(
          (await project.council(['respond', id, '--file', '-'], { input: `${id} says this in ${phase}` }))
            .code,
        ).toBe(0);
      }
    }
    const [run, waited] = await Promise.all([running.ended, archived.ended]);
    expect({ code: run.code, json: run.json }).toMatchObject({
      code: 0,
      json: { status: 'COMPLETED', synthesis: 'In short: yes.' },
    });
    expect(run.stderr).toContain('Waiting for ana, bob in CHALLENGE');
    expect({ code: waited.code, json: waited.json }).toMatchObject({
      code: 0,
      json: { archived: true, phase: null },
    });
    expect((await exported(project, (run.json as { archive: string }).archive)).contributions).toHaveLength(
      7,
    );
  });

  long('gives up waiting with exit 124, and says what cannot be waited for', async () => {
    const project = await withPeople('ana');
    await project.council(['start', 'Wait?']);
    const late = await project.council<Failed>([
      'wait',
      '--for',
      'phase:RESOLVE',
      '--timeout',
      '50ms',
      '--json',
    ]);
    expect({ code: late.code, error: late.json.error.code }).toEqual({ code: 124, error: 'timed_out' });
    const nonsense = await project.council<Failed>(['wait', '--for', 'rain', '--json']);
    expect({ code: nonsense.code, error: nonsense.json.error.code }).toEqual({ code: 2, error: 'usage' });
    const stranger = await project.council<Failed>(['wait', '--for', 'turn:zoe', '--json']);
    expect({ code: stranger.code, error: stranger.json.error.code }).toEqual({
      code: 2,
      error: 'unknown_agent',
    });
  });

  it('is revealed and archived at once when it is cancelled', async () => {
    const project = await withPeople('ana', 'bob');
    const { json: opened } = await project.council<Started>(['start', 'Cancel me', '--json']);
    await project.council(['respond', 'ana'], { input: 'sealed until now' });
    const { code, json } = await project.council<{ archive: string; status: string }>([
      'cancel',
      '--why',
      'overtaken by events',
      '--json',
    ]);
    expect({ code, ...json }).toMatchObject({
      code: 0,
      status: 'CANCELLED',
      conversationId: opened.conversationId,
      why: 'overtaken by events',
    });
    const archive = await exported(project, json.archive);
    expect(archive.meta).toMatchObject({ status: 'CANCELLED', why: 'overtaken by events' });
    expect(archive.contributions).toMatchObject([
      { participant: 'ana', text: 'sealed until now', sha256: hash('sealed until now') },
    ]);
    expect(archive.absences).toMatchObject([{ participant: 'bob', reason: 'cancelled' }]);
    expect(archive.synthesis.computed).toBe(true);
    const late = await project.council<Failed>(['respond', 'bob', '--json'], { input: 'too late' });
    expect({ code: late.code, error: late.json.error.code }).toEqual({ code: 2, error: 'unknown_council' });
  });

  it('no longer waits for somebody who is excused, and still takes what they say', async () => {
    const project = await withPeople('ana', 'bob');
    await project.council(['start', 'Excuse?', '--mode', 'synthesis']);
    await project.council(['respond', 'ana'], { input: 'here' });
    const { code, json } = await project.council(['excuse', 'bob', '--why', 'on holiday', '--json']);
    expect({ code, json }).toMatchObject({
      code: 0,
      json: { participant: 'bob', phase: 'COLLECT', tour: 1, why: 'on holiday' },
    });
    expect((await stateOf(project)).participants.bob).toMatchObject({
      status: 'WAITING',
      absent: 'excused: on holiday',
    });
    const again = await project.council<Failed>(['excuse', 'bob', '--why', 'again', '--json']);
    expect({ code: again.code, error: again.json.error.code }).toEqual({ code: 1, error: 'not_your_turn' });
    expect((await project.council(['respond', 'bob'], { input: 'back early' })).code).toBe(0);
    await project.council(['excuse', 'bob', '--why', 'no effect']);
    const { json: done } = await project.council<Ticked>(['tick', '--until-idle', '--json']);
    const archive = await exported(project, done.councils[0]!.archive!);
    expect({ absences: archive.absences, said: archive.contributions.map((c) => c.text) }).toEqual({
      absences: [],
      said: ['here', 'back early'],
    });
  });

  long('closes without an excused participant, and counts it as absent', async () => {
    const project = await withPeople('ana', 'bob');
    await project.council(['start', 'Excuse?', '--mode', 'synthesis']);
    await project.council(['respond', 'ana'], { input: 'here' });
    await project.council(['excuse', 'bob', '--why', 'on holiday']);
    const { json } = await project.council<Ticked>(['tick', '--until-idle', '--json']);
    expect(json.councils[0]).toMatchObject({
      to: 'ARCHIVED',
      transitions: [{ reason: 'all-responded' }, {}],
    });
    const archive = await exported(project, json.councils[0]!.archive!);
    expect(archive.absences).toMatchObject([{ participant: 'bob', reason: 'excused: on holiday' }]);
    expect(archive.synthesis.text).toContain('1 of 2');
  });

  long('gets more time with extend, also after the deadline', async () => {
    const project = await withPeople('ana');
    const { json: opened } = await project.council<Started>([
      'start',
      'More time?',
      '--timeout',
      '1s',
      '--json',
    ]);
    const { code, json } = await project.council<{ timeoutAt: string }>(['extend', '1h', '--json']);
    expect({ code, json }).toMatchObject({ code: 0, json: { phase: 'COLLECT', tour: 1 } });
    expect(Date.parse(json.timeoutAt) - Date.parse(opened.timeoutAt)).toBeGreaterThanOrEqual(3_600_000);
    expect((await stateOf(project)).timeoutAt).toBe(json.timeoutAt);
    expect((await project.council<Ticked>(['tick', '--json'])).json.councils[0]!.transitions).toEqual([]);
    const wrong = await project.council<Failed>(['extend', 'soon', '--json']);
    expect({ code: wrong.code, error: wrong.json.error.code }).toEqual({ code: 2, error: 'usage' });
  });

  long('is open at once with --open, and says so', async () => {
    const project = await withPeople('ana', 'bob');
    const { stderr } = await project.council(['start', 'Open?', '--open']);
    expect(stderr).toMatch(/not blind: contributions to COLLECT are visible at once/);
    await project.council(['respond', 'ana'], { input: 'everybody can read this' });
    const state = await stateOf(project);
    expect(state.blind).toBe(false);
    expect(project.read('memory/shared/council-active-conversation.md').toString()).toContain(
      'everybody can read this',
    );
    const { json } = await project.council<Viewed>(['view', 'bob', '--json']);
    expect(json.contributions).toMatchObject([{ phase: 'COLLECT', text: 'everybody can read this' }]);
    expect(json.prompt).toContain('everybody can read this');
  });

  long('keeps a participant that is done done, agreed or not', async () => {
    const project = await withPeople('ana', 'bob', 'cid');
    await project.council(['start', 'Done?']);
    await project.council(['respond', 'ana', '--done', '--agree'], { input: 'all said' });
    await project.council(['respond', 'bob', '--block', 'No plan', '--block', 'No budget'], {
      input: 'not yet',
    });
    await project.council(['respond', 'cid'], { input: '---\nposition: Yes\ndone: true\n---\nfine' });
    const { json } = await project.council<Ticked>(['tick', '--json']);
    expect(json.councils[0]).toMatchObject({ from: 'COLLECT', to: 'CHALLENGE' });
    const { participants, convergence } = await stateOf(project);
    expect(participants.ana).toMatchObject({ status: 'DONE', agreed: true });
    expect(participants.bob).toMatchObject({ status: 'WAITING', blocking: ['No plan', 'No budget'] });
    expect(participants.cid).toMatchObject({ status: 'DONE', position: 'Yes', agreed: false });
    expect(convergence.blockingIssues).toEqual([
      { by: 'bob', issue: 'No plan' },
      { by: 'bob', issue: 'No budget' },
    ]);
    const view = (await project.council<Viewed>(['view', 'ana', '--json'])).json;
    expect(view.prompt).not.toContain('council respond ana');
    const more = await project.council<Responded>(['respond', 'ana', '--json'], { input: 'one more thing' });
    expect(more).toMatchObject({ code: 0, json: { accepted: true, phase: 'CHALLENGE', tour: 2 } });
    expect((await stateOf(project)).participants.ana!.status).toBe('DONE');
  });
});

describe.concurrent('several councils at once', () => {
  long('keeps them apart by name', async () => {
    const project = await withPeople('ana', 'bob');
    for (const name of ['alpha', 'beta', 'gamma'])
      await project.council(['start', `About ${name}`, '--mode', 'synthesis', '--name', name]);
    const all = await project.council<Status>(['status', '--json']);
    expect(all.json.councils.map((c) => c.name)).toEqual(['alpha', 'beta', 'gamma']);
    expect(
      (await project.council<Status>(['status', '--name', 'beta', '--json'])).json.councils.map(
        (c) => c.topic,
      ),
    ).toEqual(['About beta']);
    const which = await project.council<Failed>(['respond', 'ana', '--json'], { input: 'for whom?' });
    expect({ code: which.code, error: which.json.error.code }).toEqual({ code: 2, error: 'unknown_council' });
    expect(which.json.error.hint).toContain('alpha, beta, gamma');
    // What was piped in is nowhere else.
    expect(readFileSync(String(which.json.error.kept), 'utf8')).toBe('for whom?');
    for (const id of ['ana', 'bob'])
      await project.council(['respond', id, '--name', 'beta'], { input: `${id} on beta` });
    expect(
      (await project.council(['respond', 'ana'], { input: 'by variable', env: { COUNCIL_NAME: 'gamma' } }))
        .code,
    ).toBe(0);
    const { json } = await project.council<Ticked>(['tick', '--json']);
    expect(json.councils.map((c) => `${c.name} ${c.from} ${c.to}`)).toEqual([
      'alpha COLLECT COLLECT',
      'beta COLLECT SYNTHESIZE',
      'gamma COLLECT COLLECT',
    ]);
    const one = await project.council<Ticked>(['tick', '--name', 'beta', '--json']);
    expect(one.json.councils).toMatchObject([{ name: 'beta', from: 'SYNTHESIZE', to: 'ARCHIVED' }]);
    expect((await project.council<Status>(['status', '--json'])).json.councils.map((c) => c.name)).toEqual([
      'alpha',
      'gamma',
    ]);
    expect((await stateOf(project, 'gamma')).participants).toMatchObject({
      ana: { status: 'RESPONDED' },
      bob: { status: 'WAITING' },
    });
    const taken = await project.council<Failed>(['start', 'Again', '--name', 'alpha', '--json']);
    expect({ code: taken.code, error: taken.json.error.code }).toEqual({ code: 1, error: 'name_taken' });
    const reused = await project.council<Started>(['start', 'Beta again', '--name', 'beta', '--json']);
    expect(reused.code).toBe(0);
    expect(reused.json.conversationId).not.toBe(one.json.councils[0]!.conversationId);
    // Numbering goes on for that name for ever.
    expect(reused.json.revision).toBeGreaterThan(5);
  });

  long('gives councils of the same topic archives of their own', async () => {
    const project = await withPeople('ana');
    for (const name of ['one', 'two', 'three'])
      await project.council(['start', 'Same topic', '--mode', 'synthesis', '--name', name]);
    for (const name of ['one', 'two', 'three'])
      await project.council(['respond', 'ana', '--name', name], { input: `said in ${name}` });
    const { json } = await project.council<Ticked>(['tick', '--until-idle', '--json']);
    const paths = json.councils.map((c) => c.archive!);
    expect(paths.map((path) => path.replace(/^conseils\/[\d-]{10}-/, '')).sort()).toEqual([
      'same-topic-2.md',
      'same-topic-3.md',
      'same-topic.md',
    ]);
    for (const { name, archive } of json.councils)
      expect((await exported(project, archive!)).contributions[0]!.text).toBe(`said in ${name}`);
  });
});
