// A message log that signs for agents with a key, and leaves out messages that are not really from them.
import { isId, sha256, getCrypto } from '../../core/base/ids.ts';
import * as z from 'zod/mini';
import type { AgentKey, AgentKeys } from './agent-keys.ts';
import { parseMessageDay } from '../../core/store/message-log.ts';
import type { MessageLog } from '../../core/store/message-log.ts';
import { readJsonDocument } from '../../core/store/documents.ts';
import { parseJsonObject } from './codecs/json-shape.ts';
import { toUnknownRecord } from '../../core/base/text.ts';

type UntrustedMessage = Record<string, unknown>;

/** Called for a rejected message; `isNew` if it was not reported before. */
export type OnRefused = (
  place: MessageLocation,
  message: UntrustedMessage,
  why: string,
  isNew: boolean,
) => Promise<void>;

/**
 * Wraps the log: signs what is added in the name of an agent with a key, and reads only what is validly signed.
 * Without any key it is the plain log, apart from checking if there is one.
 */
export function createAuthenticLog(log: MessageLog, keys: AgentKeys, onRefused: OnRefused): MessageLog {
  const findRefusalReason = (
    message: UntrustedMessage,
    place: MessageLocation,
    known: AgentKey[],
  ): string | undefined =>
    findSignatureProblem(message, place, known) ?? findReusedNonce(keys, message, place);
  const findSenderKeys = (message: UntrustedMessage) =>
    isId(message.from) ? keys.findKeys(message.from) : undefined;
  return {
    ...log,
    async append(channel, name, text, options) {
      if (!keys.isUsed()) return log.append(channel, name, text, options);
      const message = readJsonDocument(text);
      const key = findSenderKeys(message)?.find(({ until }) => until === undefined);
      if (key === undefined) return log.append(channel, name, text, options);
      const whole = signMessage(message, { channel, name }, key, keys.random(8));
      return log.append(channel, name, `${JSON.stringify(whole, null, 2)}\n`, options);
    },
    async read(channel, name) {
      const text = await log.read(channel, name);
      if (text === undefined || !keys.isUsed()) return text;
      const shape = parseJsonObject(text);
      // Text that is not a message is reported where it is decoded.
      if (!shape.ok) return text;
      const message = shape.json;
      const place = { channel, name };
      const known = findSenderKeys(message);
      const why =
        known === undefined
          ? explainForeignSignature(keys, message)
          : findRefusalReason(message, place, known);
      if (why === undefined) return text;
      const from = isId(message.from) ? message.from : 'unknown';
      const token = sha256(JSON.stringify([channel, name, why])).slice(0, 32);
      await onRefused(
        place,
        message,
        why,
        keys.firstUse(from, parseMessageDay(name) ?? '', token, 'refused').isNew,
      );
      return undefined;
    },
  };
}

function findReusedNonce(
  keys: AgentKeys,
  message: UntrustedMessage,
  { channel, name }: MessageLocation,
): string | undefined {
  const own = `${channel}/${name}`;
  const nonce = readSignature(message)?.nonce ?? '';
  const { use } = keys.firstUse(String(message.from), parseMessageDay(name) ?? '', nonce, own);
  return use === own ? undefined : `its nonce was used before, in ${use}`;
}

/** Refuses a message signed by one agent in the name of another that has no key. */
function explainForeignSignature(keys: AgentKeys, message: UntrustedMessage): string | undefined {
  const signed = readSignature(message);
  const owner =
    signed && keys.agents().find((agent) => keys.findKeys(agent)?.some(({ id }) => id === signed.key));
  return owner === undefined ? undefined : `it was signed by ${owner}, not by ${String(message.from)}`;
}

// Signs and verifies the file of a message: its sender, its place, and its content.

/** The location of a message: its channel, and the name of its file. */
interface MessageLocation {
  channel: string;
  name: string;
}

/** The version of the signature. */
const VERSION = 1;
const SIGNATURE_KEY = 'signature';

/** The signature in the file, below `metadata`. Invalid values prove nothing. */
const signature = z.object({
  version: z.catch(z.number(), NaN),
  /** The `AgentKey.id` of the key. */
  key: z.catch(z.string(), ''),
  nonce: z.catch(z.string().check(z.regex(/^[0-9a-f]{16,64}$/)), ''),
  hmac: z.catch(z.string(), ''),
});
type Signature = z.infer<typeof signature>;

/** Returns the message with a signature below `metadata`, which older readers ignore. `nonce` is used once. */
function signMessage(
  message: UntrustedMessage,
  place: MessageLocation,
  { id, key }: AgentKey,
  nonce: string,
): UntrustedMessage {
  const bare = withoutSignature(message);
  const hmac = computeMessageHmac(bare, place, key, nonce);
  const made: Signature = { version: VERSION, key: id, nonce, hmac };
  return { ...bare, metadata: { ...toUnknownRecord(bare.metadata), [SIGNATURE_KEY]: made } };
}

/** Returns the signature; undefined if there is none. */
function readSignature(message: UntrustedMessage): Signature | undefined {
  const found = toUnknownRecord(message.metadata)[SIGNATURE_KEY];
  return found === undefined ? undefined : signature.parse(toUnknownRecord(found));
}

/** Returns why the signature of a message is rejected, if its sender has keys; undefined if it is valid. */
function findSignatureProblem(
  message: UntrustedMessage,
  place: MessageLocation,
  keys: readonly AgentKey[],
): string | undefined {
  const { from } = message;
  const signed = readSignature(message);
  if (signed === undefined) return `it is not signed, and ${String(from)} has a key`;
  if (signed.version !== VERSION) return `the version ${signed.version} of its signature is not known`;
  const key = keys.find(({ id }) => id === signed.key);
  if (key === undefined) return `it is signed with a key that ${String(from)} does not have`;
  if (key.until !== undefined && !(String(message.timestamp) < key.until))
    return `it is signed with a key that was replaced before, at ${key.until}`;
  const right = Buffer.from(computeMessageHmac(withoutSignature(message), place, key.key, signed.nonce));
  const given = Buffer.from(signed.hmac);
  if (signed.nonce === '' || right.length !== given.length || !getCrypto().timingSafeEqual(right, given))
    return 'its signature does not fit: its text, sender, recipient, id, time or channel was changed';
  return place.name === `${String(message.id)}.json`
    ? undefined
    : 'it lies under the name of another message';
}

/** Covers version, channel, sender, recipient, id, time, and the hash of the whole content. */
function computeMessageHmac(
  message: UntrustedMessage,
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
    sha256(canonicalizeJson(message)),
  ];
  return getCrypto()
    .createHmac('sha256', Buffer.from(key, 'hex'))
    .update(canonicalizeJson(covered))
    .digest('hex');
}

function withoutSignature(message: UntrustedMessage): UntrustedMessage {
  const { [SIGNATURE_KEY]: _, ...metadata } = toUnknownRecord(message.metadata);
  const { metadata: before, ...rest } = message;
  return before === undefined || Object.keys(metadata).length === 0 ? rest : { ...rest, metadata };
}

/** Serializes with sorted keys, so that equal content gives equal text. */
const canonicalizeJson = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
