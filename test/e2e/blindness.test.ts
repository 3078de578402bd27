import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canary, formsOf, secretsOf, watched } from '../helpers/canary.ts';
import { filesIn, newProject, until } from '../helpers/cli.ts';
import type { Project, Run } from '../helpers/cli.ts';
import type { Failed, Responded, Status, Ticked, Viewed } from '../helpers/documents.ts';
import { exported } from '../helpers/look.ts';
import { addAgent, addSpeaker, launches } from '../helpers/speakers.ts';
import { takeOneIn } from '../helpers/long.ts';

const PROGRAMS = ['ada', 'ben', 'cleo'];
const PEOPLE = ['ana', 'bob', 'zoe'];

/** A text that holds its canary in every part that could leak by itself. */
const textWith = (word: string): string =>
  `---\nposition: ${word} is my position\nagreed: true\nblocking: [${word} blocks]\n---\n${word}\r\n and no final newline`;

describe('the search for canaries', () => {
  it('finds every form of a word, wherever it stands', () => {
    const word = canary();
    const secrets = secretsOf([word], ['a whole text']);
    expect(secrets.in('nothing of it')).toEqual([]);
    for (const { form, bytes } of formsOf(word))
      expect(secrets.in(Buffer.concat([Buffer.from('x'), bytes, Buffer.from('y')]))).toContain(
        `${word} (${form})`,
      );
    for (const before of ['', 'a', 'ab', 'abc'])
      expect(secrets.in(Buffer.from(`${before}${word} and more`).toString('base64')).join()).toContain(
        'base64 at',
      );
    expect(secrets.in(new URLSearchParams({ word }).toString())).toHaveLength(1);
  });
});

describe('a control', () => {
  it('is seen by nobody before the archive, and there by everybody', async () => {
    const project = await newProject();
    const words = Object.fromEntries(PROGRAMS.map((id) => [id, canary()]));
    const go = join(project.outside, 'go');
    for (const id of PROGRAMS)
      addSpeaker(project, id, {
        // The second launch with the prompt of COLLECT is that of the control.
        COLLECT: [{ say: '---\nposition: blue\n---\nIt is calm.' }, { say: textWith(words[id]!) }],
        CHALLENGE: { say: 'read', whenThere: go },
      });
    addAgent(project, 'ana');
    await project.council(['start', 'Which colour?', '--control', 'self', '--json']);
    await project.council(['respond', 'ana'], { input: '---\nposition: red\n---\nIt is warm.' });
    await project.council(['tick']);
    const ticking = project.council(['tick']);
    const kept = () =>
      filesIn(project.env.XDG_STATE_HOME!).filter((path) => /control-[^/]+\.json$/.test(path));
    await until('every control is kept', () => kept().length === PROGRAMS.length);
    const secrets = secretsOf(Object.values(words), Object.values(words).map(textWith));
    const outputs: Buffer[] = [];
    for (const args of [
      ['status', '--json'],
      ['history'],
      ['ledger', '--json'],
      ['metrics', '--json'],
      ['cost', '--json'],
      ['view', 'ana'],
      ['export', 'active-conversation', '--format', 'html'],
    ])
      outputs.push((await project.council(args)).raw);
    fs.writeFileSync(go, '');
    outputs.push((await ticking).raw);
    expect(outputs.flatMap((seen) => secrets.in(seen))).toEqual([]);
    expect(secrets.inFiles(project.root)).toEqual([]);
    for (const { input } of launches(project)) expect(secrets.in(input)).toEqual([]);
    // Nobody's name, and no address of the council, is given to a program that is asked alone.
    const alone = launches(project).filter(
      ({ phase, env }) => phase === 'COLLECT' && !env.COUNCIL_PARTICIPANT,
    );
    expect(alone.map(({ id }) => id).sort()).toEqual(PROGRAMS);
    for (const { input } of alone) expect(input).not.toContain('It is warm.');
    const { json } = await project.council<{ archive: string }>(['cancel', '--why', 'seen', '--json']);
    const { meta } = await exported(project, json.archive);
    expect(meta.control?.answers?.map(({ text }) => text).sort()).toEqual(
      Object.values(words).map(textWith).sort(),
    );
  });
});

