// A log of messages that signs for agents with a key, and leaves out what only claims to be from them.
import { isId, sha256 } from '../../core/base/ids.ts';
import type { AgentKey, AgentKeys } from '../../core/store/agent-keys.ts';
import { dayOf } from '../../core/store/message-log.ts';
import type { MessageLog } from '../../core/store/message-log.ts';
import { readJsonDocument } from '../../core/store/json-document.ts';
import { parseJsonObject } from './codecs/json-shape.ts';
import { readSignature, signMessage, whyNotBelieved } from './signature.ts';
import type { MessageLocation } from './signature.ts';

type UntrustedMessage = Record<string, unknown>;

/** Called for a rejected message; `isNew` if it was not reported before. */
export type OnRefused = (
  place: MessageLocation,
  message: UntrustedMessage,
  why: string,
  isNew: boolean,
) => Promise<void>;

/**
 * The log, with what is added in the name of an agent with a key signed, and read only where its signature fits. Without any
 * key it is the log itself, but for one look whether there is a key.
 */
export function authenticLog(log: MessageLog, keys: AgentKeys, onRefused: OnRefused): MessageLog {
  const whyRefused = (
    message: UntrustedMessage,
    place: MessageLocation,
    known: AgentKey[],
  ): string | undefined => whyNotBelieved(message, place, known) ?? findReusedNonce(keys, message, place);
  const keysOfSender = (message: UntrustedMessage) =>
    isId(message.from) ? keys.of(message.from) : undefined;
  return {
    ...log,
    async append(channel, name, text, options) {
      if (!keys.isUsed()) return log.append(channel, name, text, options);
      const message = readJsonDocument(text);
      const key = keysOfSender(message)?.find(({ until }) => until === undefined);
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
      const known = keysOfSender(message);
      const why = known === undefined ? othersSignature(keys, message) : whyRefused(message, place, known);
      if (why === undefined) return text;
      const from = isId(message.from) ? message.from : 'unknown';
      const token = sha256(JSON.stringify([channel, name, why])).slice(0, 32);
      await onRefused(place, message, why, keys.firstUse(from, dayOf(name) ?? '', token, 'refused').isNew);
      return undefined;
    },
  };
}

/** Why a message is refused whose nonce was used before; undefined for a new nonce. */
function findReusedNonce(
  keys: AgentKeys,
  message: UntrustedMessage,
  { channel, name }: MessageLocation,
): string | undefined {
  const own = `${channel}/${name}`;
  const nonce = readSignature(message)?.nonce ?? '';
  const { use } = keys.firstUse(String(message.from), dayOf(name) ?? '', nonce, own);
  return use === own ? undefined : `its nonce was used before, in ${use}`;
}

/** What one agent has signed is not from another, who has no key. */
function othersSignature(keys: AgentKeys, message: UntrustedMessage): string | undefined {
  const signature = readSignature(message);
  const owner =
    signature && keys.agents().find((agent) => keys.of(agent)?.some(({ id }) => id === signature.key));
  return owner === undefined ? undefined : `it was signed by ${owner}, not by ${String(message.from)}`;
}
