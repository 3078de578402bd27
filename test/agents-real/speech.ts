import { canary } from '../helpers/canary.ts';
import type { Asked, Reply } from '../helpers/fake-model.ts';

export const PHASES = ['COLLECT', 'CHALLENGE', 'RESOLVE', 'SYNTHESIZE'] as const;
export type Phase = (typeof PHASES)[number];

/** What the fake model says for every seat, and what it has said. */
export interface Script {
  /** The persona that makes a seat known to the model. */
  persona(id: string): string;
  /** The word that stands in what a seat says in a phase, and nowhere else. */
  canary(id: string, phase: Phase): string;
  /** Everything the model has said, word for word, by seat and phase. */
  said: Map<string, string>;
  /** Whose turn a request is, and in which phase; null for what is no turn. */
  turnOf(asked: Pick<Asked, 'raw'>): { id: string; phase: Phase; isAgain: boolean } | null;
  answer(asked: Asked): Reply;
}

/**
 * A debate in which everybody holds another position, quotes the others and answers their challenges. With `isPoor` they
 * state their positions only when they are asked once more.
 */
export function script(ids: string[], { isPoor = false } = {}): Script {
  const words = new Map(ids.flatMap((id) => PHASES.map((phase) => [`${id} ${phase}`, canary()] as const)));
  const marks = new Map(ids.map((id) => [id, `SEAT-${canary()}`] as const));
  const said = new Map<string, string>();
  const wordOf = (id: string, phase: Phase): string => words.get(`${id} ${phase}`)!;
  const claimOf = (id: string): string => `The proof of position ${wordOf(id, 'COLLECT')} is in the brief.`;

  const turnOf: Script['turnOf'] = ({ raw }) => {
    const id = ids.find((one) => raw.includes(marks.get(one)!));
    // A session that goes on has the earlier phases above the open one.
    const phase = [...raw.matchAll(/Phase: (COLLECT|CHALLENGE|RESOLVE|SYNTHESIZE) \(round \d+\)/g)].at(
      -1,
    )?.[1] as Phase | undefined;
    const again = /You have answered in ([A-Z]+) \(round \d+\)/.exec(raw)?.[1] as Phase | undefined;
    const turn = phase ?? again;
    return id === undefined || turn === undefined ? null : { id, phase: turn, isAgain: again !== undefined };
  };

  const says = (id: string, phase: Phase, prompt: string): string => {
    const word = wordOf(id, phase);
    const position = `position: Position of ${wordOf(id, 'COLLECT')}`;
    switch (phase) {
      case 'COLLECT':
        return `${isPoor ? '' : `---\n${position}\nconfidence: 0.7\n---\n\n`}${claimOf(id)}\n\nA second claim, « with accents é and an owl 🦉 ».\n`;
      case 'CHALLENGE': {
        // Only what the prompt really shows is quoted.
        const shown = ids.filter((other) => other !== id && prompt.includes(claimOf(other)));
        const challenges = shown.map((other) => `> ${claimOf(other)}\n\nNobody has checked that: ${word}.`);
        return `---\n${position}\n---\n\n${challenges.join('\n\n') || `Nothing to challenge: ${word}.`}\n`;
      }
      case 'RESOLVE': {
        const open = [...prompt.matchAll(/^#+ (c\d+), by /gm)].map(([, number]) => number!);
        const answers = open.map((number) => `${number} answered: the claim stands, ${word}.`);
        return `---\n${position}\n---\n\n${answers.join('\n\n') || `No challenge: ${word}.`}\n`;
      }
      case 'SYNTHESIZE':
        return `### Decision\n\nNo decision: ${word}.\n`;
    }
  };

  return {
    persona: (id) => `You weigh what can be proved. Your seat is ${marks.get(id)}.`,
    canary: wordOf,
    said,
    turnOf,
    answer(asked) {
      const turn = turnOf(asked);
      // gemini has a small model choose the large one.
      if (asked.schema) return {};
      // Programs ask for titles and the like as well.
      if (turn === null) return { text: 'A title' };
      const key = `${turn.id} ${turn.phase}`;
      if (turn.isAgain) {
        const text = `Sure!\n\n**Position:** Position of ${wordOf(turn.id, 'COLLECT')}\n`;
        said.set(key, `${said.get(key)}\n${text}`);
        return { text };
      }
      const text = says(turn.id, turn.phase, [asked.system, ...asked.users].join('\n'));
      said.set(key, text);
      return { text };
    },
  };
}
