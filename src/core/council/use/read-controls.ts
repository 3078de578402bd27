// The controls of a council in the private folder: what each said and used up, until the archive.
import { parseJsonSafely } from '../../base/text.ts';
import type { PrivateTexts } from '../../store/private-texts.ts';
import type { ControlAnswer } from '../machine/control.ts';
import type { CouncilState, UsageRecord } from '../state/state.ts';

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
