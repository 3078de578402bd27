// The script of the pages, as the build has made it.
import { join } from 'node:path';
import { packageDir, readTextFile } from '../../../core/store/local/project.ts';

let read: string | undefined;

/** Empty where nothing was built: every page can be read and answered without it. */
export const pageScript = (): string => (read ??= readTextFile(join(packageDir(), 'dist', 'page.js')) ?? '');
