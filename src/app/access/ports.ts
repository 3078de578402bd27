// Where the access tokens of a project are kept.
import { accessTokenFiles } from '../../store/file/access-tokens.ts';
import type { AccessTokens } from '../../store/access-tokens.ts';
import type { App } from '../app.ts';
import type { Workspace } from '../workspace.ts';

/**
 * Outside of the project: who can read its files, or clones it, has none of them. Where a database keeps the project, its
 * tokens open it on every machine.
 */
export function accessTokensOf(
  { env }: Pick<App, 'env'>,
  { project, keeping }: Pick<Workspace, 'project' | 'keeping'>,
): AccessTokens {
  const local = accessTokenFiles({ env, projectRoot: project.root });
  return keeping.accessTokens?.(local) ?? local;
}
