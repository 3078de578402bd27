import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Ran } from '../helpers/documents.ts';
import { onTerminal } from '../helpers/pty.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

describe.concurrent('council demo', () => {
  it('plays every phase in a temporary folder, says that it is scripted, and writes nothing else', async () => {
    const project = await newProject({ init: false });
    const temp = join(project.outside, 'temp');
    fs.mkdirSync(temp);
    const before = fs.readdirSync(project.root);
    const { code, stdout, stderr } = await project.council(['demo'], { env: { TMPDIR: temp } });
    expect(code).toBe(0);
    expect(stderr).toContain('follow a script');
    for (const phase of ['COLLECT', 'CHALLENGE', 'RESOLVE', 'SYNTHESIZE'])
      expect(stderr).toContain(`${phase} is open`);
    expect(stdout).toContain('Use PostgreSQL');
    const [folder] = fs.readdirSync(temp);
    expect(stdout).toContain(join(temp, folder!));
    expect(fs.readdirSync(join(temp, folder!)).sort()).toEqual(['config', 'queue', 'state']);
    expect(fs.readdirSync(join(temp, folder!, 'queue/conseils'))).toHaveLength(1);
    expect(fs.readdirSync(project.root)).toEqual(before);
  });

  it('prints one document with --json', async () => {
    const project = await newProject({ init: false });
    const { json } = await project.council<Ran & { folder: string }>(['demo', '--json'], {
      env: { TMPDIR: project.outside },
    });
    expect(json).toMatchObject({
      status: 'COMPLETED',
      by: 'maman',
      folder: expect.stringContaining('council-demo-') as string,
    });
  });

  long('shows every phase on the live view, and who is at work in it', async () => {
    const project = await newProject({ init: false });
    const demo = onTerminal(project, ['demo'], { columns: 80, env: { TMPDIR: project.outside } });
    await demo.shows('follow a script');
    for (const [phase, at] of [
      ['COLLECT', /sage +\d+ s/],
      ['CHALLENGE', /sage +\d+ s/],
      ['RESOLVE', /sage +\d+ s/],
      ['SYNTHESIZE', /coordinator +\d+ s/],
    ] as const) {
      await demo.shows(`${phase} is open`);
      await demo.shows(at);
    }
    expect((await demo.ended).code).toBe(0);
    expect((await demo.lines()).join('\n')).toMatch(/Use PostgreSQL[^]*Archive: conseils/);
  });
});
