// Permissions during an agent's turn: which agent this process speaks for, and what it may do, one row per command.
import { CouncilError } from '../base/errors.ts';
import { toOneLine } from '../base/text.ts';
import type { Fields, Raw } from './input/fields.ts';
import { describeWork } from '../store/local/turns.ts';
import type { Turn, TurnRegister } from '../store/local/turns.ts';
import fs from 'node:fs';
import { getCrypto } from '../base/ids.ts';
import { findOpenTurn, findTurnOfPeer, openTurnRegister } from '../store/file/turn-register.ts';
import { findProject, layOutProject, findSharingProject } from '../store/local/project.ts';
import type { Project } from '../store/local/project.ts';
import type { App } from './app.ts';

/** `own`: only for itself, in the field that names the speaker. */
export type Permission = 'allowed' | 'refused' | 'own';

/** Permissions by command, or by action if its actions differ. */
export const PERMISSIONS: Readonly<Record<string, Permission | Readonly<Record<string, Permission>>>> = {
  run: 'refused',
  ask: 'refused',
  review: 'refused',
  eval: 'refused',
  continue: 'refused',
  rerun: 'refused',
  start: 'refused',
  demo: 'refused',
  tick: 'refused',
  heartbeat: 'refused',
  serve: 'refused',
  'watch-channel': 'refused',
  lease: 'refused',
  renew: 'refused',
  record: 'refused',
  fail: 'refused',

  respond: 'own',
  view: 'own',
  read: 'own',
  status: 'allowed',
  wait: 'allowed',
  watch: 'allowed',
  mcp: 'allowed',
  extend: 'refused',
  excuse: 'refused',
  retry: 'refused',
  cancel: 'refused',
  reveal: 'refused',
  history: 'allowed',
  restore: 'refused',
  adopt: 'refused',

  list: 'allowed',
  show: 'allowed',
  search: 'allowed',
  archives: 'refused',
  outcome: 'refused',
  export: 'allowed',
  cost: 'allowed',
  ledger: 'allowed',
  metrics: 'allowed',
  logs: 'own',

  send: 'own',
  inbox: 'own',
  sent: 'own',
  ack: 'own',
  nack: 'own',
  channel: 'allowed',
  log: 'own',
  who: 'allowed',
  reserve: 'own',
  release: 'own',
  reservations: 'allowed',

  task: {
    list: 'allowed',
    show: 'allowed',
    log: 'own',
    trace: 'own',
    watch: 'allowed',
    run: 'refused',
    plan: 'refused',
    play: 'refused',
    retry: 'refused',
    answer: 'refused',
    pause: 'refused',
    resume: 'refused',
    cancel: 'refused',
  },
  approvals: { list: 'allowed', show: 'allowed', approve: 'refused', reject: 'refused' },
  audit: { list: 'own', verify: 'allowed' },

  agents: {
    list: 'allowed',
    show: 'allowed',
    check: 'allowed',
    personas: 'allowed',
    metrics: 'allowed',
    health: 'allowed',
    add: 'refused',
    edit: 'refused',
    remove: 'refused',
    key: 'refused',
    register: 'own',
  },
  modes: 'allowed',
  trust: { list: 'allowed', grant: 'refused' },
  token: { list: 'allowed', create: 'refused', revoke: 'refused' },
  open: 'refused',
  invite: 'refused',
  init: 'refused',
  doctor: { look: 'allowed', probe: 'refused' },
  install: 'refused',
  uninstall: 'refused',
  store: 'refused',
  protocol: {
    parse: 'allowed',
    validate: 'allowed',
    convert: 'allowed',
    explain: 'allowed',
    sign: 'allowed',
    'check-worker': 'refused',
  },
  skill: 'refused',
  completion: {
    bash: 'allowed',
    zsh: 'allowed',
    fish: 'allowed',
    install: 'refused',
    uninstall: 'refused',
  },
};

/** Commands without actions that do two things: the first with the flag of that name, the second without it. */
export const FLAGGED: Readonly<Record<string, readonly [string, string]>> = {
  trust: ['list', 'grant'],
  doctor: ['probe', 'look'],
};

