import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Listed, Ran, Status, Ticked } from '../helpers/documents.ts';
import { fakeModel } from '../helpers/fake-model.ts';
import type { FakeModel } from '../helpers/fake-model.ts';
import { exported } from '../helpers/look.ts';
import { addSpeaker, launches } from '../helpers/speakers.ts';

let model: FakeModel;
/** The models that answer with status 401 now: a failure that does not mend itself. */
const broken = new Set<string>();

beforeAll(async () => {
  model = await fakeModel(({ model: name, users }) => {
    if (broken.has(name)) return { status: 401 };
    const prompt = users.join('\n');
    if (prompt.includes('Phase: SYNTHESIZE')) return { text: `### Decision\n\nSummed up by ${name}.\n` };
    return { text: '---\nposition: mend the table\nagreed: true\n---\n\nIt costs less.\n' };
  });
});
afterAll(() => model.close());

const seat = (project: Project, id: string, name = `lab-${id}`): void =>
  void project.write(
    `agents/${id}.md`,
    `---\nname: ${id}\nmodel: ollama/${name}\ncouncil:\n  runner: model\n  baseUrl: ${model.url}/v1\n---\n\nYou are ${id}, stern.\n`,
  );
const run = (project: Project, ...args: string[]) =>
  project.council<Ran>(['run', 'Broker or table?', '--mode', 'synthesis', ...args, '--json']);

describe('a coordinator by default', () => {
  it('sits where models sit, and borrows the runner of the first', async () => {
    const project = await newProject();
    addSpeaker(project, 'aaa', { any: { say: 'A script.' } });
    seat(project, 'ada');
    seat(project, 'bo');
    const { code, json, stderr } = await run(project);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain('Participants: aaa, ada, bo. Coordinator: ada.');
    expect(json).toMatchObject({ by: 'maman', contradicts: false, outcome: null });
    expect(json.synthesis).toContain('Summed up by lab-ada.');
    const archive = await exported(project, json.archive);
    const written = { by: 'maman', lender: 'ada', model: 'ollama/lab-ada', contradicts: false };
    expect(archive.meta).toMatchObject({
      coordinator: 'maman',
      coordinatorShown: '🪺 Coordinator',
      synthesis: written,
    });
    expect(archive.metrics).toMatchObject({ synthesis: written });
    expect(archive.synthesis).toMatchObject(written);
    const text = project.read(json.archive).toString();
    expect(text).toContain('Written by 🪺 Coordinator (🤖 ada, ollama/lab-ada).');
    // The persona stays with whose it is.
    const asked = model.asked().filter(({ users }) => users.join('').includes('Phase: SYNTHESIZE'));
    expect(asked.at(-1)!.users.join('')).toContain('You are 🪺 Coordinator (maman), the coordinator');
    expect(asked.at(-1)!.raw).not.toContain('stern');
  });

  it('sits nowhere else: not among commands and people, and not where nobody is wanted', async () => {
    const commands = await newProject();
    addSpeaker(commands, 'ada', { any: { say: 'A script.' } });
    addSpeaker(commands, 'bo', { any: { say: 'Another.' } });
    expect((await run(commands)).json.by).toBeNull();
    expect((await run(commands, '--coordinator', 'maman')).json).toMatchObject({
      error: { code: 'unknown_agent' },
    });

    const project = await newProject();
    seat(project, 'ada');
    seat(project, 'bo');
    for (const none of [
      ['--coordinator', 'none'],
      ['--coordinator', ''],
    ]) {
      const { json } = await run(project, ...none);
      expect(json.by).toBeNull();
      expect(json.synthesis).toContain('No synthesis was asked for');
    }
  });

  it('gives way to an agent file of that name', async () => {
    const project = await newProject();
    seat(project, 'ada');
    seat(project, 'bo');
    addSpeaker(project, 'maman', { SYNTHESIZE: { say: 'From my own file.' } });
    const { json, stderr } = await run(project);
    expect(stderr).toContain('Participants: ada, bo. Coordinator: maman.');
    expect(json).toMatchObject({ by: 'maman', synthesis: 'From my own file.' });
    expect(launches(project).map(({ id }) => id)).toEqual(['maman']);
    expect((await exported(project, json.archive)).synthesis).toMatchObject({ lender: null });
    // As its text is called in the lines of a run.
    expect((await project.council(['cost'])).stdout).toMatch(/^the coordinator +1 /m);
    expect((await project.council(['cost', '--json'])).stdout).toContain('"maman"');
    project.write('COUNCIL.md', '---\nlang: fr\n---\n');
    expect((await project.council(['cost'])).stdout).toMatch(/^la coordination +1 /m);
  });

  it('borrows from the next one when the circuit of the first is open', async () => {
    const project = await newProject();
    seat(project, 'ada', 'broken');
    seat(project, 'bo');
    broken.add('broken');
    // Three failures in a row, over all councils.
    for (const name of ['one', 'two']) await run(project, '--name', name, '--coordinator', 'none');
    const { json } = await run(project);
    expect((await exported(project, json.archive)).synthesis).toMatchObject({ by: 'maman', lender: 'bo' });
  });

  it('is no stranger to doctor where a setting names her', async () => {
    const project = await newProject();
    project.write('COUNCIL.md', '---\ncoordinator: maman\n---\n');
    addSpeaker(project, 'aaa', {});
    expect((await project.council(['doctor'])).stdout).toContain('There is no agent "maman"');
    seat(project, 'ada');
    expect((await project.council(['doctor'])).stdout).not.toContain('"maman"');
  });

  it('leaves the digest to council when she fails', async () => {
    const project = await newProject();
    seat(project, 'ada', 'late');
    seat(project, 'bo', 'late');
    const started = await project.council(['start', 'Which?', '--mode', 'synthesis']);
    expect(started.stdout).toContain('Coordinator: ada.');
    await project.council(['tick', '--json']);
    broken.add('late');
    const { json } = await project.council<Ticked>(['tick', '--json']);
    expect(json.councils[0]).toMatchObject({ to: 'SYNTHESIZE', launched: ['maman'] });
    const over = await project.council<Ticked>(['tick', '--json']);
    const archive = await exported(project, over.json.councils[0]!.archive!);
    expect(archive.synthesis).toMatchObject({ by: null, computed: true, lender: null });
    expect(archive.synthesis.text).toContain('🪺 Coordinator');
  });
});

