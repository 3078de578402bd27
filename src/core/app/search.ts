// Use case `search`: full-text search in archives and reports.
import { searchArchives } from '../archive/search.ts';
import type { SearchSource } from '../archive/search.ts';
import { searchIndex } from '../store/file/search-index.ts';
import type { App, Result } from './app.ts';
import type { SearchInput } from './input/archive.ts';
import { openWorkspace } from './workspace.ts';
import type { Workspace } from './workspace.ts';

export type SearchDocument = Awaited<ReturnType<typeof searchArchives>>;

/** Words and "phrases" in all archives and reports, best first. */
export async function search(app: App, { query, limit }: SearchInput): Promise<Result<SearchDocument>> {
  const { project, ports } = openWorkspace(app);
  const isOwn = app.caller?.ownArchive !== undefined;
  const index = searchIndex({
    env: app.env,
    root: project.root,
    // The index of all archives forgets what is not among those that are searched.
    isKept: !isOwn,
    warn: (message) => app.note(message),
  });
  return {
    document: await searchArchives(
      { archives: ports.archives, sources: isOwn ? [] : await findSearchSources(app, { project }), index },
      query,
      limit,
    ),
  };
}

const findSearchSources = async (
  { features }: App,
  workspace: Pick<Workspace, 'project'>,
): Promise<SearchSource[]> =>
  Promise.all(features.flatMap(({ searchSource }) => searchSource?.(workspace) ?? []));
