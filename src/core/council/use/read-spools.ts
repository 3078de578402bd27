// Reads results and usage of launches from the spools.
import type { FailureKind } from '../../agents/runners/turn-types.ts';
import { parseJsonSafely, tryParseJson } from '../../base/text.ts';
import type { PrivateTexts } from '../../store/small-files.ts';
import type { SpooledFailure } from '../machine/unseal.ts';
import type { CouncilState, UsageRecord } from '../state/state.ts';
import type { SealedText } from './seal.ts';
import type { ControlAnswer } from '../machine/control.ts';

/** How a launched program ended, from the private spool. Older versions have only the first three keys. */
export interface LaunchExit {
  ok: boolean;
  reason: string | null;
  ms: number;
  /** The class of the failure alone, without any output of the program. */
  brief?: string | null;
  failure?: FailureKind | null;
  /** Wait requested by the provider, in milliseconds after `usage.at`. */
  retryAfterMs?: number | null;
  /** The end of stderr, with secrets removed. */
  stderr?: string;
  usage?: UsageRecord;
  /** SHA-256 of the program's output, which is stored next to it and may not have survived a power cut. */
  sha256?: string;
}

/**
 * Returns the name of the exit file of a launch; `part` counts from 1, and increases each time the agent is
 * asked again under the same lease.
 */
export const formatExitName = (leaseId: string, part = 1): string =>
  `${formatSpoolName(leaseId, part)}-exit.json`;

/** Returns the common prefix of all files of one launch. */
export const formatSpoolName = (leaseId: string, part: number): string =>
  `lease-${leaseId}${part === 1 ? '' : `-${part}`}`;

/** Spool data beyond the state. While a phase is blind, it exists only there. */
export interface SpoolFacts {
  usage: UsageRecord[];
  /** Failures of the last launch of each participant in the open round. */
  failures: Record<string, SpooledFailure>;
}

/**
 * Reads the spools of all launches on this machine. Spools of older versions or truncated by a crash are
 * skipped. Usage of launches elsewhere comes from the revealed texts.
 */
export async function readSpooled(
  { conversationId, tour }: Pick<CouncilState, 'conversationId' | 'tour'>,
  files: Pick<PrivateTexts, 'read' | 'list'>,
  revealed: readonly Pick<SealedText, 'usage'>[] = [],
): Promise<SpoolFacts> {
  const names = (await files.list(conversationId)).filter((name) => /^lease-.+-exit\.json$/.test(name));
  const spools = await Promise.all(names.map((name) => files.read(conversationId, name)));
  const exits = spools
    .flatMap((bytes) => parseExitFile(bytes) ?? [])
    .sort((a, b) => (a.usage.at < b.usage.at ? -1 : 1));
  const ownEnd = exits.filter(({ usage, failure }) => usage.tour === tour && failure !== 'cancelled');
  const last = new Map(ownEnd.map((e) => [e.usage.participant, e]));
  return {
    usage: [...exits.map(({ usage }) => usage), ...revealed.flatMap(({ usage = [] }) => usage)],
    failures: Object.fromEntries(
      [...last].flatMap(([id, { ok, reason, brief: safeReason, stderr }]): [string, SpooledFailure][] =>
        ok
          ? []
          : [[id, { safeReason: safeReason ?? '', reason: reason ?? 'it failed', stderr: stderr ?? '' }]],
      ),
    ),
  };
}

/** Parses the exit file of a launch; undefined if it was truncated or has no usage. */
function parseExitFile(bytes: Uint8Array | undefined): (LaunchExit & { usage: UsageRecord }) | undefined {
  if (!bytes) return undefined;
  const exit = tryParseJson(Buffer.from(bytes).toString('utf8')) as LaunchExit | undefined;
  return exit?.usage && { ...exit, usage: exit.usage };
}

/** The file of a control that ended by itself. */
export interface EndedControl {
  answer: ControlAnswer;
  usage: UsageRecord | null;
}

export const nameControl = (launch: string): string => `control-${launch}.json`;

/** Reads the controls that have ended; interrupted ones left no file. */
export async function readControls(
  { conversationId, control }: Pick<CouncilState, 'conversationId' | 'control'>,
  files: Pick<PrivateTexts, 'read'>,
): Promise<{ controls: ControlAnswer[]; usage: UsageRecord[] }> {
  const kept: EndedControl[] = [];
  for (const { launch } of control?.launched ?? []) {
    const bytes = await files.read(conversationId, nameControl(launch));
    // Written durably and atomically.
    if (bytes) kept.push(parseJsonSafely(Buffer.from(bytes).toString('utf8')) as EndedControl);
  }
  return {
    controls: kept.map(({ answer }) => answer),
    usage: kept.flatMap(({ usage }) => usage ?? []),
  };
}
