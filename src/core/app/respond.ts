// The command `respond`: resolves the council, takes the text (or an editor), records and announces it.
import { CouncilError, ignoreCodes } from '../base/errors.ts';
import type { ErrorCode } from '../base/errors.ts';
import { getLastName } from '../base/hide-paths.ts';
import { quoteShellWord } from '../base/text.ts';
import { keepUnplacedText } from '../council/use/refused-texts.ts';
import { respond as recordResponse } from '../council/use/respond.ts';
import type { RespondResult as Recorded } from '../council/use/respond.ts';
import { renderPersonSheet } from '../council/view/person-sheet.ts';
import type { View } from '../council/view/view.ts';
import type { CouncilState } from '../council/state/state.ts';
import { tellLanded } from '../notify/notifier.ts';
import { isRemote } from './app.ts';
import type { App, Result } from './app.ts';
import type { RespondInput } from './input/council.ts';
import type { EditorDraft } from './input/fields.ts';
import { resolveCouncilName } from './council-reference.ts';
import { collectNotifiers, openWorkspace } from './workspace.ts';
import type { Workspace } from './workspace.ts';

export { formatAlreadySaid } from '../council/use/respond.ts';

export interface RespondDocument extends Omit<
  Recorded,
  'message' | 'hint' | 'warnings' | 'lang' | 'isRepeated'
> {
  error?: { code: ErrorCode | undefined; message: string | undefined; hint: string };
}

export interface RespondResult extends Result<RespondDocument> {
  /** Length of the text in bytes. */
  bytes: number;
  /** The message if nothing was recorded. */
  message: string | undefined;
}

const GIVE_A_TEXT = 'Give a text with --file FILE or on stdin: at least why there is nothing to add.';

const ERRORS_BEFORE_EDITOR: readonly ErrorCode[] = [
  'unknown_agent',
  'unknown_council',
  'forbidden',
  'usage',
  'unreachable',
];

/** Options of `prepareResponseDraft`. */
interface EditorOptions {
  /** Whether it replaces a recorded text. */
  replace: boolean | undefined;
  /** Reads the recorded text, word for word; null if there is none. */
  readRecorded?: (view: View) => Promise<string | null>;
}

/**
 * Prepares the turn for an editor, as `view` shows it; empty if it is not this participant's turn.
 * Throws `different_text` if they have already answered, because a new text would be refused.
 */
export async function prepareResponseDraft(
  loadView: () => Promise<View>,
  { replace, readRecorded }: EditorOptions,
): Promise<EditorDraft> {
  let view: View;
  try {
    view = await loadView();
  } catch (error) {
    // Do not open an editor for a text that could not be sent.
    if (!(error instanceof CouncilError) || ERRORS_BEFORE_EDITOR.includes(error.code)) throw error;
    // Other errors are reported when the text is sent; the text is then kept.
    return { begin: '', read: '' };
  }
  const { form, deadline, lang, participant, name } = view;
  const hasAnswered = view.asked && view.status !== 'WAITING';
  if (hasAnswered && !replace)
    throw new CouncilError('different_text', `${participant} has already responded in this round.`, {
      hint: suggestResponseFix('different_text', participant, name),
    });
  const begin = (hasAnswered && (await readRecorded?.(view))) || (form === '' ? '' : `${form}\n\n`);
  return { begin, read: renderPersonSheet(view), times: [deadline], lang };
}

/** Records a contribution to the open phase, word for word. */
export async function respond(app: App, input: RespondInput): Promise<RespondResult> {
  const { agent: participant, agree, done, block, tour } = input;
  const workspace = openWorkspace(app);
  const name = await resolveCouncilName(workspace, input.name).catch((error: unknown) =>
    keepUnplaced(workspace, input, error),
  );
  const readView = async (): Promise<View> =>
    (await (await import('./view.ts')).viewCouncil(app, { agent: participant, name })).document;
  const readRecorded = async (): Promise<string | null> =>
    (await import('./view.ts')).findRecordedText(workspace, name, participant);
  const bytes = await input.text.bytes(() =>
    prepareResponseDraft(readView, { replace: input.replace, readRecorded }),
  );
  const result = await recordResponse(workspace.ports, {
    name,
    participant,
    bytes,
    flags: { agree, done, block },
    replace: input.replace,
    turn: tour === undefined ? undefined : { tour },
    token: app.env.COUNCIL_TOKEN,
    request: app.request,
    tellRead: true,
  });
  for (const warning of result.warnings) app.note(`Note: ${warning}`);
  const { accepted, phase, revision, reason, message, hint, read } = result;
  if (accepted && !result.isRepeated)
    await announceContribution(app, workspace, { name, participant, lang: result.lang });
  // The folder is named after the conversation id, which identifies participants of anonymous councils of earlier builds.
  const kept =
    app.env.COUNCIL_TOKEN && typeof result.kept === 'string' ? getLastName(result.kept) : result.kept;
  const isRefused = !accepted && reason !== 'already_responded';
  return {
    document: {
      accepted,
      name,
      participant,
      phase,
      tour: result.tour,
      revision,
      ...(reason && { reason }),
      ...(kept && { kept }),
      ...(read && { read }),
      ...(isRefused && {
        error: {
          code: reason,
          message,
          hint:
            // A tool has an argument for the text; on a command line, say where the text comes from.
            (reason === 'empty_text' && !isRemote(app) ? GIVE_A_TEXT : hint) ??
            suggestResponseFix(
              reason,
              participant,
              name,
              app.env.COUNCIL_TOKEN || isRemote(app) ? undefined : kept,
            ),
        },
      }),
    },
    failed: isRefused ? 'failed' : undefined,
    bytes: bytes.length,
    message,
  };
}

/** Keeps a text whose council could not be determined, and throws why. */
async function keepUnplaced(
  { ports }: Workspace,
  { agent: participant, text }: RespondInput,
  error: unknown,
): Promise<never> {
  if (!(error instanceof CouncilError)) throw error;
  // No editor opens; if text is missing, `error` itself is thrown.
  const fail = (): Promise<never> => Promise.reject(error);
  const bytes = await text.bytes(fail).catch(fail);
  if (bytes.length > 0)
    error.details.kept = await keepUnplacedText(ports, { participant, isSeated: false }, bytes);
  throw error;
}

/** Announces a contribution in the council's channel. A failure to announce does not undo it. */
async function announceContribution(
  app: App,
  workspace: Workspace,
  { name: council, participant, lang }: { name: string; participant: string; lang: CouncilState['lang'] },
): Promise<void> {
  await collectNotifiers(app, workspace, { lang })
    .then((notifiers) => tellLanded({ notifiers }, { council, participant }, app.progress))
    .catch(ignoreCodes());
}

function suggestResponseFix(
  reason: string | undefined,
  participant: string,
  name: string,
  kept?: Recorded['kept'],
): string {
  switch (reason) {
    case 'different_text':
      return `To say ${kept === undefined ? 'something else' : 'this'} instead: council respond ${participant} --name ${name} --replace${typeof kept === 'string' ? ` --file ${quoteShellWord(kept)}` : ''}`;
    case 'phase_closed':
    case 'not_your_turn':
      return `See whose turn it is: council status --name ${name}`;
    default:
      return `See the council: council status --name ${name}`;
  }
}
