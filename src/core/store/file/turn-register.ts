// File driver: the register of turns, with a file per launch in the owner's private folder.
import fs from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../base/ids.ts';
import { toUnknownRecord } from '../../base/text.ts';
import { readJsonDocument } from '../documents.ts';
import type { NewTurn, Turn, TurnRegister } from '../local/turns.ts';
import { listAncestors, findPeers } from '../local/processes.ts';
import type { Ancestor, Ports } from '../local/processes.ts';
import { attempt, listFolderNames, unlinkIfThere } from '../local/disk.ts';
import type { ProcessIdentity } from '../local/liveness.ts';
import { identifyProcess, isAlive, identifyThisProcess } from '../local/liveness.ts';
import { readBytes } from '../local/read.ts';
import { replaceFile } from '../local/temps.ts';
import type { OwnerPlace } from './owner-folder.ts';
import { openOwnerFolder } from './owner-folder.ts';
import { findPrivateRoot, getPrivateRoot } from './private-dir.ts';

interface Sources {
  /** Milliseconds since the epoch. */
  now(): number;
  randomBytes(size: number): Uint8Array;
}

const FOLDER = 'turns';
const LONGEST = 16 * 1024;
const OURS = /^[0-9a-f]{64}\.json$/;

/** Writes turns to `$XDG_STATE_HOME/council/turns/<sha256 of the secret>.json`, mode 0600. */
export function openTurnRegister(place: OwnerPlace, { now, randomBytes }: Sources): TurnRegister {
  const { dir, temps, makeFolder } = openOwnerFolder(place, FOLDER);
  const getPath = (id: string): string => join(dir, `${id}.json`);
  // Need not survive a power failure, which ends the processes, too.
  const write = (turn: Turn): void =>
    replaceFile(temps, getPath(turn.id), Buffer.from(JSON.stringify(turn)), false);
  return {
    begin(given: NewTurn) {
      makeFolder(dir);
      for (const turn of readTurns(dir)) if (!isOpen(turn)) unlinkIfThere(getPath(turn.id));
      const secret = `council_tn_${Buffer.from(randomBytes(32)).toString('base64url')}`;
      const id = sha256(secret);
      let turn: Turn = {
        ...given,
        id,
        root: attempt('resolve', place.projectRoot, () => fs.realpathSync(place.projectRoot)),
        startedAt: new Date(now()).toISOString(),
        owner: identifyThisProcess(),
      };
      write(turn);
      return {
        id,
        secret,
        setGroup: (group) => write((turn = { ...turn, group })),
        end: () => void unlinkIfThere(getPath(id)),
      };
    },
    listOpen: () => readTurns(dir).filter(isOpen),
  };
}

/**
 * Returns the open turn in which this process works; undefined for a person, and for a program that has left
 * both its parents and its session without keeping its secret. The nearest launched program among the
 * ancestors decides: a program can change the variables that it passes on, but not council's records about
 * it. Only if there is none, the secret in COUNCIL_TURN counts, which may have been passed to a daemon or a
 * container.
 */
export function findOpenTurn(env: NodeJS.ProcessEnv, ancestors = listAncestors()): Turn | undefined {
  const known = new Map<string, Turn[]>();
  const readOwnTurns = (of: NodeJS.ProcessEnv): Turn[] => {
    // A process with hidden variables, such as an ancestor of another user, has no known folder.
    const root = findPrivateRoot(of);
    if (root === undefined) return [];
    const dir = join(root, FOLDER);
    const turns = known.get(dir) ?? readTurns(dir).filter(isOpen);
    known.set(dir, turns);
    return turns;
  };
  for (const one of ancestors) {
    const turn = [...readOwnTurns(one.env), ...readOwnTurns(env)].find(
      ({ group }) => group && leadsProcess(group, one),
    );
    if (turn) return turn;
  }
  for (const of of [env, ...ancestors.map((one) => one.env)]) {
    const id = of.COUNCIL_TURN && sha256(of.COUNCIL_TURN);
    const turn = id && [...readOwnTurns(of), ...readOwnTurns(env)].find((one) => one.id === id);
    if (turn) return turn;
  }
  return undefined;
}

/**
 * Returns the open turn of the program at the other end of a local connection; undefined for a person's. If
 * no turn is open, no process is looked at.
 */
export function findTurnOfPeer(env: NodeJS.ProcessEnv, ports: Ports): Turn | undefined {
  if (!readTurns(join(getPrivateRoot(env), FOLDER)).some(isOpen)) return undefined;
  for (const pid of findPeers(ports)) {
    const turn = findOpenTurn({ ...env, COUNCIL_TURN: undefined }, listAncestors(undefined, pid));
    if (turn) return turn;
  }
  return undefined;
}

/** Whether a process is that program, or belongs to the session that it leads. */
const leadsProcess = (group: ProcessIdentity, { pid, session }: Ancestor): boolean =>
  group.host === identifyThisProcess().host &&
  (group.pid === pid ? identifyProcess(pid).startTime === group.startTime : group.pid === session);

/** A turn lasts as long as its program, even if the council that launched it was killed. */
const isOpen = ({ owner, group }: Turn): boolean =>
  isAlive(owner) !== false || (group !== undefined && isAlive(group) !== false);

const readTurns = (dir: string): Turn[] =>
  listFolderNames(dir).flatMap((name) => {
    if (!OURS.test(name)) return [];
    const bytes = readBytes(join(dir, name), { limit: LONGEST, links: 'refuse' });
    return (bytes && parseTurn(name.slice(0, -'.json'.length), bytes.toString('utf8'))) ?? [];
  });

/** Returns undefined for a file that is damaged, or another program's. */
function parseTurn(id: string, text: string): Turn | undefined {
  const { agent, work, root, startedAt, owner, group, server } = readJsonDocument(text);
  const { kind } = toUnknownRecord(work);
  if (typeof agent !== 'string' || typeof root !== 'string' || typeof startedAt !== 'string')
    return undefined;
  if (kind !== 'council' && kind !== 'task' && kind !== 'message') return undefined;
  if (typeof toUnknownRecord(owner).pid !== 'number') return undefined;
  return {
    ...{ id, agent, root, startedAt },
    work: work as Turn['work'],
    owner: owner as ProcessIdentity,
    ...(typeof server === 'string' && { server }),
    ...(typeof toUnknownRecord(group).pid === 'number' && { group: group as ProcessIdentity }),
  };
}
