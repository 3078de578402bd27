// The script of the pages, as created by the build.
import { join } from 'node:path';
import { findPackageDir, readTextFile } from '../../../core/store/local/project.ts';

let read: string | undefined;

/** Returns an empty script if nothing was built: every page works without it. */
export const readPageScript = (): string =>
  (read ??= readTextFile(join(findPackageDir(), 'dist', 'page.js')) ?? '');
