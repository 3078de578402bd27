// Where this process came from: whether council has launched one of the processes that it goes back to. Linux only.
import { basename } from 'node:path';
import { readSystemFile } from './liveness.ts';

/** A process as /proc shows it. */
export interface Seen {
  pid: number;
  parent: number;
  session: number;
  /** Its arguments, and the variables that it began with: both empty where they may not be read. */
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
}

/** More would be no chain of parents. */
const MOST_STEPS = 256;

/**
 * Whether a program that council has launched is among the processes that this one goes back to, or began its session. It is known by
 * the variables of its launch, which no child can take out of a parent, or by the session of its own that council has launched
 * it into; a launch whose variables are `isOther` does not count. Who has left both session and parents is not found.
 */
export function cameFromLaunch(
  isMarked: (env: NodeJS.ProcessEnv) => boolean,
  { isOther = isMarked, look = lookUp }: { isOther?: typeof isMarked; look?: typeof lookUp } = {},
): boolean {
  const own = look(process.pid);
  if (!own) return false;
  // Whose parent has gone still is in the session that it was launched into.
  return [own, look(own.session)].some((first) => first !== undefined && isBelowLaunch(first));

  function isBelowLaunch(first: Seen): boolean {
    let child: Seen | undefined;
    for (let one: Seen | undefined = first, steps = 0; one && steps < MOST_STEPS; steps++) {
      if (isMarked(one.env)) return true;
      if (child && child.session !== one.session && launches(one) && !isCall(child) && !isOther(child.env))
        return true;
      child = one;
      one = one.parent > 0 ? look(one.parent) : undefined;
    }
    return false;
  }
}

/** The first argument that is no option of Node. */
const scriptOf = ({ argv }: Seen): string =>
  basename(argv.slice(1).find((argument) => !argument.startsWith('-')) ?? '');

const isCouncil = (seen: Seen): boolean =>
  basename(process.argv[1] ?? '') === scriptOf(seen) || /^council(?:\.m?js)?$/.test(scriptOf(seen));

/** Council itself, and the process of one of its calls: of the tool server, or over the API. */
const launches = (seen: Seen): boolean => isCouncil(seen) || isCall(seen);

/** The program of one call, which is council itself. */
const isCall = (seen: Seen): boolean => scriptOf(seen) === 'call.js';

function lookUp(pid: number): Seen | undefined {
  // The name of the command, in brackets, may itself hold spaces and brackets.
  const stat = readSystemFile(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const [, parent, , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const words = (name: string): string[] =>
    readSystemFile(`/proc/${pid}/${name}`)?.split('\0').filter(Boolean) ?? [];
  const env = words('environ').map((one) => [one.split('=', 1)[0], one.slice(one.indexOf('=') + 1)]);
  return {
    ...{ pid, parent: Number(parent), session: Number(session) },
    ...{ argv: words('cmdline'), env: Object.fromEntries(env) as NodeJS.ProcessEnv },
  };
}
