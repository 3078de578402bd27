// Waits for what comes back to a message: an answer, a refusal, or that it could not be delivered.
import { repeatWhenDue } from '../../../core/heartbeat/launch/rest.ts';
import { CouncilError } from '../../../core/base/errors.ts';
import { listAnsweredIds, readMessages, cutSecondPrefix } from '../channel.ts';
import type { Posted } from '../channel.ts';
import { findMessages } from '../find-message.ts';
import type { Office } from '../message-service.ts';
import { createInterruptedError } from '../../../core/app/app.ts';
import { makeRounds } from './open-office.ts';

/** Refused, or given up. */
const NO_ANSWER = ['nack', 'error'];
/** Says only that it has come or goes on, tells what happened, or asks in turn. */
const NOT_YET = ['ack', 'heartbeat', 'update', 'event', 'broadcast', 'request', 'clarify'];
/** Messages from one to the other, from an answer back to what was asked. */
const LONGEST_CHAIN = 20;

/**
 * Resolves to the first answer. Meanwhile what is due in the channel is done. Throws `timed_out`, `interrupted`, and `failed`
 * where it was refused or given up.
 */
export async function awaitAnswer(
  office: Office,
  message: Posted,
  { timeout, signal }: { timeout: number | undefined; signal: AbortSignal },
): Promise<Posted> {
  const { id, from, channel } = message;
  const late = timeout === undefined ? [] : [AbortSignal.timeout(timeout)];
  const answer = await untilFound(office, message, AbortSignal.any([signal, ...late]));
  if (!answer) {
    if (signal.aborted) throw createInterruptedError(`council sent --from ${from}`);
    throw new CouncilError('timed_out', `Nobody has answered ${id} in time.`, {
      hint: `It goes on without you. See: council sent --from ${from}, council channel show ${channel}`,
      details: { id },
    });
  }
  if (!NO_ANSWER.includes(answer.kind)) return answer;
  throw new CouncilError('failed', `${answer.from} gave no answer to ${id}: ${answer.body ?? ''}`, {
    hint: `See: council sent --from ${from}`,
    details: { id },
  });
}

/** Whether a message answers that one, or what answers it, from whomever: who was asked may have passed it on. */
async function isAnswerToMessage(office: Office, message: Posted, id: string): Promise<boolean> {
  const seen = new Set<string>();
  let ids = listAnsweredIds(message);
  while (ids.length > 0 && seen.size < LONGEST_CHAIN) {
    if (ids.includes(id)) return true;
    const before: string[] = [];
    for (const one of ids.filter((it) => !seen.has(it))) {
      seen.add(one);
      for (const found of await findMessages(office, one)) before.push(...listAnsweredIds(found));
    }
    ids = before;
  }
  return false;
}

async function untilFound(office: Office, message: Posted, end: AbortSignal): Promise<Posted | undefined> {
  const { id, from, name, channel } = message;
  const { promise, resolve, reject } = Promise.withResolvers<Posted | undefined>();
  let looking = Promise.resolve();
  const look = async (): Promise<void> => {
    const span = { from: cutSecondPrefix(name), limit: Infinity };
    const is = (one: Posted): boolean => one.from !== from && one.to === from && !NOT_YET.includes(one.kind);
    for (const one of (await readMessages(office.log, channel, span, office.warn)).filter(is))
      if (await isAnswerToMessage(office, one, id)) return resolve(one);
  };
  const again = (): void => void (looking = looking.then(look).catch(reject));
  const stop = office.log.watch(channel, again);
  const leave = (): void => resolve(undefined);
  end.addEventListener('abort', leave, { once: true });
  if (end.aborted) leave();
  again();
  const over = new AbortController();
  const rounds = repeatWhenDue(() => makeRounds(office, [channel]), AbortSignal.any([end, over.signal]));
  try {
    return await promise;
  } finally {
    stop();
    end.removeEventListener('abort', leave);
    over.abort();
    await rounds;
  }
}
