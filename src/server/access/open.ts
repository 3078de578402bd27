// Use cases `open` (opens the pages in a browser, signed in) and `invite` (creates a person's link to a seat).
import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import { CouncilError } from '../../core/base/errors.ts';
import { formatIso } from '../../core/base/clock.ts';
import { systemClock, systemRandom } from '../../core/store/local/system.ts';
import { isRemote, nameUserAndHost, describeCallerToken } from '../../core/app/app.ts';
import type { App, Result } from '../../core/app/app.ts';
import { findDeliberation } from '../../core/app/find-deliberation.ts';
import type { OpenInput, InviteInput } from '../input.ts';
import { openWorkspace } from '../../core/app/workspace.ts';
import type { Workspace } from '../../core/app/workspace.ts';
import { createSignInCode, OFFERED_MS, deriveInvitationRecord } from './sign-in-code.ts';
import { openAccessTokens, createAccessToken, findTokenEnd } from './token.ts';
import {
  writeHandoverPage,
  sweepHandoverPages,
  formatKillCommand,
  findServing,
  offerSignInCode,
  startServing,
} from './local-servers.ts';
import type { ServingRecord } from './local-servers.ts';

import { readCouncil } from '../../core/council/use/council-access.ts';
import { getSeat } from '../../core/council/state/state.ts';
import type { CouncilState } from '../../core/council/state/state.ts';
import { resolveCouncilName } from '../../core/app/council-reference.ts';

interface OpenDocument {
  /** Valid for one use within a minute. */
  url: string;
  /** Of the server, which keeps running until it is stopped. */
  pid: number;
  end: string;
}

/** Returns a sign-in address. `opened`: whether a browser was started; `started`: whether a server was. */
export async function open(
  app: App,
  { council, print }: OpenInput,
): Promise<Result<OpenDocument> & { opened: boolean; started: boolean }> {
  if (isRemote(app))
    throw new CouncilError('forbidden', 'The pages are opened by a person, not by an agent.', {
      hint: 'On a terminal of their own: council open',
    });
  const workspace = openWorkspace(app);
  const to = council === undefined ? undefined : await resolvePagePath(app, council);
  await closeLoopback(app, workspace);
  const code = createSignInCode(systemRandom);
  const { serving, started } = await handCodeToServer(app, workspace, code);
  const {
    url,
    process: { pid },
  } = serving;
  const address = `${url}/join${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}#${code}`;
  const opened = !print && openInBrowser(app, workspace, address);
  return { document: { url: address, pid, end: formatKillCommand(pid) }, opened, started };
}

async function resolvePagePath(app: App, council: string): Promise<string> {
  const found = await findDeliberation(app, { council, name: undefined });
  return 'council' in found
    ? `/councils/${found.council.state.name}`
    : `/archives/${encodeURIComponent(found.archive.meta.id)}`;
}

/** Adds an expired token if there are none: from then on, requests from this machine must sign in, too. */
async function closeLoopback(app: App, workspace: Workspace): Promise<void> {
  const tokens = openAccessTokens(app, workspace);
  if ((await tokens.list()).length > 0) return;
  const { id, sha256 } = createAccessToken(systemRandom);
  const now = formatIso(systemClock.now());
  await tokens.add({
    ...{ id, role: 'admin', sha256, council: null, conversationId: null, as: null },
    ...{ createdAt: now, createdBy: nameUserAndHost(), expiresAt: now, revokedAt: null },
  });
}

/** Gives the code to a running server that proves its secret, or else to a new one. */
async function handCodeToServer(
  app: App,
  workspace: Workspace,
  code: string,
): Promise<{ serving: ServingRecord; started: boolean }> {
  for (const found of findServing(app, workspace))
    if (await offerSignInCode(found, code)) return { serving: found, started: false };
  const started = await startServing(app, workspace);
  if (await offerSignInCode(started, code)) return { serving: started, started: true };
  throw new CouncilError(
    'failed',
    `The server at ${started.url} does not answer as the one that was started.`,
    { hint: 'See why: council serve --heartbeat' },
  );
}

