import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Exported, Listed, Ticked } from '../helpers/documents.ts';
import { exported } from '../helpers/look.ts';
import { addAgent, addSpeaker } from '../helpers/speakers.ts';
import { onTerminal } from '../helpers/pty.ts';
import { hash } from '../helpers/texts.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

interface Recorded {
  outcome: { right: string; at: string };
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

describe.concurrent('the documents of an archived council', () => {
  let project: Project;
  let ids: string[];
  beforeAll(async () => {
    project = await newProject();
    addSpeaker(project, 'ada', {
      any: { say: '---\nposition: Use object storage\n---\nThe rollback plan is cheap.' },
    });
    addAgent(project, 'ana');
    ids = [];
    for (const topic of ['Événement spécial!', '日本語', 'Événement spécial!']) {
      await project.council(['start', topic, '--mode', 'synthesis']);
      await project.council(['excuse', 'ana', '--why', 'away']);
      const { json } = await project.council<Ticked>(['tick', '--until-idle', '--json']);
      ids.push(json.councils[0]!.archive!.replace(/^conseils\/|\.md$/g, ''));
    }
  });

  it('list: newest first, under a name made of date and topic', async () => {
    const { code, json } = await project.council<Listed>(['list', '--json']);
    expect(code).toBe(0);
    const date = json.archives[0]!.endedAt.slice(0, 10);
    expect(ids).toEqual([`${date}-evenement-special`, `${date}-日本語`, `${date}-evenement-special-2`]);
    expect(json.archives.map((a) => a.id)).toEqual(ids.toReversed());
    expect(json.archives[0]).toEqual({
      id: ids[2],
      outcome: 'This council decides nothing: the positions stand side by side.',
      path: `conseils/${ids[2]}.md`,
      topic: 'Événement spécial!',
      mode: 'synthesis',
      status: 'COMPLETED',
      startedAt: matching(ISO),
      endedAt: matching(ISO),
    });
  });

  it('export and show: by stem, path and conversationId', async () => {
    const byStem = (await project.council<Exported>(['export', ids[0]!, '--format', 'json', '--json'])).json;
    expect(Object.keys(byStem).sort()).toEqual([
      'absences',
      'ballot',
      'brief',
      'contributions',
      'late',
      'ledger',
      'meta',
      'metrics',
      'outcomes',
      'synthesis',
    ]);
    expect(byStem.contributions).toEqual([
      {
        participant: 'ada',
        phase: 'COLLECT',
        tour: 1,
        at: matching(ISO),
        sha256: hash('---\nposition: Use object storage\n---\nThe rollback plan is cheap.'),
        text: '---\nposition: Use object storage\n---\nThe rollback plan is cheap.',
      },
    ]);
    expect(byStem.absences).toMatchObject([
      { participant: 'ana', phase: 'COLLECT', tour: 1, reason: 'excused: away' },
    ]);
    for (const ref of [
      `conseils/${ids[0]}.md`,
      `./conseils/${ids[0]}.md`,
      join(project.root, `conseils/${ids[0]}.md`),
      byStem.meta.conversationId,
    ]) {
      expect(await exported(project, ref)).toEqual(byStem);
    }
    const shown = await project.council(['show', byStem.meta.conversationId]);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toContain('The rollback plan is cheap.');
    expect((await project.council<Exported>(['show', ids[0]!, '--json'])).json.meta.id).toBe(ids[0]);
  });

  long('outcome: beside the archive, told wherever that is, and what it replaces is kept', async () => {
    const id = ids[1]!;
    const before = project.read(`conseils/${id}.md`);
    const record = (...args: string[]) =>
      project.council<Recorded>(['outcome', id.slice(11), '--json', ...args]);
    const bad = await record('--right', 'P7');
    expect(bad).toMatchObject({ code: 2 });
    expect(bad.json).toMatchObject({
      error: { message: `${id} has no position "P7". Its positions: P1 Use object storage.` },
    });
    const early = await record('--right', 'p1', '--on', '2999-01-01');
    expect(early).toMatchObject({
      code: 2,
      json: { error: { message: expect.stringMatching(/^2999-01-01 is still to come/) as string } },
    });
    const first = await record('--right', 'p1', '--note', 'It held.', '--on', '2024-12-24');
    expect(first.json).toMatchObject({
      archive: id,
      path: `conseils/${id}.outcome-1.md`,
      outcome: { right: 'P1', position: 'Use object storage', note: 'It held.', on: '2024-12-24' },
      replaced: null,
      changed: true,
    });
    const { at: _at, ...again } = (
      await record('--right', 'use object storage', '--note', 'It held.', '--on', '2024-12-24')
    ).json.outcome;
    expect(again).toMatchObject({ right: 'P1' });
    const second = await project.council(['outcome', id, '--right', 'none', '--on', '2024-12-25']);
    expect(second.stdout).toBe(
      `Recorded beside ${id}: No position turned out to be right (2024-12-25).\nIt replaces, and that record is kept: P1 Use object storage turned out to be right (2024-12-24). It held.\n`,
    );
    expect((await exported(project, id)).outcomes.map(({ right }) => right)).toEqual(['P1', 'none']);
    const { archives } = (await project.council<Listed>(['list', '--json'])).json;
    expect(archives.map(({ turnedOut }) => turnedOut?.right)).toEqual([undefined, 'none', undefined]);
    expect(project.read(`conseils/${id}.md`)).toEqual(before);
    // The day is today's where none is given: saying the same again is no change.
    expect((await record('--right', 'none')).json).toMatchObject({ changed: false });
    const metrics = await project.council<{ agents: { id: string; councils: unknown }[] }>([
      'agents',
      'metrics',
      'ada',
      '--json',
    ]);
    expect(metrics.json.agents[0]!.councils).toMatchObject({
      councils: 3,
      outcomes: { judged: 1, right: 0 },
    });
    // A record that cannot be read hides no archive.
    project.write(`conseils/${id}.outcome-3.md`, '---\nright: [\n---\n');
    const listed = await project.council<Listed>(['list', '--json']);
    expect([listed.json.archives.length, listed.stderr]).toEqual([
      3,
      expect.stringContaining('outcome-3.md'),
    ]);
    rmSync(join(project.root, `conseils/${id}.outcome-3.md`));
    // Of tasks nothing is told where there were none.
    expect((await project.council(['agents', 'metrics', 'ada'])).stdout).toMatch(
      /^ada:\n {2}3 councils; right in 0 of 1/,
    );
  });

  long('export: as a page, as a decision record, and into a file', async () => {
    const page = await project.council(['export', ids[0]!]);
    expect(page.stdout).toMatch(/^# Événement spécial!/);
    expect(page.stdout).not.toContain('<!--');
    const record = await project.council(['export', ids[0]!, '--format', 'adr']);
    for (const part of [/^# Événement spécial!/, /Status: Proposed/, /## Context/, /## Decision/])
      expect(record.stdout).toMatch(part);
    const asJson = await project.council<{ format: string; content: string }>([
      'export',
      ids[0]!,
      '--format',
      'adr',
      '--json',
    ]);
    expect(asJson.json).toMatchObject({ format: 'adr', content: record.stdout });
    const written = await project.council<{ path: string; bytes: number }>([
      'export',
      ids[0]!,
      '--output',
      'out.md',
      '--json',
    ]);
    expect(written.json).toMatchObject({
      format: 'md',
      path: join(project.root, 'out.md'),
      bytes: project.read('out.md').length,
    });
    expect(isAbsolute(written.json.path)).toBe(true);
    expect(project.read('out.md').toString()).toBe(page.stdout);
    await project.council(['export', ids[0]!, '--format', 'adr', '--output', 'out.md']);
    expect(project.read('out.md').toString()).toBe(record.stdout);
    expect(readdirSync(project.root).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    execFileSync('mkfifo', [join(project.root, 'pipe')]);
    symlinkSync('out.md', join(project.root, 'link.md'));
    mkdirSync(join(project.root, 'folder'));
    for (const [name, kind] of [
      ['pipe', 'a FIFO'],
      ['link.md', 'a link'],
      ['folder', 'a folder'],
    ] as const) {
      const refused = await project.council(['export', ids[0]!, '--output', name]);
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining(`${name} is ${kind}, not a plain file.`),
      ]);
    }
    expect(project.read('out.md').toString()).toBe(record.stdout);
    const nowhere = await project.council(['export', ids[0]!, '--output', 'no/such/out.md']);
    expect(nowhere.stderr).toMatch(/There is no folder .*no\/such to write into\.\nMake it first: mkdir -p /);
    expect((await project.council(['ledger', 'zzz'])).stderr).toContain(
      'There is no active council and no archive "zzz".',
    );
  });

  long('show: says that a council goes on, and what may be seen of it', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    await project.council(['start', 'Still open?', '--name', 'open']);
    for (const [command, name] of [
      ['show', 'open'],
      ['show', 'ope'],
      ['show', 'still'],
      ['export', 'ope'],
    ]) {
      const { code, stderr } = await project.council([command!, name!]);
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(
          'The council "open" goes on: it has no archive yet.\nHow it stands: council status --name open.',
        ),
      ]);
    }
    expect((await project.council(['show'])).stderr).toContain('Open: open. See: council status');
    expect((await project.council(['list'])).stdout).toBe(
      'No council has been archived yet. Open: open. See: council status\n',
    );
    const page = onTerminal(project, ['export', 'open', '--format', 'html'], { columns: 200 });
    expect((await page.ended).code).toBe(2);
    expect((await page.lines()).join('\n')).toContain(
      'A terminal does not show html: give a file to write it into.\nAdd --output council.html',
    );
    await project.council(['cancel', '--name', 'open']);
    await project.council(['start', 'And this?', '--name', 'second']);
    expect((await project.council(['show'])).stderr).toContain('Still open, without an archive yet: second.');
  });

  it('search: words, phrases, beginnings, accents, ranked with an excerpt', async () => {
    const search = async (...args: string[]) =>
      (
        await project.council<{
          query: string;
          results: { id: string; path: string; topic: string; excerpt: string; score: number }[];
        }>(['search', '--json', ...args])
      ).json;
    const found = await search('rollback');
    expect(found.query).toBe('rollback');
    expect(found.results.map((r) => r.id).sort()).toEqual(ids.toSorted());
    expect(found.results[0]).toMatchObject({
      path: matching(/^conseils\/.*\.md$/),
      excerpt: matching(/\*\*rollback\*\* plan is cheap/),
    });
    expect((await search('"rollback plan"')).results).toHaveLength(3);
    expect((await search('"plan rollback"')).results).toEqual([]);
    expect((await search('storage', 'cheap')).results).toHaveLength(3);
    expect((await search('evenement')).results.map((r) => r.id).sort()).toEqual([ids[0]!, ids[2]!].sort());
    expect((await search('roll')).results).toHaveLength(3);
    expect((await search('rollback', '--limit', '2')).results).toHaveLength(2);
    // A person reads the words themselves, in bold where the terminal can.
    const told = (await project.council(['search', 'rollback'])).stdout;
    expect(told).toContain('rollback plan is cheap');
    expect(told).not.toContain('**');
    expect((await project.council(['search', 'nowhere'])).stdout).toContain('Nothing found');
  });
});
