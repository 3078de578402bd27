// Signs the file of a message and checks it: who wrote it, where it belongs, and that nothing of it was changed.
import { crypto } from '../../core/base/crypto.ts';
import { sha256 } from '../../core/base/ids.ts';
import { toUnknownRecord } from '../../core/base/unknown-record.ts';
import type { AgentKey } from '../../core/store/agent-keys.ts';

/** Where a message lies: its channel, and the name of its file. */
export interface MessageLocation {
  channel: string;
  name: string;
}

type SignableMessage = Record<string, unknown>;

/** The version of what is signed, and how. */
const VERSION = 1;
const KEY = 'signature';

/** What stands in the file, below `metadata`. */
interface Signature {
  version: number;
  /** Which key: `AgentKey.id`. */
  key: string;
  nonce: string;
  hmac: string;
}

/** The message with a signature below `metadata`, which older readers leave alone. `nonce` is used once. */
export function signMessage(
  message: SignableMessage,
  place: MessageLocation,
  { id, key }: AgentKey,
  nonce: string,
): SignableMessage {
  const bare = withoutSignature(message);
  const signature: Signature = {
    version: VERSION,
    key: id,
    nonce,
    hmac: computeMessageHmac(bare, place, key, nonce),
  };
  return { ...bare, metadata: { ...toUnknownRecord(bare.metadata), [KEY]: signature } };
}

/** Its signature; undefined where it has none. What cannot be one proves nothing. */
export function readSignature(message: SignableMessage): Signature | undefined {
  const found = toUnknownRecord(message.metadata)[KEY];
  if (found === undefined) return undefined;
  const { version, key, nonce, hmac } = toUnknownRecord(found);
  return {
    version: Number(version),
    key: String(key),
    nonce: typeof nonce === 'string' && /^[0-9a-f]{16,64}$/.test(nonce) ? nonce : '',
    hmac: String(hmac),
  };
}

/** Why the signature of a message is rejected, if its sender has keys; undefined if it is valid. */
export function whyNotBelieved(
  message: SignableMessage,
  place: MessageLocation,
  keys: readonly AgentKey[],
): string | undefined {
  const { from } = message;
  const signature = readSignature(message);
  if (signature === undefined) return `it is not signed, and ${String(from)} has a key`;
  if (signature.version !== VERSION) return `the version ${signature.version} of its signature is not known`;
  const key = keys.find(({ id }) => id === signature.key);
  if (key === undefined) return `it is signed with a key that ${String(from)} does not have`;
  if (key.until !== undefined && !(String(message.timestamp) < key.until))
    return `it is signed with a key that was replaced before, at ${key.until}`;
  const right = Buffer.from(computeMessageHmac(withoutSignature(message), place, key.key, signature.nonce));
  const given = Buffer.from(signature.hmac);
  if (signature.nonce === '' || right.length !== given.length || !crypto().timingSafeEqual(right, given))
    return 'its signature does not fit: its text, sender, recipient, id, time or channel was changed';
  return place.name === `${String(message.id)}.json`
    ? undefined
    : 'it lies under the name of another message';
}

/** Version, channel, sender, recipient, id, time and the hash of everything in it. */
function computeMessageHmac(
  message: SignableMessage,
  { channel }: MessageLocation,
  key: string,
  nonce: string,
): string {
  const { from, to, id, timestamp } = message;
  const covered = [
    'council message',
    VERSION,
    channel,
    from,
    to,
    id,
    timestamp,
    nonce,
    sha256(canonical(message)),
  ];
  return crypto().createHmac('sha256', Buffer.from(key, 'hex')).update(canonical(covered)).digest('hex');
}

function withoutSignature(message: SignableMessage): SignableMessage {
  const { [KEY]: _, ...metadata } = toUnknownRecord(message.metadata);
  const { metadata: before, ...rest } = message;
  return before === undefined || Object.keys(metadata).length === 0 ? rest : { ...rest, metadata };
}

/** JSON whose keys are sorted, so that the same content is the same text, however it was written. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