const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
};

/** Opens the address in a browser through a file only its owner can read. Returns false without a display. */
function openInBrowser(app: App, { project }: Workspace, address: string): boolean {
  const { env } = app;
  const system = platform();
  if (!(system in OPENERS) && !env.DISPLAY && !env.WAYLAND_DISPLAY) return false;
  sweepHandoverPages(env, OFFERED_MS);
  const page = `<!doctype html><meta charset="utf-8"><title>council</title><meta http-equiv="refresh" content="0;url=${address}">\n`;
  const path = writeHandoverPage({ env, projectRoot: project.root }, systemRandom.hex(16), page);
  const [program = 'xdg-open', ...args] = OPENERS[system] ?? [];
  const child = spawn(program, [...args, path], { env, detached: true, stdio: 'ignore' });
  child.on('error', () =>
    app.note(`No browser was opened: there is no ${program}. The address: council open --print`),
  );
  child.unref();
  return true;
}

const GOOD_FOR_MS = 7 * 24 * 3_600_000;
/** The default address of a server. */
const USUAL = 'http://127.0.0.1:7333';

interface Invitation {
  participant: string;
  name: string;
  url: string;
  code: string;
  expiresAt: string;
}

export type InviteResult =
  | ({ action: 'invite'; isServed: boolean; isPublic: boolean } & Result<Invitation>)
  | ({ action: 'revoke' } & Result<{ participant: string; name: string; revoked: string[] }>);

/** Creates a code for one seat, valid for a week; with `revoke`, revokes everything that opens that seat. */
export async function invite(
  app: App,
  { agent: participant, name: given, revoke }: InviteInput,
): Promise<InviteResult> {
  if (isRemote(app))
    throw new CouncilError('forbidden', 'People are invited by a person, not by an agent.', {
      hint: 'On a terminal of their own: council invite ID',
    });
  const workspace = openWorkspace(app);
  const name = await resolveCouncilName(workspace, given);
  const { state } = (await readCouncil(workspace.ports, name)).council;
  getSeat(state, participant);
  const { conversationId } = state;
  const tokens = openAccessTokens(app, workspace);
  const now = systemClock.now();
  if (revoke) {
    const theirs = (await tokens.list()).filter(
      (one) => one.conversationId === conversationId && one.as === participant && !findTokenEnd(one, now),
    );
    for (const { id } of theirs) await tokens.revoke(id, formatIso(now));
    return { action: 'revoke', document: { participant, name, revoked: theirs.map(({ id }) => id) } };
  }
  requirePerson(state, participant);
  const code = createSignInCode(systemRandom);
  const expiresAt = formatIso(now + GOOD_FOR_MS);
  await tokens.add({
    ...deriveInvitationRecord(code),
    ...{ role: 'participant', council: name, conversationId, as: participant },
    ...{
      createdAt: formatIso(now),
      createdBy: describeCallerToken(app) ?? nameUserAndHost(),
      expiresAt,
      revokedAt: null,
    },
  });
  const [serving] = findServing(app, workspace);
  const url = `${serving?.publicUrl ?? serving?.url ?? USUAL}/join#${code}`;
  return {
    action: 'invite',
    isServed: serving !== undefined,
    isPublic: typeof serving?.publicUrl === 'string',
    document: { participant, name, url, code, expiresAt },
  };
}

/** Throws `usage` for an agent: only people can open an invitation link. */
function requirePerson(state: CouncilState, participant: string): void {
  const isPerson = (id: string): boolean => getSeat(state, id).runner === 'human';
  if (isPerson(participant)) return;
  const people = state.order.filter(isPerson);
  throw new CouncilError('usage', `${participant} is a program: council launches it, and it takes no link.`, {
    hint:
      people.length === 0
        ? 'No person sits at this table. One who is to sit at the next: council agents add NAME'
        : `People at this table: ${people.join(', ')}.`,
  });
}
