// What a server tells a command line beside the document that it prints with --json.

/** The type of an answer that has it; without one, it is not known by the server. */
export const TOLD_TYPE = 'application/vnd.council.told+json';

/** The notes of the command, and what it shows people where that is not made of the document. */
export interface Told {
  notes: string[];
  page?: unknown;
}
