import { describe, expect, it } from 'vitest';
import { newProject, runs } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Exported, Listed, Ran, Started, State, Status, Ticked } from '../helpers/documents.ts';
import { exported } from '../helpers/look.ts';
import { addSpeaker, launches } from '../helpers/speakers.ts';
import { AWKWARD, hash } from '../helpers/texts.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

const FOUR = ['ada', 'ben', 'cleo', 'dan'];
const PHASES = ['COLLECT', 'CHALLENGE', 'RESOLVE'] as const;

/** Four participants and a coordinator that say something awkward every time; returns what they say. */
function seatFour(project: Project): { id: string; phase: string; tour: number; text: string }[] {
  const said = PHASES.flatMap((phase, at) =>
    FOUR.map((id, place) => ({
      id,
      phase: String(phase),
      tour: at + 1,
      text: AWKWARD[at * FOUR.length + place]!,
    })),
  );
  for (const id of FOUR) {
    addSpeaker(
      project,
      id,
      Object.fromEntries(said.filter((s) => s.id === id).map((s) => [s.phase, { say: s.text }])),
    );
  }
  addSpeaker(project, 'maman', { SYNTHESIZE: { say: AWKWARD[12]! } });
  return [...said, { id: 'maman', phase: 'SYNTHESIZE', tour: 4, text: AWKWARD[12]! }];
}

/** Everything that was said, byte for byte, and the hashes that the archive gives for it. */
async function expectWordForWord(
  project: Project,
  archive: string,
  said: ReturnType<typeof seatFour>,
): Promise<Exported> {
  const { code, json } = await project.council<Exported>(['export', archive, '--format', 'json']);
  expect(code).toBe(0);
  const facts = json.contributions.map(({ participant, phase, tour, sha256, text }) => ({
    id: participant,
    phase,
    tour,
    sha256,
    text,
  }));
  expect(facts).toEqual(said.map((s) => ({ ...s, sha256: hash(s.text) })));
  for (const { text, sha256 } of json.contributions) expect(hash(text)).toBe(sha256);
  return json;
}