describe('a coordinator who sits at the table too', () => {
  it('has a second seat of its own, with token and lease, that borrows the runner', async () => {
    const project = await newProject();
    seat(project, 'ada');
    seat(project, 'bo');
    const args = ['start', 'Which?', '--mode', 'synthesis', '--agents', 'ada,bo', '--coordinator', 'bo'];
    expect((await project.council([...args, '--identity', 'token'])).code).toBe(0);
    const { json } = await project.council<Status>(['status', '--json']);
    expect(json.councils[0]).toMatchObject({ coordinator: 'bo-coordinator' });
    expect(Object.keys(json.councils[0]!.participants)).toEqual(['ada', 'bo']);
    await project.council(['tick']);
    await project.council(['tick']);
    const over = await project.council<Ticked>(['tick', '--json']);
    const archive = await exported(project, over.json.councils[0]!.archive!);
    expect(archive.synthesis).toMatchObject({ by: 'bo-coordinator', lender: 'bo', model: 'ollama/lab-bo' });
    expect(archive.contributions.map(({ participant }) => participant)).toEqual([
      'ada',
      'bo',
      'bo-coordinator',
    ]);
  });

  it('is taken from the participants where its runner plays one part only', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { any: { say: 'A script.' } });
    addSpeaker(project, 'bo', { any: { say: 'Another.' } });
    const { json, stderr } = await run(project, '--agents', 'ada,bo', '--coordinator', 'bo');
    expect(stderr).toContain('Participants: ada. Coordinator: bo.');
    expect(json.by).toBe('bo');
  });
});