describe('a blind phase', () => {
  it('shows nothing of what was said until it closes, and everything afterwards', async () => {
    const project = await newProject();
    const words = Object.fromEntries([...PROGRAMS, ...PEOPLE].map((id) => [id, canary()]));
    for (const id of PROGRAMS)
      addSpeaker(project, id, { COLLECT: { say: textWith(words[id]!) }, CHALLENGE: { say: 'read' } });
    for (const id of PEOPLE) addAgent(project, id);
    addSpeaker(project, 'coord', {});
    await project.council(['start', 'Blind?', '--coordinator', 'coord']);
    const said = Object.values(words).map(textWith);
    const secrets = secretsOf(Object.values(words), said);

    const outputs: Buffer[] = [];
    const quiet = async <T>(args: string[], input?: string | Buffer): Promise<Run<T>> => {
      const run = await project.council<T>(args, input === undefined ? {} : { input });
      outputs.push(run.raw);
      return run;
    };
    /** Whoever responds is told what was read of the own words, and of nobody else's. */
    const own = async <T>(id: string, args: string[], input?: string | Buffer): Promise<Run<T>> => {
      const run = await project.council<T>(['respond', id, ...args], input === undefined ? {} : { input });
      const others = Object.entries(words).filter(([other]) => other !== id);
      const theirs = others.map(([, word]) => word);
      expect(secretsOf(theirs, theirs.map(textWith)).in(run.raw)).toEqual([]);
      return run;
    };
    const nothing = (): string[] => [
      ...outputs.flatMap((seen) => secrets.in(seen)),
      ...secrets.inFiles(project.root),
      ...secrets.inArguments(),
    ];

    // While texts come in, files and processes are looked at all the time.
    const { found, looks } = await watched(nothing, async () => {
      const tick = await quiet(['tick']);
      expect(tick.code).toBe(0);
      // Neither how long it is.
      expect(tick.stderr).toMatch(/ada responded in /);
      expect(tick.stdout + tick.stderr).not.toMatch(/bytes|tokens|US\$/);
      fs.writeFileSync(join(project.outside, 'ana.md'), textWith(words.ana!));
      expect((await own('ana', ['--file', join(project.outside, 'ana.md'), '--json'])).code).toBe(0);
      expect((await own('bob', ['--agree'], textWith(words.bob!))).code).toBe(0);
      expect((await own('bob', [], textWith(words.bob!))).stdout).toContain('already');
    });
    expect(found).toEqual([]);
    expect(looks).toBeGreaterThan(10);

    const [state] = (await quiet<Status>(['status', '--json'])).json.councils;
    for (const id of [...PROGRAMS, 'ana', 'bob']) {
      expect(state!.participants[id]).toMatchObject({
        status: 'RESPONDED',
        position: null,
        agreed: false,
        blocking: [],
      });
      expect(state!.participants[id]!.commitment).toMatch(/^[0-9a-f]{64}$/);
    }
    expect(state!.participants.zoe).toMatchObject({ status: 'WAITING', commitment: null });
    expect(state!.convergence).toMatchObject({ hasConsensus: false, blockingIssues: [] });

    for (const args of [
      ['status'],
      ['history'],
      ['history', '--json'],
      ['tick', '--json'],
      ['tick', '--until-idle', '--no-launch'],
      ['list'],
      ['modes'],
      ['agents'],
      ['wait', '--timeout', '10ms'],
    ])
      await quiet(args);
    for (const id of takeOneIn(3, [...PROGRAMS, ...PEOPLE, 'coord'])) {
      await quiet(['view', id]);
      const view = await quiet<Viewed>(['view', id, '--json']);
      expect(view.json.contributions).toEqual([]);
    }
    for (const word of takeOneIn(3, Object.values(words))) {
      const { stdout } = await project.council(['search', word, '--json']);
      expect((JSON.parse(stdout) as { results: unknown[] }).results).toEqual([]);
    }
    await expectQuiet(project, ['watch'], 'COLLECT', outputs);
    await expectQuiet(project, ['run', '--resume'], 'Waiting for zoe', outputs);
    await expectQuiet(project, ['heartbeat'], 'Heartbeat in', outputs);
    expect(nothing()).toEqual([]);
    for (const launch of launches(project)) expect(secrets.in(launch.input)).toEqual([]);

    expect((await own('zoe', [], textWith(words.zoe!))).code).toBe(0);
    expect(nothing()).toEqual([]);

    const { json } = await project.council<Ticked>(['tick', '--json']);
    expect(json.councils[0]).toMatchObject({ from: 'COLLECT', to: 'CHALLENGE', reason: 'all-responded' });
    const file = project.read('memory/shared/council-active-conversation.md').toString();
    for (const word of Object.values(words)) expect(file).toContain(textWith(word));
    for (const launch of launches(project).filter((l) => l.phase === 'CHALLENGE')) {
      for (const word of Object.values(words))
        expect(launch.input).toContain(`${word}\r\n and no final newline`);
    }
    const cancelled = await project.council<{ archive: string }>([
      'cancel',
      '--why',
      'seen enough',
      '--json',
    ]);
    const archive = await exported(project, cancelled.json.archive);
    const collected = archive.contributions.filter((c) => c.phase === 'COLLECT').map((c) => c.text);
    expect(collected.sort()).toEqual(said.toSorted());
  });

  it('keeps refused texts out of the project too, and lets them appear with the others', async () => {
    const project = await newProject();
    for (const id of ['ana', 'bob']) addAgent(project, id);
    addAgent(project, 'coord');
    await project.council(['start', 'Blind?', '--coordinator', 'coord', '--timeout', '1h']);
    await project.council(['respond', 'ana'], { input: 'my first text' });
    const word = Object.fromEntries(
      ['other', 'nul', 'latin', 'large', 'misspelt', 'early', 'tour', 'council', 'invalid'].map((label) => [
        label,
        canary(),
      ]),
    );
    const texts: [string, string[], Buffer, string][] = [
      ['other', ['ana'], Buffer.from(word.other!), 'different_text'],
      ['nul', ['bob'], Buffer.from(`${word.nul}\0`), 'invalid_text'],
      [
        'latin',
        ['bob'],
        Buffer.concat([Buffer.from(word.latin!), Buffer.from([0xff, 0xe9])]),
        'invalid_text',
      ],
      ['large', ['bob'], Buffer.from(word.large!.padEnd(1024 * 1024 + 1, '.')), 'too_large'],
      ['misspelt', ['aan'], Buffer.from(word.misspelt!), 'unknown_agent'],
      ['early', ['coord'], Buffer.from(word.early!), 'not_your_turn'],
      ['tour', ['bob', '--tour', '7'], Buffer.from(word.tour!), 'phase_closed'],
      ['council', ['bob', '--name', 'nowhere'], Buffer.from(word.council!), 'unknown_council'],
    ];
    const secrets = secretsOf(Object.values(word));
    const kept: Record<string, string> = {};
    const look = (): string[] => [...secrets.inFiles(project.root), ...secrets.inArguments()];
    const { found } = await watched(look, async () => {
      for (const [label, args, input, reason] of texts) {
        const json = await project.council<Responded & Failed & { error: { kept?: string } }>(
          ['respond', ...args, '--json'],
          { input },
        );
        const plain = await project.council(['respond', ...args], { input });
        expect({ label, code: json.json.reason ?? json.json.error.code }).toEqual({ label, code: reason });
        expect(json.code).toBe(plain.code);
        expect([...secrets.in(json.raw), ...secrets.in(plain.raw)]).toEqual([]);
        kept[label] = (json.json.kept ?? json.json.error.kept)!;
        expect(plain.stderr).toContain(`The text is kept in ${kept[label]}`);
        expect(kept[label].startsWith(project.privateDir)).toBe(true);
        expect(fs.readFileSync(kept[label]).equals(input)).toBe(true);
        expect(fs.statSync(kept[label]).mode & 0o077).toBe(0);
      }
    });
    expect([...found, ...look()]).toEqual([]);
    expect(filesIn(project.privateDir).every((path) => (fs.statSync(path).mode & 0o077) === 0)).toBe(true);

    await project.council(['respond', 'bob'], { input: 'at last' });
    await project.council(['tick', '--no-launch']);
    const late = filesIn(join(project.root, 'memory/shared/.late')).map((path) => fs.readFileSync(path));
    for (const [label, , input] of texts) {
      const isOfTheTable = label !== 'misspelt' && label !== 'council';
      expect({ label, surfaced: late.some((bytes) => bytes.equals(input)) }).toEqual({
        label,
        surfaced: isOfTheTable,
      });
    }
    expect(secrets.inFiles(join(project.root, 'conseils'))).toEqual([]);
  });
});

/** Starts a command that goes on until it is stopped; keeps what it printed. */
async function expectQuiet(project: Project, args: string[], sign: string, outputs: Buffer[]): Promise<void> {
  const running = project.launch(args);
  await until(`${args.join(' ')} prints ${sign}`, () => running.output().includes(sign));
  running.child.kill('SIGINT');
  outputs.push((await running.ended).raw);
}
