import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Responded } from '../helpers/documents.ts';
import { must } from '../helpers/scenarios.ts';
import { addAgent } from '../helpers/speakers.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

interface Read {
  position: string | null;
  quotes: { text: string; status: string; claim: string | null }[];
  answers: Record<string, string>;
  missing: string[];
}
interface ReadDocument {
  phase: string;
  as: string | null;
  read: Read;
}

const WELL =
  'Sure! Here is mine:\n\n```yaml\nposition: "Use PostgreSQL"\nconfidence: 0.8\n```\n\nIt runs here already.\n';

async function debate(): Promise<Project> {
  const project = await newProject();
  for (const id of ['ada', 'bob']) addAgent(project, id);
  await must(project, ['start', 'Which queue?', '--rule', 'majority', '--agents', 'ada,bob']);
  return project;
}

describe('what was read', () => {
  it('is told to whoever responds, in two lines and as data, and may be completed', async () => {
    const project = await debate();
    const poor = await project.council(['respond', 'ada'], { input: 'PostgreSQL, I think.\n' });
    expect(poor.stdout).toBe(
      [
        'Recorded: ada, COLLECT (round 1), 21 bytes, revision 2.',
        'Read: no position, quotes or answers.',
        'Missing: a position. Add it with: council respond ada --name active-conversation --tour 1 --replace\n',
      ].join('\n'),
    );
    const better = await project.council(['respond', 'ada', '--replace'], { input: WELL });
    expect(better.stdout).toMatch(/\nRead: position "Use PostgreSQL", confidence 0.8.\n$/);
    const again = await project.council<Responded & ReadDocument>(['respond', 'ada', '--json'], {
      input: WELL,
    });
    expect(again.json).toMatchObject({
      reason: 'already_responded',
      read: { position: 'Use PostgreSQL', confidence: 0.8, missing: [] },
    });
    // Nobody else hears of it while the phase is blind.
    for (const args of [
      ['status'],
      ['status', '--json'],
      ['history', '--json'],
      ['view', 'bob'],
      ['ledger'],
    ]) {
      const { raw } = await project.council(args);
      expect(raw.includes('PostgreSQL'), args.join(' ')).toBe(false);
      expect(raw.includes('"read"'), args.join(' ')).toBe(false);
    }
    const state = project.read('memory/shared/council-active-conversation.md').toString('utf8');
    expect(state).not.toMatch(/PostgreSQL|"read"/);
  });

  long('tells quotes and answers in the later phases', async () => {
    const project = await debate();
    await must(project, ['respond', 'ada'], WELL);
    await must(project, ['respond', 'bob'], 'position: Use Redis\n\nPolling a table is slow.\n');
    await must(project, ['tick']);
    const asked = await project.council(['respond', 'bob'], {
      input:
        '@ada.1\n> It runs here already.\n\nBut who looks after it?\n\n> It is the best of all queues\n\nNo.\n',
    });
    expect(asked.stdout).toContain(
      'Read: 1 quote verified; 1 quote not found; 1 challenge to a claim; 1 challenge to no single claim.\nMissing: quotes in their author’s exact words.',
    );
    const nearly = await project.council(['respond', 'bob', '--replace'], {
      input: 'bob asks: who keeps it?\n\n@ada.1\n> It never runs here already.\n\nBut who looks after it?\n',
    });
    expect(nearly.stdout).toContain(
      'Read: 1 quote nearly right; the text says "It runs here already", not "It never runs here already."; 1 challenge to a claim.',
    );
    const again = await project.council(['respond', 'bob', '--replace'], {
      input: 'position: Use Redis\n\nPolling a table is slow.\n',
    });
    expect(again.stdout).toContain('an earlier contribution of yours again');
    expect(again.stderr).toContain('This is your contribution of round 1 again');
    await must(
      project,
      ['respond', 'bob', '--replace'],
      '@ada.1\n> It runs here already.\n\nBut who looks after it?\n',
    );
    await must(project, ['respond', 'ada'], 'Nothing to add.\n');
    await must(project, ['tick']);
    const answered = await project.council(['respond', 'ada'], { input: 'I shall think about it.\n' });
    expect(answered.stdout).toContain('\nMissing: a vote and an answer to c1.');
    const { json } = await project.council<Responded & ReadDocument>(
      ['respond', 'ada', '--replace', '--json'],
      { input: 'vote: P1\napprove: P2\n\nc1 rejected: the platform team does, on rota.\n' },
    );
    expect(json.read).toMatchObject({
      vote: 'P1',
      approve: ['P2'],
      position: 'Use PostgreSQL',
      answers: { c1: 'rejected' },
      missing: [],
    });
  });

  long('tells of a position that is no option, which is recorded and votes for nothing', async () => {
    const project = await newProject();
    for (const id of ['ada', 'bob']) addAgent(project, id);
    const options = ['--option', 'Redis', '--option', 'PostgreSQL', '--rule', 'majority'];
    await must(project, ['start', 'Which queue?', ...options, '--agents', 'ada,bob']);
    const { code, json, stderr } = await project.council<Responded & ReadDocument>(
      ['respond', 'ada', '--json'],
      { input: 'position: Kafka\n\nIt scales.' },
    );
    expect([code, json]).toMatchObject([0, { read: { position: 'Kafka', missing: ['option'] } }]);
    expect(stderr).toContain('none of the options, and votes for nothing');
  });
});

