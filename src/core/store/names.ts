// Validates ids and file names before they become part of a path.
import { CouncilError } from '../base/errors.ts';
import { READ_LIMITS } from '../base/limits.ts';
import { parseMessageDay } from './message-log.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

// Names given by council, or changed by people; never a path out of the folder.
const ARCHIVE_PATH = /^conseils\/(?!\.)[^/\\\0]+\.md$/;

export const isConversationId = (value: string): boolean => UUID.test(value);

/** Returns a conversation id that is safe in a path; throws `invalid_id` for anything but a UUID. */
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

/** Returns the path of an archive, relative to the project's root; throws `corrupt` for any other. */
export function requireArchivePath(value: string): string {
  if (ARCHIVE_PATH.test(value)) return value;
  throw new CouncilError('corrupt', `Not the path of an archive: ${JSON.stringify(value.slice(0, 200))}.`, {
    hint: 'Archives lie in conseils/ and are named like 2026-01-31-topic.md.',
  });
}

/** Returns the name of a message; throws `invalid_id` for any other. */
export function requireMessageName(value: string): string {
  if (parseMessageDay(value) !== undefined) return value;
  throw new CouncilError('invalid_id', `Not the name of a message: ${JSON.stringify(value.slice(0, 120))}.`, {
    hint: 'Messages are named like msg-20260111-163315-claude-1-4c78.json.',
  });
}

/** Returns the bytes of a message; throws `too_large` beyond the limit for reading. */
export function requireMessage(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length <= READ_LIMITS.message) return bytes;
  throw new CouncilError(
    'too_large',
    `The message has ${bytes.length} bytes; the limit is ${READ_LIMITS.message}.`,
    { hint: 'Put the text into a file of the project, and send its name: --artifact FILE' },
  );
}
