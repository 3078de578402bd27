import { CouncilError } from '../base/errors.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

export const isConversationId = (value: string): boolean => UUID.test(value);

/** Returns a conversation id that may stand in a path; throws `invalid_id` for anything but a UUID. */
export function requireConversationId(value: string): string {
  if (isConversationId(value)) return value;
  throw new CouncilError('invalid_id', `Not a conversation id: ${JSON.stringify(value.slice(0, 80))}.`, {
    hint: 'Expected a UUID in lower case, as in the state file.',
  });
}

/** Returns a plain file name; throws `invalid_id` for anything that could lead elsewhere. */
export function requireFileName(value: string): string {
  if (FILE_NAME.test(value)) return value;
  throw new CouncilError('invalid_id', `Not a plain file name: ${JSON.stringify(value.slice(0, 80))}.`, {
    hint: 'Use 1 to 200 letters, digits, dots, hyphens and underscores.',
  });
}
