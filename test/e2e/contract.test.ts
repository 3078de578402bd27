import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NOTHING_READ } from '../helpers/nothing-read.ts';
import { newProject } from '../helpers/cli.ts';
import type { Failed, Responded, Started, Status, Ticked, Viewed } from '../helpers/documents.ts';
import { addAgent, addSpeaker } from '../helpers/speakers.ts';
import { hash } from '../helpers/texts.ts';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const FILE = 'memory/shared/council-active-conversation.md';

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);

describe.concurrent('the documents of an active council', () => {
  it('start: exactly the keys of the contract', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    const before = Date.now();
    const { code, stdout, stderr, json } = await project.council<Started>([
      'start',
      'Topic',
      '--rule',
      'none',
      '--timeout',
      '90m',
      '--json',
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(json).toEqual({
      name: 'active-conversation',
      conversationId: matching(UUID),
      path: join(project.root, FILE),
      phase: 'COLLECT',
      tour: 1,
      timeoutAt: matching(ISO),
      revision: 1,
    });
    expect(Date.parse(json.timeoutAt) - before).toBeGreaterThanOrEqual(90 * 60_000);
    expect(stdout.endsWith('}\n')).toBe(true);
    expect(fs.existsSync(json.path)).toBe(true);
  });

  it('respond: accepted, repeated, different, replaced, and after the phase', async () => {
    const project = await newProject();
    for (const id of ['ana', 'bob']) addAgent(project, id);
    await project.council(['start', 'Topic']);
    const say = (text: string, ...more: string[]) =>
      project.council<Responded & Failed>(['respond', 'ana', '--json', ...more], { input: text });
    const turn = { name: 'active-conversation', participant: 'ana', phase: 'COLLECT', tour: 1 };
    const read = { ...NOTHING_READ, missing: ['position'] };

    const first = await say('one');
    expect({ code: first.code, json: first.json }).toEqual({
      code: 0,
      json: { accepted: true, ...turn, revision: 2, read },
    });
    const same = await say('one');
    expect({ code: same.code, json: same.json }).toEqual({
      code: 0,
      json: { accepted: false, ...turn, revision: 2, reason: 'already_responded', read },
    });
    const other = await say('two');
    expect(other.code).toBe(1);
    expect(other.json).toMatchObject({
      accepted: false,
      ...turn,
      revision: 2,
      reason: 'different_text',
      error: { code: 'different_text', hint: matching(/--replace/) },
    });
    expect(fs.readFileSync(other.json.kept!, 'utf8')).toBe('two');
    const replaced = await say('two', '--replace');
    expect({ code: replaced.code, json: replaced.json }).toEqual({
      code: 0,
      json: { accepted: true, ...turn, revision: 3, read },
    });

    await project.council(['respond', 'bob'], { input: 'me too' });
    await project.council(['tick', '--no-launch']);
    const late = await say('too late', '--tour', '1');
    expect(late.code).toBe(1);
    expect(late.json).toMatchObject({
      accepted: false,
      name: 'active-conversation',
      participant: 'ana',
      tour: 1,
      reason: 'phase_closed',
      error: { code: 'phase_closed' },
    });
    expect(late.json.kept).toMatch(
      new RegExp(`memory/shared/\\.late/${UUID.source.slice(1, -1)}/ana-[A-Z]+-1-[0-9a-f]{16}$`),
    );
    expect(fs.readFileSync(late.json.kept!, 'utf8')).toBe('too late');
    const byVariable = await project.council<Responded>(['respond', 'ana', '--json'], {
      input: 'too late',
      env: { COUNCIL_TOUR: '1' },
    });
    expect({ code: byVariable.code, kept: byVariable.json.kept }).toEqual({ code: 1, kept: late.json.kept });
    const open = await say('in time', '--tour', '2');
    expect({ code: open.code, json: open.json }).toMatchObject({
      code: 0,
      json: { accepted: true, phase: 'CHALLENGE', tour: 2 },
    });
  });

  it('status: the state of every active council, with its path and whether it was edited', async () => {
    const project = await newProject();
    expect(await project.council(['status', '--json'])).toMatchObject({ code: 0, json: { councils: [] } });
    addAgent(project, 'ana', { title: 'Ana', emoji: '🦉' });
    addAgent(project, 'maman');
    await project.council(['start', 'Topic', '--coordinator', 'maman']);
    const { json } = await project.council<Status>(['status', '--json']);
    const [state] = json.councils;
    expect(state).toMatchObject({
      schema: 2,
      revision: 1,
      textSha256: matching(/^[0-9a-f]{64}$/),
      conversationId: matching(UUID),
      name: 'active-conversation',
      topic: 'Topic',
      mode: 'debate',
      currentPhase: 'COLLECT',
      tour: 1,
      createdAt: matching(ISO),
      updatedAt: matching(ISO),
      timeoutAt: matching(ISO),
      status: 'ACTIVE',
      coordinator: 'maman',
      participants: { ana: { status: 'WAITING', lastAction: null } },
      convergence: { responseRate: 0, hasConsensus: false, blockingIssues: [] },
      path: join(project.root, FILE),
      edited: false,
    });
    expect(Object.keys(state!.participants)).toEqual(['ana']);
    // It is the state JSON of the file, without what labels are drawn from, and two keys.
    const block = /^<!--council-state\n([\s\S]*?)\n-->/.exec(project.read(FILE).toString())![1]!;
    const { path, edited, ...rest } = state!;
    const { labelSeed, begunIn, ...shown } = JSON.parse(block) as Record<string, unknown>;
    expect(labelSeed).toMatch(/^[0-9a-f]{32}$/);
    expect(begunIn).toEqual({
      folder: expect.stringMatching(/^[0-9a-f]{16}$/),
      place: expect.stringContaining('@'),
    });
    expect(rest).toEqual(shown);
    expect([path, edited]).toEqual([join(project.root, FILE), false]);
    // The hash is that of the whole file with the value zeroed.
    const zeroed = project.read(FILE).toString().replace(state!.textSha256, '0'.repeat(64));
    const empty = project.read(FILE).toString().replace(state!.textSha256, '');
    expect([hash(zeroed), hash(empty)]).toContain(state!.textSha256);
  });

  it('view: what this participant may see, as the prompt it would get', async () => {
    const project = await newProject();
    for (const id of ['ana', 'bob']) addAgent(project, id, {}, `I am the persona of ${id}.`);
    await project.council(['start', 'Topic', '--brief', '-'], { input: 'The brief.\n' });
    const { code, json } = await project.council<Viewed>(['view', 'ana', '--json']);
    expect(code).toBe(0);
    expect(json).toMatchObject({
      name: 'active-conversation',
      participant: 'ana',
      phase: 'COLLECT',
      tour: 1,
      deadline: matching(ISO),
      brief: 'The brief.\n',
      contributions: [],
    });
    for (const part of [
      'I am the persona of ana.',
      'The brief.',
      'COLLECT',
      json.deadline,
      'A number needs its source',
    ])
      expect(json.prompt).toContain(part);
    expect(json.prompt).not.toContain('persona of bob');
    expect((await project.council(['view', 'ana'])).stdout.trimEnd()).toBe(json.prompt.trimEnd());
    for (const id of ['ana', 'bob'])
      await project.council(['respond', id], { input: 'said: ---\nEND of nothing\n' });
    await project.council(['tick', '--no-launch']);
    const later = (await project.council<Viewed>(['view', 'ana', '--json'])).json;
    expect(later.contributions).toMatchObject([
      { label: matching(/^Participant [AB]$/), phase: 'COLLECT', text: 'said: ---\nEND of nothing\n' },
    ]);
    expect(later.prompt).toMatch(
      /\nBEGIN (council-text-[0-9a-f]{16})\nsaid: ---\nEND of nothing\n\nEND \1\n/,
    );
  });

  it('view: leaves out how sure somebody is, which the file keeps', async () => {
    const project = await newProject();
    for (const id of ['ana', 'bob']) addAgent(project, id);
    await project.council(['start', 'Topic', '--open']);
    await project.council(['respond', 'bob'], {
      input: '---\nposition: Yes\nconfidence: 0.83\n---\nBecause.',
    });
    const { json } = await project.council<Viewed>(['view', 'ana', '--json']);
    expect(JSON.stringify(json)).not.toContain('0.83');
    expect(json.contributions[0]!.text).toContain('position: Yes');
    expect(project.read(FILE).toString()).toContain('confidence: 0.83');
  });

  it('tick: one entry for every active council, exactly the keys of the contract', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada');
    await project.council(['start', 'One', '--name', 'one']);
    await project.council(['start', 'Two', '--name', 'two', '--mode', 'synthesis']);
    const { json } = await project.council<Ticked>(['tick', '--json']);
    const keys = [
      'archive',
      'conversationId',
      'failed',
      'from',
      'launched',
      'name',
      'reason',
      'to',
      'transitions',
    ];
    expect(json.councils.map((c) => Object.keys(c).sort())).toEqual([keys, keys]);
    expect(json.councils.map((c) => c.name)).toEqual(['one', 'two']);
    const nobody = await project.council<Ticked>(['tick', '--no-launch', '--json']);
    expect(nobody.json.councils.map((c) => [c.to, c.reason, c.launched])).toEqual([
      ['CHALLENGE', 'all-responded', []],
      ['SYNTHESIZE', 'all-responded', []],
    ]);
    const text = await project.council(['tick', '--name', 'one']);
    expect(text.stdout).toBe('one: still in CHALLENGE; asked ada\n');
    const unknown = await project.council<Failed>(['tick', '--name', 'three', '--json']);
    expect({ code: unknown.code, error: unknown.json.error.code }).toEqual({
      code: 2,
      error: 'unknown_council',
    });
  });
});
