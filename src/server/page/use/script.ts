// The script of the pages, as created by the build.
import { join } from 'node:path';
import { packageDir, readTextFile } from '../../../core/store/local/project.ts';

let read: string | undefined;

/** Returns an empty script if nothing was built: every page works without it. */
export const pageScript = (): string => (read ??= readTextFile(join(packageDir(), 'dist', 'page.js')) ?? '');
