// What the team room adds to the core: tasks played by ticks, due messages, the channel of a council, reports.
import type { App } from '../core/app/app.ts';
import type { Feature } from '../core/app/feature.ts';
import type { Workspace } from '../core/app/workspace.ts';

/** True if there are tasks to play. Called at every tick, so it loads nothing if there have never been any. */
export async function hasOpenTasks(app: App, workspace: Workspace): Promise<boolean> {
  if (!workspace.keeping.mayHold('tasks')) return false;
  const { openTaskStore } = await import('./tasks/use/ports.ts');
  return (await openTaskStore(app, workspace).numbers()).open.length > 0;
}

export const team: Feature = {
  documentKinds: async () => (await import('./document-kinds.ts')).KINDS,
  async notifiers(app, workspace, { lang }) {
    const { createChannelNotifier } = await import('./messages/use/announcer.ts');
    const announce = async () =>
      (await import('./messages/use/announcer.ts')).createAnnouncer(app, workspace);
    // Channels are opened only when there is something to announce.
    let opened: ReturnType<typeof announce> | undefined;
    return [createChannelNotifier({ open: () => (opened ??= announce()), lang })];
  },
  background: {
    hasWork: hasOpenTasks,
    async play(app, workspace, { quiet = app, ...options }) {
      const [{ playUnfinishedTasks, createTaskNewsPrinter }, { toTaskDocuments }] = await Promise.all([
        import('./tasks/use/play-tasks.ts'),
        import('./tasks/use/task-documents.ts'),
      ]);
      // Each pass finds the waiting tasks again, so they are reported quietly.
      const tell: ReturnType<typeof createTaskNewsPrinter> = (news) =>
        createTaskNewsPrinter(news.type === 'waiting' ? quiet : app)(news);
      return toTaskDocuments(await playUnfinishedTasks(app, workspace, { ...options, tell }));
    },
    watchWork: async (app, workspace, wake) =>
      (await import('./tasks/use/watch-tasks.ts')).watchFreeTasks(app, workspace, wake),
    async settleDue(app, workspace) {
      // If only councils have sent messages, none needs an ACK.
      const { keeping } = workspace;
      const { isOfCouncil } = await import('./messages/channel.ts');
      const isQuiet =
        !keeping.mayHold('deliveries') && (await keeping.messages().channels()).every(isOfCouncil);
      if (isQuiet) return undefined;
      return (await import('./messages/use/open-office.ts')).makeRoundsEverywhere(app, workspace);
    },
  },
  searchSource: async (workspace) => (await import('./reports/keep-report.ts')).createReportSource(workspace),
  doctorChecks: {
    messages: async (app, place) => (await import('./messages/use/presence.ts')).checkMessages(app, place),
  },
};
