// What the server room adds to the core: pages of councils, and a client for a remote server.
import type { Feature } from '../core/app/feature.ts';
import type { CallName } from './remote/calls.ts';

export const server: Feature = {
  exportPage: async (found, format) => (await import('./page/use/export-page.ts')).exportPage(found, format),
  async client() {
    const [{ askServer }, { watchElsewhere }, { runRemoteWorker }] = await Promise.all([
      import('./remote/client.ts'),
      import('./remote/follow-server.ts'),
      import('./remote-worker/worker.ts'),
    ]);
    return {
      ask: (app, { server: url, command, input }) =>
        askServer(app, { server: url, name: command as CallName, input }),
      watch: watchElsewhere,
      work: runRemoteWorker,
    };
  },
};
