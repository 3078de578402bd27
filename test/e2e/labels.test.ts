// Labels of heartbeats as people meet them: who is launched by whom, status, doctor.
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import { withWorkers } from '../helpers/scripted-workers.ts';
import { addSpeaker, launches } from '../helpers/speakers.ts';

const NEVER = ['--every', '0 0 1 1 *', '--active', '0 0 1 1 *'];

interface Listed {
  tasks: Record<string, unknown>[];
}

interface Status {
  councils: { waiting?: { participant: string; labels: string[]; reason: string }[] }[];
}

describe.concurrent('labels', () => {
  it('keep an agent for the heartbeat that has them; status and doctor say which are missing', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada');
    addSpeaker(project, 'llama', {}, { 'runs-on': ['gpu', 'big'] });
    await project.council(['start', 'Which card?', '--mode', 'synthesis']);
    const plain = project.launch(['heartbeat', ...NEVER]);
    await until('ada is launched', () => launches(project).length === 1);
    const { json } = await project.council<Status>(['status', '--json']);
    expect(json.councils[0]!.waiting).toEqual([
      { participant: 'llama', labels: ['gpu', 'big'], reason: 'no_heartbeat' },
    ]);
    const sentence = 'No running heartbeat has the labels gpu, big, needed by: llama.';
    expect((await project.council(['status'])).stdout).toContain(sentence);
    const { stdout } = await project.council(['doctor']);
    expect(stdout).toContain(sentence);
    expect(stdout).toContain('council heartbeat --labels gpu,big');

    const gpu = project.launch(['heartbeat', ...NEVER], { env: { COUNCIL_LABELS: 'big,gpu' } });
    await until('the archive is there', () => fs.readdirSync(join(project.root, 'conseils')).length === 1);
    expect(launches(project).map(({ id }) => id)).toEqual(['ada', 'llama']);
    expect((await project.council(['doctor'])).stdout).not.toContain(sentence);
    for (const beat of [plain, gpu]) {
      beat.child.kill('SIGTERM');
      expect((await beat.ended).code).toBe(0);
    }
    expect((await project.council(['doctor'])).stdout).toContain(sentence);
  });

  it('are said in the language of the council, and go with tick and run as well', async () => {
    const project = await newProject({ lang: 'fr' });
    addSpeaker(project, 'llama', {}, { 'runs-on': ['gpu'] });
    await project.council(['start', 'Quelle carte ?', '--mode', 'synthesis']);
    const { stdout } = await project.council(['status']);
    expect(stdout).toContain('Aucun heartbeat en marche n’a les étiquettes gpu, nécessaires à : llama.');
    await project.council(['tick']);
    expect(launches(project)).toEqual([]);
    const waits = project.launch(['run', 'Which card?', '--mode', 'synthesis', '--name', 'waits']);
    await until('run says which label is missing', () =>
      waits
        .output()
        .includes(
          'Aucun heartbeat en marche n’a les étiquettes gpu, nécessaires à : llama. Pour en démarrer un : council heartbeat --labels gpu',
        ),
    );
    expect(waits.output()).not.toContain('council respond llama');
    waits.child.kill('SIGINT');
    expect((await waits.ended).code).toBe(130);
    await project.council(['cancel', '--name', 'waits', '--why', 'tried']);
    await project.council(['tick', '--labels', 'gpu']);
    expect(launches(project)).toHaveLength(1);
    const run = await project.council([
      'run',
      'Et ici ?',
      '--labels',
      'gpu,x',
      '--name',
      'ici',
      '--mode',
      'synthesis',
    ]);
    expect({ code: run.code, launched: launches(project).length }).toMatchObject({
      code: 0,
      launched: 2,
    });
  });

  it('keep a task for the heartbeat that has them; list and show say which are missing', async () => {
    const project = await withWorkers({
      llama: { steps: [{ say: 'Fertig: größer.' }], council: 'runs-on: [gpu]\ncapabilities: [draw]' },
      ada: { steps: [{ say: 'ada' }], council: 'capabilities: [sum-up]' },
    });
    const running = project.launch(['task', 'run', 'Zeichne 🦉', '--needs', 'draw']);
    await until('it waits', () =>
      running.output().includes('T1: llama waits: it needs a heartbeat with the label gpu'),
    );
    const standing = 'waits: no heartbeat has the label gpu';
    expect((await project.council(['task', 'list'])).stdout).toContain(`S1/T1: ${standing}: Zeichne 🦉`);
    expect((await project.council(['task', 'show', 'T1'])).stdout).toContain(`S1/T1: ${standing}`);
    const { json } = await project.council<Listed>(['task', 'list', '--json']);
    expect(json.tasks[0]).toMatchObject({
      standing,
      waiting: [{ participant: 'llama', labels: ['gpu'], reason: 'no_heartbeat' }],
    });
    const plain = await project.council<{ tasks: unknown[] }>(['tick', '--json']);
    expect({ code: plain.code, launched: project.prompts('llama') }).toEqual({ code: 0, launched: [] });
    expect((await project.council(['task', 'run', 'Und das?', '--needs', 'sum-up'])).stdout).toBe('ada\n');

    // Whoever asked for it hears what another machine has made of it.
    expect((await project.council(['tick'], { env: { COUNCIL_LABELS: 'big,gpu' } })).code).toBe(0);
    expect(await running.ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Fertig: größer.') as string,
    });
    expect(project.prompts('llama')).toHaveLength(1);
    const labelled = await project.council(['task', 'run', 'Noch eins', '--to', 'llama', '--labels', 'gpu']);
    expect(labelled).toMatchObject({ code: 0, stdout: 'Fertig: größer.\n' });
  });

  it('are those of each machine: a heartbeat says once what waits, and does what it has the labels for', async () => {
    const project = await withWorkers({
      llama: { steps: [{ say: 'Fait.' }], council: 'runs-on: [gpu]' },
    });
    const running = project.launch(['task', 'run', 'Dessine', '--to', 'llama']);
    const why = 'T1: llama waits: it needs a heartbeat with the label gpu';
    await until('it waits', () => running.output().includes(why));
    running.child.kill('SIGINT');
    await running.ended;
    const often = ['--every', '* * * * * *', '--active', '* * * * * *'];
    const plain = project.launch(['heartbeat', ...often]);
    await until('the heartbeat says why', () => plain.output().includes(why));
    const gpu = project.launch(['heartbeat', ...often], { env: { COUNCIL_LABELS: 'gpu' } });
    await until('it is done', async () =>
      (await project.council(['task', 'show', 'T1'])).stdout.includes('done by llama'),
    );
    for (const beat of [plain, gpu]) {
      beat.child.kill('SIGTERM');
      await beat.ended;
    }
    expect(plain.output().split(why)).toHaveLength(2);
  });

  it('are refused where they are none', async () => {
    const project = await newProject();
    const { code, stderr } = await project.council(['tick', '--labels', 'GPU!']);
    expect(code).toBe(2);
    expect(stderr).toContain('The option --labels must be a list of labels, or labels separated by commas');
  });
});