describe('a synthesis that names another decision', () => {
  const SAYS = (position: string) => ({
    COLLECT: { say: `---\nposition: ${position}\n---\n\nIt costs less.\n` },
    any: { say: `---\nvote: P1\n---\n\nIt costs less.\n` },
  });

  it('is kept under the decision that was counted, with a note in the archive, on the terminal and in JSON', async () => {
    const project = await newProject();
    for (const id of ['ada', 'bo']) addSpeaker(project, id, SAYS(id === 'ada' ? 'mend it' : 'move away'));
    addSpeaker(project, 'max', { any: { say: '---\ndecision: P2\n---\n\n### Decision\n\nWe move away.\n' } });
    const args = ['run', 'Broker or table?', '--coordinator', 'max', '--agents', 'ada,bo'];
    const { stdout } = await project.council(args);
    expect(stdout).toContain('Note: this synthesis names another decision than the votes gave.');
    expect(stdout).not.toContain('decision: P2');
    const asked = launches(project).filter(({ id }) => id === 'max');
    expect(asked[0]!.input).toMatch(/\n---\ndecision:\n---\n[^]*`decision`: `P1`, as it was counted/);
    expect(asked[0]!.input).toMatch(/has decided for P1:\n\nBEGIN (\S+)\nmend it\nEND \1\n/);
    const turn = launches(project).find(({ id, phase }) => id === 'bo' && phase === 'RESOLVE')!;
    expect(turn.input).toMatch(
      /## The ballot: positions by number\n\nBEGIN (\S+)\nP1: mend it\nP2: move away\nEND \1\n/,
    );
    expect(turn.input).toContain(
      '\n---\nvote:\napprove:\nnew:\nsame:\nbecause:\nconfidence:\nblocking:\nagreed:\n---\n',
    );

    const { json } = await project.council<Listed>(['list', '--json']);
    const archive = await exported(project, json.archives[0]!.path);
    expect(archive.synthesis).toMatchObject({ by: 'max', contradicts: true });
    expect(archive.metrics).toMatchObject({
      synthesis: { by: 'max', contradicts: true },
      decision: { decided: true, position: 'mend it' },
    });
    for (const shown of [
      project.read(json.archives[0]!.path).toString(),
      (await project.council(['show', json.archives[0]!.id])).stdout,
    ])
      expect(shown).toContain('This synthesis names another decision than the one that was counted.');
  });

  it('is told as one that decides alone where the votes gave no decision', async () => {
    const project = await newProject();
    for (const id of ['ada', 'bo'])
      addSpeaker(project, id, { any: { say: `---\nposition: ${id}\n---\n\nMine.\n` } });
    addSpeaker(project, 'max', { any: { say: '---\ndecision: P2\n---\n\nWe move away.\n' } });
    const { stdout } = await project.council(['run', 'Which?', '--coordinator', 'max', '--agents', 'ada,bo']);
    expect(stdout).toContain('Note: this synthesis names a decision, but the votes gave none.');
    expect((await project.council(['show'])).stdout).toContain(
      'It names a decision, but the votes gave none.',
    );
  });

  it('is no such thing where it names the one that was counted', async () => {
    const project = await newProject();
    for (const id of ['ada', 'bo']) addSpeaker(project, id, SAYS(id === 'ada' ? 'mend it' : 'move away'));
    addSpeaker(project, 'max', { any: { say: 'decision: P1\n\n### Decision\n\nWe mend it; P2 lost.\n' } });
    const { stdout } = await project.council(['run', 'Which?', '--coordinator', 'max', '--agents', 'ada,bo']);
    expect(stdout).not.toContain('names another decision');
  });
});

describe('a coordinator that refuses', () => {
  it('is asked once more, and then its text stands below the digest, marked', async () => {
    const project = await newProject();
    for (const id of ['ada', 'bo'])
      addSpeaker(project, id, { any: { say: '---\nposition: mend the table\n---\n\nIt costs less.\n' } });
    const sorry = "I'm sorry, but I can't help with that.";
    addSpeaker(project, 'max', { any: { say: sorry } }, { repair: 1 });
    const args = ['--agents', 'ada,bo', '--coordinator', 'max', '--no-advocate', '--json'];
    const { code, json, stderr } = await project.council<Ran>(['run', 'Broker or table?', ...args]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain('asking max once more, for what is missing: decision');
    expect(json).toMatchObject({ by: 'max', contradicts: false, silent: true });
    expect(launches(project).filter(({ id }) => id === 'max')).toHaveLength(2);
    const { synthesis } = await exported(project, json.archive);
    expect(synthesis).toMatchObject({ by: 'max', silent: true });
    const page = project.read(json.archive).toString();
    const [digest, note, text] = ['### Last positions', 'it is no synthesis', sorry].map((part) =>
      page.indexOf(part),
    );
    expect(digest).toBeGreaterThan(0);
    expect(note).toBeGreaterThan(digest!);
    expect(text).toBeGreaterThan(note!);
    const shown = await project.council(['show', json.archive.replace(/^.*\/|\.md$/g, '')]);
    expect(shown.stdout.indexOf(sorry)).toBeGreaterThan(shown.stdout.indexOf('Last positions'));
  });

  it('whose synthesis names next actions is followed by the command that does them', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada');
    addSpeaker(project, 'boss', { any: { say: 'We move.\n\n## Next actions\n\n- Order the vans.' } });
    const args = ['run', 'Do we move?', '--mode', 'synthesis', '--agents', 'ada', '--coordinator', 'boss'];
    const { stdout } = await project.council(args);
    const plan = /^ *(?:Next:.*, )?council (task plan \S+)$/m.exec(stdout)?.[1];
    expect(stdout).toMatch(/council show \S+/);
    const played = await project.council([...plan!.split(' '), '--json']);
    expect(played.stdout + played.stderr).toContain('Order the vans.');
  });
});
