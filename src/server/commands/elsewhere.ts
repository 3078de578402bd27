// Runs a command on a server: converts the command line to a call's input; and explains misused invitations.

import { getUserName } from '../../core/app/app.ts';
import { readGivenFile } from '../../core/app/given-file.ts';
import type { CallName } from '../remote/calls.ts';
import type { EditorDraft, Field, Fields, Raw } from '../../core/app/input/fields.ts';
import { READ_LIMITS } from '../../core/base/limits.ts';
import { decodeText } from '../../core/base/text.ts';
import type { Cli, ServerReply } from '../../core/cli/io.ts';
import { createGivenTextReader } from '../../core/cli/read-text.ts';
import { parseTypedCode } from '../access/sign-in-code.ts';
import { CouncilError } from '../../core/base/errors.ts';

/** Has a server perform what this command line requests. */
export async function performAtServer(
  cli: Cli,
  server: string,
  name: CallName,
  fields: Fields,
  raw: Raw,
): Promise<ServerReply> {
  const [{ askServer, prepareRemoteDraft: draftElsewhere, keepAfterError, keepAfterRefusal }, { isPlayed }] =
    await Promise.all([import('../remote/client.ts'), import('../remote/call.ts')]);
  const given: Record<string, unknown> = {};
  for (const [field, what] of Object.entries(fields)) {
    const value = what.kind === 'document' ? undefined : toWireValue(cli, what, field, raw[field]);
    if (value !== undefined) given[field] = value;
  }
  if (name === 'approvals' && ['approve', 'reject'].includes(String(given.action)))
    given.as ??= getUserName();
  if (name === 'task') await prepareTaskInput(cli, given);
  const prepareDraft = async (): Promise<EditorDraft> => {
    const input = { agent: given.agent, name: given.name };
    return draftElsewhere(cli, server, input, given.replace === true);
  };
  const texts = await readLongTexts(cli, fields, raw, prepareDraft);
  const said = { agent: given.agent, text: texts.text };
  try {
    const input = { ...given, ...decodeTexts(texts) };
    const answer =
      name === 'task' && isPlayed(input)
        ? await (await import('../remote/follow-server.ts')).playElsewhere(cli, server, input)
        : await askServer(cli, { server, name, input });
    const result = name === 'respond' ? await keepAfterRefusal(cli, answer, said) : answer;
    return { ...result, bytes: texts.text?.length ?? 0 };
  } catch (error) {
    throw name === 'respond' ? await keepAfterError(cli, error, said) : error;
  }
}

/** A plan is a file on this machine; the format of a log and this machine's labels do not concern the server. */
async function prepareTaskInput(cli: Cli, given: Record<string, unknown>): Promise<void> {
  delete given.format;
  delete given.labels;
  if (given.action !== 'plan' || given.text === undefined) return;
  const { planFile } = await import('../../team/tasks/use/task-draft.ts');
  const plan = planFile(cli.cwd, [given.text].flat().join(' ').trim());
  if (plan !== undefined) given.plan = plan;
}

/** Reads the long texts from where the command line says. `turn`: the initial text of an editor. */
async function readLongTexts(
  cli: Cli,
  fields: Fields,
  raw: Raw,
  turn: () => Promise<EditorDraft>,
): Promise<Record<string, Uint8Array>> {
  const texts: Record<string, Uint8Array> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind !== 'document') continue;
    const given = raw[name];
    const bytes = await createGivenTextReader(cli, raw)(
      typeof given === 'string' ? given : undefined,
      field,
    )?.bytes(turn);
    if (bytes) texts[name] = bytes;
  }
  return texts;
}

/** Decodes texts for sending. Throws `invalid_text` if one is not UTF-8. */
const decodeTexts = (texts: Readonly<Record<string, Uint8Array>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, bytes]) => [name, decodeText(bytes, 'The text')]));

/** Returns a field's value for sending; undefined if none was given. */
function toWireValue(cli: Cli, field: Field, name: string, given: unknown): unknown {
  const value = given ?? (field.variable === undefined ? undefined : cli.env[field.variable] || undefined);
  if (field.kind === 'flag') return value === (field.default ?? false) ? undefined : value;
  if (Array.isArray(value) && value.length === 0) return undefined;
  if (name === 'code' && typeof value === 'string' && value.startsWith('@'))
    return decodeText(readGivenFile(cli.cwd, value.slice(1), READ_LIMITS.message), value.slice(1));
  return value;
}

/** A link of an invitation, or its code as printed. Council names are lower-case. */
const LINK = /\/join(?:\?[^#]*)?#(.+)$/;
const PRINTED = /^[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}$/;

const HINT =
  'The code of an invitation opens a seat in a browser: open its link there, or type the code at /join of the server. A command line needs a token, which whoever runs the council makes: council token create --role participant --name NAME --as ID';

/** Adds a hint to the error if an invitation was given, which is useless for a command. */
export function withInvitationHint(error: unknown, argv: readonly string[], token = ''): unknown {
  const isGiven = argv.some(isInvitation) || isInvitation(token) || parseTypedCode(token) !== undefined;
  if (!isGiven || !(error instanceof CouncilError)) return error;
  return new CouncilError(error.code, error.message, { hint: HINT, details: error.details, cause: error });
}

const isInvitation = (text: string): boolean => {
  const [, linked = text] = LINK.exec(text) ?? [];
  return (linked !== text || PRINTED.test(text)) && parseTypedCode(linked) !== undefined;
};
