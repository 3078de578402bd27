import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Failed, Responded, Ticked } from '../helpers/documents.ts';
import { exported } from '../helpers/look.ts';
import { addAgent } from '../helpers/speakers.ts';
import { hash } from '../helpers/texts.ts';

const MIB = 1024 * 1024;

describe.concurrent('limits', () => {
  it('takes 1 MiB and not one byte more, and says where the rest is', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    await project.council(['start', 'How much?', '--mode', 'synthesis']);
    const tooMuch = Buffer.alloc(MIB + 1, 'x');
    const refused = await project.council<Responded & Failed>(['respond', 'ana', '--json'], {
      input: tooMuch,
    });
    expect({ code: refused.code, ...refused.json }).toMatchObject({
      code: 1,
      accepted: false,
      reason: 'too_large',
      error: { code: 'too_large' },
    });
    expect(refused.json.error.message).toContain('1048577 bytes; the limit is 1048576 (1 MiB)');
    expect(fs.readFileSync(refused.json.kept!).equals(tooMuch)).toBe(true);
    const exact = 'é'.repeat(MIB / 2);
    expect(
      (await project.council<Responded>(['respond', 'ana', '--json'], { input: exact })).json.accepted,
    ).toBe(true);
    const { json } = await project.council<Ticked>(['tick', '--until-idle', '--json']);
    expect((await exported(project, json.councils[0]!.archive!)).contributions[0]!.sha256).toBe(hash(exact));
    const brief = await project.council<Failed>(['start', 'Long brief', '--brief', '-', '--json'], {
      input: tooMuch,
    });
    expect({ code: brief.code, error: brief.json.error.code }).toEqual({ code: 1, error: 'too_large' });
  });

  it('holds 16 MiB in all, before and after the reveal', async () => {
    const project = await newProject();
    const ids = Array.from({ length: 17 }, (_, n) => `p${n + 1}`);
    for (const id of ids) addAgent(project, id);
    await project.council(['start', 'How much in all?', '--agents', ids.join(',')]);
    const text = (id: string): Buffer => Buffer.alloc(MIB, id);
    for (const batch of [ids.slice(0, 5), ids.slice(5, 10), ids.slice(10, 15)]) {
      const runs = await Promise.all(
        batch.map((id) => project.council(['respond', id], { input: text(id) })),
      );
      expect(runs.map((r) => r.code)).toEqual([0, 0, 0, 0, 0]);
    }
    const full = await project.council<Responded & Failed>(['respond', 'p16', '--json'], {
      input: text('p16'),
    });
    expect({ code: full.code, reason: full.json.reason }).toEqual({ code: 1, reason: 'too_large' });
    expect(full.json.error.message).toContain('the limit is 16777216 (16 MiB)');
    // How much the others wrote is sealed with the rest.
    expect(full.json.error.message).not.toMatch(/1[56]\d{6}(?<!16777216)/);
    expect(fs.readFileSync(full.json.kept!).equals(text('p16'))).toBe(true);
    for (const id of ['p16', 'p17'])
      expect((await project.council(['respond', id], { input: `${id} is brief` })).code).toBe(0);
    const { json } = await project.council<Ticked>(['tick', '--json']);
    expect(json.councils[0]).toMatchObject({ from: 'COLLECT', to: 'CHALLENGE' });
    const later = await project.council<Responded & Failed>(['respond', 'p1', '--json'], {
      input: text('p1'),
    });
    expect({ code: later.code, reason: later.json.reason }).toEqual({ code: 1, reason: 'too_large' });
    expect(later.json.kept).toContain(join('memory', 'shared', '.late'));
    expect(fs.readFileSync(later.json.kept!).equals(text('p1'))).toBe(true);
    expect((await project.council(['respond', 'p1'], { input: 'brief as well' })).code).toBe(0);
    const cancelled = await project.council<{ archive: string }>(['cancel', '--why', 'full', '--json']);
    const archive = await exported(project, cancelled.json.archive);
    expect(archive.contributions).toHaveLength(18);
    for (const id of ids.slice(0, 15))
      expect(archive.contributions.find((c) => c.participant === id && c.tour === 1)!.sha256).toBe(
        hash(text(id)),
      );
    expect(archive.late.map((l) => l.sha256)).toEqual(
      expect.arrayContaining([hash(text('p16')), hash(text('p1'))]),
    );
  });

  it('holds a council without a byte to spare that can still be closed', async () => {
    const project = await newProject();
    const ids = Array.from({ length: 17 }, (_, n) => `p${n + 1}`);
    for (const id of ids) addAgent(project, id);
    await project.council(['start', 'Full?', '--open', '--agents', ids.join(',')]);
    const say = (id: string, bytes: number) =>
      project.council<Responded & Failed>(['respond', id, '--json'], { input: Buffer.alloc(bytes, id) });
    for (const id of ids.slice(0, 15)) expect((await say(id, MIB)).code).toBe(0);
    const full = await say('p16', MIB);
    const [, would] = /would have (\d+) bytes/.exec(full.json.error.message)!;
    const left = MIB - (Number(would) - 16 * MIB);
    expect((await say('p16', left - 20)).code).toBe(0);
    expect((await say('p17', 1000)).code).toBe(1);
    expect((await project.council(['excuse', 'p17', '--why', 'no room'])).code).toBe(0);
    const { json } = await project.council<Ticked>(['tick', '--no-launch', '--json']);
    expect(json.councils[0]).toMatchObject({ from: 'COLLECT', to: 'CHALLENGE' });
    expect((await project.council(['cancel', '--why', 'full'])).code).toBe(0);
  });
});
