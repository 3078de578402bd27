// What a server tells a command line beside the document that it prints with --json.

/** The type of an answer that has it; without one, it is not known by the server. */
export const TOLD_TYPE = 'application/vnd.council.told+json';

/** The notes of the command, and what it shows people where that is not made of the document. */
export interface Beside {
  notes: string[];
  page?: unknown;
}

/** All of it. */
export type ClientOutput = Beside & { document: unknown };

/** Bytes of an answer: archives at most, written twice in JSON. */
export const MOST_ANSWER = 256 * 1024 * 1024;