describe.concurrent('a debate of four programs and a coordinator', () => {
  it('goes through all four phases, one transition a tick, and ends in an archive', async () => {
    const project = await newProject();
    const said = seatFour(project);
    const opened = await project.council<Started>(
      ['start', 'Do we move?', '--coordinator', 'maman', '--brief', '-', '--json'],
      { input: 'Brief\r\nwith CRLF and no end' },
    );
    expect(opened.code).toBe(0);
    expect(opened.json).toMatchObject({
      name: 'active-conversation',
      phase: 'COLLECT',
      tour: 1,
      revision: 1,
    });

    const tick = async () => {
      const { code, json } = await project.council<Ticked>(['tick', '--json']);
      expect(code).toBe(0);
      expect(json.councils).toHaveLength(1);
      const council = json.councils[0]!;
      // Programs are launched together: which lease is taken first is chance.
      return { ...council, launched: council.launched.toSorted() };
    };
    const state = async (): Promise<State> =>
      (await project.council<Status>(['status', '--json'])).json.councils[0]!;
    const common = {
      name: 'active-conversation',
      conversationId: opened.json.conversationId,
      failed: [],
      archive: null,
    };
    const moved = (from: string, to: string) => ({
      from,
      to,
      reason: 'all-responded',
      transitions: [{ from, to, reason: 'all-responded' }],
    });

    expect(await tick()).toEqual({
      ...common,
      from: 'COLLECT',
      to: 'COLLECT',
      reason: null,
      transitions: [],
      launched: FOUR,
    });
    expect(await state()).toMatchObject({
      currentPhase: 'COLLECT',
      tour: 1,
      convergence: { responseRate: 1, hasConsensus: false },
    });
    expect(await tick()).toEqual({ ...common, ...moved('COLLECT', 'CHALLENGE'), launched: FOUR });
    expect(await state()).toMatchObject({ currentPhase: 'CHALLENGE', tour: 2, status: 'ACTIVE' });
    expect(await tick()).toEqual({ ...common, ...moved('CHALLENGE', 'RESOLVE'), launched: FOUR });
    expect(await tick()).toEqual({ ...common, ...moved('RESOLVE', 'SYNTHESIZE'), launched: ['maman'] });
    expect(await state()).toMatchObject({
      currentPhase: 'SYNTHESIZE',
      tour: 4,
      status: 'COMPLETED',
      synthesizer: { status: 'RESPONDED' },
    });
    const last = await tick();
    expect(last).toEqual({
      ...common,
      ...moved('SYNTHESIZE', 'ARCHIVED'),
      launched: [],
      archive: last.archive,
    });
    expect(last.archive).toMatch(/^conseils\/\d{4}-\d\d-\d\d-do-we-move\.md$/);

    const archive = await expectWordForWord(project, last.archive!, said);
    expect(archive).toMatchObject({
      brief: 'Brief\r\nwith CRLF and no end',
      synthesis: { text: AWKWARD[12], by: 'maman', computed: false },
      meta: {
        status: 'COMPLETED',
        conversationId: opened.json.conversationId,
        topic: 'Do we move?',
        mode: 'debate',
        coordinator: 'maman',
        tours: 4,
      },
      absences: [],
      late: [],
    });
    expect(archive.meta.participants.map((p) => p.id)).toEqual(FOUR);
    // The form of a contribution stands in the block of facts, as JSON.
    for (const { text } of said.filter((s) => !s.text.includes('<!--') && !s.text.includes('<\\'))) {
      const body = text.replace(/^---\n[^]*?\n---\r?\n/, '');
      expect(project.read(last.archive!).includes(Buffer.from(body))).toBe(true);
    }
    expect((await project.council<Status>(['status', '--json'])).json.councils).toEqual([]);
    expect((await project.council<Ticked>(['tick', '--json'])).json).toEqual({ councils: [] });
    expect((await project.council<Listed>(['list', '--json'])).json.archives).toMatchObject([
      { path: last.archive, status: 'COMPLETED' },
    ]);

    const launched = launches(project);
    expect(launched.map((l) => `${l.id} ${l.phase}`).sort()).toEqual(
      said.map((s) => `${s.id} ${s.phase}`).sort(),
    );
    expect(launched.filter((l) => runs(l.pid))).toEqual([]);
    expect(new Set(launched.map((l) => l.pid)).size).toBe(13);
  });

  it('is played to the archive by one `run`', async () => {
    const project = await newProject();
    const said = seatFour(project);
    const { code, json, stderr } = await project.council<Ran>([
      'run',
      'Do we move?',
      '--agents',
      FOUR.join(','),
      '--coordinator',
      'maman',
      '--json',
    ]);
    expect(stderr).toContain('ada responded');
    expect({ code, ...json }).toMatchObject({
      code: 0,
      name: 'active-conversation',
      status: 'COMPLETED',
      synthesis: AWKWARD[12],
      by: 'maman',
    });
    await expectWordForWord(project, json.conversationId, said);
    expect(launches(project)).toHaveLength(13);
  });

  long('is played to the archive by one `tick --until-idle`, which tells all its transitions', async () => {
    const project = await newProject();
    const said = seatFour(project);
    await project.council(['start', 'Do we move?', '--coordinator', 'maman']);
    const { code, json } = await project.council<Ticked>(['tick', '--until-idle', '--json']);
    expect(code).toBe(0);
    expect(json.councils).toHaveLength(1);
    const [council] = json.councils;
    expect(council).toMatchObject({ from: 'COLLECT', to: 'ARCHIVED', reason: 'all-responded', failed: [] });
    expect(council!.transitions.map((t) => `${t.from} ${t.to} ${t.reason}`)).toEqual([
      'COLLECT CHALLENGE all-responded',
      'CHALLENGE RESOLVE all-responded',
      'RESOLVE SYNTHESIZE all-responded',
      'SYNTHESIZE ARCHIVED all-responded',
    ]);
    expect(council!.launched.toSorted()).toEqual([...FOUR, ...FOUR, ...FOUR, 'maman'].sort());
    expect(council!.launched.at(-1)).toBe('maman');
    await expectWordForWord(project, council!.archive!, said);
  });

  long('plays a synthesis in two phases', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { COLLECT: { say: 'draft one' } });
    addSpeaker(project, 'ben', { COLLECT: { say: 'draft two' } });
    addSpeaker(project, 'maman', { SYNTHESIZE: { say: 'both drafts in one' } });
    const { json } = await project.council<Ran>([
      'run',
      'A text',
      '--mode',
      'synthesis',
      '--coordinator',
      'maman',
      '--json',
    ]);
    expect(json).toMatchObject({ status: 'COMPLETED', synthesis: 'both drafts in one' });
    const archive = await exported(project, json.archive);
    expect(archive.meta).toMatchObject({ mode: 'synthesis', tours: 2 });
    expect(archive.contributions.map((c) => `${c.participant} ${c.phase} ${c.tour}`)).toEqual([
      'ada COLLECT 1',
      'ben COLLECT 1',
      'maman SYNTHESIZE 2',
    ]);
    const [wanted] = launches(project).filter((l) => l.id === 'maman');
    expect(wanted!.input).toContain('draft one');
    expect(wanted!.input).toContain('draft two');
  });
});
