import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Running } from '../helpers/cli.ts';
import { addAgent, addSpeaker } from '../helpers/speakers.ts';

const NEVER = ['--every', '0 0 1 1 *', '--active', '0 0 1 1 *'];

type Event = { event: string; at: string; council: string } & Record<string, unknown>;

/** Every line is one JSON object. */
const eventsIn = (lines: string[]): Event[] => lines.map((line) => JSON.parse(line) as Event);

/** What has been printed so far, without the notes beside it. */
const soFar = ({ output }: Running): Event[] =>
  eventsIn(
    output()
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{')),
  );

async function stopped({ child, ended }: Running): Promise<Event[]> {
  child.kill('SIGINT');
  return eventsIn((await ended).stdout.trimEnd().split('\n'));
}

describe.concurrent('one event a line', () => {
  it('from heartbeat, without a word of what was said', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { any: { say: 'BLUE-WHALE' } });
    addSpeaker(project, 'crash', {
      any: { exit: 1, stderr: 'Not logged in · Please run /login BLUE-WHALE' },
    });
    await project.council(['start', 'Go?', '--mode', 'synthesis']);
    const beat = project.launch(['heartbeat', '--json', ...NEVER]);
    await until('it is archived', () => soFar(beat).some(({ event }) => event === 'archived'));
    const events = await stopped(beat);
    const of = (event: string) => events.filter((one) => one.event === event);
    for (const { at, council } of events) {
      expect(at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      expect(council).toBe('active-conversation');
    }
    expect(of('launching')[0]).toMatchObject({
      phase: 'COLLECT',
      tour: 1,
      participants: ['ada', 'crash'],
      people: [],
    });
    expect(of('launched')).toHaveLength(2);
    expect(of('recorded')).toMatchObject([{ participant: 'ada' }]);
    expect(of('recorded')[0]).not.toHaveProperty('bytes');
    const launching = of('launching').map(({ at: _at, ...facts }) => JSON.stringify(facts));
    expect(new Set(launching).size).toBe(launching.length);
    expect(of('attempt_failed')).toMatchObject([
      {
        participant: 'crash',
        attempt: 1,
        next: 'absent',
        reason: expect.stringContaining('not logged in (exit code 1)') as string,
      },
    ]);
    expect(of('said')).toMatchObject([{ phase: 'COLLECT', participants: ['ada'] }]);
    expect(of('phase_opened')).toMatchObject([{ phase: 'SYNTHESIZE', tour: 2 }]);
    const told = JSON.stringify([of('launched'), of('recorded'), of('said'), of('attempt_failed')]);
    expect(told).not.toContain('WHALE');
  });

  it('from watch: every revision, and the end', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    await project.council(['start', 'Go?', '--mode', 'synthesis']);
    const watch = project.launch(['watch', '--json']);
    await until('it has looked', () => soFar(watch).length === 1);
    await project.council(['respond', 'ana'], { input: 'Yes.' });
    await project.council(['tick', '--until-idle']);
    await until('the end is told', () => soFar(watch).some(({ event }) => event === 'ended'));
    const events = await stopped(watch);
    expect(events[0]).toMatchObject({
      event: 'revision',
      council: 'active-conversation',
      phase: 'COLLECT',
      tour: 1,
      participants: { ana: { status: 'WAITING', attempts: 0, absent: null, speaking: false } },
    });
    const revisions = events.flatMap(({ revision }) => (typeof revision === 'number' ? [revision] : []));
    expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
    expect(events.at(-1)).toMatchObject({ event: 'ended', council: 'active-conversation' });
  });
});

describe('a tick', () => {
  it('tells the change of a phase once', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada');
    await project.council(['start', 'Go?', '--mode', 'debate']);
    await project.council(['tick']);
    const { stdout, stderr } = await project.council(['tick']);
    expect(stdout).toMatch(/COLLECT -> CHALLENGE/);
    expect(stderr).not.toContain('CHALLENGE is open');
  });
});
