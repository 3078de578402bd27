import fs from 'node:fs';
import { join } from 'node:path';
import type { Project } from './cli.ts';

/** A PATH with Node and these programs, written as shell scripts, and nothing else that this machine may have. */
export function pathWith(project: Project, programs: Record<string, string> = {}): string {
  const bin = fs.mkdtempSync(join(project.outside, 'bin-'));
  // The folder of a Node may hold agent programs as well.
  fs.symlinkSync(process.execPath, join(bin, 'node'));
  for (const [name, script] of Object.entries(programs))
    fs.writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return bin;
}

/** An agent program that answers: its version, and `says` to everything else. */
export const answering = (version: string, says = 'ready'): string =>
  `if [ "$1" = --version ]; then echo "${version}"; else while read -r line; do :; done; echo "${says}"; fi`;
