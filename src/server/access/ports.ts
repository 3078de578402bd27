// Where the access tokens of a project are kept, and what tells of its server on this machine.
import { accessTokenFiles } from '../../core/store/file/access-tokens.ts';
import { handOver, sweepHandedOver, openServingBook } from '../../core/store/file/serving-record.ts';
import type { ServingRecords } from '../../core/store/file/serving-record.ts';
import type { AccessTokens } from '../../core/store/keys.ts';
import type { App } from '../../core/app/app.ts';
import type { Workspace } from '../../core/app/workspace.ts';

/**
 * Access tokens are kept outside of the project, so that reading or cloning it does not reveal
 * them. A project in a database keeps them there, and they are valid on every machine.
 */
export function openAccessTokens(
  { env }: Pick<App, 'env'>,
  { project, keeping }: Pick<Workspace, 'project' | 'keeping'>,
): AccessTokens {
  const local = accessTokenFiles({ env, projectRoot: project.root });
  return keeping.accessTokens?.(local) ?? local;
}

/** The record by which a server of this machine is found. */
export const openServingRecords = (
  { env }: Pick<App, 'env'>,
  { project }: Pick<Workspace, 'project'>,
): ServingRecords => openServingBook({ env, projectRoot: project.root });

export { handOver, sweepHandedOver };
