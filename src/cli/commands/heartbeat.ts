// Command `heartbeat`.
import { heartbeat } from '../../app/heartbeat.ts';
import type { HeartbeatInput } from '../../app/input/council.ts';
import { plainLines } from '../../app/progress.ts';
import { CouncilError } from '../../base/errors.ts';
import type { Command } from '../spec.ts';

export const heartbeatCommand: Command<HeartbeatInput> = async (cli, input) => {
  if (cli.json)
    throw new CouncilError('usage', 'heartbeat runs until it is stopped: it has no one document.', {
      hint: 'For one pass: council tick --json',
    });
  await heartbeat({ ...cli, progress: plainLines(cli) }, input);
  return { json: null, text: 'Heartbeat stopped.' };
};
