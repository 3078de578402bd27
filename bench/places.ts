// Where figures are measured: on a disk and in memory.
import fs from 'node:fs';
import { join } from 'node:path';

export interface Place {
  name: 'disk' | 'tmpfs';
  folder: string;
}

const MEMORY = '/dev/shm';
/** What statfs says of a file system in memory. */
const TMPFS = 0x01021994;

/** Where the program lies, and memory where there is a tmpfs; only `folder` where that is told. */
export function places(folder: string | undefined): Place[] {
  if (folder !== undefined) return [placeAt(folder)];
  const beside = placeAt(join(import.meta.dirname, '../dist'));
  return fs.existsSync(MEMORY) && isMemory(MEMORY) && beside.name === 'disk'
    ? [beside, placeAt(MEMORY)]
    : [beside];
}

const placeAt = (folder: string): Place => ({ name: isMemory(folder) ? 'tmpfs' : 'disk', folder });

const isMemory = (folder: string): boolean => fs.statfsSync(folder).type === TMPFS;
