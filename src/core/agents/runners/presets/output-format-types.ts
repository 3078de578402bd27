// Output formats of agent programs, as data: what documents mean, and where their values are.

/** Where numbers of tokens and costs stand; paths that are not there count nothing. */
export interface UsageRule {
  /** An object with one entry for each model: then `input` and `output` are paths in an entry. */
  models?: string;
  input: readonly string[];
  output: readonly string[];
  cost?: string;
  /** The model's name, or its parts. */
  model?: readonly string[];
}

export interface Rule {
  /** Values that a document of this kind has, by path; null stands for anything but nothing. */
  when: Readonly<Record<string, string | boolean | null>>;
  /**
   * `message`: something that the model said. `end`: the positive sign that its turn is over. `failure`: the turn failed.
   * `trouble`: why it failed, if no end comes. `begin`: it goes on, whatever ended before. `other`: known, and of no use.
   */
  is: 'message' | 'end' | 'failure' | 'trouble' | 'begin' | 'other';
  /** Where the words stand; of an `end`, where it repeats the answer. */
  text?: string;
  /** A message that comes in pieces: what goes between them. */
  join?: string;
  /** Where it says why it ended, the most telling first (see the table of stop reasons). */
  stop?: readonly string[];
  /** Where a failure says what went wrong, the most telling first. */
  reason?: readonly string[];
  /** Where the HTTP status of the provider stands, and the seconds that it asked to wait. */
  status?: string;
  retryAfter?: string;
  /** The first that gives a figure counts. */
  usage?: readonly UsageRule[];
  /** Whether the figures are of all that came before as well, or count only where no end and no failure has any. */
  figures?: 'of all before' | 'of a step';
}

/** A document with the rule that knows it. */
export interface Event {
  rule: Rule;
  document: object;
}

/** All that is known of what a program prints. */
export interface Shape {
  /** The first rule that fits a document counts. Empty: plain text. */
  rules: readonly Rule[];
  /** Failures are reported on stderr as well. */
  failsOnStderr?: true;
  /** What its log on stderr tells of a failure that its report does not name, or while it tries again by itself. */
  log?: RegExp;
  /** Tokens that stand on stderr in words. */
  counts?: { input: RegExp; output: RegExp };
  /** Exit codes of its own for settings that are wrong. */
  configExits?: readonly number[];
}
