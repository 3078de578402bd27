// The hint for an invitation that was given to a command: it is for the browser.
import { parseTypedCode } from '../access/sign-in-code.ts';
import { CouncilError } from '../../core/base/errors.ts';

/** A link of an invitation, or its code as it is printed. A name of a council has small letters. */
const LINK = /\/join(?:\?[^#]*)?#(.+)$/;
const PRINTED = /^[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}$/;

const HINT =
  'The code of an invitation opens a seat in a browser: open its link there, or type the code at /join of the server. A command line needs a token, which whoever runs the council makes: council token create --role participant --name NAME --as ID';

/** The same error, with what to do where an invitation was given: it opens nothing to a command. */
export function withInvitationHint(error: unknown, argv: readonly string[], token = ''): unknown {
  const isGiven = argv.some(isInvitation) || isInvitation(token) || parseTypedCode(token) !== undefined;
  if (!isGiven || !(error instanceof CouncilError)) return error;
  return new CouncilError(error.code, error.message, { hint: HINT, details: error.details, cause: error });
}

const isInvitation = (text: string): boolean => {
  const [, linked = text] = LINK.exec(text) ?? [];
  return (linked !== text || PRINTED.test(text)) && parseTypedCode(linked) !== undefined;
};
