// PostgreSQL driver: sealed and refused texts, behind guarding functions; all others stay on this machine.
import { CouncilError } from '../../core/base/errors.ts';
import { sha256 } from '../../core/base/ids.ts';
import { toUnknownRecord, tryParseJson } from '../../core/base/text.ts';
import { requireConversationId, requireFileName } from '../../core/store/names.ts';
import { isSealed, parseSealedRound } from '../../core/store/small-files.ts';
import type { PrivateTexts, SealGuard } from '../../core/store/small-files.ts';
import { requireSealed } from './inspect-server.ts';
import type { Database } from './database.ts';
import { asStoreError, classifyDatabaseError, getSqlState } from './failures.ts';
import { isMark, formatPrivatePath } from './place.ts';

/** Error codes of the functions: see the migration that creates them. */
const CLOSED = 'SL001';
const ANOTHER = 'SL003';

/** Private texts on top of this machine's: `local` keeps spools, tokens and everything of unknown councils. */
export function createPostgresPrivateTexts(database: Database, local: PrivateTexts): PrivateTexts {
  const call = (name: string): string => `"${database.place.schema}_sealed".${name}`;
  const formatPath = (conversation: string, name: string): string =>
    formatPrivatePath(database.place.displayName, local, conversation, name);
  return {
    ...local,
    async write(conversation, name, bytes, options) {
      if (isMark(name)) return formatPath(conversation, name);
      if (!isSealed(name)) return local.write(conversation, name, bytes, options);
      const path = formatPath(conversation, name);
      await put(database, call('seal_put'), { conversation, name, bytes });
      return path;
    },
    async read(conversation, name) {
      if (!isSealed(name)) return local.read(conversation, name);
      // An open round reveals nothing, without an error that would abort the caller's transaction.
      const [row] = await database.read<{ bytes: Buffer }>(
        `SELECT r.bytes FROM ${call('seal_closings')}($1) c, LATERAL ${call('seal_reveal')}($1, c.tour, $2) r WHERE c.tour = $3`,
        [requireConversationId(conversation), requireFileName(name), parseSealedRound(name)],
      );
      return row?.bytes;
    },
    async list(conversation) {
      const rows = await database.read<{ name: string }>(`SELECT name FROM ${call('seal_list')}($1)`, [
        requireConversationId(conversation),
      ]);
      return [...(await local.list(conversation)), ...rows.map(({ name }) => name)].sort();
    },
    async size(conversation, name) {
      if (!isSealed(name)) return isMark(name) ? undefined : local.size(conversation, name);
      const [row] = await database.read<{ size: number | null }>(
        `SELECT ${call('seal_size')}($1, $2) AS size`,
        [requireConversationId(conversation), requireFileName(name)],
      );
      return row?.size ?? undefined;
    },
    path: formatPath,
    async markArchived(conversation, at) {
      await database.write(`SELECT ${call('seal_mark')}($1)`, [requireConversationId(conversation)]);
      await local.markArchived(conversation, at);
    },
    async sweep(now) {
      const rows = await database.write<{ swept: string }>(`SELECT ${call('seal_sweep')}() AS swept`);
      return [...new Set([...(await local.sweep(now)), ...rows.map(({ swept }) => swept)])].sort();
    },
    async remove(conversation, name) {
      if (isSealed(name)) await database.write(`SELECT ${call('seal_drop')}($1, $2)`, [conversation, name]);
      else if (!isMark(name)) await local.remove(conversation, name);
    },
    sealing: createSealing(database, call),
  };
}

function createSealing(database: Database, call: (name: string) => string): SealGuard {
  return {
    check: () => requireSealed(database.read, database.place.schema),
    async close(conversation, round, why) {
      await database.write(`SELECT ${call('seal_close')}($1, $2, $3)`, [conversation, round, why]);
    },
    async isClosed(conversation, round) {
      const rows = await database.read(`SELECT 1 FROM ${call('seal_closings')}($1) WHERE tour = $2`, [
        conversation,
        round,
      ]);
      return rows.length > 0;
    },
    async same(conversation, name, text) {
      const [row] = await database.read<{ same: boolean | null }>(
        `SELECT ${call('seal_same')}($1, $2, $3) AS same`,
        [conversation, name, hashToBytes(text)],
      );
      return row?.same ?? undefined;
    },
  };
}

/** Only hashes are compared, so no text is sent. */
const hashToBytes = (text: string): Buffer => Buffer.from(sha256(text), 'hex');

/** Returns the hash of the text in a sealed record, or of a refused text, to recognize repeated texts. */
function readSealedText(name: string, bytes: Uint8Array): Buffer | null {
  if (!name.startsWith('sealed-')) return Buffer.from(sha256(bytes), 'hex');
  const { text } = toUnknownRecord(tryParseJson(Buffer.from(bytes).toString('utf8')));
  return typeof text === 'string' ? hashToBytes(text) : null;
}

async function put(
  database: Database,
  seal: string,
  { conversation, name, bytes }: { conversation: string; name: string; bytes: Uint8Array },
): Promise<void> {
  const values = [
    conversation,
    parseSealedRound(name),
    name,
    Buffer.from(bytes),
    readSealedText(name, bytes),
  ];
  const send = () => database.once(`SELECT ${seal}($1, $2, $3, $4, $5)`, values);
  try {
    // Sealing the same bytes twice is fine, whatever happened to the first answer.
    await send().catch((error: unknown) => {
      if (classifyDatabaseError(error) !== 'lost') throw error;
      return send();
    });
  } catch (error) {
    throw explainSealRefusal(error, name, bytes.length) ?? asStoreError(error, database.place.displayName);
  }
}

function explainSealRefusal(error: unknown, name: string, bytes: number): CouncilError | undefined {
  switch (getSqlState(error)) {
    case CLOSED:
      return new CouncilError(
        'phase_closed',
        'The blind phase has been closed: nothing is sealed any more.',
        {
          hint: 'The next tick opens the next phase: council tick',
        },
      );
    case ANOTHER:
      return new CouncilError(
        'failed',
        `There is another text ${name} already (${bytes} bytes were to be kept).`,
        {
          hint: 'Private texts are never overwritten.',
        },
      );
    default:
      return undefined;
  }
}
