import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Ran } from '../helpers/documents.ts';
import { exported } from '../helpers/look.ts';
import { pathWith } from '../helpers/programs.ts';
import { addAgent } from '../helpers/speakers.ts';
import { hash } from '../helpers/texts.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

const ROOT = join(import.meta.dirname, '../..');

const DOCUMENT = `# RFC: A queue of its own

Created: 2026-02-30

Jobs run inside the web workers today, and they should have a queue of their own.

| Item | US$ a month |
| --- | ---: |
| Worker | 144 |
| Disk | 60 |
| Sum | 214 |

We looked at two options:

- a table
- Redis
- a hosted queue

Pages will be much faster for everybody.
`;

describe.concurrent('the offline panel', () => {
  it('checks a document with no agent and no model, and gives no verdict', async () => {
    const project = await newProject({ init: false });
    project.write('service.md', DOCUMENT);
    const { code, json, stderr } = await project.council<Ran & { findings: unknown[] }>([
      'run',
      '--panel',
      'offline',
      '--brief',
      'service.md',
      '--json',
    ]);
    expect({ code, status: json.status, by: json.by }).toEqual({
      code: 0,
      status: 'COMPLETED',
      by: 'rapporteur',
    });
    for (const id of ['consistency', 'completeness', 'structure', 'precision', 'rapporteur'])
      expect(stderr).toContain(`${id} responded`);
    const archive = await exported(project, json.archive);
    expect(archive).toMatchObject({
      brief: DOCUMENT,
      absences: [],
      meta: { topic: 'RFC: A queue of its own', mode: 'check', coordinator: 'rapporteur' },
    });
    for (const { text, sha256 } of archive.contributions) expect(hash(text)).toBe(sha256);
    expect(json.findings).toEqual(
      expect.arrayContaining([
        {
          first: true,
          kind: 'date',
          lines: [3],
          quote: 'Created: 2026-02-30',
          says: '2026-02-30 is not in the calendar.',
        },
        expect.objectContaining({ first: true, kind: 'sum', lines: [11] }),
        expect.objectContaining({ first: true, kind: 'count', lines: [13] }),
        expect.objectContaining({ first: false, kind: 'claim', lines: [19] }),
      ]),
    );
    expect(json.synthesis).toMatch(/\*\*\d+ things to look at, \d of them first\.\*\*/);
    expect(JSON.stringify(archive.contributions)).not.toMatch(/position:|approved/);
  });

  it('prints the result alone with --quiet, in less than 30 lines', async () => {
    const project = await newProject({ init: false });
    project.write(
      'long.md',
      `# RFC: Long\n\n${'The cache is much faster.\n\nOwner: {owner}\n\nStart: 2026-02-30\n\n'.repeat(30)}`,
    );
    const { stdout, stderr } = await project.council([
      'run',
      '--quiet',
      '--panel',
      'offline',
      '--brief',
      'long.md',
    ]);
    expect(stderr).toBe('');
    expect(stdout.split('\n').length).toBeLessThan(30);
    expect(stdout).toMatch(/\d+ more in the archive\./);
  });

  long('plays its own mode whatever is asked, and says so', async () => {
    const project = await newProject({ init: false });
    project.write('service.md', DOCUMENT);
    const { stderr } = await project.council([
      'run',
      '--panel',
      'offline',
      '--mode',
      'review',
      '--brief',
      'service.md',
    ]);
    expect(stderr).toContain('it plays the mode check, not review');
  });

  long('refuses a question, and says what one can do', async () => {
    const project = await newProject({ init: false });
    const env = { PATH: pathWith(project) };
    for (const args of [
      ['run', 'Tea or coffee?'],
      ['run', 'Tea or coffee?', '--panel', 'offline'],
      ['start', 'Tea or coffee?', '--panel', 'offline'],
    ]) {
      const { code, stdout, stderr } = await project.council(args, { env });
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(
        /Nobody at this table can answer[^]*let people answer[^]*install one of claude, codex[^]*name a model/,
      );
      expect(stderr).not.toContain('using the offline panel');
      expect(stderr).toContain('council run --panel offline --brief FILE');
    }
    project.write('tea.md', '# Tea or coffee?\n');
    for (const command of ['run', 'start']) {
      const { code, stderr } = await project.council([command, '--brief', 'tea.md', '--panel', 'offline']);
      expect(code).toBe(2);
      // It was given.
      expect(stderr).not.toContain('--brief');
      expect(stderr).toContain('the offline panel only checks documents');
    }
  });

  long('sits where there is no agent at all, and not where there is one', async () => {
    const project = await newProject();
    project.write('short.md', DOCUMENT);
    const { code, stderr } = await project.council(['run', '--brief', 'short.md'], {
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

describe('npm start', () => {
  it('checks a decision of this project, in at most 40 lines', async () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: { start: string; prestart: string };
    };
    const args = scripts.start.split(' ').slice(2);
    const brief = args[args.indexOf('--brief') + 1]!;
    expect(brief).toMatch(/^docs\/decisions\/\d{4}-[a-z-]+\.md$/);
    const project = await newProject({ init: false });
    project.write(brief, readFileSync(join(ROOT, brief)));
    const { code, stdout, stderr } = await project.council(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(scripts.prestart).toContain('npm run -s council -- ask');
    expect(stdout).toMatch(/Nothing to point at\.|\d+ things? to look at(, \d+ of them first)?\./);
    // npm itself prints eight more.
    expect(stdout.split('\n').length + 8).toBeLessThanOrEqual(40);
  });
});
