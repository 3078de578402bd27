// Whether there are tasks to be played: asked at every tick, so nothing is loaded where there never were any.
import type { App } from '../../../core/app/app.ts';
import type { Workspace } from '../../../core/app/workspace.ts';

export async function hasOpenTasks(app: App, workspace: Workspace): Promise<boolean> {
  if (!workspace.keeping.mayHold('tasks')) return false;
  const { openTaskStore: tasksOf } = await import('./ports.ts');
  return (await tasksOf(app, workspace).numbers()).open.length > 0;
}
