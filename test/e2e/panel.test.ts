import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Ran } from '../helpers/documents.ts';
import { exported } from '../helpers/look.ts';
import { pathWith } from '../helpers/programs.ts';
import { addAgent } from '../helpers/speakers.ts';
import { hash } from '../helpers/texts.ts';

const DOCUMENT = `# Our new service

The service was built in order to be very fast. Basically everybody can simply use it, and it is obviously easy.

### Skipped a level

The master server talks to each slave. See [here](#nowhere). Many users are happy.

`;

/** Without what is another in every run: who has which label, and the day. */
const settled = (text: string): string[] =>
  text
    .replace(/Participant [A-D] is [^,.]+[,.]|`[a-d]\.1`/g, '')
    .replace(/Participant [A-D]/g, 'Participant')
    .replace(/\d{4}-\d\d-\d\d/g, 'DAY')
    .trim()
    .split('\n')
    .sort();

describe.concurrent('the offline panel', () => {
  it('says what the README shows', async () => {
    const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
    const shown = /\$ cat notes\.md\n([^$]+)\$ (council run [^\n]+) 2>\/dev\/null\n([^]+?)```/.exec(readme)!;
    const [, notes, command, output] = shown as unknown as [string, string, string, string];
    const project = await newProject({ init: false });
    project.write('notes.md', notes);
    const { stdout } = await project.council(command.split(' ').slice(1));
    expect(settled(stdout)).toEqual(settled(output));
  });

  it('reviews any document with no agent and no model', async () => {
    const project = await newProject({ init: false });
    project.write('service.md', DOCUMENT);
    const { code, json, stderr } = await project.council<Ran>([
      'run',
      '--panel',
      'offline',
      '--brief',
      'service.md',
      '--mode',
      'review',
      '--json',
    ]);
    expect({ code, status: json.status, by: json.by }).toEqual({
      code: 0,
      status: expect.stringMatching(/^(COMPLETED|CONVERGED)$/) as string,
      by: 'rapporteur',
    });
    for (const id of ['plain-language', 'precision', 'structure', 'inclusion', 'rapporteur'])
      expect(stderr).toContain(`${id} responded`);
    expect(json.archive).toMatch(/our-new-service\.md$/);
    const archive = await exported(project, json.archive);
    expect(archive).toMatchObject({
      brief: DOCUMENT,
      absences: [],
      meta: { topic: 'Our new service', mode: 'review', coordinator: 'rapporteur' },
    });
    expect(archive.meta.participants.map((p) => p.id)).toEqual([
      'plain-language',
      'precision',
      'structure',
      'inclusion',
    ]);
    for (const { text, sha256 } of archive.contributions) expect(hash(text)).toBe(sha256);
    // They really read the document: what is wrong with it is quoted, with the line it stands on.
    const collected = Object.fromEntries(
      archive.contributions.filter((c) => c.phase === 'COLLECT').map((c) => [c.participant, c.text]),
    );
    expect(collected['plain-language']).toMatch(/in order to/);
    expect(collected.precision).toMatch(/very|fast|obviously/);
    expect(collected.structure).toMatch(/nowhere|Skipped a level/);
    expect(collected.inclusion).toMatch(/master|slave/);
    for (const text of Object.values(collected)) expect(text).toMatch(/\bline \d+/i);
    expect(json.synthesis).toMatch(/Line 7, .*nowhere/);
  });

  it('sits where there is no agent at all, and not where there is one', async () => {
    const project = await newProject();
    project.write('short.md', '# Short\n\nOne fine line.\n');
    const { code, stderr } = await project.council(['run', '--brief', 'short.md', '--mode', 'synthesis'], {
      env: { PATH: pathWith(project) },
    });
    expect(code).toBe(0);
    expect(stderr).toContain('using the offline panel');
    addAgent(project, 'ana');
    const own = project.launch([
      'run',
      '--brief',
      'short.md',
      '--mode',
      'synthesis',
      '--timeout',
      '1s',
      '--json',
    ]);
    const { code: timedOut, stderr: told } = await own.ended;
    expect({ timedOut, told }).toMatchObject({
      timedOut: 124,
      told: expect.stringContaining('Participants: ana.') as string,
    });
  });
});
