/** Leases whose turn is going on in this very process: one that is not here was left behind by a turn that failed. */
export const atWork = new Set<string>();

const duties = new Set<() => void>();

/** Has `duty` done, synchronously, if the process ends before the function returned is called. */
export function beforeExit(duty: () => void): () => void {
  if (duties.size === 0) process.on('exit', runExitDuties);
  duties.add(duty);
  return () => {
    duties.delete(duty);
    if (duties.size === 0) process.off('exit', runExitDuties);
  };
}

function runExitDuties(): void {
  for (const duty of duties) duty();
}
