// What a heartbeat tells of what fails again and again.
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import { addAgent } from '../helpers/speakers.ts';

const NEVER = ['--every', '0 0 1 1 *', '--active', '0 0 1 1 *'];

describe('a heartbeat', () => {
  it('tells once what keeps a council from being read, and when that is over', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    await project.council(['start', 'Damaged', '--mode', 'synthesis', '--name', 'damaged']);
    const inTheWay = join(project.root, 'memory/shared/.versions/damaged/2.md');
    fs.mkdirSync(inTheWay);
    const beat = project.launch(['heartbeat', ...NEVER]);
    const told = (): string[] =>
      beat
        .output()
        .split('\n')
        .filter((line) => line.startsWith('council "damaged"'));
    await until('it is told', () => told().length > 0);
    await project.council(['start', 'Sound', '--mode', 'synthesis', '--timeout', '1s']);
    await until('later passes have closed the other one', () => project.archives().length === 1);
    fs.rmdirSync(inTheWay);
    await project.council(['start', 'Another', '--mode', 'synthesis']);
    await until('that it is over is told', () => beat.output().includes('Over now: council "damaged"'));
    beat.child.kill('SIGINT');
    expect((await beat.ended).code).toBe(0);
    expect(told()).toHaveLength(1);
  });
});
