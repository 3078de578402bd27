/** Who is awake, by agent: a small text each, replaced as a whole. Nothing is lost with them: they are written again soon. */
export interface Presences {
  /** Replaces an agent's text. Rejects with `invalid_id`, `unsafe_path`, `io`. */
  write(agent: string, text: string): Promise<void>;
  /** All of them, sorted by agent. What cannot be read is left out. */
  list(): Promise<{ agent: string; text: string }[]>;
}
