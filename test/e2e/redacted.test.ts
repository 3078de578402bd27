import { expect, it } from 'vitest';
import { canary, secretsOf } from '../helpers/canary.ts';
import { newProject } from '../helpers/cli.ts';
import { exported } from '../helpers/look.ts';
import { addSpeaker } from '../helpers/speakers.ts';
import type { Ran } from '../helpers/documents.ts';

/** Forms that are looked for; nobody prints a key in the others by accident. */
const FOUND = /^(plain|hex|HEX|spaced|base64)/;

it('fault 21: what a failing program prints of its secrets is in no file, message, notice or log', async () => {
  const secret = canary();
  const stderr = [
    secret,
    [...secret].join(' '),
    ...(['hex', 'base64', 'base64url'] as const).flatMap((code) =>
      ['', 'a', 'ab'].map((before) => Buffer.from(`${before}${secret}:more`).toString(code)),
    ),
    `wrapped: ${secret.slice(0, 9)}\n   ${secret.slice(9, 20)}\n   ${secret.slice(20)}`,
    `refused: key=${encodeURIComponent(secret)} ${Buffer.from(secret).toString('base64')}`,
  ].join('\n');
  const project = await newProject();
  const log = `${project.outside}/notices`;
  project.write('notify.sh', `cat >> '${log}'\n`);
  project.write('COUNCIL.md', '---\nnotify: [sh, notify.sh]\n---\n');
  addSpeaker(project, 'ada', { any: { stderr, exit: 3 } }, { env: ['ADA_KEY'] });
  addSpeaker(project, 'bob', { any: { say: 'Bob is well.' } });
  const env = { ADA_KEY: secret };
  const run = await project.council<Ran>(['run', 'Leaks?', '--mode', 'synthesis', '--json'], { env });
  expect(run.code).toBe(0);
  const archive = await exported(project, run.json.archive);
  expect(archive.absences).toMatchObject([
    { participant: 'ada', reason: expect.stringContaining('[redacted]') as string },
  ]);
  const status = await project.council(['status', '--json'], { env });
  const promised = ({ length }: { length: number }, found: string[]): string[] => {
    expect(length).toBeGreaterThan(0);
    return found.filter((what) => FOUND.test(what.slice(what.indexOf('(') + 1)));
  };
  const secrets = secretsOf([secret]);
  expect(promised(run.raw, secrets.in(run.raw))).toEqual([]);
  expect(promised(status.raw, secrets.in(status.raw))).toEqual([]);
  expect(promised('files', secrets.inFiles(project.root))).toEqual([]);
  expect(promised('files', secrets.inFiles(project.privateDir))).toEqual([]);
  expect(
    promised(
      'files',
      secrets.inFiles(project.outside).filter((what) => what.includes('notices')),
    ),
  ).toEqual([]);
});
