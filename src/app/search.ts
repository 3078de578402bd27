// Use case `search`: full-text search in the archives.
import { searchArchives } from '../archive/search.ts';
import { searchIndex } from '../store/file/search-index.ts';
import type { App, Result } from './app.ts';
import type { SearchInput } from './input/archive.ts';
import { openWorkspace } from './workspace.ts';

type Found = Awaited<ReturnType<typeof searchArchives>>;

/** Words and "phrases" in all archives, best first. */
export async function search(app: App, { query, limit }: SearchInput): Promise<Result<Found>> {
  const { project, ports } = openWorkspace(app);
  const index = searchIndex({ env: app.env, root: project.root, warn: (message) => app.note(message) });
  return { document: await searchArchives({ archives: ports.archives, index }, query, limit) };
}
