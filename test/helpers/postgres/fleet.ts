// A fleet on one database: machines with labels, servers, and something that kills them at random.
import { newProject } from '../cli.ts';
import type { Project, Running } from '../cli.ts';
import { addSpeaker } from '../speakers.ts';

/** A project folder of a machine of its own, on this database, with agents that say who they are and where they run. */
export async function machineOn(url: string, agents: Record<string, string[]>): Promise<Project> {
  const project = await newProject({ init: false });
  project.env.COUNCIL_DATABASE_URL = url;
  const { code, stderr } = await project.council(['init', '--no-detect']);
  if (code !== 0) throw new Error(stderr);
  for (const [id, labels] of Object.entries(agents))
    addSpeaker(
      project,
      id,
      { any: { say: `position: ${id}\n\n${id} has answered.\n` } },
      labels.length > 0 ? { 'runs-on': labels } : {},
    );
  await project.council(['trust', '--yes']);
  return project;
}

/** A process that is begun again whenever it has ended. */
export interface Kept {
  /** SIGKILL, SIGTERM, or SIGSTOP and after a while SIGCONT. */
  hit(signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP', ms: number): Promise<void>;
  end(): Promise<void>;
}

/** Keeps it running, whatever ends it. */
export function kept(begin: () => Running): Kept {
  let isOver = false;
  let running = begin();
  const watch = (): void =>
    void running.ended.then(() => {
      if (isOver) return;
      running = begin();
      watch();
    });
  watch();
  return {
    async hit(signal, ms) {
      const { child } = running;
      child.kill(signal);
      if (signal !== 'SIGSTOP') return;
      await new Promise((later) => setTimeout(later, ms));
      child.kill('SIGCONT');
    },
    async end() {
      isOver = true;
      running.child.kill('SIGTERM');
      running.child.kill('SIGCONT');
      await running.ended;
    },
  };
}
