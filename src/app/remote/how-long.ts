// How long a call may take: most are done at once, and some take as long as somebody else does.

/** A call, as far as that decides. */
interface Asked {
  name: string;
  input: Readonly<Record<string, unknown>>;
}

/** Whether a call waits for an answer; it ends with whoever waits. */
export const awaits = ({ name, input }: Asked): boolean => name === 'send' && input.wait === true;

const PLAYED = ['run', 'plan', 'play', 'retry', 'answer'];
/** Whether an action of `task` plays tasks, whose result somebody waits for. */
export const isPlayed = ({ action }: Asked['input']): boolean => PLAYED.includes(String(action));

/** Whether a call takes as long as somebody else does: an agent that works, or whoever is to answer. */
export const isLong = (asked: Asked): boolean =>
  awaits(asked) || asked.name === 'tick' || (asked.name === 'task' && isPlayed(asked.input));
