// The messages of a channel whose ACK is waited for, by recipient: kept in a document, by compare-and-set.
import { toUnknownRecord } from '../../core/base/text.ts';
import type { Documents } from '../../core/store/documents.ts';
import { jsonDocument, jsonStamp, readJsonDocument } from '../../core/store/documents.ts';
import { STATES } from './delivery.ts';
import type { Delivery } from './delivery.ts';

/** One message on its way to one recipient, the first of its chain. */
export interface Tracked extends Delivery {
  /** The name of its file, which sorts by time. */
  name: string;
  from: string;
  /** That it wants no ACK, and is only told of when its time is over before it was shown. */
  isBrief?: boolean;
  /** When it was given up, in milliseconds since the epoch. */
  endedAt?: number;
  /** That its sender knows it was given up. */
  isTold?: boolean;
}

/** The deliveries of one channel. */
export interface Ledger {
  /** Names from this one on are looked at; of what came before, everything that is not here has ended. */
  mark: string;
  /** By `buildDeliveryKey`. */
  tracked: Record<string, Tracked>;
}

export interface Deliveries {
  /** The channels in which something is, or was, on its way. */
  channels(): Promise<string[]>;
  read(channel: string): Promise<Ledger>;
  /** Changes one by compare-and-set; `change` may run several times. False where it returned undefined: nothing is written. */
  change(channel: string, change: (ledger: Ledger) => Ledger | undefined): Promise<boolean>;
}

/** The stamp that the store checks. */
export const readDeliveriesStamp = jsonStamp('deliveries');

export const buildDeliveryKey = ({ id, chain }: Pick<Delivery, 'id' | 'chain'>): string =>
  `${id} ${chain[0]}`;

/** On any driver of documents, in a place of its own, where they are no councils. */
export function createDeliveries(store: Pick<Documents, 'read' | 'update' | 'list'>): Deliveries {
  return {
    channels: () => store.list('', { look: false }),
    read: async (channel) => parseLedger((await store.read(channel))?.text),
    async change(channel, change) {
      const { committed } = await store.update(channel, (current, revision) => {
        const next = change(parseLedger(current?.text));
        return next && jsonDocument(next, revision);
      });
      return committed;
    },
  };
}

/** Unreadable state counts as empty: open messages are then checked again. */
function parseLedger(text: string | undefined): Ledger {
  const { mark, tracked } = readJsonDocument(text);
  const entries = Object.values(toUnknownRecord(tracked)).filter(isTracked);
  return {
    mark: typeof mark === 'string' ? mark : '',
    tracked: Object.fromEntries(entries.map((one) => [buildDeliveryKey(one), one])),
  };
}

function isTracked(value: unknown): value is Tracked {
  const { id, chain, at, retries, state, dueAt, name, from, reason, expiresAt, endedAt } =
    toUnknownRecord(value);
  return (
    [id, name, from].every((one) => typeof one === 'string') &&
    (reason === undefined || typeof reason === 'string') &&
    STATES.some((one) => one === state) &&
    isInstant(dueAt) &&
    [expiresAt, endedAt].every((one) => one === undefined || isInstant(one)) &&
    isCount(retries) &&
    isCount(at) &&
    Array.isArray(chain) &&
    at < chain.length &&
    chain.every((one) => typeof one === 'string')
  );
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Milliseconds since the epoch that are a time. */
const isInstant = (value: unknown): boolean =>
  typeof value === 'number' && !Number.isNaN(new Date(value).getTime());
