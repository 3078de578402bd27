// Where the access tokens of a project are kept.
import { accessTokenFiles } from '../../store/file/access-tokens.ts';
import type { AccessTokens } from '../../store/access-tokens.ts';
import type { App } from '../app.ts';
import type { Workspace } from '../workspace.ts';

/** Outside of the project: who can read its files, or clones it, has none of them. */
export const accessTokensOf = (
  { env }: Pick<App, 'env'>,
  { project }: Pick<Workspace, 'project'>,
): AccessTokens => accessTokenFiles({ env, projectRoot: project.root });
