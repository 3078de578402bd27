// Port for what agents keep from one task to the next.
/** What an agent may keep something as. */
export const MEMORY_TYPES = ['preference', 'context', 'knowledge', 'decision'] as const;
export type MemoryType = (typeof MEMORY_TYPES)[number];

/** Something that an agent has kept. */
export interface Memory {
  /** Counted over all agents of the project, and never given twice. */
  id: number;
  type: MemoryType;
  content: string;
  /** When it was kept, ISO 8601 UTC. */
  at: string;
}

/** Which memories, and how many of them. */
export interface MemoryFilter {
  type?: MemoryType | undefined;
  limit: number;
}

/**
 * What one agent has kept, for as long as the project lasts. Another agent's memories do not exist for it. Durable when a
 * change resolves. Everything rejects with `corrupt` where what is kept is damaged, `io` where it cannot be written.
 */
export interface AgentMemory {
  add(memory: Omit<Memory, 'id'>): Promise<Memory>;
  get(id: number): Promise<Memory | undefined>;
  /** Newest first. */
  list(filter: MemoryFilter): Promise<Memory[]>;
  /** Those with any of the words, the best first. Whatever `words` hold, they are words. */
  search(words: string, filter: MemoryFilter): Promise<Memory[]>;
  count(): Promise<number>;
  /** False where there was none. */
  delete(id: number): Promise<boolean>;
  /** How many there were. */
  clear(type: MemoryType): Promise<number>;
}
