import type { CouncilState } from '../council/state.ts';
import type { Paused } from './paused.ts';
import type { Workspace } from './wire.ts';

/** The absolute path of the state file. */
export const projectionPath = ({ store }: Workspace, name: string): string => store.projectionPath(name);

/** The state JSON plus `path` and `edited`: one element of `status --json`. */
export interface StateDocument extends CouncilState {
  path: string;
  /** True when somebody edited the file by hand; see adopt and restore. */
  edited: boolean;
  /** Who is awaited and not launched for a while; not set when there is nobody. */
  paused?: Paused;
}

export function stateDocument(workspace: Workspace, state: CouncilState): StateDocument {
  return {
    ...state,
    path: projectionPath(workspace, state.name),
    edited: workspace.store.isEdited(state.name),
  };
}
