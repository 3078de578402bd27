// Command `heartbeat`: lines about what happens, or one event a line.
import type { Progress } from '../../app/app.ts';
import { loadServerClient } from '../../app/feature.ts';
import { progressEvent } from '../../app/events.ts';
import { heartbeat } from '../../app/heartbeat.ts';
import type { HeartbeatInput } from '../../app/input/council.ts';
import { plainLines } from '../../app/progress.ts';
import { printEvent } from '../print.ts';
import type { Command } from '../spec.ts';

export const heartbeatCommand: Command<HeartbeatInput> = async (cli, input) => {
  const last = new Map<string, string>();
  const events = (progress: Progress): void => {
    if (progress.type === 'launching') {
      // Each pass looks at the phase anew.
      const facts = JSON.stringify(progress);
      if (last.get(progress.council) === facts) return;
      last.set(progress.council, facts);
    }
    printEvent(progressEvent(progress, Date.now()));
  };
  const app = { ...cli, progress: cli.json ? events : plainLines(cli) };
  if (cli.serverUrl !== undefined) await (await loadServerClient(cli)).work(app, cli.serverUrl, input);
  else await heartbeat(app, input);
  return { json: undefined, text: 'Heartbeat stopped.' };
};
