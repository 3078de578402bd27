// Reads from the spools how launches ended and what they used up.
import type { FailureKind } from '../../agents/runners/turn-types.ts';
import { parseJsonSafely } from '../../base/text.ts';
import type { PrivateTexts } from '../../store/private-texts.ts';
import type { SpooledFailure } from '../machine/unseal.ts';
import type { CouncilState, UsageRecord } from '../state/state.ts';
import type { SealedText } from './seal.ts';
import type { ControlAnswer } from '../machine/control.ts';

/** How a launched program ended, as it lies in the private spool. Spools of older versions have the first three keys only. */
export interface Exit {
  ok: boolean;
  reason: string | null;
  ms: number;
  /** The class of the failure alone, without a word of what the program printed. */
  brief?: string | null;
  failure?: FailureKind | null;
  /** Milliseconds after `usage.at` that the provider asked to wait. */
  retryAfterMs?: number | null;
  /** The end of stderr, secrets taken out. */
  stderr?: string;
  usage?: UsageRecord;
  /** SHA-256 of what the program printed, which lies beside it and may not have survived a power cut. */
  sha256?: string;
}

/**
 * The file that says how the launch under a lease ended; `part` counts from 1, and goes up each time the agent is asked once
 * more under the same lease.
 */
export const exitName = (leaseId: string, part = 1): string => `${spoolName(leaseId, part)}-exit.json`;

/** What the names of all files of one launch begin with. */
export const spoolName = (leaseId: string, part: number): string =>
  `lease-${leaseId}${part === 1 ? '' : `-${part}`}`;

/** What the spools of a council tell beyond its state: while a phase is blind, that is the only place that has it. */
export interface Spooled {
  usage: UsageRecord[];
  /** How the last launch of a participant in the open tour failed, if it did. */
  failures: Record<string, SpooledFailure>;
}

/**
 * Reads the spools of all launches on this machine. Those of older versions, and those cut short by a crash, tell nothing. Of launches
 * elsewhere, the texts that are revealed tell what they have used up.
 */
export async function readSpooled(
  { conversationId, tour }: Pick<CouncilState, 'conversationId' | 'tour'>,
  files: Pick<PrivateTexts, 'read' | 'list'>,
  revealed: readonly Pick<SealedText, 'usage'>[] = [],
): Promise<Spooled> {
  const names = (await files.list(conversationId)).filter((name) => /^lease-.+-exit\.json$/.test(name));
  const spools = await Promise.all(names.map((name) => files.read(conversationId, name)));
  const exits = spools
    .flatMap((bytes) => asExit(bytes) ?? [])
    .sort((a, b) => (a.usage.at < b.usage.at ? -1 : 1));
  const ownEnd = exits.filter(({ usage, failure }) => usage.tour === tour && failure !== 'cancelled');
  const last = new Map(ownEnd.map((e) => [e.usage.participant, e]));
  return {
    usage: [...exits.map(({ usage }) => usage), ...revealed.flatMap(({ usage = [] }) => usage)],
    failures: Object.fromEntries(
      [...last].flatMap(([id, { ok, reason, brief, stderr }]): [string, SpooledFailure][] =>
        ok ? [] : [[id, { safeReason: brief ?? '', reason: reason ?? 'it failed', stderr: stderr ?? '' }]],
      ),
    ),
  };
}

function asExit(bytes: Uint8Array | undefined): (Exit & { usage: UsageRecord }) | undefined {
  if (!bytes) return undefined;
  try {
    const exit = parseJsonSafely(Buffer.from(bytes).toString('utf8')) as Exit;
    return exit.usage && { ...exit, usage: exit.usage };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What lies in the folder: one file for each control that has ended by itself. */
export interface KeptControl {
  answer: ControlAnswer;
  usage: UsageRecord | null;
}

/** Where the control under a launch is kept. */
export const nameControl = (launch: string): string => `control-${launch}.json`;

/** The controls that have ended; those that were cut off have left nothing. */
export async function readControls(
  { conversationId, control }: Pick<CouncilState, 'conversationId' | 'control'>,
  files: Pick<PrivateTexts, 'read'>,
): Promise<{ controls: ControlAnswer[]; usage: UsageRecord[] }> {
  const kept: KeptControl[] = [];
  for (const { launch } of control?.launched ?? []) {
    const bytes = await files.read(conversationId, nameControl(launch));
    // Written durably, in one piece.
    if (bytes) kept.push(parseJsonSafely(Buffer.from(bytes).toString('utf8')) as KeptControl);
  }
  return {
    controls: kept.map(({ answer }) => answer),
    usage: kept.flatMap(({ usage }) => usage ?? []),
  };
}
