// Which calls take long: most return at once, some wait for an agent or a person.

/** A call, as far as that decides. */
interface CallRequest {
  name: string;
  input: Readonly<Record<string, unknown>>;
}

/** Whether a call waits for an answer; it ends when its client leaves. */
export const awaits = ({ name, input }: CallRequest): boolean => name === 'send' && input.wait === true;

const PLAYED = ['run', 'plan', 'play', 'retry', 'answer'];
/** Whether an action of `task` runs tasks and waits for their result. */
export const isPlayed = ({ action }: CallRequest['input']): boolean => PLAYED.includes(String(action));

/** Whether a call waits for an agent's work or for a person's answer. */
export const isLong = (asked: CallRequest): boolean =>
  awaits(asked) || asked.name === 'tick' || (asked.name === 'task' && isPlayed(asked.input));