describe('council read', () => {
  it('reads a file or stdin against the open council, and records nothing', async () => {
    const project = await debate();
    project.write('answer.md', WELL);
    const { json } = await project.council<ReadDocument>(['read', 'answer.md', '--as', 'ada', '--json']);
    expect(json).toMatchObject({
      phase: 'COLLECT',
      as: 'ada',
      read: { position: 'Use PostgreSQL', missing: [] },
    });
    const piped = await project.council(['read', '-'], { input: 'PostgreSQL, I think.' });
    expect(piped.stdout).toBe('Read: no position, quotes or answers.\nMissing: a position.\n');
    const codeOf = async (...more: string[]) =>
      (await project.council(['read', '-', ...more], { input: WELL })).code;
    expect([await codeOf('--as', 'zoe'), await codeOf('--name', 'other')]).toEqual([2, 2]);
    const { stdout } = await project.council(['history']);
    expect(stdout).not.toContain('answered');
  });

  long('says what it cannot use, as respond does', async () => {
    const project = await debate();
    const text = 'vote: P9\nposition: [a, b]\n\nBecause.\n';
    const read = await project.council(['read', '-', '--as', 'ada'], { input: text });
    expect(read.stderr).toContain('Note: The position is still the example of the form: [a, b].');
    expect(read.stdout).toContain('Missing: a position.');
    const none = await project.council(['read', '-', '--as', 'ada'], { input: 'position: None\n\nNo.\n' });
    expect(none.stderr).toContain('The position "None" is read as no position yet.');
  });

  long('says without a name, too, that a position is none of the options', async () => {
    const project = await newProject();
    addAgent(project, 'ada');
    await project.council(['start', 'X or Y?', '--option', 'x', '--option', 'y']);
    const { json } = await project.council<ReadDocument>(['read', '-', '--json'], { input: 'position: z\n' });
    expect(json).toMatchObject({ as: null, read: { position: 'z', missing: ['option'] } });
    const none = await project.council<ReadDocument>(['read', '-', '--json'], { input: 'position: X.\n' });
    expect(none.json.read.missing).toEqual([]);
  });

  long('reads what the text alone gives where there is no council, or no project', async () => {
    const empty = await newProject();
    const bare = await newProject({ init: false });
    for (const project of [empty, bare]) {
      const { code, json } = await project.council<ReadDocument>(['read', '-', '--json'], { input: WELL });
      expect([code, json]).toMatchObject([
        0,
        { phase: 'COLLECT', as: null, read: { position: 'Use PostgreSQL', quotes: [], missing: [] } },
      ]);
      const later = await project.council<ReadDocument>(['read', '-', '--phase', 'RESOLVE', '--json'], {
        input: '- c1 conceded: yes\n- **c2**: rejected, it is measured\n',
      });
      expect(later.json.read.answers).toEqual({ c1: 'conceded', c2: 'rejected' });
    }
  });

  it('asks for the token where the council does', async () => {
    const project = await newProject();
    for (const id of ['ada', 'bob']) addAgent(project, id);
    await must(project, ['start', 'Which queue?', '--identity', 'token', '--agents', 'ada,bob']);
    const { code, json } = await project.council<{ error: { code: string } }>(
      ['read', '-', '--as', 'ada', '--json'],
      { input: WELL },
    );
    expect([code, json.error.code]).toEqual([1, 'forbidden']);
  });
});
