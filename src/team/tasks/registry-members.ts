// The workers that have joined: stored in one document, changed, and queried.
import { getPairValue } from '../messages/codecs/data-pairs.ts';
import type { Message } from '../messages/message.ts';
import { ENDS } from './wire-lines.ts';
import * as z from 'zod/mini';
import type { Documents } from '../../core/store/documents.ts';
import { COUNT, openBook, createItemsSchema } from '../messages/book.ts';

const nullableNumber = z.nullable(z.number());
/** A worker that has joined. Times are milliseconds since the epoch. */
const member = z.object({
  /** `W3`. */
  id: z.string(),
  /** The agent behind it, if known. */
  agent: z.nullable(z.string()),
  capabilities: z.array(z.string()),
  description: z.string(),
  maxDepth: nullableNumber,
  version: z.enum(['v4', 'v5']),
  /** A temporary worker is removed when it leaves; a permanent one keeps its id and data. */
  lifecycle: z.enum(['permanent', 'temporary']),
  until: nullableNumber,
  status: z.enum(['active', 'gone']),
  joined: z.number(),
  seen: z.number(),
  heartbeat: nullableNumber,
  load: nullableNumber,
  queue: nullableNumber,
  joins: z.number(),
  heartbeats: z.number(),
});
export type Member = z.infer<typeof member>;

const registryDocument = z.object({
  members: createItemsSchema(member),
  /** The highest message number so far, received or assigned. */
  messages: COUNT,
});
export type Registry = z.infer<typeof registryDocument>;

const WORKER = /^W([1-9]\d?)$/;
/** Maximum length of a list of ids, within the 200 characters of DATA. */
const LONGEST_LIST = 150;

/** Returns the remaining data of a worker that leaves; undefined for a temporary one. */
export const markMemberGone = (member: Member): Member | undefined =>
  member.lifecycle === 'temporary' ? undefined : { ...member, status: 'gone', load: null, queue: null };

/** Replaces or removes one worker; sorts by number. */
export function replaceMember(registry: Registry, id: string, member: Member | undefined): Registry {
  const others = registry.members.filter((one) => one.id !== id);
  const members = member ? [...others, member] : others;
  return { ...registry, members: members.toSorted((a, b) => getWorkerNumber(a.id) - getWorkerNumber(b.id)) };
}

const getWorkerNumber = (id: string): number => Number(WORKER.exec(id)?.[1] ?? ENDS.worker + 1);

/** Returns the first free id. */
export function findFreeId({ members }: Registry): string | undefined {
  const used = new Set(members.map(({ id }) => id));
  for (let n = 1; n <= ENDS.worker; n++) if (!used.has(`W${n}`)) return `W${n}`;
  return undefined;
}

/** Answers a query: `filter=W*` or one id, `status=active`, `caps=…` for required capabilities. */
export function answerMemberQuery({ members }: Registry, message: Message): string {
  const [filter, status, caps] = [
    getJoinedDataText(message, 'filter'),
    getJoinedDataText(message, 'status'),
    getDataList(message, 'caps'),
  ];
  const ids = members
    .filter((one) => ['', '*', 'W*', one.id].includes(filter) && one.status === (status || one.status))
    .filter(({ capabilities }) => caps.every((cap) => capabilities.includes(cap)))
    .map(({ id }) => id);
  const pages = paginateIds(ids);
  const page = getDataNumber(message, 'page') ?? 1;
  const shown = pages[page - 1] ?? [];
  const left = pages.slice(page).flat().length;
  const more = left > 0 ? `;more=${left}` : '';
  return `${shown.length === 0 ? '' : `agents=${shown.join(',')};`}count=${ids.length}${more}`;
}

function paginateIds(ids: readonly string[]): string[][] {
  const pages: string[][] = [];
  for (const id of ids) {
    const last = pages.at(-1);
    if (last && [...last, id].join(',').length <= LONGEST_LIST) last.push(id);
    else pages.push([id]);
  }
  return pages;
}

/** Returns a pair's value as a list; empty if there is none. */
export function getDataList(message: Message, key: string): string[] {
  const text = getJoinedDataText(message, key);
  return text === '' ? [] : text.split(',');
}

export const getJoinedDataText = ({ data }: Message, key: string): string => getPairValue(data, key) ?? '';

/** Parses a number; `20%` is 20. */
export function getDataNumber(message: Message, key: string): number | null {
  const number = /^(\d{1,9})%?$/.exec(getJoinedDataText(message, key))?.[1];
  return number === undefined ? null : Number(number);
}

export interface RegistryBook {
  read(): Promise<Registry>;
  /** `change` may be called several times. Resolves to its last `result`. */
  change<T>(change: (registry: Registry) => { registry: Registry; result: T }): Promise<T>;
}

/** Stores the workers in any document store. Unreadable data counts as absent: workers join again. */
export function createRegistryBook(store: Pick<Documents, 'read' | 'update'>): RegistryBook {
  const book = openBook(store, 'workers', registryDocument);
  return {
    read: book.read,
    async change<T>(change: (registry: Registry) => { registry: Registry; result: T }): Promise<T> {
      let result: T | undefined;
      await book.change((before) => {
        const after = change(before);
        result = after.result;
        return after.registry;
      });
      // The change has run at least once.
      return result as T;
    },
  };
}
