import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import { passDeadline } from '../helpers/deadline.ts';
import type { Responded, Status, Ticked } from '../helpers/documents.ts';
import { exported } from '../helpers/look.ts';
import { addAgent, addSpeaker, launches } from '../helpers/speakers.ts';
import { hash } from '../helpers/texts.ts';

describe('many processes at the same moment', () => {
  it('keeps all of 32 contributions that are sent at once', async () => {
    const project = await newProject();
    const ids = Array.from({ length: 32 }, (_, n) => `p${n + 1}`);
    for (const id of ids) addAgent(project, id);
    await project.council(['start', 'All at once', '--mode', 'synthesis', '--agents', ids.join(',')]);
    const text = (id: string) => `${id} says\r\n`.repeat(40);
    const runs = await Promise.all(
      ids.map((id) => project.council<Responded>(['respond', id, '--json'], { input: text(id) })),
    );
    expect(runs.map((r) => ({ code: r.code, accepted: r.json.accepted, stderr: r.stderr }))).toEqual(
      ids.map(() => ({ code: 0, accepted: true, stderr: '' })),
    );
    // Every acknowledged contribution is a revision of its own, without a gap.
    expect(runs.map((r) => r.json.revision).sort((a, b) => a - b)).toEqual(ids.map((_, n) => n + 2));
    const { json } = await project.council<Ticked>(['tick', '--until-idle', '--json']);
    const archive = await exported(project, json.councils[0]!.archive!);
    expect(archive.contributions.map((c) => `${c.participant} ${c.sha256}`)).toEqual(
      ids.map((id) => `${id} ${hash(text(id))}`),
    );
    expect(archive.absences).toEqual([]);
  });

  it('closes a phase once and launches everybody once under 20 ticks at a deadline', async () => {
    const project = await newProject();
    const release = join(project.outside, 'release');
    const programs = ['ada', 'ben', 'cleo'];
    for (const id of programs)
      addSpeaker(project, id, { CHALLENGE: { whenThere: release, say: `${id} is back` } });
    // Somebody who speaks in COLLECT gives CHALLENGE a matter, and keeps it open by silence: nothing but the deadline can
    // close a phase.
    addAgent(project, 'zoe');
    await project.council(['start', 'Twenty ticks']);
    await project.council(['respond', 'zoe'], { input: 'Begin with one.' });
    await passDeadline(project);

    let ended = 0;
    const ticks = Array.from({ length: 20 }, async () => {
      const run = await project.council<Ticked>(['tick', '--json']);
      ended++;
      return run;
    });
    await until(
      'three programs at work and no tick left that holds none',
      () => launches(project).length === 3 && ended >= 17,
    );
    writeFileSync(release, '');
    const runs = await Promise.all(ticks);

    expect(runs.map((r) => r.code)).toEqual(runs.map(() => 0));
    const councils = runs.flatMap((r) => r.json.councils);
    expect(councils.flatMap((c) => c.transitions)).toEqual([
      { from: 'COLLECT', to: 'CHALLENGE', reason: 'timeout' },
    ]);
    expect(councils.flatMap((c) => c.launched).sort()).toEqual(programs);
    expect(councils.flatMap((c) => c.failed)).toEqual([]);
    expect(
      launches(project)
        .map((l) => `${l.id} ${l.phase}`)
        .sort(),
    ).toEqual(programs.map((id) => `${id} CHALLENGE`));
    const [state] = (await project.council<Status>(['status', '--json'])).json.councils;
    expect(state).toMatchObject({ currentPhase: 'CHALLENGE', tour: 2 });
    expect(Object.values(state!.participants).map((p) => p.status)).toEqual([
      'RESPONDED',
      'RESPONDED',
      'RESPONDED',
      'WAITING',
    ]);
    expect(state!.absences.map((a) => `${a.participant} ${a.reason}`)).toEqual(
      programs.map((id) => `${id} timeout`),
    );
  });

  it('opens one council when several start it under the same name', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    const runs = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        project.council<{ error?: { code: string } }>(['start', `Topic ${n}`, '--json']),
      ),
    );
    expect(runs.map((r) => r.code).sort()).toEqual([0, 1, 1, 1, 1, 1]);
    expect(runs.flatMap((r) => r.json.error?.code ?? [])).toEqual(
      Array.from({ length: 5 }, () => 'name_taken'),
    );
    expect((await project.council<Status>(['status', '--json'])).json.councils).toMatchObject([
      { revision: 1 },
    ]);
  });

  it('makes one archive when several ticks finish the same council', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    await project.council(['start', 'One archive', '--mode', 'synthesis']);
    await project.council(['respond', 'ana'], { input: 'said' });
    await project.council(['tick']);
    const runs = await Promise.all(
      Array.from({ length: 8 }, () => project.council<Ticked>(['tick', '--json'])),
    );
    expect(runs.map((r) => ({ code: r.code, stderr: r.stderr }))).toEqual(
      runs.map(() => ({ code: 0, stderr: '' })),
    );
    const { archives } = (await project.council<{ archives: { path: string }[] }>(['list', '--json'])).json;
    expect(archives).toHaveLength(1);
    for (const { archive } of runs.flatMap((r) => r.json.councils))
      expect([null, archives[0]!.path]).toContain(archive);
  });
});
