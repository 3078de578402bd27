import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject, runs } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Started, Ticked } from '../helpers/documents.ts';
import { addAgent, addSpeaker } from '../helpers/speakers.ts';

interface Notice {
  event: string;
  name: string;
  conversationId: string;
  topic: string;
  phase: string;
  tour: number;
  deadline: string;
  participant?: string;
  reason?: string;
  path?: string;
}

/** Has every notice written to a file outside the project. */
function withNotices(project: Project): () => Notice[] {
  const log = join(project.outside, 'notices.jsonl');
  const program = `let text = ''; for await (const part of process.stdin) text += part; (await import('node:fs')).appendFileSync(${JSON.stringify(log)}, text + '\\n');`;
  project.write('notify.mjs', program);
  project.write('COUNCIL.md', `---\nnotify: ${JSON.stringify([process.execPath, 'notify.mjs'])}\n---\n`);
  return () =>
    fs.existsSync(log)
      ? fs
          .readFileSync(log, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Notice)
      : [];
}

describe.concurrent('the notify command', () => {
  it('gets every notice as one JSON document on stdin', async () => {
    const project = await newProject();
    const notices = withNotices(project);
    addSpeaker(project, 'ada');
    addSpeaker(project, 'maman', { SYNTHESIZE: { say: 'In short.' } });
    addAgent(project, 'ana');
    const { json: opened } = await project.council<Started>([
      'start',
      'Tell me',
      '--mode',
      'synthesis',
      '--coordinator',
      'maman',
      '--json',
    ]);
    const common = { name: 'active-conversation', conversationId: opened.conversationId, topic: 'Tell me' };
    expect(notices()).toEqual([
      {
        event: 'phase_opened',
        ...common,
        phase: 'COLLECT',
        tour: 1,
        deadline: opened.timeoutAt,
        people: ['ana'],
      },
    ]);
    await project.council(['excuse', 'ana', '--why', 'away']);
    const { json } = await project.council<Ticked>(['tick', '--until-idle', '--json']);
    const told = notices().slice(1);
    // Notices of one commit are sent together.
    expect(
      told
        .slice(0, 3)
        .map((n) => n.event)
        .sort(),
    ).toEqual(['absent', 'phase_opened', 'synthesis_wanted']);
    expect(told.find((n) => n.event === 'absent')).toMatchObject({
      ...common,
      phase: 'COLLECT',
      tour: 1,
      participant: 'ana',
      reason: 'excused: away',
    });
    expect(told.find((n) => n.event === 'phase_opened')).toMatchObject({
      ...common,
      phase: 'SYNTHESIZE',
      tour: 2,
      people: [],
    });
    expect(told.find((n) => n.event === 'synthesis_wanted')).toMatchObject({
      ...common,
      phase: 'SYNTHESIZE',
      participant: 'maman',
    });
    expect(told.slice(3)).toMatchObject([{ event: 'archived', ...common, path: json.councils[0]!.archive }]);
  });

  it('is told about a cancelled council', async () => {
    const project = await newProject();
    const notices = withNotices(project);
    addAgent(project, 'ana');
    await project.council(['start', 'Tell me', '--rule', 'none']);
    const { json } = await project.council<{ archive: string }>(['cancel', '--why', 'enough', '--json']);
    expect(
      notices()
        .map((n) => n.event)
        .sort(),
    ).toEqual(['absent', 'archived', 'phase_opened']);
    expect(notices().find((n) => n.event === 'archived')!.path).toBe(json.archive);
  });

  it('fault 11: keeps nobody waiting for what it puts into the background, which ends with it', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    const pid = join(project.outside, 'pid');
    const script = `cat > /dev/null; sleep 3600 & echo $! > ${pid}; exit 0`;
    project.write('COUNCIL.md', `---\nnotify: ${JSON.stringify(['sh', '-c', script])}\n---\n`);
    const { code, stderr } = await project.council(['start', 'Tell me', '--rule', 'none']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(runs(Number(fs.readFileSync(pid, 'utf8')))).toBe(false);
  });

  it('only warns when it fails: the council does not depend on it', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada');
    for (const notify of [['no-such-program-anywhere'], [process.execPath, '-e', 'process.exit(5)']]) {
      project.write('COUNCIL.md', `---\nnotify: ${JSON.stringify(notify)}\n---\n`);
      const { code, stderr } = await project.council(['run', 'Tell nobody', '--mode', 'synthesis']);
      expect({ code, stderr }).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('The notify command failed') as string,
      });
    }
  });
});
