import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesIn, newProject } from '../helpers/cli.ts';
import type { Failed } from '../helpers/documents.ts';
import { addAgent } from '../helpers/speakers.ts';

const IDS = [
  '../../x',
  '__proto__',
  'CON',
  'con',
  'nul',
  'com1',
  'constructor',
  'prototype',
  'Ada',
  'a/b',
  'a\\b',
  '-a',
  'a.md',
  'x'.repeat(65),
  'é',
  'a b',
  '',
];

describe.concurrent('hostile names', () => {
  it('are refused with exit 2 wherever a name is expected, and nothing is written', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    await project.council(['start', 'Names?']);
    const before = filesIn(join(project.root, '..'))
      .filter((path) => !path.includes('compile-cache'))
      .sort();
    const places = [
      (id: string) => ['start', 'x', '--name', 'other', '--agents', `ana,${id}`, '--json'],
      (id: string) => ['start', 'x', '--name', id, '--json'],
      (id: string) => ['respond', '--json', '--file', '-', '--', id],
      (id: string) => ['view', '--json', '--', id],
      (id: string) => ['agents', 'add', '--json', '--', id],
    ];
    // Every name in one place, and every place with several names.
    const asked = IDS.map((id, n) => places[n % places.length]!(id));
    for (const args of [...asked, ...places.map((place) => place('../../x'))]) {
      const { code, json } = await project.council<Failed>(args);
      // An entry of --agents is more than an id: a program, a model, a persona.
      const errors = args.includes('--agents') ? ['invalid_id', 'unknown_agent', 'usage'] : ['invalid_id'];
      expect({ args, code }).toEqual({ args, code: 2 });
      expect(errors).toContain(json.error.code);
    }
    for (const mode of ['../../x', '__proto__', 'CON']) {
      const { code, json } = await project.council<Failed>([
        'start',
        'x',
        '--name',
        'other',
        '--mode',
        mode,
        '--json',
      ]);
      expect({ mode, code, error: json.error.code }).toEqual({ mode, code: 2, error: 'invalid_id' });
    }
    for (const ref of ['../../etc/passwd', '/etc/passwd', '__proto__', '..', 'conseils/../COUNCIL.md', '']) {
      const { code, json } = await project.council<Failed>(['show', ref, '--json']);
      expect({ ref, code, error: json.error.code }).toEqual({ ref, code: 2, error: 'unknown_archive' });
    }
    expect(
      filesIn(join(project.root, '..'))
        .filter((path) => !path.includes('compile-cache'))
        .sort(),
    ).toEqual(before);
  });

  it('in agent files become problems and hide nobody', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    project.write('agents/CON.md', '---\nname: CON\n---\nme\n');
    project.write('agents/__proto__.md', '---\nname: __proto__\n---\nme\n');
    project.write('agents/fallback.md', '---\nname: ../../x\ncouncil: { title: Fallback }\n---\nme\n');
    project.write('agents/evil.md', '---js\nprocess.exit(77)\n---\nme\n');
    project.write('agents/binary.md', Buffer.from([0xff, 0x00, 0xfe]));
    const { code, json } = await project.council<{
      agents: { id: string; source: string }[];
      problems: { path: string }[];
    }>(['agents', '--json']);
    expect(code).toBe(0);
    expect(
      json.agents
        .filter((a) => a.source === 'project')
        .map((a) => a.id)
        .sort(),
    ).toEqual(['ana', 'fallback', 'proto']);
    expect(json.problems.map((p) => p.path.split('/').at(-1)).sort()).toEqual([
      'CON.md',
      'binary.md',
      'evil.md',
    ]);
    expect((await project.council(['start', 'Who?', '--agents', 'ana,fallback'])).code).toBe(0);
  });
});
