import { execFileSync } from 'node:child_process';

/** The processes that a council has started to end its programs, should it be killed. */
export function guardiansOf(pid: number): number[] {
  const lines = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n');
  return lines.flatMap((line) => {
    const [, own, parent, args = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/s.exec(line) ?? [];
    return Number(parent) === pid && args.includes('council-guardian') ? [Number(own)] : [];
  });
}