/** A command with the input that it was called with. */
function readAction(name: string, { action: choice }: Fields, raw: Raw): unknown {
  const flagged = FLAGGED[name];
  if (flagged) return raw[flagged[0]] === true ? flagged[0] : flagged[1];
  return raw.action ?? (choice?.kind === 'choice' ? choice.default : undefined);
}

/** Returns what an agent may do in its turn; a command without a row is refused. */
export function findPermission(name: string, action: unknown): Permission {
  const row = PERMISSIONS[name];
  return (typeof row === 'object' ? row[String(action)] : row) ?? 'refused';
}

/** The input, with the speaker of a turn filled in. */
interface PermittedInput {
  raw: Raw;
  /** Not determined if everybody may call it. */
  turn: Turn | undefined;
}

/** Throws `forbidden` for a command that an agent may not call in its turn. People are never in a turn. */
export function requirePermission(
  app: Parameters<typeof isTurnHere>[0],
  { name, fields }: { name: string; fields: Fields },
  raw: Raw,
): PermittedInput {
  const action = readAction(name, fields, raw);
  const permission = findPermission(name, action);
  const turn = permission === 'allowed' ? undefined : findTurn(app);
  if (!turn) return { raw, turn };
  const { agent, work } = turn;
  if (permission === 'refused') {
    const command = typeof raw.action === 'string' ? `${name} ${raw.action}` : name;
    throw new CouncilError(
      'forbidden',
      `${agent} is in its turn (${describeWork(work)}): an agent in its turn cannot call ${toOneLine(command, 80)}.`,
      { hint: HINTS[work.kind] },
    );
  }
  if (!isTurnHere(app, turn))
    throw new CouncilError(
      'forbidden',
      `${agent} is in its turn (${describeWork(work)}) in another project: it speaks for nobody in this one.`,
      { hint: 'Leave out what names a project: --root, COUNCIL_ROOT.' },
    );
  const [speaker] = Object.entries(fields).find(([, field]) => field.speaks) ?? [];
  if (speaker === undefined) throw new Error(`No field of ${name} says who speaks.`);
  const given = raw[speaker];
  if (given !== undefined && given !== agent)
    throw new CouncilError(
      'forbidden',
      `${agent} speaks for itself, not for ${toOneLine(String(given), 80)}.`,
      {
        hint: `Name ${agent}, or nobody where that may be left out.`,
      },
    );
  return { raw: { ...raw, [speaker]: agent }, turn };
}

const HINTS: Readonly<Record<Turn['work']['kind'], string>> = {
  council: 'This is for the person who runs the council, outside of a turn.',
  task: 'This is for the person who has the task done. Hand a part on with a line of the type X.',
  message: 'This is for a person. Say in the answer what they should do.',
};

export type { NewTurn, Turn, TurnRegister } from '../store/local/turns.ts';

export const turnRegister = ({ env }: Pick<App, 'env'>, root: string): TurnRegister =>
  openTurnRegister(
    { env, projectRoot: root },
    { now: Date.now, randomBytes: (size) => getCrypto().randomBytes(size) },
  );

/** Returns the agent's turn in which a call was made; undefined for calls by people and their scripts. */
export function findTurn({ env, caller }: Pick<App, 'env' | 'caller'>): Turn | undefined {
  const { connection, secret } = caller?.turn ?? {};
  return (
    (connection && findTurnOfPeer(env, connection)) ??
    findOpenTurn(secret === undefined ? env : { ...env, COUNCIL_TURN: secret })
  );
}

/**
 * Whether a turn belongs to the project of this call: the same id is a different agent in another project. Linked git worktrees
 * are one project, and a turn launched by a server may call any server.
 */
function isTurnHere(
  {
    cwd,
    env,
    root,
    caller,
    serverUrl,
  }: Pick<App, 'cwd' | 'env' | 'root' | 'caller'> & { serverUrl?: string | undefined },
  turn: Turn,
): boolean {
  if (serverUrl !== undefined || (turn.server !== undefined && caller?.turn)) return true;
  const here = findProject({ cwd, env, root });
  const resolveRoot = (project: Project): string => fs.realpathSync(findSharingProject(project).root);
  return here === undefined || resolveRoot(here) === resolveRoot(layOutProject(turn.root));
}
