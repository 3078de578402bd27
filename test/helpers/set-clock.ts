import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PRELOAD = pathToFileURL(join(import.meta.dirname, 'clock.ts')).href;

/** The environment of a machine whose clocks say something else: the settings of `clock.ts`. */
export const machine = (settings: Record<string, string | number>): { env: Record<string, string> } => ({
  env: {
    NODE_OPTIONS: `--import=${PRELOAD}`,
    NODE_NO_WARNINGS: '1',
    ...Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, String(value)])),
  },
});

/** A machine where it is that time now. */
export const clockSetTo = (at: string): { env: Record<string, string> } =>
  machine({ CLOCK_AHEAD: Date.parse(at) - Date.now() });
