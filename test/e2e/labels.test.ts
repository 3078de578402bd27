// Labels of heartbeats as people meet them: who is launched by whom, status, doctor.
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import { addSpeaker, launches } from '../helpers/speakers.ts';

const NEVER = ['--every', '0 0 1 1 *', '--active', '0 0 1 1 *'];

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
    const sentence = 'No heartbeat with the labels gpu, big is there: llama.';
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
    expect(stdout).toContain('Aucun battement avec les étiquettes gpu n’est là : llama.');
    await project.council(['tick']);
    expect(launches(project)).toEqual([]);
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

  it('are refused where they are none', async () => {
    const project = await newProject();
    const { code, stderr } = await project.council(['tick', '--labels', 'GPU!']);
    expect(code).toBe(2);
    expect(stderr).toContain('The option --labels must be a list of labels, or labels separated by commas');
  });
});
