import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { dangerIn, documentOf, elementsIn } from '../helpers/html.ts';
import { addAgent, addSpeaker } from '../helpers/speakers.ts';

interface Written {
  format: string;
  path: string;
  bytes: number;
}

const headings = (html: string): string[] =>
  elementsIn(documentOf(html))
    .filter(({ name }) => name === 'h2')
    .map(({ text }) => text);

describe('exported pages and pictures', () => {
  let project: Project;
  beforeAll(async () => {
    project = await newProject();
    const first = '---\nposition: Object storage\n---\nA **rollback** is cheap. <img src=x onerror=alert(1)>';
    addSpeaker(project, 'ada', { any: { say: first } });
    addSpeaker(project, 'ben', {
      any: { say: '---\nposition: Disks\n---\nDisks <script>alert(1)</script> are there.' },
    });
    await project.council([
      'run',
      'Où garder les fichiers ?',
      '--quiet',
      '--agents',
      'ada,ben',
      '--mode',
      'synthesis',
      '--lang',
      'fr',
      '--name',
      'files',
    ]);
  });

  it('are files, of which JSON tells the path and the bytes', async () => {
    const { code, json } = await project.council<Written>([
      'export',
      'files',
      '--format',
      'html',
      '--output',
      'files.html',
      '--json',
    ]);
    const html = readFileSync(join(project.root, 'files.html'), 'utf8');
    expect({ code, ...json }).toEqual({
      code: 0,
      format: 'html',
      path: join(project.root, 'files.html'),
      bytes: Buffer.byteLength(html),
    });
    expect(headings(html)).toEqual(
      expect.arrayContaining(['Décision', 'Désaccords', 'Comment les positions ont évolué', 'Chronologie']),
    );
    expect(html).toContain('<strong>rollback</strong>');
    expect(dangerIn(documentOf(html))).toEqual([]);
  });

  it('go to stdout without a file', async () => {
    const page = await project.council(['export', 'files', '--format', 'html']);
    expect(page.stdout).toMatch(/^<!doctype html>/);
    const picture = await project.council(['export', 'files', '--format', 'svg']);
    expect(picture.stdout).toMatch(/^<svg[^]*<\/svg>\s*$/);
    expect(picture.stdout).toContain('Disks');
  });

  it('are refused with the way on where there is nothing to draw or to export', async () => {
    addSpeaker(project, 'cleo', { any: { say: 'No position.' } });
    await project.council([
      'run',
      'Quiet',
      '--quiet',
      '--agents',
      'cleo',
      '--mode',
      'synthesis',
      '--name',
      'quiet',
    ]);
    const picture = await project.council(['export', 'quiet', '--format', 'svg', '--json']);
    expect(picture.code).toBe(1);
    expect(picture.stderr + picture.stdout).toMatch(/nothing to draw[^]*--format html/);
    const nothing = await project.council(['export', 'nothing', '--format', 'html', '--json']);
    expect(nothing.code).toBe(2);
    expect(nothing.stderr + nothing.stdout).toContain('no active council and no archive');
  });

  it('show of a council that goes on what has closed, and nothing while COLLECT is blind', async () => {
    for (const id of ['dan', 'eve']) addAgent(project, id);
    await project.council(['start', 'Which?', '--agents', 'dan,eve', '--mode', 'debate', '--name', 'active']);
    await project.council(['respond', 'dan', '--name', 'active'], {
      input: '---\nposition: CANARYONE\n---\nCANARYTWO words.',
    });
    const page = async () => (await project.council(['export', 'active', '--format', 'html'])).stdout;
    const blind = await page();
    expect(blind).toContain('COLLECT (round 1) is open until');
    expect(blind).not.toContain('CANARY');
    await project.council(['respond', 'eve', '--name', 'active'], {
      input: '---\nposition: Other\n---\nOther words.',
    });
    await project.council(['tick']);
    await project.council(['respond', 'eve', '--name', 'active'], {
      input: 'CANARYTHREE is not to be seen yet.',
    });
    const open = await page();
    expect(open).toContain('CHALLENGE (round 2) is open until');
    expect(open).toContain('CANARYTWO');
    expect(open).not.toContain('CANARYTHREE');
    const md = await project.council(['export', 'active', '--json']);
    expect(md.code).toBe(2);
    expect(md.stderr + md.stdout).toMatch(/has not ended[^]*export active --format html/);
  });
});
